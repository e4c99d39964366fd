"""The grid: which asks lint examines.

It follows from the declarations. In the middle is an ask with the required inputs of
the roll's own example, and defaults for the rest. Around it every input takes a few
values, one input at a time and then two at a time.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, pairwise
from typing import Any, NamedTuple

from astragal.errors import Illegal, Refusal
from astragal.rule.game import Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.input import Flag, Input, Numbers, OneOf, Whole
from astragal.rule.inputs.total import Source, Total
from astragal.rule.inputs.word import Named

USUAL_NUMBER = 5
"""The value of a number that neither the example nor a default gives."""
MAX_OPTIONS = 6
"""Options of an input that are tried."""
MAX_ASKS = 1500
"""Asks of a grid: some seconds' work."""


class Step(NamedTuple):
    """Two asks that differ in one input by one step upwards."""

    input: Input
    low: Ask
    high: Ask

    @property
    def values(self) -> tuple[Any, Any]:
        """The input's lower and higher value."""
        return getattr(self.low, self.input.name), getattr(self.high, self.input.name)


class Grid(NamedTuple):
    """The ask in the middle, the values that each input takes, and the legal asks around the middle."""

    kind: Kind
    middle: Ask
    values: Mapping[str, tuple[Any, ...]]
    alone: tuple[Ask, ...]
    """The middle, and asks that differ from it in one input."""
    asks: tuple[Ask, ...]
    """These, and asks that differ in two inputs."""
    whole: bool
    """True if all pairs of inputs were within the limit."""

    @property
    def varied(self) -> tuple[str, ...]:
        """The inputs that take more than one value."""
        return tuple(name for name in self.values if len({getattr(ask, name) for ask in self.asks}) > 1)

    def steps(self) -> Iterator[Step]:
        """Yield every step of every ordered input between two asks of the grid."""
        by_key = {_key(ask, self.values): ask for ask in self.asks}
        for ask in self.asks:
            for name, values in self.values.items():
                input = self.kind.ask.inputs[name]
                after = dict(pairwise(values)).get(getattr(ask, name)) if _has_order(input) else None
                high = by_key.get(_key(ask, self.values, name, after)) if after is not None else None
                if high is not None:
                    yield Step(input, ask, high)


def _key(ask: Ask, names: Iterable[str], changed: str = "", to: Any = None) -> tuple[Any, ...]:
    """The values of an ask's inputs, optionally with one of them changed."""
    return tuple(to if name == changed else getattr(ask, name) for name in names)


def grid_of(kind: Kind, near: Ask | None = None, most: int = MAX_ASKS) -> Grid:
    """Return the grid around an ask, by default around the roll's own example."""
    example = example_of(kind)
    middle = near or middle_of(kind, example)
    given = {name: value for name, value in vars(middle).items() if name in kind.ask.inputs}
    values = {
        name: found
        for name, input in kind.ask.inputs.items()
        if len(found := values_of(input, getattr(middle, name), example.get(name))) > 1
    }
    alone, asks, whole = _asks(kind, given, values, most)
    return Grid(kind, middle, values, alone, asks, whole)


def _asks(
    kind: Kind, given: Mapping[str, Any], values: Mapping[str, tuple[Any, ...]], most: int
) -> tuple[tuple[Ask, ...], tuple[Ask, ...], bool]:
    """One input at a time, then pairs, guided inputs first, up to the limit."""
    found: dict[Ask, None] = {}
    singles = [{}, *({name: value} for name, each in values.items() for value in each)]
    for change in singles:
        _add(found, kind, {**given, **change})
    alone = tuple(found)
    inputs = kind.ask.inputs
    for one, other in sorted(combinations(values, 2), key=lambda pair: -sum(inputs[name].guided for name in pair)):
        for first in values[one]:
            for second in values[other]:
                if len(found) >= most:
                    return alone, tuple(found), False
                _add(found, kind, {**given, one: first, other: second})
    return alone, tuple(found), True


def _add(found: dict[Ask, None], kind: Kind, given: Mapping[str, Any]) -> None:
    ask = make_ask(kind, given)
    if ask is not None:
        found.setdefault(ask)


