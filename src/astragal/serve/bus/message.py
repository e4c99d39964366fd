"""Messages of the bus. They say where to look, and nothing of what is there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

MAX_BATCH = 7_000
"""Bytes of a batch; PostgreSQL takes 8,000."""


class Notice(Struct, frozen=True, tag_field="m", tag="notice", array_like=True):
    """A table has entries up to this version."""

    table: str
    version: int


class Changed(Struct, frozen=True, tag_field="m", tag="changed", array_like=True):
    """A table's links have changed, or who waits at its door."""

    table: str
    what: Literal["links", "door"]


class HereNow(Struct, frozen=True, tag_field="m", tag="here", array_like=True):
    """The members who have a table open at the server that says so."""

    table: str
    members: tuple[str, ...]


Message: TypeAlias = Notice | Changed | HereNow


class Batch(Struct, frozen=True, array_like=True):
    """Messages of one server."""

    server: str
    messages: list[Message]


_encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(Batch)


def replaces(message: Message) -> tuple[str, ...]:
    """What a message is about: a later one about the same replaces it."""
    return (type(message).__name__, message.table, message.what if isinstance(message, Changed) else "")


def encode_batches(server: str, messages: Iterable[Message]) -> Iterator[bytes]:
    """The messages in as few batches as their size allows; one that is too large by itself is left out."""
    size = 0
    pieces: list[bytes] = []
    head = len(_encode(Batch(server, [])))
    for message in messages:
        piece = _encode(message)
        if size + len(piece) + 1 > MAX_BATCH - head and pieces:
            yield _joined(server, pieces)
            size, pieces = 0, []
        if len(piece) <= MAX_BATCH - head:
            pieces.append(piece)
            size += len(piece) + 1
    if pieces:
        yield _joined(server, pieces)


def _joined(server: str, pieces: list[bytes]) -> bytes:
    return b"[" + _encode(server) + b",[" + b",".join(pieces) + b"]]"


def decode_batch(data: bytes | str) -> Batch | None:
    """The messages in a batch; None if it cannot be read, as from a newer Astragal."""
    try:
        return _decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
