"""Frames: what the WebSocket sends, as the API's schema declares it."""

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
"""The type of a view follows from the first word of its path."""
_BY_PATH = {path: {"$ref": f"{SCHEMAS}{type.__name__}"} for path, type in VIEWS.items()}
_ANY = list(_BY_PATH.values())
_NULL = {"type": "null"}

# Views are of types without a tag, which only a schema by hand can tell apart.
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
"""Views that changed; null where there is nothing to see any more."""

_encode = msgspec.json.Encoder().encode


class Everything(Struct, frozen=True):
    """Everything that a seat may see."""

    version: int
    you: MemberView
    parts: Views
    log: list[EntryShown]
    here: list[str]
    tickets: dict[str, str] = {}
    """The tickets that the seat holds, by who will see the dice: "" for everybody, a member's id, "gm"; with a ~, who
    will see that dice were thrown. The next ones stand with each throw."""
    book: str = ""
    """The book that the tickets are of, as the log announced it."""
    unconfirmed: bool = False
    """Whether the book came with a restore or import, and this seat's page has to confirm it."""


class Hello(Everything, frozen=True, tag_field="type", tag="hello"):
    """Everything that the seat may see: the first frame, unless the browser only missed a little."""


class News(Struct, frozen=True, tag_field="type", tag="news"):
    """What happened; with ``all``, ``parts`` is the whole view, and what is not in it is gone."""

    version: int
    entries: list[EntryShown]
    parts: NewViews
    all: bool


class Here(Struct, frozen=True, tag_field="type", tag="here"):
    """The members who have the table open."""

    here: list[str]


class KnockShown(Struct, frozen=True):
    """Somebody who waits at the door, since when (milliseconds)."""

    id: str
    name: str
    at: int


class Knocks(Struct, frozen=True, tag_field="type", tag="knocks"):
    """Everybody who waits at the door; only GMs get it."""

    knocks: list[KnockShown]


class Ping(Struct, frozen=True, tag_field="type", tag="ping"):
    """Answer with a pong."""


class Pong(Struct, frozen=True, tag_field="type", tag="pong"):
    """The browser's answer to a ping."""


class When(Struct, frozen=True, tag_field="type", tag="when"):
    """The browser asks what time it is here, so that it lands throws when all others do."""


class Now(Struct, frozen=True, tag_field="type", tag="now"):
    """The server's time, in milliseconds since 1970 as in entries: the answer to when."""

    at: int


class Bye(Struct, frozen=True, tag_field="type", tag="bye"):
    """Why the server closes the connection."""

    why: str


Frame: TypeAlias = Hello | News | Here | Knocks | Ping | Now | Bye
"""What the server sends."""
FRAMES = (Hello, News, Here, Knocks, Ping, Now, Bye, Pong, When)
"""All frames, for the schema."""
_message = msgspec.json.Decoder(Pong | When)
"""What a browser sends."""


def encode_frame(frame: Frame) -> str:
    """A frame as it goes to every socket: JSON."""
    return _encode(frame).decode()


def asks_time(text: str) -> bool:
    """Whether a message from a browser is a When; whatever is no message of ours asks nothing."""
    try:
        return isinstance(_message.decode(text), When)
    except msgspec.DecodeError:
        return False