def make_ask(kind: Kind, given: Mapping[str, Any]) -> Ask | None:
    """Return the ask, or None if the rules refuse it."""
    try:
        return kind.ask(**given)
    except Refusal:
        return None


def middle_of(kind: Kind, example: Mapping[str, Any]) -> Ask:
    """Return an ask with the required and positional inputs of the example; if that is refused, the whole example."""
    inputs = kind.ask.inputs
    names = dict.fromkeys([*kind.short, *(name for name, input in inputs.items() if input.required)])
    given = {name: example.get(name, _usual(inputs[name])) for name in names}
    plain = {name: int(value) if isinstance(value, Total) else value for name, value in given.items()}
    for each in (plain, given, example):
        ask = make_ask(kind, {name: value for name, value in each.items() if value is not None})
        if ask is not None:
            return ask
    raise Illegal(f"No ask of {kind.title!r} follows from its declarations and example; name one to start from.")


def _usual(input: Input) -> Any:
    """A value to start with if the example gives none."""
    if isinstance(input, Whole):
        return (
            max(input.lowest, min(input.highest, USUAL_NUMBER))
            if input.default in (None, 0) or input.required
            else None
        )
    return input.options[0] if input.required and isinstance(input, OneOf) else None


def example_of(kind: Kind) -> dict[str, Any]:
    """Return the inputs that the roll's own example command gives, without answers to choices."""
    words = shlex.split(kind.example)[1:]
    words = words[1:] if words[:1] == [kind.name] else words
    written: dict[str, list[str]] = {}
    places: list[str] = []
    while words:
        word = words.pop(0)
        if not word.startswith("--"):
            places.append(word)
            continue
        name = word.removeprefix("--").replace("-", "_")
        flag = isinstance(kind.ask.inputs.get(name), Flag)
        texts = [words.pop(0)] if words and not flag and not words[0].startswith("--") else ["yes"]
        written.setdefault(name, []).extend(texts)
    written.update((name, [text]) for name, text in zip(kind.short, places, strict=False))
    return {name: value for name, texts in written.items() if (value := _read(kind, name, texts)) is not None}


def _read(kind: Kind, name: str, texts: list[str]) -> Any:
    try:
        return kind.ask.inputs[name].read(texts) if name in kind.ask.inputs else None
    except Refusal:
        return None


def values_of(input: Input, middle: Any, example: Any = None) -> tuple[Any, ...]:
    """Return a few values of an input, ordered if the input is."""
    if isinstance(input, Whole):
        return _numbers_of(input, middle, example)
    if isinstance(input, OneOf):
        return input.options[:MAX_OPTIONS]
    if isinstance(input, Flag):
        return (False, True)
    if isinstance(input, Named):
        return (middle, *((*middle, (f"one more that {word}", word)) for word in input.options))
    if isinstance(input, Numbers) and input.n is None:
        return tuple(dict.fromkeys((middle, (input.lowest,), (input.lowest, input.lowest + 1))))
    return (middle,)


def _numbers_of(input: Whole, middle: Any, example: Any) -> tuple[Any, ...]:
    """Numbers near 0, or near the lowest that is allowed, and near the middle."""
    zero = max(input.lowest, min(input.highest, 0))
    usual = middle if middle else example if example is not None else USUAL_NUMBER if middle is None else zero + 2
    if isinstance(usual, Total) and isinstance(middle, Total):
        return tuple(map(_raised(usual), (-1, 0, 1)))
    near = {zero - 1, zero, zero + 1, int(usual), int(usual) + 1}
    return tuple(n for n in sorted(near) if input.lowest <= n <= input.highest)


def _raised(total: Total) -> Callable[[int], Total]:
    """A function that raises the first of a total's sources."""
    first, *rest = total.sources
    return lambda by: Total([Source(first.label, first.n + by, first.held), *rest])


def _has_order(input: Input) -> bool:
    """True if steps make sense: numbers, flags, and options in their declared order."""
    return isinstance(input, (Whole, OneOf, Flag))
