"""News: what happened, as frames for seats. What two seats see alike is looked at and encoded once.

A seat's frame holds what that seat may see and nothing else: entries that it hears
something of, the parts that these touch, and a version that counts only them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from astragal.table.entry import Entry
from astragal.table.seat import GM
from astragal.table.state import Member, Roll, State
from astragal.table.tell import shown
from astragal.table.view import look, seat_version, touched, view

_encode = msgspec.json.Encoder().encode


class News(NamedTuple):
    """An entry that is stored, the states before and after it, and when the server heard of it."""

    entry: Entry
    before: State
    after: State
    heard: float


def whole_view(state: State, member: Member) -> dict[str, Any]:
    """Every part that this seat may see. A part that it may not see is not even named."""
    return {path: part for path, part in view(state, member).items() if part is not None}


def frame(type: str, **facts: Any) -> str:
    return _encode({"type": type, **facts}).decode()


class Teller:
    """Makes the frames for one stretch of news: from what was told last to what is known now."""

    def __init__(self, news: Sequence[News]) -> None:
        self._news = news
        self.heard = news[0].heard
        self._state = news[-1].after
        self._near: set[str] | None = self._concerned()
        self._frames: dict[tuple[Any, ...], str | None] = {}

    def frame_for(self, member: Member) -> str | None:
        """The frame of a seat, or nothing."""
        key = self._key(member)
        if key not in self._frames:
            self._frames[key] = self._told(member)
        return self._frames[key]

    def _key(self, member: Member) -> tuple[Any, ...]:
        """Seats of one role see the same, unless something is about one of them."""
        version = seat_version(self._state, member)
        alone = self._near is None or member.id in self._near
        return (member.id,) if alone else (member.role, version)

    def _concerned(self) -> set[str] | None:
        """The members whom this is about more than others; None: it is different for each."""
        near: set[str] = set()
        for entry, _, state, _ in self._news:
            near.update(event.only for event in entry.events)
            paths = touched(state, entry, _EVERYTHING)
            if paths is None or "table" in paths:
                return None
            for path in paths:
                near.update(_near(self._state, path))
        return near

    def _told(self, member: Member) -> str | None:
        entries = [told for entry, _, _, _ in self._news if (told := shown(entry, self._state, member)) is not None]
        if not entries:
            return None
        paths = self._paths(member)
        parts = whole_view(self._state, member) if paths is None else self._parts(member, paths)
        return frame(
            "news",
            version=seat_version(self._state, member),
            entries=entries,
            parts=parts,
            all=paths is None,
        )

    def _paths(self, member: Member) -> list[str] | None:
        found: dict[str, None] = {}
        for entry, _, after, _ in self._news:
            paths = touched(after, entry, member)
            if paths is None:
                return None
            found.update(dict.fromkeys(paths))
        return list(found)

    def _parts(self, member: Member, paths: Iterable[str]) -> dict[str, Any]:
        """A part that is gone is told as null to those who had it; to others its path would be a secret told."""
        now = look(self._state, member, paths)
        gone = [path for path, part in now.items() if part is None]
        had = look(self._news[0].before, member, gone) if gone else {}
        return {path: part for path, part in now.items() if part is not None or had[path] is not None}


_EVERYTHING = Member("", "", GM)
"""A seat that hears of everything, to learn what is touched at all."""


def _near(state: State, path: str) -> Iterator[str]:
    """The members for whom a part may look different than for others of their role."""
    kind, _, id = path.partition("/")
    if kind == "holders":
        yield from _owner(state, id)
    elif kind == "rolls":
        roll = state.world.rolls.get(id)
        if roll:
            yield from _near_roll(state, roll)


def _near_roll(state: State, roll: Roll) -> Iterator[str]:
    yield roll.by
    for holder in (roll.who, roll.against, *roll.helpers):
        yield from _owner(state, holder)


def _owner(state: State, holder: str) -> Iterator[str]:
    """A player's own sheet has the player's id."""
    yield holder
    kept = state.world.holders.get(holder)
    if kept:
        yield kept.owner
