"""News: what happened, as frames for seats. What two seats see alike is looked at and encoded once.

A seat's frame holds what that seat may see and nothing else: entries that it hears
something of, the parts that these touch, and a version that counts only them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from astragal.table.access import GM, holder_audience
from astragal.table.entry import Entry
from astragal.table.log.lines import shown
from astragal.table.state import Member, Roll, State
from astragal.table.view.build import seat_version, view, views_at
from astragal.table.view.model import View
from astragal.table.view.touched import touched

_encode = msgspec.json.Encoder().encode


class News(NamedTuple):
    """An entry that is stored, the states before and after it, and when the server heard of it."""

    entry: Entry
    before: State
    after: State
    heard: float


def frame(type: str, **facts: Any) -> str:
    return _encode({"type": type, **facts}).decode()


class Broadcast:
    """Makes the frames for one stretch of news: from what was told last to what is known now."""

    def __init__(self, news: Sequence[News]) -> None:
        self.heard = news[0].heard
        self._news = news
        self._state = news[-1].after
        self._all_paths = self._touched(_EVERYTHING)
        self._ears = self._listening()
        self._near: set[str] | None = self._concerned()
        self._entries: dict[str | bool, list[msgspec.Raw]] = {}
        self._frames: dict[tuple[Any, ...], str | None] = {}

    def frame_for(self, member: Member) -> str | None:
        """The frame of a seat, or nothing."""
        key = self._key(member)
        if key not in self._frames:
            self._frames[key] = self._frame(member)
        return self._frames[key]

    def _key(self, member: Member) -> tuple[Any, ...]:
        """GMs see the same as each other, and so do all others, unless something is about one of them."""
        if self._near is None or member.id in self._near:
            return (member.id,)
        return (member.role == GM, seat_version(self._state, member))

    def _listening(self) -> set[str]:
        """The members who hear or know of something that not all do; a name alone may be such a thing."""
        world = self._state.world
        audiences = {event.audience for news in self._news for event in news.entry.events}
        audiences.update(holder_audience(kept) for kept in world.holders.values())
        return audiences.union(audience for _, audience in world.retired.values())

    def _concerned(self) -> set[str] | None:
        """The members for whom parts may look different than for others; None: they are different for each."""
        if self._all_paths is None or "table" in self._all_paths:
            return None
        return self._ears.union(*(_near(self._state, path) for path in self._all_paths))

    def _told(self, member: Member) -> list[msgspec.Raw]:
        """The entries, written out."""
        gm = member.role == GM
        key = member.id if member.id in self._ears and not gm else gm
        if key not in self._entries:
            told = (shown(news.entry, self._state, member) for news in self._news)
            self._entries[key] = [msgspec.Raw(_encode(each)) for each in told if each is not None]
        return self._entries[key]

    def _touched(self, member: Member) -> list[str] | None:
        found: dict[str, None] = {}
        for news in self._news:
            paths = touched(news.after, news.entry, member)
            if paths is None:
                return None
            found.update(dict.fromkeys(paths))
        return list(found)

    def _frame(self, member: Member) -> str | None:
        entries = self._told(member)
        if not entries:
            return None
        paths = self._all_paths if member.role == GM else self._touched(member)
        parts = view(self._state, member) if paths is None else self._parts(member, paths)
        version = seat_version(self._state, member)
        return frame("news", version=version, entries=entries, parts=parts, all=paths is None)

    def _parts(self, member: Member, paths: Iterable[str]) -> dict[str, View | None]:
        """A part that is gone is told as null to those who had it; to others its path would be a secret told."""
        now = views_at(self._state, member, paths)
        gone = [path for path, part in now.items() if part is None]
        had = views_at(self._news[0].before, member, gone) if gone else {}
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
