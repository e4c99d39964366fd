"""Views: what a seat sees of a table, by path. The API's schema, the command line and the page read these types.

A field that is ``UNSET`` is not sent at all: its absence tells a seat nothing.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, TypeVar

from msgspec import UNSET, Struct, UnsetType

Role: TypeAlias = Literal["gm", "player", "onlooker", "gone"]
HolderKind: TypeAlias = Literal["character", "player", "table", "scene"]
HolderSeen: TypeAlias = Literal["all", "owner", "gm"]
RollSeen: TypeAlias = Literal["all", "owner", "gm", "blind"]
TypedDice: TypeAlias = Literal["everybody", "gm", "nobody"]
ThrowSource: TypeAlias = Literal["", "machine", "typed", "again"]
Waits: TypeAlias = Literal["", "choice", "dice", "gm"]
Sheet: TypeAlias = dict[str, dict[str, dict[str, Any]]]
"""Items by section and name."""


class MemberView(Struct, frozen=True, gc=False):
    """A member, at ``members/<id>``."""

    id: str
    name: str
    role: Role


class SceneView(Struct, frozen=True, gc=False):
    """The scene: its title, and whether it is open."""

    title: str
    open: bool


class TableView(Struct, frozen=True, gc=False):
    """The table itself, at ``table``."""

    game: str
    title: str
    options: dict[str, Any]
    scene: SceneView
    typed_dice: TypedDice
    """Who may type dice."""
    you: MemberView | None


class HolderView(Struct, frozen=True, gc=False):
    """A holder with its sheet, at ``holders/<id>``; a veiled item has no field but ``seen``."""

    id: str
    kind: HolderKind
    name: str
    owner: str
    seen: HolderSeen
    yours: bool
    sheet: Sheet


class PriceView(Struct, frozen=True, gc=False):
    """What an offer costs or gives; ``whose`` names the holder if it is not the giver."""

    item: str
    by: int
    whose: str


class OfferView(Struct, frozen=True, gc=False):
    """An offer: something that may be put into a roll."""

    id: str
    group: str
    label: str
    input: str
    gives: Any
    most: int
    price: list[PriceView]
    rule: str
    yours: bool


class DieView(Struct, frozen=True, gc=False):
    """A die that was thrown, and what it did."""

    throw: str
    name: str
    sides: int
    face: int
    did: str
    counts: bool


class ThrowView(Struct, frozen=True, gc=False):
    """A throw: whether the machine threw it, who typed it, or whether it was taken up again after an undo."""

    title: str
    source: ThrowSource
    typed_by: str


class OptionView(Struct, frozen=True, gc=False):
    """An answer that may be given."""

    name: str
    label: str
    cost: int
    words: str
    needs_words: bool
    rule: str
    by: str = ""
    """The role whose it is, where that is not who decides."""
    yours: bool = False


class BarredView(Struct, frozen=True, gc=False):
    """An answer that may not be given, and why."""

    name: str
    why: str
    rule: str


class OpenChoice(Struct, frozen=True, gc=False, tag_field="type", tag="choice"):
    """A choice that waits for an answer."""

    choice: str
    by: str
    question: str
    options: list[OptionView]
    barred: list[BarredView]


class DiceView(Struct, frozen=True, gc=False):
    """Dice of one kind."""

    name: str
    sides: int
    n: int


class OpenDice(Struct, frozen=True, gc=False, tag_field="type", tag="dice"):
    """Dice that wait to be thrown."""

    throw: str
    dice: list[DiceView]


class PromptView(Struct, frozen=True, gc=False):
    """A question about a finished roll: somebody is asked for words, and may leave them out."""

    by: str
    """The id of the holder or member who is asked, or ``gm``."""
    question: str
    rule: str
    yours: bool


class WordsView(Struct, frozen=True, gc=False):
    """What a member said about a finished roll."""

    by: str
    text: str


OpenNode: TypeAlias = OpenChoice | OpenDice | None
"""What a roll waits for: a choice, dice, or nothing."""


class RollView(Struct, frozen=True, gc=False):
    """A roll, at ``rolls/<id>``: inputs and offers while it is built, then dice and outcome."""

    id: str
    kind: str
    title: str
    by: str
    who: str
    against: str
    helpers: list[str]
    seen: RollSeen
    hidden: list[str]
    over: bool
    thrown: bool
    their_helpers: list[str] = []
    blind: bool | UnsetType = UNSET
    yours: bool | UnsetType = UNSET
    headline: str | UnsetType = UNSET
    ask: dict[str, Any] | UnsetType = UNSET
    inputs: dict[str, Any] | UnsetType = UNSET
    use: dict[str, int] | UnsetType = UNSET
    offers: list[OfferView] | UnsetType = UNSET
    missing: str | UnsetType = UNSET
    dice: list[DieView] | UnsetType = UNSET
    throws: list[ThrowView] | UnsetType = UNSET
    verdict: str | UnsetType = UNSET
    result: Any | UnsetType = UNSET
    waits: Waits | UnsetType = UNSET
    waits_for: str | UnsetType = UNSET
    """The id of the member for whom it waits, or ``gm``."""
    locked: list[str] | UnsetType = UNSET
    """Inputs and offers that this seat may not change: somebody else's, the sheets', or put in by a GM."""
    takes: list[int] | UnsetType = UNSET
    """How many more helpers it takes, on the roller's side and on the other."""
    open: OpenNode | UnsetType = UNSET
    prompts: list[PromptView] | UnsetType = UNSET
    words: list[WordsView] | UnsetType = UNSET


View: TypeAlias = TableView | MemberView | HolderView | RollView
"""The view at one path."""

T = TypeVar("T")


def given(value: T | UnsetType, otherwise: T) -> T:
    """The value of a field, or ``otherwise`` where it is absent."""
    return otherwise if isinstance(value, UnsetType) else value
