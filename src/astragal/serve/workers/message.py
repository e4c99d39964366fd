"""Messages between the server and a worker, over a socket: a length, then the bytes.

The server sends the name of a function and its arguments, as JSON. A worker answers with a letter and JSON: an answer
of bounded size, a refusal, the location of a bug, or that the question takes too long for a quick worker. Nothing in a
reply is executed.
"""

from __future__ import annotations

import signal
import socket
import traceback
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from astragal import errors
from astragal.errors import Faulty, Illegal, Refusal
from astragal.notation.syntax.lexer import NotationError

MAX_ANSWER = 1 << 20
"""Bytes of an answer; a hundred times what a chart needs."""
TOO_LARGE = f"The answer has more than {MAX_ANSWER:,} bytes; ask for fewer facts with show, or for a lower up_to."
MAX_PART = 1 << 18
"""Bytes that are read from the socket at a time."""
STOP = signal.SIGUSR1
"""The signal that stops a worker's question."""
QUICK = "quick"
"""The argument of a quick worker."""
DROPPED = "The question was dropped, since its asker has disconnected."
READY = b"!"
"""A worker's first message."""
ANSWER, REFUSAL, BUG, LONG = b"a", b"r", b"b", b"l"
KINDS = (errors.Malformed, errors.Illegal, errors.Stale, errors.Unknown, errors.Forbidden, errors.Unavailable)

_encode = msgspec.json.Encoder().encode


class Bug(Exception):
    """A bug in a worker; the message has its location."""


class Long(Exception):
    """A question takes too long for a quick worker."""


class Question(msgspec.Struct, frozen=True):
    """The function that answers, as module and name, its arguments, and its time limit in seconds.

    For a ``quick`` worker, these are seconds of processor time.
    """

    work: str
    args: msgspec.Raw
    seconds: float
    quick: bool = False


_read_question = msgspec.json.Decoder(Question).decode
_read_refusal = msgspec.json.Decoder(tuple[str, str, str, int | None]).decode


class JsonPieces(list[bytes]):
    """A value as pieces of JSON, perhaps many megabytes, which are sent one by one without joining them."""

    def joined(self) -> msgspec.Raw:
        """The whole value, for work in this process."""
        return msgspec.Raw(b"".join(self))


def send(channel: socket.socket, *pieces: bytes) -> None:
    """Send one message, made of these pieces."""
    channel.sendall(sum(map(len, pieces)).to_bytes(4, "big"))
    for piece in pieces:
        channel.sendall(piece)


def receive(channel: socket.socket) -> bytes:
    """The next message; EOFError if the other end is gone."""
    return _exactly(channel, int.from_bytes(_exactly(channel, 4), "big"))


def _exactly(channel: socket.socket, n: int) -> bytes:
    found = bytearray()
    while len(found) < n:
        if not (part := channel.recv(min(n - len(found), MAX_PART))):
            raise EOFError
        found += part
    return bytes(found)


def write_question(work: Callable[..., Any], args: tuple[Any, ...], seconds: float, quick: bool = False) -> list[bytes]:
    """A function of ours and its arguments, as the pieces of a message.

    Joining megabytes would hold the interpreter, and so every table, for milliseconds.
    """
    head = _encode({"work": f"{work.__module__}:{work.__qualname__}", "seconds": seconds, "quick": quick})
    pieces = [head[:-1], b',"args":[']
    for n, value in enumerate(args):
        pieces += [b","] if n else []
        pieces += value if isinstance(value, JsonPieces) else [_encode(value)]
    return [*pieces, b"]}"]


def read_question(body: bytes) -> tuple[Callable[..., Any], tuple[Any, ...], Question]:
    """The function that is asked for, its arguments, and the question that they came in."""
    question = _read_question(body)
    work, decoder = _function(question.work)
    return work, decoder.decode(question.args), question


@cache
def _function(name: str) -> tuple[Callable[..., Any], msgspec.json.Decoder[Any]]:
    """A function by its name, and what reads arguments of its types."""
    module, _, found = name.partition(":")
    work = getattr(import_module(module), found)
    hints = get_type_hints(work, include_extras=True)
    types = tuple(hint for name, hint in hints.items() if name != "return")
    return work, msgspec.json.Decoder(tuple[types])  # type: ignore[valid-type]


def encode_answer(value: Any) -> msgspec.Raw:
    """An answer as JSON, of bounded size."""
    encoded = _encode(value)
    if len(encoded) > MAX_ANSWER:
        raise Illegal(TOO_LARGE)
    return msgspec.Raw(encoded)


def write_reply(found: msgspec.Raw | Exception) -> bytes:
    """An answer, a refusal or a bug as a message."""
    if isinstance(found, msgspec.Raw):
        return ANSWER + bytes(found)
    if isinstance(found, Refusal):
        if isinstance(found, NotationError):
            return REFUSAL + _encode((found.kind, found.said, found.text, found.column))
        if isinstance(found, Faulty):
            return REFUSAL + _encode((found.kind, found.sentence, found.game, None))
        return REFUSAL + _encode((found.kind, found.sentence, found.rule, None))
    frames = traceback.extract_tb(found.__traceback__)[-3:]
    where = ", ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames)
    return BUG + f"{type(found).__name__} at {where}".encode()


def read_reply(body: bytes) -> msgspec.Raw:
    """The answer, or its refusal, raised as it was there."""
    sort, rest = body[:1], body[1:]
    if sort == ANSWER:
        return msgspec.Raw(rest)
    if sort == REFUSAL:
        kind, sentence, rule, column = _read_refusal(rest)
        if column is not None:
            raise NotationError(rule, column, "", sentence)
        if kind == Faulty.kind:
            raise Faulty(rule, sentence)  # the public text names only the game
        raise next((each for each in KINDS if each.kind == kind), Refusal)(sentence, rule)
    if sort == LONG:
        raise Long
    raise Bug(rest.decode("utf-8", "replace"))
