"""Parts of a view and entries of a log, as the API's schema declares them; ``table/`` makes them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

SCHEMAS = "#/components/schemas/"

RoleSeen: TypeAlias = Literal["gm", "player", "onlooker", "gone"]
LineKind: TypeAlias = Literal[
    "done", "change", "full", "scene", "open", "dice", "answer", "headline", "note", "verdict", "undo"
]
HolderKind: TypeAlias = Literal["character", "player", "table", "scene"]
DieTold: TypeAlias = tuple[str, int, int, str, bool]


class MemberPart(Struct, frozen=True):
    """A member, at ``members/<id>``."""

    id: str
    name: str
    role: RoleSeen


class SceneNow(Struct, frozen=True):
    """The scene."""

    title: str
    open: bool


class TablePart(Struct, frozen=True):
    """The table itself, at ``table``."""

    game: str
    title: str
    options: dict[str, Any]
    scene: SceneNow
    you: MemberPart | None


class HolderPart(Struct, frozen=True):
    """Somebody or something with a sheet, at ``holders/<id>``; a veiled item has nothing but ``seen``."""

    id: str
    kind: HolderKind
    name: str
    owner: str
    seen: Literal["all", "owner", "gm"]
    yours: bool
    sheet: dict[str, dict[str, dict[str, Any]]]


class PricePart(Struct, frozen=True):
    """What an offer costs, or what somebody gains by it; ``whose`` if it is not the giver's own."""

    item: str
    by: int
    whose: str


class OfferPart(Struct, frozen=True):
    """Something that may be put into a roll."""

    id: str
    group: str
    label: str
    input: str
    gives: Any
    most: int
    price: list[PricePart]
    rule: str
    yours: bool


class DiePart(Struct, frozen=True):
    """A die that was thrown, and what it did."""

    throw: str
    name: str
    sides: int
    face: int
    did: str
    counts: bool


class OptionPart(Struct, frozen=True):
    """An answer that may be given."""

    name: str
    label: str
    cost: int
    words: str
    needs_words: bool
    rule: str


class BarredPart(Struct, frozen=True):
    """An answer that may not be given, and why."""

    name: str
    why: str
    rule: str


class OpenChoice(Struct, frozen=True):
    """A choice that waits for somebody."""

    choice: str
    by: str
    question: str
    options: list[OptionPart]
    barred: list[BarredPart]


class DicePart(Struct, frozen=True):
    """Dice of one sort."""

    name: str
    sides: int
    n: int


class OpenDice(Struct, frozen=True):
    """Dice that wait to be thrown."""

    throw: str
    dice: list[DicePart]


OpenNode: TypeAlias = Annotated[
    Any,
    Meta(
        extra_json_schema={
            "anyOf": [{"$ref": f"{SCHEMAS}OpenChoice"}, {"$ref": f"{SCHEMAS}OpenDice"}, {"type": "null"}]
        }
    ),
]
"""What waits for somebody: a choice, dice, or nothing."""


class RollPart(Struct, frozen=True):
    """A roll, at ``rolls/<id>``: while it is built its inputs and offers, then its dice and what came of them."""

    id: str
    kind: str
    title: str
    by: str
    who: str
    against: str
    helpers: list[str]
    seen: Literal["all", "owner", "gm", "blind"]
    hidden: list[str]
    over: bool
    thrown: bool
    blind: bool | UnsetType = UNSET
    yours: bool | UnsetType = UNSET
    headline: str | UnsetType = UNSET
    ask: dict[str, Any] | UnsetType = UNSET
    inputs: dict[str, Any] | UnsetType = UNSET
    use: dict[str, int] | UnsetType = UNSET
    offers: list[OfferPart] | UnsetType = UNSET
    missing: str | UnsetType = UNSET
    dice: list[DiePart] | UnsetType = UNSET
    verdict: str | UnsetType = UNSET
    result: Any | UnsetType = UNSET
    waits: Literal["", "choice", "dice", "gm"] | UnsetType = UNSET
    open: OpenNode | UnsetType = UNSET


class EntryLine(Struct, frozen=True):
    """A sentence of the log."""

    text: str
    kind: LineKind
    rule: str | UnsetType = UNSET
    roll: str | UnsetType = UNSET
    dice: list[DieTold] | UnsetType = UNSET


class EntryShown(Struct, frozen=True):
    """An entry of the log, as a seat may see it."""

    id: str
    at: int
    by: str
    name: str
    do: str
    struck: bool
    lines: list[EntryLine]


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"{SCHEMAS}{name}"}


_BY_PATH = {
    "^table$": _ref("TablePart"),
    "^members/": _ref("MemberPart"),
    "^holders/": _ref("HolderPart"),
    "^rolls/": _ref("RollPart"),
}
_ANY = list(_BY_PATH.values())
_NULL = {"type": "null"}

Parts: TypeAlias = Annotated[
    dict[str, Any],
    Meta(extra_json_schema={"patternProperties": _BY_PATH, "additionalProperties": {"anyOf": _ANY}}),
]
"""A part for each path; what a part looks like follows from its path's first word."""
NewParts: TypeAlias = Annotated[
    dict[str, Any],
    Meta(
        extra_json_schema={
            "patternProperties": {path: {"anyOf": [part, _NULL]} for path, part in _BY_PATH.items()},
            "additionalProperties": {"anyOf": [*_ANY, _NULL]},
        }
    ),
]
"""Parts that changed; null is one that is gone."""
