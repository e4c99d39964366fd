"""What games declare, as JSON: rolls, inputs, facts, wishes, sheets, moves. Pages and programs need nothing else."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal, TypeVar

from msgspec import UNSET, Struct, UnsetType

from astragal.explain.cover import PILE, hue_of, mood_of
from astragal.explain.hint import HintPlace, hints_of
from astragal.games.outside import ERRORS, Broken, told
from astragal.games.registry import BUILT_IN, all_games, broken_games, shelf_games
from astragal.rule.chances.fact import facts_of, wishes_of
from astragal.rule.game import Game, Kind
from astragal.rule.inputs.input import Input
from astragal.rule.sheets.sheet import Layout, Place, Section, coins_of, places_of
from astragal.rule.sheets.table_rules import table_rules_of

S = TypeVar("S", bound=Struct)


class SourceBounds(Struct, frozen=True):
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
    """Who gives it at a table, if not the roller."""
    granted: bool = False
    """True if a GM grants it: a player's entry is a claim."""
    boxes: list[str] | UnsetType = UNSET
    """Of names that are boxes to tick: the section of these items, and the flag that says they are ticked."""
    min: int | UnsetType = UNSET
    max: int | UnsetType = UNSET
    options: list[str | int] | UnsetType = UNSET
    sources: bool | UnsetType = UNSET
    each: SourceBounds | UnsetType = UNSET
    max_length: int | UnsetType = UNSET
    max_items: int | UnsetType = UNSET
    n: int | UnsetType = UNSET
    cards: list[str] | UnsetType = UNSET
    """Of a deck: what its cards are called."""
    copies: list[int] | UnsetType = UNSET
    """The number of each card in a full deck; the value has the numbers that are left."""
    title: str = ""
    """Its name for people."""
    steps: list[StepDeclared] = []
    """Usual values with their names, from the easiest up; any other value within the bounds is allowed too."""
    advanced: bool = False
    """True if a page shows it under "More"."""
    judged: bool = False
    """True if a GM judges it; players are asked only where there is no GM."""
    asks: str = ""
    """The text of the button while it is missing."""


BOUNDS = ("min", "max", "options", "sources", "each", "max_length", "max_items", "n", "cards", "copies")
"""The parts of an input that say what is allowed; each sort of input has some of them."""


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
    """What the story says of the roller: "tries it"."""
    usual: bool
    """True for the one kind of a game that a tap on a sheet opens."""
    target: str
    """The input that says how hard it is; empty if there is none."""
    aim: str
    """The input that says in words what is attempted; empty if there is none."""
    opposed: Literal["", "pairs", "count"]
    against: AgainstDeclared | None
    waves: str
    """What a screen says of a die that is rolled again."""
    series: bool
    """True if it takes several throws; the view of a roll says how far it is."""
    empty: str
    """The text of a roll without any inputs yet."""
    solo: bool
    """True if it replaces a GM's word, so that GMs do not ask for it."""
    hopes: str
    """What the chance next to the dice means; empty for the chance to succeed."""
    helpers: int
    their_helpers: int
    shared: bool
    """True if everyone who joins rolls like the roller, instead of helping."""
    helps_target: bool = False
    """True if the roll helps the other character, who is not an opponent."""


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
    """The title that it shares with other sections of its group; empty if it has its own place."""
    column: str
    """Its title within the group."""
    hangs: str
    """The field that names the item of a section of skills on which each of these hangs; empty if there is none."""
    place: Place
    coin: bool
    """True if a page shows it next to the name."""
    offers: str
    """Of a scene's section: its title among the sheets; empty if it is not shown there."""
    one: str
    """The singular, where the name is a plural; otherwise empty."""
    damage: bool
    """True if it fills as its holder is hurt."""


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
    """True if it throws dice, whose faces may be typed."""


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
    """True if it is for GMs only, and not offered to players."""


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


class LicenceDeclared(Struct, frozen=True):
    """The licence under which a game's rules are used."""

    name: str
    source: str
    """The work that the rules come from, and its author."""
    text: str
    """The attribution that the licence asks for."""


class OnShelf(Struct, frozen=True):
    """A game on the shelf: its cover; ask for the game by name to get the rest."""

    name: str
    title: str
    blurb: str
    hue: int
    icon: str
    mood: str
    pile: list[CoverDieDeclared]
    minutes: int
    source: str
    """The work that its rules come from; empty if they are its own."""


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
    """Minutes that it takes to learn."""
    how: tuple[str, ...] = ()
    """How to play, paragraph by paragraph."""
    licence: LicenceDeclared | None = None


class BrokenDeclared(Struct, frozen=True):
    """A game of an installed package that cannot be used, and the reason."""

    name: str
    package: str
    error: str


class Games(Struct, frozen=True):
    """Every game that works, and those that do not."""

    games: list[Declaration]
    broken: list[BrokenDeclared] = []
    shelf: list[OnShelf] = []
    """Games that are found by name, and are not among ``games``."""


