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
    last_pools,
    may_see,
    owns,
    roll_audience,
    seen_holders,
    seen_rolls,
    usual_mark,
    viewers_of,
)
from astragal.table.requests import ROLLED, asked_of, seen_requests
from astragal.table.rolls.basis import Bases
from astragal.table.state import HolderState, Member, Pool, State
from astragal.table.turns import is_secret, seen_turns
from astragal.table.view.card import knows
from astragal.table.view.model import (
    AskedState,
    AskedView,
    HolderKind,
    HolderSeen,
    HolderView,
    MemberView,
    PleaView,
    PoolsView,
    PoolView,
    RequestView,
    Role,
    SceneView,
    TableView,
    TurnsView,
    TurnView,
    TypedDice,
    View,
    WhoUndoes,
)
from astragal.table.view.roll import roll_view
from astragal.table.view.roll_model import RollSeen

VEILED = {"seen": "veiled"}
"""What players see of an item whose value only GMs see."""


def view(state: State, member: Member | None) -> dict[str, View]:
    """Everything that this seat may see, by path; a hidden thing's path is absent too."""
    return {path: seen for path, seen in views_at(state, member, paths(state, member)).items() if seen is not None}


def views_at(
    state: State, member: Member | None, wanted: Iterable[str], bases: Bases | None = None
) -> dict[str, View | None]:
    """The views at these paths; None where this seat may see nothing, or no longer anything.

    Views for several seats share ``bases``, so that each roll is played back once.
    """
    return {path: view_at(state, member, path, bases) for path in wanted}


def view_at(state: State, member: Member | None, path: str, bases: Bases | None = None) -> View | None:
    """The view at one path, or None."""
    kind, _, id = path.partition("/")
    if kind == "rolls":
        return roll_view(state, member, id, bases)
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
    """A holder, with the items that this seat may see; a player's holder has items only if they play."""
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


def pools_view(state: State, member: Member | None, holder: str) -> PoolsView | None:
    """The pools of a holder, for its owner and GMs; None if there are none that this seat may know."""
    kept = state.world.holders.get(holder)
    if member is None or member.role == "onlooker" or kept is None:
        return None
    if not owns(member, kept) or not may_see(member, holder_audience(kept)):
        return None
    known = {kind: _pool_view(pool, pool.name) for kind, pool in last_pools(state, member, holder).items()}
    saved = [_pool_view(pool, name) for name, pool in state.world.pools.get(holder, {}).items()]
    return PoolsView(saved, known) if saved or known else None


def _pool_view(pool: Pool, name: str) -> PoolView:
    labels = {id: id.rpartition("/")[2].partition("!")[0] for id in pool.use}
    return PoolView(name, pool.kind, pool.inputs, pool.use, labels)


def request_view(state: State, member: Member | None, id: str) -> RequestView | None:
    """A request, with the characters and inputs that this seat may know of; None if it waits for none of them."""
    request = state.world.requests.get(id)
    asked = asked_of(state, request, member) if request else {}
    if request is None or not asked:
        return None
    hidden = () if member is not None and member.role == GM else (*request.hidden, *request.secret)
    holders, own = state.world.holders, member.id if member is not None and member.role != "onlooker" else None
    rows = [
        AskedView(who, cast("AskedState", at), roll, holders[who].owner == own) for who, (at, roll) in asked.items()
    ]
    return RequestView(
        id=request.id,
        by=request.by,
        kind=request.kind,
        title=request.title,
        note=request.note,
        against=request.against if knows(state, request.against, member) else "",
        seen=cast("RollSeen", request.seen),
        hidden=list(request.hidden),
        inputs={name: value for name, value in request.inputs.items() if name not in hidden},
        use=request.use,
        asked=rows,
        yours=any(row.yours and row.state != ROLLED for row in rows),
    )


def turns_view(state: State, member: Member | None) -> TurnsView | None:
    """The order without the places that the seat may not know of; None if it is empty."""
    turns = seen_turns(state, member)
    if not turns.order:
        return None
    holders = state.world.holders
    order = [
        TurnView(place[0], holders[place[2]].name if place[2] else place[1], place[2], is_secret(state.world, place))
        for place in turns.order
    ]
    return TurnsView(order, turns.now, turns.round)


_VIEWS: dict[str, Callable[[State, Member | None, str], View | None]] = {
    "table": lambda state, member, id: table_view(state, member),
    "members": lambda state, member, id: member_view(state.members[id]) if id in state.members else None,
    "turns": lambda state, member, id: turns_view(state, member),
    "pleas": plea_view,
    "requests": request_view,
    "pools": pools_view,
    "holders": holder_view,
}
"""The function that makes the view at a path, by the path's first part; ``roll_view`` makes those of rolls."""
