"""Keeping: how a game's rolls read sheets and write back to them.

A game says what its sheets hold, what of them may be put into a roll (offers), what a
roll reads by itself, and what an outcome changes. It speaks of holders (a character, a
player, the scene, the table), never of how they are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from astragal.rule.ask import Ask
from astragal.rule.effect import Effect, Role
from astragal.rule.input import OneOf, Whole
from astragal.rule.note import Note
from astragal.rule.sheet import Item, Items, Options, Section, Sheet
from astragal.rule.word import Words

TABLE = "table"
SCENE = "scene"


class Change(NamedTuple):
    """A change of one field: ``by`` so much, or ``to`` a value. Without a field the whole item is put in place.

    An item that is set to None is taken away. Boxes are crossed by +n and cleared by -n.
    """

    holder: str
    section: str
    item: str
    field: str = ""
    by: int | None = None
    to: Any = None
    cause: str = ""
    rule: str = ""


class Holder:
    """Whoever or whatever has a sheet; how that is stored is not the rules' business."""

    __slots__ = ()
    id: str
    name: str
    sheet: Sheet

    def items(self, section: str) -> Items:
        return self.sheet.get(section, {})

    def item(self, section: str, name: str) -> Item:
        return self.items(section).get(name, {})

    def value(self, section: str, name: str, field: str, default: Any = 0) -> Any:
        return self.item(section, name).get(field, default)


class Participants(NamedTuple):
    """The holders that a roll or a move concerns. ``player`` is the sheet of the member whose character acts."""

    roller: Holder | None
    player: Holder | None
    target: Holder | None
    helpers: tuple[Holder, ...]
    table: Holder
    scene: Holder
    options: Options
    in_scene: bool = False

    def holder(self, role: Role) -> Holder | None:
        """Whoever has this role, if anybody; what is the GM's is on the table's sheet."""
        if role.startswith("helper "):
            place = int(role.removeprefix("helper "))
            return self.helpers[place - 1] if place <= len(self.helpers) else None
        found: Holder | None = getattr(self, "table" if role == "gm" else role)
        return found


class Offer(NamedTuple):
    """Something on a sheet that may be put into a roll: it adds ``gives`` to an input, or sets it.

    ``by`` is the holder whose seat may put it in. The price is paid for each time, when the dice are thrown; the table
    fills in ``changes``, which the price comes to on the sheets.
    """

    id: str
    group: str
    label: str
    input: str
    gives: Any
    by: str
    most: int = 1
    held: int | None = None
    price: tuple[Effect, ...] = ()
    rule: str = ""
    also: tuple[tuple[str, Any], ...] = ()
    """Further inputs and what each gets: a specialty gives its dice and its level at one tap."""
    changes: tuple[Change, ...] = ()


class Move(NamedTuple):
    """Something a game lets people do that is no roll: a Refreshment scene, an Advance spent."""

    name: str
    title: str
    ask: type[Ask]
    does: Callable[[Any, Participants], Iterable[Change | Note]]
    by: Literal["owner", "gm"] = "owner"
    against: bool = False
    """Whether it needs another character besides."""
    rule: str = ""


class NoInputs(Ask):
    """The ask of a move without inputs, and the options of a game without settings."""


def clocks_section(rule: str = "", kinds: tuple[str, ...] = ("goal", "threat")) -> Section:
    """Clocks of the table: any game may use them."""
    return Section(
        "clocks",
        "Clocks",
        "clock",
        {
            "filled": Whole(0, 24, "segments ticked", default=0, rule=rule),
            "segments": Whole(1, 24, "segments in all", default=6, rule=rule),
            "kind": OneOf(kinds, "what it counts", default=kinds[0], rule=rule),
            "against": Words("the Clock that it races", default=None, rule=rule),
        },
        counts="filled",
        top="segments",
        rule=rule,
    )


def named_dice(name: str, title: str, rule: str = "", most: int = 20, **more: Any) -> Section:
    """Things by name with a number of dice each."""
    return Section(name, title, "list", {"dice": Whole(-most, most, "dice", default=1, rule=rule), **more}, rule=rule)


def counter(name: str, title: str, most: int, help: str, **more: Any) -> Section:
    """A single count, such as Beats; its only item has the section's title."""
    now = Whole(0, most, help, **{"default": 0, **more})
    return Section(name, title, "pips", {"now": now}, (title,), counts="now", rule=now.rule)


PLAIN_CHARACTER = (
    named_dice("traits", "Traits"),
    Section("conditions", "Conditions", "list", {"note": Words("what it means", default=None)}),
)
PLAIN_SCENE = (Section("tags", "Tags", "list", {"note": Words("what it means", default=None)}),)


def nothing(*about: Any) -> Iterable[Any]:
    """A game that has none of this."""
    return ()


def _no_inputs(kind: str, participants: Participants) -> Mapping[str, Any]:
    return {}


def decider(kind: str, by: str, result: Any) -> Role:
    """The GM answers what is the GM's to answer, the roller all else."""
    return "gm" if by == "gm" else "roller"


class TableRules(NamedTuple):
    """What a game keeps. Every part has a default, so that a game with nothing but rolls has a table too."""

    character: tuple[Section, ...] = PLAIN_CHARACTER
    player: tuple[Section, ...] = ()
    table: tuple[Section, ...] = (clocks_section(),)
    scene: tuple[Section, ...] = PLAIN_SCENE
    options: type[Ask] = NoInputs
    offers: Callable[[str, Participants], Iterable[Offer]] = nothing
    """What may be put into a roll of this kind."""
    reads: Callable[[str, Participants], Mapping[str, Any]] = _no_inputs
    """The inputs that a roll of this kind takes from the sheets by itself."""
    apply: Callable[[str, Any, Sequence[Effect], Participants], Iterable[Change | Note]] = nothing
    """What effects change on the sheets: kind, ask, effects, participants. For a price alone, the ask is None."""
    decides: Callable[[str, str, Any], Role] = decider
    """Who answers a choice: kind, the choice's ``by``, its ``so_far``. The role is roller, target or gm."""
    moves: tuple[Move, ...] = ()
    begins: Callable[[Options], Mapping[str, Any]] = lambda options: {}
    """Sections of a new character's sheet as the table's options have them, unless the sheet says otherwise."""
    joins: Callable[[Holder, Holder, Options], Iterable[Change]] = nothing
    """What changes when a player joins: the player's sheet, the table's, the options."""
    closes: Callable[[tuple[Holder, ...], Options], Iterable[Change | Note]] = nothing
    """What the end of a scene changes, given every character."""
    luck: Callable[[str, Any], int | None] = lambda kind, value: value if type(value) is int else None
    """How good a reading of dice is, as a number of things; None if it is no matter of luck."""
    templates: str = ""
    """The path of the ready-made characters, a TOML file."""
    sample: str = ""
    """The path of the sample campaign, a TOML file."""

    def sections(self, kind: str) -> tuple[Section, ...]:
        """The sections of a kind of holder: character, player, table or scene."""
        found: tuple[Section, ...] = getattr(self, kind)
        return found


PLAIN = TableRules()
"""What a game keeps that says nothing about it."""


def table_rules_of(module: str) -> TableRules:
    """What a game keeps; the module is loaded when somebody sits down at a table."""
    if not module:
        return PLAIN
    from importlib import import_module

    found: TableRules = import_module(module).TABLE_RULES
    return found
