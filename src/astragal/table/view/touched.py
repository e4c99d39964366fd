"""Which views an entry changes for a seat."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.rule.sheets.table_rules import SCENE, TABLE
from astragal.table import event as e
from astragal.table.access import may_see, owner_of, seen_rolls
from astragal.table.base_event import HolderEvent, PleaEvent, RequestEvent, RollEvent
from astragal.table.entry import Entry
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Member, Roll, State

EVERYTHING = frozenset((e.Founded, e.SettingChanged, e.Struck, e.Restored, e.Seated, e.Held, e.Retired))
"""Kinds of events that may change any view."""


def touched(state: State, entry: Entry, member: Member | None) -> list[str] | None:
    """The paths whose views an entry may have changed for this seat; None means all of them."""
    found, rolled = dict[str, None](), set[str]()
    for event in entry.events:
        if not may_see(member, event.audience):
            continue
        if type(event) in EVERYTHING:
            return None  # the owner of a roll, and who may see it, may have changed
        found.update(dict.fromkeys(_paths(state, event, member)))
        rolled |= {event.roll} if isinstance(event, RollEvent) else set()
    before = [f"rolls/{roll.id}" for roll in state.world.rolls.values() if roll.after in rolled] if rolled else ()
    found.update(dict.fromkeys(before))
    return list(found)


def _paths(state: State, event: e.Event, member: Member | None) -> Iterator[str]:
    if isinstance(event, RollEvent):
        yield f"rolls/{event.roll}"
        yield from _answered(state, event)
    elif isinstance(event, e.Saved):
        yield f"pools/{event.holder}"
    elif isinstance(event, e.Created):  # any open roll may name a character
        yield f"holders/{event.holder}"
        yield from (f"rolls/{roll.id}" for roll in _open_rolls(state, member))
    elif isinstance(event, HolderEvent):
        yield f"holders/{event.holder}"
        yield from _rolls_about(state, event.holder, member)
    elif isinstance(event, PleaEvent):
        yield from (f"pleas/{plea}" for plea in (event.plea, *state.pleas))
    elif isinstance(event, RequestEvent):
        yield f"requests/{event.request}"
    elif isinstance(event, e.Joined):
        yield from (f"members/{event.member}", f"holders/{event.member}")
    elif isinstance(event, (e.SceneOpened, e.SceneClosed)):
        yield from ("table", "holders/scene", "turns", *_rolls_about(state, SCENE, member))
    elif isinstance(event, e.Turned):
        yield "turns"


def _answered(state: State, event: RollEvent) -> Iterator[str]:
    """What else a roll changes: the request that it answers, and what is remembered of whoever rolls."""
    roll = state.world.rolls.get(event.roll)
    if roll is None:  # it was withdrawn
        yield from (f"requests/{id}" for id in state.world.requests)
        return
    if roll.request:
        yield f"requests/{roll.request}"
    if isinstance(event, (e.Asked, e.Thrown, e.Covered)):
        yield f"pools/{roll.who or roll.by}"


def _open_rolls(state: State, member: Member | None) -> Iterator[Roll]:
    """The visible unfinished rolls that still read the sheets."""
    for roll in seen_rolls(state, member, [roll for roll in state.world.rolls.values() if not roll.over]):
        if not roll.thrown or _is_live(state, roll):
            yield roll


def _is_live(state: State, roll: Roll) -> bool:
    """Whether what a thrown roll leaves to choose depends on what the sheets say now."""
    kind = ruleset_of(state.game).game.kinds.get(roll.kind)
    return kind is not None and kind.is_live


def _rolls_about(state: State, holder: str, member: Member | None) -> Iterator[str]:
    """The visible unfinished rolls that read a holder's sheet, since their offers may change with it."""
    for roll in _open_rolls(state, member):
        if holder in (roll.who, owner_of(state, roll), roll.against, *roll.helpers, *roll.their_helpers, SCENE, TABLE):
            yield f"rolls/{roll.id}"
