"""The API for an assistant's tools: one operation at a time, from one seat or from none.

Every tool uses the operations that a browser uses, so it has exactly the rights, the limits and the texts of its seat.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from secrets import token_hex
from typing import Any, Protocol
from urllib.parse import quote, urlencode

import msgspec

from astragal.errors import Forbidden, Illegal, Refusal, Unknown
from astragal.serve.problems import MEDIA

FRESH_BYTES = 16

_is_nonce = re.compile(r"[A-Za-z0-9_-]{1,64}").fullmatch


def fresh_nonce(key: str) -> str:
    """A random nonce, for a program that runs on the assistant's machine and not at the server."""
    return token_hex(FRESH_BYTES)


def nonce_of_key(key: str) -> str:
    """The action's key as a nonce, or its hash if it has other characters.

    The key is the only value that the client chose, so it proves as much as it was hard to guess.
    """
    return key if _is_nonce(key) else sha256(key.encode()).hexdigest()


def without_nonce(written: dict[str, Any]) -> dict[str, Any]:
    """An action without its nonce, since a repeated action may have another one."""
    return {name: value for name, value in written.items() if name != "nonce"}


MAX_ANSWER = 512 * 1024
"""Bytes of an answer that are read, far more than a model can use."""
TOO_LARGE = f"The answer has more than {MAX_ANSWER:,} bytes; ask for less of it."
NO_TABLE = "This connection has no seat at a table. Connect with a seat's link to use this tool."
ODD_ANSWER = "The server did not answer as an Astragal server does (status {status})."

_encode = msgspec.json.Encoder().encode


class ApiRefusal(Refusal):
    """A refusal of the API, with its kind and its sentence."""

    def __init__(self, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


class _Problem(msgspec.Struct):
    """The parts of a problem that are passed on."""

    kind: str
    detail: str
    text: str = ""
    column: int | None = None

    @property
    def sentence(self) -> str:
        """The reason; for unreadable dice notation, also where reading stopped."""
        if self.column is None:
            return self.detail
        return f'{self.detail} It was read up to "{self.text[: self.column]}".'


_problem = msgspec.json.Decoder(_Problem)


class Sent(msgspec.Struct, frozen=True):
    """A request to the API."""

    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes


class Received(msgspec.Struct, frozen=True):
    """The API's response."""

    status: int
    media: str
    body: bytes


class Transport(Protocol):
    """A connection to an API: in the same process, or over the network."""

    async def send(self, sent: Sent) -> Received:
        """The response to a request; a Refusal if there is none."""


class Api:
    """The operations of an API, from a seat at ``table``, or without a seat if that is empty.

    ``nonce`` makes a nonce from an action's key, if the assistant gives none.
    """

    def __init__(self, transport: Transport, table: str = "", nonce: Callable[[str], str] = nonce_of_key) -> None:
        self._transport = transport
        self.table = table
        self.nonce = nonce

    def at(self, rest: str = "", **names: str) -> str:
        """The path of an operation of this seat's table, with each name as one step."""
        if not self.table:
            raise Forbidden(NO_TABLE)
        return f"/api/tables/{self.table}{rest.format(**{key: as_step(name) for key, name in names.items()})}"

    async def get(self, path: str, **query: Any) -> bytes:
        """The answer of an operation; parameters that are None are left out."""
        given = urlencode({name: value for name, value in query.items() if value is not None})
        return await self._ask(Sent("GET", path, given, {}, b""))

    async def post(self, path: str, body: Any, headers: Mapping[str, str] | None = None) -> bytes:
        """The answer of an operation to a body."""
        sent = {"content-type": "application/json", **(headers or {})}
        return await self._ask(Sent("POST", path, "", sent, _encode(body)))

    async def _ask(self, sent: Sent) -> bytes:
        received = await self._transport.send(sent)
        if len(received.body) > MAX_ANSWER:
            raise Illegal(TOO_LARGE)
        if received.status < 400:
            return received.body
        if received.media == MEDIA:
            problem = _problem.decode(received.body)
            raise ApiRefusal(problem.kind, problem.sentence)
        raise ApiRefusal("unavailable", ODD_ANSWER.format(status=received.status))


def as_step(name: str) -> str:
    """A name as one step of a path."""
    if not name or "/" in name:
        raise Unknown(f'There is no "{name[:40]}" here.')
    return quote(name, safe="")
