"""The cast of a roll or a move: holders as a game's rules see them."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from astragal.rule.table_rules import SCENE, TABLE, Holder, Participants
from astragal.table.access import audience_of, holder_audience, item_audience
from astragal.table.state import HolderState, State

May = Callable[[str], bool]
"""Whether those who look may learn of what is for these ears."""


def participants_of(state: State, who: str, against: str = "", helpers: tuple[str, ...] = ()) -> Participants:
    """Everybody by id; whoever is no longer there is left out."""
    holders = state.world.holders
    roller = holders.get(who)
    return Participants(
        roller,
        holders.get(roller.owner) if roller else None,
        holders.get(against),
        tuple([holders[helper] for helper in helpers if helper in holders]) if helpers else (),
        holders[TABLE],
        holders[SCENE],
        state.options,
        state.world.in_scene,
    )


def seen_participants(state: State, participants: Participants, may: May) -> Participants:
    """The cast without what those who look may not see; nothing that is made of it tells of what is hidden."""
    if _is_open(state, participants):
        return participants
    table, scene = _seen(state, participants.table, may), _seen(state, participants.scene, may)
    helpers = (_seen(state, helper, may) for helper in participants.helpers)
    return participants._replace(
        roller=_seen(state, participants.roller, may),
        player=_seen(state, participants.player, may),
        target=_seen(state, participants.target, may),
        helpers=tuple(helper for helper in helpers if helper),
        table=table or participants.table,
        scene=scene or participants.scene,
    )


def open_items(state: State, participants: Participants, may: May) -> Participants:
    """Everybody in the cast, without the items that are hidden for themselves."""
    if _is_open(state, participants):
        return participants

    def opened(holder: Holder) -> Holder:
        kept = state.world.holders[holder.id]
        return _with_items(holder, kept, lambda seen: may(audience_of(seen, kept.owner)))

    return participants._replace(
        roller=participants.roller and opened(participants.roller),
        player=participants.player and opened(participants.player),
        target=participants.target and opened(participants.target),
        helpers=tuple(map(opened, participants.helpers)),
        table=opened(participants.table),
        scene=opened(participants.scene),
    )


def _is_open(state: State, participants: Participants) -> bool:
    """Whether nothing in the cast is hidden from anybody, which is mostly so."""
    holders = state.world.holders
    for holder in (
        participants.roller,
        participants.player,
        participants.target,
        participants.table,
        participants.scene,
        *participants.helpers,
    ):
        if holder is not None:
            kept = holders[holder.id]
            if kept.veiled or kept.seen != "all":
                return False
    return True


def _seen(state: State, holder: Holder | None, may: May) -> Holder | None:
    if holder is None:
        return None
    kept = state.world.holders[holder.id]
    if kept.seen != "all" and not may(holder_audience(kept)):
        return None
    return _with_items(holder, kept, lambda seen: may(item_audience(kept, seen)))


def _with_items(holder: Holder, kept: HolderState, which: Callable[[str], bool]) -> Holder:
    if not kept.veiled:
        return holder
    sheet = {
        section: {name: item for name, item in items.items() if which(item.get("seen", "all"))}
        for section, items in kept.sheet.items()
    }
    return replace(kept, sheet=sheet)
