"""Frames: the messages of the WebSocket, as the API's schema declares them."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from astragal.table.log.shown import EntryShown
from astragal.table.view.model import HolderView, MemberView, PleaView, PoolsView, RequestView, TableView, TurnsView
from astragal.table.view.roll_model import RollView

SCHEMAS = "#/components/schemas/"
VIEWS = {
    "^table$": TableView,
    "^members/": MemberView,
    "^holders/": HolderView,
    "^rolls/": RollView,
    "^requests/": RequestView,
    "^pleas/": PleaView,
    "^turns$": TurnsView,
    "^pools/": PoolsView,
}
"""The type of a view, by the first word of its path."""
_BY_PATH = {path: {"$ref": f"{SCHEMAS}{type.__name__}"} for path, type in VIEWS.items()}
_ANY = list(_BY_PATH.values())
_NULL = {"type": "null"}

# Types of views have no tag, so the schema is written by hand.
Views: TypeAlias = Annotated[
    dict[str, Any],
    Meta(extra_json_schema={"patternProperties": _BY_PATH, "additionalProperties": {"anyOf": _ANY}}),
]
"""A view for each path."""
NewViews: TypeAlias = Annotated[
    dict[str, Any],
    Meta(
        extra_json_schema={
            "patternProperties": {path: {"anyOf": [view, _NULL]} for path, view in _BY_PATH.items()},
            "additionalProperties": {"anyOf": [*_ANY, _NULL]},
        }
    ),
]
"""Views that changed; null for views that no longer exist."""

_encode = msgspec.json.Encoder().encode


class Everything(Struct, frozen=True):
    """Everything that a seat may see."""

    version: int
    you: MemberView
    parts: Views
    log: list[EntryShown]
    here: list[str]
    tickets: dict[str, str] = {}
    """The tickets that the seat holds, by the audience of the dice: "" for everyone, a member's id, "gm"; with a ~, the
    audience that will see only that dice were thrown. Each throw has the next tickets."""
    book: str = ""
    """The book of the tickets, as the log announced it."""
    unconfirmed: bool = False
    """True if the book came with a restore or import, and this seat's page must confirm it."""


class Hello(Everything, frozen=True, tag_field="type", tag="hello"):
    """Everything that the seat may see: the first frame, unless the browser missed only a little."""


class News(Struct, frozen=True, tag_field="type", tag="news"):
    """New entries; with ``all``, ``parts`` is the whole view, and parts that are not in it no longer exist."""

    version: int
    entries: list[EntryShown]
    parts: NewViews
    all: bool


class Here(Struct, frozen=True, tag_field="type", tag="here"):
    """The members who have the table open."""

    here: list[str]


class KnockShown(Struct, frozen=True):
    """A person who waits at the door, since a time in milliseconds."""

    id: str
    name: str
    at: int


class Knocks(Struct, frozen=True, tag_field="type", tag="knocks"):
    """The people who wait at the door; only GMs get this frame."""

    knocks: list[KnockShown]


class Ping(Struct, frozen=True, tag_field="type", tag="ping"):
    """Answer with a pong."""


class Pong(Struct, frozen=True, tag_field="type", tag="pong"):
    """The browser's answer to a ping."""


class When(Struct, frozen=True, tag_field="type", tag="when"):
    """The browser asks for the server's time, to land throws at the same moment as all others."""


class Now(Struct, frozen=True, tag_field="type", tag="now"):
    """The server's time, in milliseconds since 1970 as in entries: the answer to When."""

    at: int


class Bye(Struct, frozen=True, tag_field="type", tag="bye"):
    """Why the server closes the connection."""

    why: str


Frame: TypeAlias = Hello | News | Here | Knocks | Ping | Now | Bye
"""The frames that the server sends."""
FRAMES = (Hello, News, Here, Knocks, Ping, Now, Bye, Pong, When)
"""All frames, for the schema."""
_message = msgspec.json.Decoder(Pong | When)
"""The frames that a browser sends."""


def encode_frame(frame: Frame) -> str:
    """A frame as JSON."""
    return _encode(frame).decode()


def asks_time(text: str) -> bool:
    """True if a message from a browser is a When; unknown messages are ignored."""
    try:
        return isinstance(_message.decode(text), When)
    except msgspec.DecodeError:
        return False
