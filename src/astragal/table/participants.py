"""The cast of a roll or a move: holders as a game's rules see them."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from astragal.rule.table_rules import SCENE, TABLE, Cast, Holder
from astragal.table.access import ear_of, holder_ear, item_ear
from astragal.table.state import Kept, State

May = Callable[[str], bool]
"""Whether those who look may learn of what is for these ears."""


def cast_of(state: State, who: str, against: str = "", helpers: tuple[str, ...] = ()) -> Cast:
    """Everybody by id; whoever is no longer there is left out."""
    holders = state.world.holders
    roller = holders.get(who)
    return Cast(
        roller,
        holders.get(roller.owner) if roller else None,
        holders.get(against),
        tuple([holders[helper] for helper in helpers if helper in holders]) if helpers else (),
        holders[TABLE],
        holders[SCENE],
        state.options,
        state.world.in_scene,
    )


def seen_cast(state: State, cast: Cast, may: May) -> Cast:
    """The cast without what those who look may not see; nothing that is made of it tells of what is hidden."""
    if _is_open(state, cast):
        return cast
    table, scene = _seen(state, cast.table, may), _seen(state, cast.scene, may)
    helpers = (_seen(state, helper, may) for helper in cast.helpers)
    return cast._replace(
        who=_seen(state, cast.who, may),
        player=_seen(state, cast.player, may),
        against=_seen(state, cast.against, may),
        helpers=tuple(helper for helper in helpers if helper),
        table=table or cast.table,
        scene=scene or cast.scene,
    )


def open_items(state: State, cast: Cast, may: May) -> Cast:
    """Everybody in the cast, without the items that are hidden for themselves."""
    if _is_open(state, cast):
        return cast

    def opened(holder: Holder) -> Holder:
        kept = state.world.holders[holder.id]
        return _with_items(holder, kept, lambda seen: may(ear_of(seen, kept.owner)))

    return cast._replace(
        who=cast.who and opened(cast.who),
        player=cast.player and opened(cast.player),
        against=cast.against and opened(cast.against),
        helpers=tuple(map(opened, cast.helpers)),
        table=opened(cast.table),
        scene=opened(cast.scene),
    )


def _is_open(state: State, cast: Cast) -> bool:
    """Whether nothing in the cast is hidden from anybody, which is mostly so."""
    holders = state.world.holders
    for holder in (cast.who, cast.player, cast.against, cast.table, cast.scene, *cast.helpers):
        if holder is not None:
            kept = holders[holder.id]
            if kept.veiled or kept.seen != "all":
                return False
    return True


def _seen(state: State, holder: Holder | None, may: May) -> Holder | None:
    if holder is None:
        return None
    kept = state.world.holders[holder.id]
    if kept.seen != "all" and not may(holder_ear(kept)):
        return None
    return _with_items(holder, kept, lambda seen: may(item_ear(kept, seen)))


def _with_items(holder: Holder, kept: Kept, which: Callable[[str], bool]) -> Holder:
    if not kept.veiled:
        return holder
    sheet = {
        section: {name: item for name, item in items.items() if which(item.get("seen", "all"))}
        for section, items in kept.sheet.items()
    }
    return replace(kept, sheet=sheet)
