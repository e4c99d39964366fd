"""What games declare, as JSON: rolls, inputs, facts, wishes, sheets, moves. A page or a program needs no more."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from astragal.explain.cover import PILE, hue_of, mood_of
from astragal.explain.hint import HintPlace, hints_of
from astragal.games.outside import ERRORS, Broken, told
from astragal.games.registry import BUILT_IN, all_games, broken_games
from astragal.rule.chances.fact import facts_of, wishes_of
from astragal.rule.game import Game, Kind
from astragal.rule.inputs.input import Input
from astragal.rule.sheets.sheet import Layout, Place, Section, coins_of, places_of
from astragal.rule.sheets.table_rules import Move, table_rules_of


class Each(Struct, frozen=True):
    """The bounds of each source of a total."""

    min: int
    max: int


class StepDeclared(Struct, frozen=True):
    """A usual value of an input, and what it is called."""

    value: int | str
    name: str


class InputDeclared(Struct, frozen=True, omit_defaults=True):
    """An input with its bounds."""

    name: str
    option: str
    kind: Literal["whole", "summed", "numbers", "one_of", "flag", "words", "named", "cards"]
    help: str
    rule: str
    required: bool
    default: Any
    guided: bool
    repeats: bool
    whose: Literal["target", "either", "helper", "gm", "sheet"] | UnsetType = UNSET
    """Who gives it at a table, where that is not whoever rolls."""
    granted: bool = False
    """Whether it is a GM's to grant, so that a player's entry is a claim."""
    boxes: list[str] | UnsetType = UNSET
    """Of names that are boxes to tick: the section whose items they are, and the flag by which they are ticked."""
    min: int | UnsetType = UNSET
    max: int | UnsetType = UNSET
    options: list[str | int] | UnsetType = UNSET
    sources: bool | UnsetType = UNSET
    each: Each | UnsetType = UNSET
    max_length: int | UnsetType = UNSET
    max_items: int | UnsetType = UNSET
    n: int | UnsetType = UNSET
    cards: list[str] | UnsetType = UNSET
    """Of a deck: what its cards are called."""
    copies: list[int] | UnsetType = UNSET
    """How many there are of each; the value has how many are left."""
    title: str = ""
    """Its name for people."""
    steps: list[StepDeclared] = []
    """Usual values with their names, from the easiest up; any other value within the bounds is allowed too."""
    advanced: bool = False
    """Whether it goes behind "More"."""
    judged: bool = False
    """Whether a GM judges it, so that players are asked only where there is no GM."""
    asks: str = ""
    """What a button says while it is missing."""


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


class AgainstDeclared(Struct, frozen=True):
    """The section of the other's sheet that may be used against them, and what that costs."""

    section: str
    price: str


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
    does: str
    """What is said of whoever rolls: "tries it"."""
    usual: bool
    """Whether a tap on a sheet opens this kind; exactly one of a game does."""
    target: str
    """The input that says how hard it is; empty if there is none."""
    aim: str
    """The input that says in words what is attempted; empty if there is none."""
    opposed: Literal["", "pairs", "count"]
    against: AgainstDeclared | None
    waves: str
    """What is said of a die that is rolled again."""
    series: bool
    """Whether it goes on for several throws; the view of a roll has how far it has come."""
    empty: str
    """What is said while nobody has put anything in."""
    solo: bool
    """Whether it takes a GM's place, so that no GM asks for it."""
    hopes: str
    """What the chance beside the dice is of; empty if it is the chance to succeed."""
    helpers: int
    their_helpers: int
    shared: bool
    """Whether those who come in roll as the roller does, instead of helping."""
    helps_target: bool = False
    """Whether the other character is tended by the roll, and not its opponent."""


class SectionDeclared(Struct, frozen=True):
    """A part of a sheet."""

    name: str
    title: str
    look: Literal["pips", "boxes", "bar", "dots", "clock", "list", "words", "cards"]
    names: tuple[str, ...]
    counts: str
    top: str
    rule: str
    help: str
    lasts: bool
    fields: list[InputDeclared]
    layout: Layout
    """How a page lays it out."""
    group: str
    """The title under which it stands with other sections of the same group; empty if it stands alone."""
    column: str
    """What it is called within its group."""
    hangs: str
    """The field that names the item of a section of skills on which each of these hangs; empty if there is none."""
    place: Place
    coin: bool
    """Whether it stands beside the name."""
    offers: str
    """Of a scene's section: the title under which it joins the sheets; empty if it does not."""
    one: str
    """What a single one is called, where the name is a plural; else empty."""
    damage: bool
    """Whether it fills as its holder is hurt."""


class MoveDeclared(Struct, frozen=True):
    """A move: something to do besides rolling."""

    name: str
    title: str
    by: Literal["owner", "gm"]
    against: bool
    nameless: bool
    rule: str
    inputs: list[InputDeclared]
    throws: bool = False
    """Whether it throws dice, which people may type."""


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
    foe: bool
    """Whether it is meant for a GM, and not offered to players."""


class Sheets(Struct, frozen=True):
    """The sections of each kind of holder."""

    character: list[SectionDeclared]
    player: list[SectionDeclared]
    table: list[SectionDeclared]
    scene: list[SectionDeclared]


