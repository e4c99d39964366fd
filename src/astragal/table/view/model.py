"""Views: what a seat sees of a table, by path. The API's schema, the command line and the page read these types.

A field that is ``UNSET`` is not sent at all: its absence tells a seat nothing.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, TypeVar

from msgspec import Struct, UnsetType

from astragal.table.view.roll_model import RollSeen, RollView

Role: TypeAlias = Literal["gm", "player", "onlooker", "gone"]
HolderKind: TypeAlias = Literal["character", "player", "table", "scene"]
HolderSeen: TypeAlias = Literal["all", "name", "owner", "gm"]
TypedDice: TypeAlias = Literal["everybody", "gm", "nobody"]
WhoUndoes: TypeAlias = Literal["gm", "player"]
AskedState: TypeAlias = Literal["waiting", "gathering", "rolled"]
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
    ready_limit: int
    """Seconds that an opposed roll waits for the other side's "ready"; 0 for no limit."""
    undo: WhoUndoes
    """Who undoes a player's throw: a GM who is asked, or the player."""
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
    free: bool = False
    """Whether any player may take it over."""


class PoolView(Struct, frozen=True, gc=False):
    """What was put into a roll, to be put in again; ``labels`` say what the offers in it are called."""

    name: str
    kind: str
    inputs: dict[str, Any]
    use: dict[str, int]
    labels: dict[str, str]


class PoolsView(Struct, frozen=True, gc=False):
    """Pools of a holder, at ``pools/<id>``, for its owner and GMs; those without a character are at ``pools/table``."""

    saved: list[PoolView]
    last: dict[str, PoolView]
    """What was last put into each kind of roll."""


class AskedView(Struct, frozen=True, gc=False):
    """A character that is asked for a roll: how far it is, by which roll, and whether it is yours."""

    who: str
    state: AskedState
    roll: str
    yours: bool


class RequestView(Struct, frozen=True, gc=False):
    """A GM's request for a roll, at ``requests/<id>``, until all have rolled of whom this seat may know."""

    id: str
    by: str
    kind: str
    title: str
    note: str
    against: str
    seen: RollSeen
    hidden: list[str]
    inputs: dict[str, Any]
    use: dict[str, int]
    asked: list[AskedView]
    yours: bool
    """Whether a character of yours has still to roll."""


class PleaView(Struct, frozen=True, gc=False):
    """What a player asks a GM to undo, at ``pleas/<id>``, for the player and GMs."""

    id: str
    by: str
    name: str
    """The player's name."""
    entry: str
    told: list[str]
    """What would go."""
    yours: bool
    """Whether you asked."""


class TurnView(Struct, frozen=True, gc=False):
    """A place in the turn order: a name, and the id of its sheet if there is one; only GMs see a secret place."""

    id: str
    name: str
    who: str
    secret: bool


class TurnsView(Struct, frozen=True, gc=False):
    """The turn order, at ``turns``; ``now`` is the id of the place whose turn it is."""

    order: list[TurnView]
    now: str
    round: int


View: TypeAlias = TableView | MemberView | HolderView | RollView | RequestView | PleaView | TurnsView | PoolsView
"""The view at one path."""

T = TypeVar("T")


def given(value: T | UnsetType, otherwise: T) -> T:
    """The value of a field, or ``otherwise`` where it is absent."""
    return otherwise if isinstance(value, UnsetType) else value
