"""What games declare, as JSON: rolls, inputs, facts, wishes, sheets, moves. A page or a program needs no more."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from astragal.games.registry import all_games
from astragal.rule.fact import facts_of, wishes_of
from astragal.rule.game import Game, Kind
from astragal.rule.hint import HintPlace, hints_of
from astragal.rule.input import Input
from astragal.rule.sheet import Section
from astragal.rule.table_rules import Move, table_rules_of


class Each(Struct, frozen=True):
    """The bounds of each source of a total."""

    min: int
    max: int


class InputDeclared(Struct, frozen=True, omit_defaults=True):
    """An input with its bounds."""

    name: str
    option: str
    kind: Literal["whole", "summed", "numbers", "one_of", "flag", "words", "named"]
    help: str
    rule: str
    required: bool
    default: Any
    guided: bool
    repeats: bool
    whose: Literal["target", "helper", "gm", "sheet"] | UnsetType = UNSET
    """Who gives it at a table, where that is not whoever rolls."""
    min: int | UnsetType = UNSET
    max: int | UnsetType = UNSET
    options: list[str | int] | UnsetType = UNSET
    sources: bool | UnsetType = UNSET
    each: Each | UnsetType = UNSET
    max_length: int | UnsetType = UNSET
    max_items: int | UnsetType = UNSET
    n: int | UnsetType = UNSET


class DecisionDeclared(Struct, frozen=True):
    """A choice that can be answered before it comes up."""

    name: str
    help: str
    answers: tuple[str, ...]
    written: Literal["flag", "words", "list", "one"]
    rule: str


class FactDeclared(Struct, frozen=True):
    """A question about a result, whose odds can be asked for."""

    name: str
    title: str


class WishDeclared(Struct, frozen=True):
    """Something to hope for."""

    name: str
    help: str


class KindDeclared(Struct, frozen=True):
    """One kind of roll."""

    name: str
    title: str
    inputs: list[InputDeclared]
    decisions: list[DecisionDeclared]
    facts: list[FactDeclared]
    wishes: list[WishDeclared]
    short: tuple[str, ...]
    example: str


class SectionDeclared(Struct, frozen=True):
    """A part of a sheet."""

    name: str
    title: str
    look: Literal["pips", "boxes", "bar", "dots", "clock", "list", "words"]
    names: tuple[str, ...]
    counts: str
    top: str
    rule: str
    help: str
    lasts: bool
    fields: list[InputDeclared]


class MoveDeclared(Struct, frozen=True):
    """A move: something to do besides rolling."""

    name: str
    title: str
    by: Literal["owner", "gm"]
    against: bool
    nameless: bool
    rule: str
    inputs: list[InputDeclared]


class HintDeclared(Struct, frozen=True, omit_defaults=True):
    """Guidance at the moment of a decision; with a ``value``, only where that is chosen or came up."""

    at: HintPlace
    title: str
    text: str
    rule: str
    name: str = ""
    value: str = ""
    kinds: tuple[str, ...] = ()


class Blurb(Struct, frozen=True):
    """A sample campaign."""

    title: str
    blurb: str


class TemplateDeclared(Struct, frozen=True):
    """A ready-made character."""

    name: str
    blurb: str


class Sheets(Struct, frozen=True):
    """The sections of each kind of holder."""

    character: list[SectionDeclared]
    player: list[SectionDeclared]
    table: list[SectionDeclared]
    scene: list[SectionDeclared]


class Declaration(Struct, frozen=True):
    """A game."""

    name: str
    title: str
    blurb: str
    kinds: list[KindDeclared]
    rules: dict[str, str]
    hints: list[HintDeclared]
    sample: Blurb | None
    templates: list[TemplateDeclared]
    options: list[InputDeclared]
    sheets: Sheets
    moves: list[MoveDeclared]


class Games(Struct, frozen=True):
    """Every game."""

    games: list[Declaration]


@cache
def declare_games() -> Games:
    """Every game; games do not change while a program runs."""
    return Games([declare_game(game) for game in all_games()])


def declare_game(game: Game) -> Declaration:
    """A game with all that it declares."""
    table_rules = table_rules_of(game.table_rules)
    return Declaration(
        game.name,
        game.title,
        game.blurb,
        [_kind(kind) for kind in game.kinds.values()],
        dict(game.rules),
        [HintDeclared(**hint._asdict()) for hint in hints_of(game)],
        _sample(table_rules.sample),
        _templates(table_rules.templates),
        declare_inputs(table_rules.options.inputs),
        Sheets(*([_section(part) for part in table_rules.sections(kind)] for kind in Sheets.__struct_fields__)),
        [_move(move) for move in table_rules.moves],
    )


def _kind(kind: Kind) -> KindDeclared:
    return KindDeclared(
        kind.name,
        kind.title,
        declare_inputs(kind.ask.inputs),
        [DecisionDeclared(*decision) for decision in kind.decisions],
        [FactDeclared(name, fact.title) for name, fact in facts_of(kind).items()],
        [WishDeclared(name, wish.help) for name, wish in wishes_of(kind).items()],
        kind.short,
        kind.example,
    )


def declare_inputs(inputs: dict[str, Input] | Any) -> list[InputDeclared]:
    """The declarations of inputs, in order."""
    return [_input(name, input) for name, input in inputs.items()]


def _input(name: str, input: Input) -> InputDeclared:
    bounds = dict(input.bounds())
    if "each" in bounds:
        bounds["each"] = Each(**bounds["each"])
    default = None if input.required else input.default
    return InputDeclared(
        name,
        name.replace("_", "-"),
        input.kind,  # type: ignore[arg-type]
        input.help,
        input.rule,
        input.required,
        default,
        input.guided,
        input.repeats,
        UNSET if input.whose == "roller" else input.whose,  # type: ignore[arg-type]
        **bounds,
    )


def _section(part: Section) -> SectionDeclared:
    return SectionDeclared(
        part.name, part.title, part.look, part.names, part.counts, part.top, part.rule, part.help,
        part.lasts,
        declare_inputs(part.fields),
    )  # fmt: skip


def _move(move: Move) -> MoveDeclared:
    inputs = declare_inputs(move.ask.inputs)
    return MoveDeclared(move.name, move.title, move.by, move.against, move.nameless, move.rule, inputs)


def _sample(path: str) -> Blurb | None:
    if not path:
        return None
    written = tomllib.loads(Path(path).read_text("utf-8"))
    return Blurb(written["title"], written.get("blurb", ""))


def _templates(path: str) -> list[TemplateDeclared]:
    if not path:
        return []
    written = tomllib.loads(Path(path).read_text("utf-8"))
    return [TemplateDeclared(each["name"], each.get("blurb", "")) for each in written.get("character", ())]
