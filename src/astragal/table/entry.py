"""Entries: one action and the events that it was decided into, as one line of the log."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import msgspec
from msgspec import Struct

from astragal.errors import Illegal, Malformed
from astragal.table.event import Event

VERSION = 3
"""The version of entries that is written and read."""


class Entry(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A line of the log: its version, who did what, when (milliseconds), and what happened.

    ``v`` is the version of the format; a line of another version is refused.
    """

    version: int
    id: str
    key: str
    by: str
    at: int
    do: str
    events: list[Event]
    v: int = 0
    removed: dict[str, dict[str, str]] = {}
    """The hashes of removed words, by audience and the position of the word; see ``chain``."""


def id_of(key: str) -> str:
    """The id of the entry with this key. Unlike a number, it tells nothing about other entries."""
    return blake2b(key.encode(), digest_size=8).hexdigest()


ENTRY_WEIGHT, DIE_WEIGHT = 500, 50


def weight_of(entry: Entry) -> int:
    """About how many bytes an entry takes when it is stored or sent: only dice and notes make a large one."""
    weight = ENTRY_WEIGHT
    for event in entry.events:
        weight += DIE_WEIGHT * len(getattr(event, "dice", ())) + len(getattr(event, "text", ""))
    return weight


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Entry)


def encode_entry(entry: Entry) -> bytes:
    """The entry as JSON, as it is stored and exported."""
    return _encoder.encode(entry)


def decode_entry(body: bytes) -> Entry:
    """Read a stored or imported entry; refused if it is of another version."""
    try:
        entry = _decoder.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        _check_version(_version_of(body))
        raise Malformed(f"A line of the log cannot be read: {error}.") from None
    _check_version(entry.v)
    return entry


def _check_version(v: int) -> None:
    if v != VERSION:
        raise Illegal(
            f"A line of the log has version {v}, and this Astragal reads version {VERSION}. Nothing was changed; "
            "open it with the Astragal that wrote it."
        )


class _Versioned(Struct):
    """The field that a line of every version has; a line without it is not of another version but unreadable."""

    v: int = VERSION


_version_decoder = msgspec.json.Decoder(_Versioned)


def _version_of(body: bytes) -> int:
    """The version of a line that cannot be read; today's if the line is not JSON at all, which says so itself."""
    try:
        return _version_decoder.decode(body).v
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return VERSION


def plain(value: Any) -> Any:
    """The value as plain data: Structs become dicts."""
    return msgspec.to_builtins(value)
