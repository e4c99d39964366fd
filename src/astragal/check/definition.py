"""Checks of what a game declares: its name, its kinds of roll, their inputs and decisions, and its hints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, get_args, get_origin

from astragal.check.mistake import Mistake, tried, unknown_rules
from astragal.check.parts import fits, part_mistakes, shown
from astragal.errors import Refusal
from astragal.explain.cover import hue_of, mood_of
from astragal.explain.hint import HintPlace, hints_of
from astragal.rule.game import Decision, Game, Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.input import Input
from astragal.rule.inputs.side import Side

RESERVED = frozenset(
    ("help", "json", "explain", "faces", "by-hand", "seed", "show", "policy", "wish", "up-to", "timeout")
)
"""Options that commands have for every game."""
GIVERS = ("roller", "target", "either", "helper", "gm", "sheet")
"""Who may give an input at a table."""


def game_mistakes(game: Game) -> Iterator[Mistake]:
    """The game itself: names, texts and files."""
    wrong = list(part_mistakes(game, "game"))
    yield from wrong if wrong else _game(game)


def _game(game: Game) -> Iterator[Mistake]:
    if not (game.name.isidentifier() and game.name.islower()):
        yield Mistake("game", f'the name "{game.name}" must be one word in lower case.')
    if not game.title or not game.blurb.endswith("."):
        yield Mistake("game", "it needs a title, and a blurb that ends with a full stop.")
    if not isinstance(game.kinds, Mapping) or not game.kinds:
        yield Mistake("game", "kinds must have at least one kind of roll; write kinds_of(…).")
    if not isinstance(game.rules, Mapping) or not all(isinstance(text, str) and text for text in game.rules.values()):
        yield Mistake("game", "rules must map numbers such as CF-1 to their text.")
    for what in ("examples", "hints"):
        path = getattr(game, what)
        if (path or what == "examples") and not Path(path).is_file():
            yield Mistake("game", f'{what} names "{path}", and there is no such file.')
    if game.hue is not None and not 0 <= hue_of(game) < 360:
        yield Mistake("game", f"hue is {game.hue}; it goes from 0 to 359.")
    if len(mood_of(game)) > 60:
        yield Mistake("game", f"mood has {len(game.mood)} characters; 60 are the most.")


def kind_mistakes(game: Game) -> Iterator[Mistake]:
    """Every kind of roll: its parts, and the names in it."""
    for name, kind in game.kinds.items():
        where = f"roll {name}"
        if not isinstance(kind, Kind):
            yield Mistake(where, f"it is a {type(kind).__name__}, not a Kind.")
            continue
        wrong = list(part_mistakes(kind, where))
        yield from wrong or tried(where, "looking at it", _kind(game, name, kind, where))


def _kind(game: Game, name: str, kind: Kind, where: str) -> Iterator[Mistake]:
    if kind.name != name:
        yield Mistake(where, f'it is called "{kind.name}" there; write kinds_of(…), which keeps names together.')
    if not (isinstance(kind.ask, type) and issubclass(kind.ask, Ask)):
        yield Mistake(where, "its ask must be a class derived from Ask.")
        return
    if not kind.title:
        yield Mistake(where, "it needs a title.")
    if kind.helpers_rule and kind.helpers_rule not in game.rules:
        yield Mistake(where, f'helpers_rule is "{kind.helpers_rule}", and there is no such rule.')
    yield from _named_inputs(kind, where)
    yield from _examples_of_help(game, kind, where)
    for decision in kind.decisions:
        yield from _decision(game, kind, decision, where)
    yield from ask_mistakes(kind.ask, game, where)


def _named_inputs(kind: Kind, where: str) -> Iterator[Mistake]:
    named = {"target": (kind.target,), "aim": (kind.aim,), "budget": (kind.budget,), "short": kind.short}
    named["counted"] = tuple(name for first, others in kind.counted for name in (first, *others))
    for what, names in named.items():
        for name in filter(None, names):
            if name not in kind.ask.inputs:
                there = ", ".join(kind.ask.inputs)
                yield Mistake(where, f'{what} names the input "{name}", and there is none; there are {there}.')

    if kind.aim in kind.ask.inputs and kind.ask.inputs[kind.aim].kind != "words":
        yield Mistake(where, f'aim names the input "{kind.aim}", which takes no words.')


def _examples_of_help(game: Game, kind: Kind, where: str) -> Iterator[Mistake]:
    words = kind.example.split()
    if not words:
        yield Mistake(where, f'it needs an example for the help, such as "{game.name} …".')
    elif words[0] != game.name:
        yield Mistake(where, f'its example begins with "{words[0]}"; it must begin with {game.name}.')


def _decision(game: Game, kind: Kind, decision: Decision, where: str) -> Iterator[Mistake]:
    where = f"{where}, decision {decision.name}"
    yield from part_mistakes(decision, where)
    yield from _explained(decision.help, decision.rule, game, where)
    if decision.name in RESERVED | {input.option for input in kind.ask.inputs.values()}:
        yield Mistake(where, f"the option --{decision.name} is taken by an input or by every command.")


def ask_mistakes(ask: type[Ask], game: Game, where: str) -> Iterator[Mistake]:
    """The inputs of an ask: texts, bounds, defaults, and annotations that are not inputs."""
    for name in _annotated(ask):
        if name not in ask.inputs and not isinstance(getattr(ask, name, None), Side):
            yield Mistake(
                f"{where}, {ask.__name__}.{name}",
                "it is not an input; declare it with whole, summed, one_of, flag, words, numbers, named or side.",
            )
    for input in ask.inputs.values():
        yield from _input(input, game, f"{where}, input {input.name}")


def _annotated(ask: type[Ask]) -> Iterator[str]:
    """The names that classes between Ask and this one annotate: their author meant inputs."""
    for parent in ask.__mro__:
        if issubclass(parent, Ask) and parent is not Ask:
            for name, written in vars(parent).get("__annotations__", {}).items():
                if "ClassVar" not in str(written) and get_origin(written) is not ClassVar:
                    yield name


def _input(input: Input, game: Game, where: str) -> Iterator[Mistake]:
    yield from _explained(input.help, input.rule, game, where)
    if input.option in RESERVED:
        yield Mistake(where, f"every command has an option --{input.option}; choose another name.")
    if input.whose not in GIVERS:
        yield Mistake(where, f"whose is {shown(input.whose)}; it may be {', '.join(GIVERS)}.")
    for what in ("live", "title", "told", "asks"):
        if not isinstance(getattr(input, what), str):
            yield Mistake(where, f"{what} is {shown(getattr(input, what))}; it must be a text.")
    if input.told and not _has_one_place(input.told):
        yield Mistake(where, f'told is "{input.told}"; it must have {{}} where its value goes, and no other braces.')
    if not fits(input.steps, tuple[tuple[Any, Any], ...]) or not all(name for _, name in input.steps):
        yield Mistake(where, 'steps are pairs of a value and its name: ((8, "easy"), (12, "hard")).')
        return
    values = [("its default", input.default)] if not input.required and input.default is not None else []
    values += [(f'its step "{title}"', value) for value, title in input.steps]
    for what, value in values:
        try:
            input.check(value)
        except Refusal as refusal:
            yield Mistake(where, f"{what} is not allowed: {refusal}")


def _has_one_place(told: str) -> bool:
    return told.count("{}") == 1 and not set("{}") & set(told.replace("{}", ""))


def _explained(help: str, rule: str, game: Game, where: str) -> Iterator[Mistake]:
    if not help or help.endswith("."):
        yield Mistake(where, "it needs a help text, without a full stop at its end.")
    yield from unknown_rules(game, where, rule)


def hint_mistakes(game: Game) -> Iterator[Mistake]:
    """Each hint belongs to something that exists."""
    for hint in hints_of(game):
        where = f'hint "{hint.title}"'
        if hint.at not in get_args(HintPlace):
            yield Mistake(where, f'at is "{hint.at}"; it may be {", ".join(get_args(HintPlace))}.')
        yield from unknown_rules(game, where, hint.rule)
        yield from _hint_names(game, hint.at, hint.name, hint.kinds, where)


def _hint_names(game: Game, at: str, name: str, kinds: Iterable[str], where: str) -> Iterator[Mistake]:
    for kind in kinds:
        if kind not in game.kinds:
            yield Mistake(where, f'there is no roll "{kind}"; there are {", ".join(game.kinds)}.')
    there: set[Any] = {input for kind in game.kinds.values() for input in kind.ask.inputs}
    if at == "input" and name not in there:
        yield Mistake(where, f'there is no input "{name}"; there are {", ".join(sorted(there))}.')