class CoverDieDeclared(Struct, frozen=True):
    """A die on a game's cover."""

    sides: int
    face: int
    role: Literal["plain", "special"]


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
    hue: int
    """The colour of the game, as a hue from 0 to 359."""
    icon: str
    """One stroke on a grid of 24, as an SVG path; empty if there is none."""
    mood: str
    pile: list[CoverDieDeclared]
    """Three dice for the cover."""
    minutes: int
    """How long it takes to learn."""


class BrokenDeclared(Struct, frozen=True):
    """A game of an installed package that cannot be used, and why, for whoever installed it."""

    name: str
    package: str
    error: str


class Games(Struct, frozen=True):
    """Every game that works, and those that do not."""

    games: list[Declaration]
    broken: list[BrokenDeclared] = []


def declare_games() -> Games:
    """Every game; outside ones that are broken, or whose parts cannot be loaded, are told apart."""
    found = [_declared_or_broken(game) for game in all_games()]
    broken = [*broken_games(), *(each for each in found if isinstance(each, Broken))]
    return Games([each for each in found if isinstance(each, Declaration)], [BrokenDeclared(*each) for each in broken])


_declared: dict[str, tuple[Game, Declaration]] = {}
"""What each game declared when it was last looked at; a game that is installed anew is another one."""


def _declared_or_broken(game: Game) -> Declaration | Broken:
    known = _declared.get(game.name)
    if known and known[0] is game:
        return known[1]
    try:
        declared = declare_game(game)
    except ERRORS as error:
        if game.name in BUILT_IN:
            raise
        return Broken(game.name, game.title, f"{told(error)}.")
    _declared[game.name] = (game, declared)
    return declared


def declare_game(game: Game) -> Declaration:
    """A game with all that it declares."""
    table_rules = table_rules_of(game.table_rules)
    return Declaration(
        game.name,
        game.title,
        game.blurb,
        [_kind(kind, game.usual is kind) for kind in game.kinds.values()],
        dict(game.rules),
        [HintDeclared(**hint._asdict()) for hint in hints_of(game)],
        _sample(table_rules.sample),
        _templates(table_rules.templates),
        declare_inputs(table_rules.options.inputs),
        Sheets(*(_sections(table_rules.sections(kind)) for kind in Sheets.__struct_fields__)),
        [_move(move) for move in table_rules.moves],
        hue_of(game),
        game.icon,
        mood_of(game),
        [CoverDieDeclared(*die) for die in game.pile or PILE],
        game.minutes,
    )


def _kind(kind: Kind, usual: bool) -> KindDeclared:
    return KindDeclared(
        kind.name,
        kind.title,
        declare_inputs(kind.ask.inputs),
        [DecisionDeclared(each.name, each.help, each.answers, each.written, each.rule) for each in kind.decisions],
        [FactDeclared(name, fact.title) for name, fact in facts_of(kind).items()],
        [WishDeclared(name, wish.help) for name, wish in wishes_of(kind).items()],
        kind.short,
        kind.example,
        kind.does,
        usual,
        kind.target,
        kind.aim,
        kind.opposed,
        AgainstDeclared(kind.against.section, kind.against.price) if kind.against else None,
        kind.waves,
        kind.series is not None,
        kind.empty,
        kind.solo,
        kind.hopes,
        kind.helpers,
        kind.their_helpers,
        kind.shared,
        kind.helps_target,
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
        bool(input.granted),
        list(boxes) if (boxes := getattr(input, "boxes", None)) else UNSET,
        **bounds,
        title=input.title or _capital(name.replace("_", " ")),
        steps=[StepDeclared(*step) for step in input.steps],
        advanced=input.advanced,
        judged=input.judged,
        asks=input.asks,
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sections(parts: tuple[Section, ...]) -> list[SectionDeclared]:
    places, coins = places_of(parts), coins_of(parts)
    return [_section(part, places[part.name], part.name in coins) for part in parts]


def _section(part: Section, place: Place, coin: bool) -> SectionDeclared:
    return SectionDeclared(
        part.name, part.title, part.look, part.names, part.counts, part.top, part.rule, part.help,
        part.lasts,
        declare_inputs(part.fields),
        part.laid_out, part.group, part.column, part.hangs, place, coin, part.offers, part.one, part.damage,
    )  # fmt: skip


def _move(move: Move) -> MoveDeclared:
    inputs = declare_inputs(move.ask.inputs)
    return MoveDeclared(move.name, move.title, move.by, move.against, move.nameless, move.rule, inputs, move.throws)


def _sample(path: str) -> Blurb | None:
    if not path:
        return None
    written = tomllib.loads(Path(path).read_text("utf-8"))
    return Blurb(written["title"], written.get("blurb", ""))


def _templates(path: str) -> list[TemplateDeclared]:
    if not path:
        return []
    written = tomllib.loads(Path(path).read_text("utf-8"))
    made = written.get("character", ())
    return [TemplateDeclared(each["name"], each.get("blurb", ""), each.get("foe", False)) for each in made]