def declare_games() -> Games:
    """Every game, and the covers of the shelf; games that are broken are listed apart."""
    found = [_declared_or_broken(game) for game in all_games()]
    broken = [*broken_games(), *(each for each in found if isinstance(each, Broken))]
    return Games(
        [each for each in found if isinstance(each, Declaration)],
        [BrokenDeclared(*each) for each in broken],
        [_on_shelf(game) for game in shelf_games()],
    )


def _on_shelf(game: Game) -> OnShelf:
    source = game.licence.source if game.licence else ""
    return _declared_as(OnShelf, game, **_cover(game), source=source)


def _cover(game: Game) -> dict[str, Any]:
    """The parts of a cover that a game need not declare."""
    pile = [_declared_as(CoverDieDeclared, die) for die in game.pile or PILE]
    return {"hue": hue_of(game), "mood": mood_of(game), "pile": pile}


_declared: dict[str, tuple[Game, Declaration]] = {}
"""The declaration of each game, by name; a game that was installed again is another object."""


def _declared_or_broken(game: Game) -> Declaration | Broken:
    try:
        return declaration_of(game)
    except ERRORS as error:
        if game.name in BUILT_IN:
            raise
        return Broken(game.name, game.title, f"{told(error)}.")


def declaration_of(game: Game) -> Declaration:
    """The declaration of a game, made once."""
    known = _declared.get(game.name)
    if known is None or known[0] is not game:
        known = _declared[game.name] = (game, declare_game(game))
    return known[1]


def declare_game(game: Game) -> Declaration:
    """A game with all that it declares."""
    table_rules = table_rules_of(game.table_rules)
    return _declared_as(
        Declaration,
        game,
        kinds=[_kind(kind, game.usual is kind) for kind in game.kinds.values()],
        rules=dict(game.rules),
        hints=[_declared_as(HintDeclared, hint) for hint in hints_of(game)],
        sample=_sample(table_rules.sample),
        templates=_templates(table_rules.templates),
        options=declare_inputs(table_rules.options.inputs),
        sheets=Sheets(*(_sections(table_rules.sections(kind)) for kind in Sheets.__struct_fields__)),
        moves=[_declared_as(MoveDeclared, move, inputs=declare_inputs(move.ask.inputs)) for move in table_rules.moves],
        licence=_declared_as(LicenceDeclared, game.licence) if game.licence else None,
        **_cover(game),
    )


def _declared_as(shape: type[S], source: object, /, **own: Any) -> S:
    """A declaration of this shape, whose parts are the source's of the same names, but for those given here."""
    return shape(**{name: own[name] if name in own else getattr(source, name) for name in shape.__struct_fields__})


def _kind(kind: Kind, usual: bool) -> KindDeclared:
    return _declared_as(
        KindDeclared,
        kind,
        inputs=declare_inputs(kind.ask.inputs),
        decisions=[_declared_as(DecisionDeclared, each) for each in kind.decisions],
        facts=[FactDeclared(name, fact.title) for name, fact in facts_of(kind).items()],
        wishes=[WishDeclared(name, wish.help) for name, wish in wishes_of(kind).items()],
        usual=usual,
        against=_declared_as(AgainstDeclared, kind.against) if kind.against else None,
        series=kind.series is not None,
    )


def declare_inputs(inputs: dict[str, Input] | Any) -> list[InputDeclared]:
    """The declarations of inputs, in order."""
    return [_input(name, input) for name, input in inputs.items()]


def _input(name: str, input: Input) -> InputDeclared:
    bounds = {**dict.fromkeys(BOUNDS, UNSET), **input.bounds()}
    if bounds["each"]:
        bounds["each"] = SourceBounds(**bounds["each"])
    return _declared_as(
        InputDeclared,
        input,
        name=name,
        option=name.replace("_", "-"),
        default=None if input.required else input.default,
        whose=UNSET if input.whose == "roller" else input.whose,
        granted=bool(input.granted),
        boxes=list(boxes) if (boxes := getattr(input, "boxes", None)) else UNSET,
        title=input.called,
        steps=[StepDeclared(*step) for step in input.steps],
        **bounds,
    )


def _sections(parts: tuple[Section, ...]) -> list[SectionDeclared]:
    places, coins = places_of(parts), coins_of(parts)
    return [
        _declared_as(
            SectionDeclared,
            part,
            fields=declare_inputs(part.fields),
            layout=part.laid_out,
            place=places[part.name],
            coin=part.name in coins,
        )
        for part in parts
    ]


def _sample(path: str) -> Blurb | None:
    if not path:
        return None
    written = tomllib.loads(Path(path).read_text("utf-8"))
    return Blurb(written["title"], written.get("blurb", ""))


def _templates(path: str) -> list[TemplateDeclared]:
    written = tomllib.loads(Path(path).read_text("utf-8")) if path else {}
    made = written.get("character", ())
    return [TemplateDeclared(each["name"], each.get("blurb", ""), each.get("foe", False)) for each in made]
