"""Asks: the typed inputs of a roll.

A subclass of ``Ask`` declares its inputs once::

    class Attempt(Ask):
        d6: int = summed(1, 1000, "d6s in the pool", rule="NJ-2")
        difficulty: int = whole(0, 1000, "Marks needed", default=1)

    Attempt(d6=5)                                # a value: frozen, comparable, checked
    Attempt.read({"d6": "2 Agility, 3 gear"})    # the same, parsed from text
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, ClassVar, NoReturn, TypeVar, dataclass_transform

from astragal.errors import Malformed, Unknown
from astragal.rule.inputs.input import Flag, Input, Numbers, OneOf, Summed, Whole
from astragal.rule.inputs.side import Side, inputs_of
from astragal.rule.inputs.total import Total
from astragal.rule.inputs.word import Named, Words
from astragal.rule.texts import NO_WORDS, Wording

A = TypeVar("A", bound="Ask")


# Declarations say ``Any``, so that ``d6: int = summed(…)`` type-checks; ``Ask`` turns them into inputs.


def whole(lowest: int, highest: int, help: str = "", **more: Any) -> Any:
    """A whole number within bounds."""
    return Whole(lowest, highest, help, **more)


def summed(lowest: int, highest: int, help: str = "", **more: Any) -> Any:
    """A whole number that may be given as named sources."""
    return Summed(lowest, highest, help, **more)


def one_of(options: tuple[Any, ...], help: str = "", **more: Any) -> Any:
    """One of a few values."""
    return OneOf(options, help, **more)


def flag(help: str = "", **more: Any) -> Any:
    """Yes or no."""
    return Flag(help, **more)


def words(help: str = "", **more: Any) -> Any:
    """Free text."""
    return Words(help, **more)


def numbers(lowest: int, highest: int, help: str = "", **more: Any) -> Any:
    """Several different whole numbers."""
    return Numbers(lowest, highest, help, **more)


def named(options: tuple[str, ...], help: str = "", **more: Any) -> Any:
    """Names with one of a few keywords for each, such as ``Stealth=expert``."""
    return Named(options, help, **more)


def side(of: type[Ask], role: str, form: str = "", /, **names: str | None) -> Any:
    """One side of a roll, with the inputs of another ask; ``role`` gives them unless the ask names another giver.

    In the roll, an input has its name here, or one by ``form``, such as ``their_{}``; the roll lacks it without either,
    or with None. A renamed input has the roll's texts. An input with the same name on both sides is there once, and an
    input that the roll declares itself is the roll's own.
    """
    called = {**{name: form.format(name) for name in of.inputs if form}, **names}
    return Side(of, role, {name: call for name, call in called.items() if call})


@dataclass_transform(
    kw_only_default=True,
    frozen_default=True,
    field_specifiers=(whole, summed, one_of, flag, words, numbers, named),
)
class Ask:
    """The inputs of one roll, immutable and comparable. The constructor checks every input, then calls ``check``.

    ``texts``, as in ``class Attempt(Ask, texts=TEXTS.of("attempt"))``, has the help and title of inputs that have none.
    ``init=False`` tells type checkers of a roll with sides that it takes more inputs than its class shows.
    """

    inputs: ClassVar[dict[str, Input]] = {}
    wording: ClassVar[Wording] = NO_WORDS
    """The words of the ask and of what it is for, such as a kind of roll."""
    _checks: ClassVar[dict[str, tuple[int, int, Callable[[Any], Any]]]] = {}
    """For each input: the bounds within which a plain number needs no further check, and the check."""
    _required: ClassVar[tuple[str, ...]] = ()
    _key: ClassVar[Callable[[Any], Any]] = type
    _hashed: ClassVar[Callable[[Any], Any]] = type

    role: str
    """Of a side: who plays it."""
    roll: Any
    """Of a side: the ask that it is a side of."""

    def __init_subclass__(cls, texts: Wording | None = None, init: bool = True) -> None:
        cls.wording = cls.wording if texts is None else texts
        declared = _declared(vars(cls))
        for name, input in declared.items():
            input.name = name
            if texts is not None and "texts" not in vars(input):
                input.texts = texts.of(name)
            if not input.required:
                setattr(cls, name, input.default)
            elif input.unless:
                setattr(cls, name, None)
            elif name in vars(cls):
                delattr(cls, name)
        cls.inputs = {**cls.inputs, **declared}
        # Whole numbers within their bounds need no other check; the bounds of any other input hold no number.
        cls._checks = {
            name: (*((input.lowest, input.highest) if isinstance(input, Whole) else (1, 0)), input.check)
            for name, input in cls.inputs.items()
        }
        cls._key = attrgetter(*cls.inputs) if cls.inputs else type
        # Asks with equal numbers rarely differ in anything else, and hashing fewer values is faster.
        counted = [name for name, input in cls.inputs.items() if isinstance(input, (Whole, Summed))]
        cls._hashed = attrgetter(*counted) if counted else type
        cls._required = tuple(name for name, input in cls.inputs.items() if input.required)

    def __init__(self, **given: Any) -> None:
        """Check and store the given inputs; defaults stay on the class."""
        values = self.__dict__
        checks = self._checks
        for name, value in given.items():
            try:
                lowest, highest, check = checks[name]
            except KeyError:
                self._refuse_unknown(name)
            values[name] = value if type(value) is int and lowest <= value <= highest else check(value)
        for name in self._required:
            if values.get(name) is None and self.inputs[name].is_needed(values):
                missing = self.inputs[name]
                raise Malformed(f"{missing.option} is missing ({missing.help}); {missing.allowed}.", missing.rule)
        self.check()

    def check(self) -> None:
        """Refuse combinations of inputs that the rules forbid; games override this."""

    @classmethod
    def read(cls: type[A], written: Mapping[str, Any]) -> A:
        """Build an ask from command-line texts or JSON values."""
        return cls(**{name: cls._input(name).read(value) for name, value in written.items()})

    @classmethod
    def _input(cls, name: str) -> Input:
        try:
            return cls.inputs[name]
        except KeyError:
            cls._refuse_unknown(name)

    @classmethod
    def _refuse_unknown(cls, name: str) -> NoReturn:
        raise Unknown(f'There is no input "{name}" here; there are {", ".join(cls.inputs)}.') from None

    def values(self) -> dict[str, Any]:
        """All inputs as plain data, for JSON."""
        return {name: _plain(getattr(self, name)) for name in self.inputs}

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"an ask is immutable; make another one to set {name}")

    def __eq__(self, other: object) -> bool:
        own = type(self)
        if type(other) is not own or own._hashed(other) != own._hashed(self):
            return False
        return bool(own._key(other) == own._key(self))

    def __hash__(self) -> int:
        return hash(type(self)._hashed(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"


def _declared(body: Mapping[str, Any]) -> dict[str, Input]:
    """The inputs that a class declares, in its order; both sides' where the first of them stands."""
    sides = [value for value in body.values() if isinstance(value, Side)]
    found: dict[str, Input] = {}
    for name, value in body.items():
        if isinstance(value, Input):
            found[name] = value
        elif isinstance(value, Side):
            for input in inputs_of(sides):
                found.setdefault(input.name, input)
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, Total):
        return {"total": int(value), "sources": [source.values() for source in value.sources]}
    return [list(pair) if isinstance(pair, tuple) else pair for pair in value] if isinstance(value, tuple) else value
