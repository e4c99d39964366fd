"""Which views an entry changes for a seat."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.rule.sheets.table_rules import SCENE
from astragal.table import event as e
from astragal.table.access import may_see, owner_of, roll_audience
from astragal.table.entry import Entry
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Member, Roll, State


def touched(state: State, entry: Entry, member: Member | None) -> list[str] | None:
    """The paths whose views an entry may have changed for this seat; None means all of them."""
    found: dict[str, None] = {}
    for event in entry.events:
        if not may_see(member, event.audience):
            continue
        if isinstance(event, (e.Founded, e.SettingChanged, e.Struck, e.Restored, e.Seated, e.Held, e.Retired)):
            return None  # the owner of a roll, and who may see it, may have changed
        found.update(dict.fromkeys(_paths(state, event, member)))
    return list(found)


def _paths(state: State, event: e.Event, member: Member | None) -> Iterator[str]:
    if isinstance(event, e.Joined):
        yield from (f"members/{event.member}", f"holders/{event.member}")
    elif isinstance(event, (e.SceneOpened, e.SceneClosed)):
        yield from ("table", "holders/scene", "turns", *_rolls_about(state, SCENE, member))
    elif isinstance(event, e.Turned):
        yield "turns"
    elif isinstance(event, e.Saved):
        yield f"pools/{event.holder}"
    elif hasattr(event, "request") and not hasattr(event, "roll"):
        yield f"requests/{event.request}"
    elif hasattr(event, "holder"):
        yield f"holders/{event.holder}"
        yield from _rolls_about(state, event.holder, member)
    elif hasattr(event, "roll"):
        yield f"rolls/{event.roll}"
        yield from (f"rolls/{other.id}" for other in state.world.rolls.values() if other.after == event.roll)
        yield from _answered(state, event)


def _answered(state: State, event: e.Event) -> Iterator[str]:
    """What else a roll changes: the request that it answers, and what is remembered of whoever rolls."""
    roll = state.world.rolls.get(event.roll)  # type: ignore[union-attr]
    if roll is None:  # it was withdrawn
        yield from (f"requests/{id}" for id in state.world.requests)
        return
    if roll.request:
        yield f"requests/{roll.request}"
    if isinstance(event, (e.Asked, e.Thrown, e.Covered)):
        yield f"pools/{roll.who or roll.by}"


def _is_live(state: State, roll: Roll) -> bool:
    """Whether what a thrown roll leaves to choose depends on what the sheets say now."""
    kind = ruleset_of(state.game).game.kinds.get(roll.kind)
    return kind is not None and kind.is_live


def _rolls_about(state: State, holder: str, member: Member | None) -> Iterator[str]:
    """The visible unfinished rolls that read a holder's sheet, since their offers may change with it."""
    for roll in state.world.rolls.values():
        if roll.over or (roll.thrown and not _is_live(state, roll)):
            continue
        about = (roll.who, owner_of(state, roll), roll.against, *roll.helpers, *roll.their_helpers, "scene", "table")
        if holder in about and may_see(member, roll_audience(state, roll)):
            yield f"rolls/{roll.id}"
