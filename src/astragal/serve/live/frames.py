"""Frames: what the live line says, as the API's schema declares it."""

from __future__ import annotations

from msgspec import Struct

from astragal.table.view.model import EntryShown, MemberPart, NewParts, Parts


class Hello(Struct, frozen=True, tag_field="type", tag="hello"):
    """Everything that the seat may see: the first frame, unless what was missed is known."""

    version: int
    you: MemberPart
    parts: Parts
    log: list[EntryShown]
    here: list[str]


class News(Struct, frozen=True, tag_field="type", tag="news"):
    """What happened; with ``all``, parts are the whole view, and what is not in it is gone."""

    version: int
    entries: list[EntryShown]
    parts: NewParts
    all: bool


class Here(Struct, frozen=True, tag_field="type", tag="here"):
    """The members who have the table open."""

    here: list[str]


class Ping(Struct, frozen=True, tag_field="type", tag="ping"):
    """Answer with a pong."""


class Pong(Struct, frozen=True, tag_field="type", tag="pong"):
    """What a browser answers to a ping, and all that it ever says."""


class Bye(Struct, frozen=True, tag_field="type", tag="bye"):
    """Why the line is closed now."""

    why: str


FRAMES = (Hello, News, Here, Ping, Bye, Pong)
