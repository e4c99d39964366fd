"""Noticing: who sees a difference when things are undone or done again, and must be told that they were.

What an entry's events said when it was made is not enough: a thing may have been hidden
then and be seen by everybody now.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from astragal.table import event as e
from astragal.table.access import EVERYBODY, GM
from astragal.table.state import State
from astragal.table.view.build import view


def told_to_all_who_notice(events: Iterable[e.Event], before: State, after: State) -> list[e.Event]:
    """The events, and a word to those seats whose view changes and who would not hear of it."""
    events = list(events)
    last = max(place for place, event in enumerate(events) if isinstance(event, (e.Struck, e.Restored)))
    audiences = {event.audience for event in events}
    more = [replace(events[last], entries=[], audience=audience) for audience in _who_notice(before, after, audiences)]
    return [*events[: last + 1], *more, *events[last + 1 :]]


def _who_notice(before: State, after: State, audiences: set[str]) -> list[str]:
    if EVERYBODY in audiences:
        return []
    if view(before, None) != view(after, None):
        return [EVERYBODY]
    others = [member for member in after.members.values() if member.role != GM and member.id not in audiences]
    return [member.id for member in others if view(before, member) != view(after, member)]
