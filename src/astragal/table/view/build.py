"""Builds what a seat may see. What is hidden is absent, even the number of dice.

A view is flat: parts of the table by path, such as ``holders/c1`` or ``rolls/r7``, so that after an entry
only what it touches needs to be built and sent again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

from astragal.rule.sheets.table_rules import SCENE
from astragal.table.access import (
    GM,
    holder_audience,
    item_marks,
    may_see,
    owns,
    roll_audience,
    seen_holders,
    seen_rolls,
    usual_mark,
    viewers_of,
)
from astragal.table.requests import seen_requests
from astragal.table.state import HolderState, Member, State
from astragal.table.turns import seen_turns
from astragal.table.view.model import (
    HolderKind,
    HolderSeen,
    HolderView,
    MemberView,
    PleaView,
    Role,
    SceneView,
    TableView,
    TypedDice,
    View,
    WhoUndoes,
)
from astragal.table.view.pools import pools_view
from astragal.table.view.request import request_view
from astragal.table.view.roll import roll_view
from astragal.table.view.turns import turns_view

VEILED = {"seen": "veiled"}
"""What there is to see of an item of which all know, and only GMs how it stands."""


def view(state: State, member: Member | None) -> dict[str, View]:
    """Everything that this seat may see, by path; a hidden thing's path is absent too."""
    return {path: seen for path, seen in views_at(state, member, paths(state, member)).items() if seen is not None}


def views_at(state: State, member: Member | None, wanted: Iterable[str]) -> dict[str, View | None]:
    """The views at these paths; None where this seat may see nothing, or no longer anything."""
    return {path: view_at(state, member, path) for path in wanted}


def view_at(state: State, member: Member | None, path: str) -> View | None:
    """The view at one path, or None."""
    kind, _, id = path.partition("/")
    return _VIEWS[kind](state, member, id) if kind in _VIEWS else None


def is_seen_at(state: State, member: Member | None, path: str) -> bool:
    """True if this seat may see something at a path."""
    kind, _, id = path.partition("/")
    if kind != "rolls":
        return view_at(state, member, path) is not None
    roll = state.world.rolls.get(id)
    return roll is not None and may_see(member, roll_audience(state, roll))


def paths(state: State, member: Member | None) -> Iterator[str]:
    """Every path of a table at which this seat may see something, and perhaps more."""
    gm = member is not None and member.role == GM
    yield "table"
    yield from (f"members/{id}" for id in state.members)
    yield from (f"holders/{holder.id}" for holder in seen_holders(state, member))
    yield from (f"rolls/{roll.id}" for roll in seen_rolls(state, member))
    yield from (f"requests/{id}" for id in seen_requests(state, member))
    holders, own = state.world.holders, member.id if member else ""
    yield from (f"pleas/{plea.id}" for plea in state.pleas.values() if gm or plea.by == own)
    pools = dict.fromkeys((*state.world.pools, *state.world.last))
    yield from (f"pools/{id}" for id in pools if gm or (id in holders and holders[id].owner == own))
    if seen_turns(state, member).order:
        yield "turns"


def table_view(state: State, member: Member | None) -> TableView:
    """The table itself, with who looks at it."""
    scene = state.world.holders.get(SCENE)
    return TableView(
        game=state.game,
        title=state.title,
        options=state.options,
        scene=SceneView(scene.name if scene else "", state.world.in_scene),
        typed_dice=cast("TypedDice", state.world.typed_dice),
        ready_limit=state.world.ready_limit,
        undo=cast("WhoUndoes", state.world.undo),
        you=member_view(member) if member else None,
    )


def plea_view(state: State, member: Member | None, id: str) -> PleaView | None:
    """What a player asks to undo, for the player and the GMs."""
    plea = state.pleas.get(id)
    if plea is None or member is None or (member.role != GM and member.id != plea.by):
        return None
    name = state.members[plea.by].name if plea.by in state.members else ""
    told = plea.in_full if plea.in_full and member.role == GM else plea.told
    return PleaView(plea.id, plea.by, name, plea.entry, told, plea.by == member.id)


def member_view(member: Member) -> MemberView:
    """A member, the same for every seat."""
    return MemberView(member.id, member.name, cast("Role", member.role))


def holder_view(state: State, member: Member | None, id: str) -> HolderView | None:
    """A holder, with the items that this seat may see; as a player, only somebody who plays has any."""
    holder = state.world.holders.get(id)
    if holder is None or not may_see(member, holder_audience(holder)):
        return None
    marks, parts = item_marks(holder, viewers_of(member)), holder.sheet.items()
    plays = holder.kind != "player" or state.members[holder.id].role not in (GM, "onlooker")
    return HolderView(
        id=holder.id,
        kind=cast("HolderKind", holder.kind),
        name=holder.name,
        owner=holder.owner,
        seen=cast("HolderSeen", holder.seen),
        yours=member is not None and member.role != "onlooker" and owns(member, holder),
        sheet={section: _items(holder, section, items, marks) if plays else {} for section, items in parts},
        free=holder.free,
    )


def _items(
    holder: HolderState, section: str, items: dict[str, dict[str, Any]], marks: tuple[str, ...]
) -> dict[str, dict[str, Any]]:
    """The items of a section that have one of these marks; of a veiled one only that it exists."""
    usual = usual_mark(holder, section)
    return {
        name: item if mark in marks else VEILED
        for name, item in items.items()
        if (mark := item["seen"] if "seen" in item else usual) in marks or mark == "veiled"  # noqa: SIM401
    }


_VIEWS: dict[str, Callable[[State, Member | None, str], View | None]] = {
    "table": lambda state, member, id: table_view(state, member),
    "members": lambda state, member, id: member_view(state.members[id]) if id in state.members else None,
    "turns": lambda state, member, id: turns_view(state, member),
    "pleas": plea_view,
    "requests": request_view,
    "pools": pools_view,
    "holders": holder_view,
    "rolls": roll_view,
}
"""What makes the view at a path, by the path's first part."""
