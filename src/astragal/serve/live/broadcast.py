"""Broadcasts: new entries as a frame for every seat. Seats that see the same share one encoded frame.

A seat's frame contains only things that the seat may see: entries, the parts that they touch, and a version that counts
only these entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from time import monotonic
from typing import Any, cast

import msgspec

from astragal.serve.live.frames import News, encode_frame
from astragal.storage.tables.stored_table import Step
from astragal.table.access import EVERYBODY, GM, seat_version, sheet_audience
from astragal.table.event import Restored, Struck, UndoAnswered, UndoAsked
from astragal.table.log.lines import shown
from astragal.table.log.shown import EntryShown
from astragal.table.rolls.basis import Bases
from astragal.table.state import Member, Roll, State
from astragal.table.view.build import is_seen_at, view, views_at
from astragal.table.view.model import View
from astragal.table.view.touched import touched

_encode = msgspec.json.Encoder().encode


class Broadcast:
    """The frames for a run of steps, one for each audience that sees any of them."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.stored_at = monotonic()
        self._steps = steps
        self._state = steps[-1].after
        self.version = self._state.version
        """The table's version after the steps."""
        rolls, before = self._state.world.rolls, steps[0].before.world.rolls
        self._outdated = [f"rolls/{id}" for id in before if id not in rolls]
        self._outdated += [f"pleas/{id}" for id in steps[0].before.pleas if id not in self._state.pleas]
        """Rolls that were dropped or withdrawn, and pleas that were answered or have lapsed."""
        self._all_paths = self._touched(_GM)
        self._audiences = self._limited_audiences()
        self._is_open = self._audiences <= {EVERYBODY} and not self._undoes()
        """True if all seats get the same, GMs included: nothing at the table is hidden."""
        self._concerned: set[str] | None = self._concerned_members()
        self._entries: dict[str | bool, list[msgspec.Raw]] = {}
        self._frames: dict[tuple[Any, ...], str | None] = {}
        self._bases = Bases()

    def frame_for(self, member: Member) -> str | None:
        """The frame for a seat, or None if the seat may see nothing of the steps."""
        key = self._key(member)
        if key not in self._frames:
            self._frames[key] = self._frame(member)
        return self._frames[key]

    def _key(self, member: Member) -> tuple[Any, ...]:
        """Members with the same key get the same frame: all GMs, and all others whom no step concerns."""
        if self._concerned is None or member.id in self._concerned:
            return (member.id,)
        return (member.role == GM, seat_version(self._state, member))

    def _limited_audiences(self) -> set[str]:
        """The audiences of all events and sheets; a member's id is among them if only that member may see something."""
        world = self._state.world
        audiences = {event.audience for each in self._steps for event in each.entry.events}
        sheets = {sheet_audience(holder) for holder in world.holders.values()}
        return audiences | sheets | {audience for _, audience in world.retired.values()}

    def _concerned_members(self) -> set[str] | None:
        """The members for whom parts may look different; None if parts differ for everyone."""
        if self._all_paths is None or "table" in self._all_paths:
            return None
        near = (_members_near(self._state, path) for path in self._all_paths)
        were_near = (_members_near(self._steps[0].before, path) for path in self._outdated)
        # A member who asked for an undo sees the request and its answer, too.
        events = (event for each in self._steps for event in each.entry.events)
        askers = {event.by for event in events if isinstance(event, (UndoAsked, UndoAnswered))}
        return self._audiences.union(*near, *were_near, askers)

    def _undoes(self) -> bool:
        """True if something is undone or redone, which GMs see in their own way."""
        return any(isinstance(event, (Struck, Restored)) for each in self._steps for event in each.entry.events)

    def _encoded_entries(self, member: Member) -> list[msgspec.Raw]:
        """The entries as this member may see them, encoded."""
        gm = member.role == GM and not self._is_open
        key = member.id if member.id in self._audiences and not gm else gm
        if key not in self._entries:
            entries = (shown(each.entry, self._state, member) for each in self._steps)
            self._entries[key] = [msgspec.Raw(_encode(entry)) for entry in entries if entry is not None]
        return self._entries[key]

    def _touched(self, member: Member) -> list[str] | None:
        """The paths of the parts that changed; None for all of them."""
        found: dict[str, None] = dict.fromkeys(self._outdated)
        for each in self._steps:
            paths = touched(each.after, each.entry, member)
            if paths is None:
                return None
            found.update(dict.fromkeys(paths))
        return list(found)

    def _frame(self, member: Member) -> str | None:
        # Entries are encoded once for all members who see the same.
        entries = self._encoded_entries(member)
        if not entries:
            return None
        paths = self._all_paths if member.role == GM or self._is_open else self._touched(member)
        parts = view(self._state, member) if paths is None else self._parts(member, paths)
        version = seat_version(self._state, member)
        return encode_frame(News(version, cast(list[EntryShown], entries), parts, all=paths is None))

    def _parts(self, member: Member, paths: Iterable[str]) -> dict[str, View | None]:
        """The parts at these paths; a removed part is null for seats that saw it, and absent for others."""
        now, before = views_at(self._state, member, paths, self._bases), self._steps[0].before
        return {path: part for path, part in now.items() if part is not None or is_seen_at(before, member, path)}


_GM = Member("", "", GM)
"""A member who may see everything, to find all touched parts."""


def _members_near(state: State, path: str) -> Iterator[str]:
    """The members for whom a part may look different than for others of their role."""
    kind, _, id = path.partition("/")
    if kind in ("holders", "pools"):
        yield from _owner(state, id)
    elif kind == "requests":
        request = state.world.requests.get(id)
        for who in request.asked if request else ():
            yield from _owner(state, who)
    elif kind == "rolls":
        roll = state.world.rolls.get(id)
        if roll:
            yield from _members_near_roll(state, roll)
    elif kind == "pleas" and id in state.pleas:
        yield state.pleas[id].by


def _members_near_roll(state: State, roll: Roll) -> Iterator[str]:
    yield roll.by
    for holder in (roll.who, roll.against, *roll.helpers, *roll.their_helpers):
        yield from _owner(state, holder)


def _owner(state: State, holder: str) -> Iterator[str]:
    """The owner of a holder; a player's own sheet has the player's id."""
    yield holder
    found = state.world.holders.get(holder)
    if found:
        yield found.owner
