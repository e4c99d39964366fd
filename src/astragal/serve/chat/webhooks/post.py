"""One post to a webhook: within a time limit, without redirects; only the head of the answer is read."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from astragal.errors import Unavailable
from astragal.serve.chat.webhooks.address import Address

SECONDS = 10.0
"""Time limit of a post."""
MAX_HEAD = 16 << 10
"""Bytes of the answer's head; its body is not read."""
MAX_WAIT = 300
"""Maximum seconds of a receiver's Retry-After."""


class Answer(NamedTuple):
    """The receiver's answer: its status, and the seconds to wait before the next post."""

    status: int
    wait: int = 0


async def post(address: Address, ip: str, headers: Mapping[str, str], body: bytes) -> Answer:
    """Post a body to an address whose host has this IP address; Unavailable if there is no answer."""
    try:
        async with asyncio.timeout(SECONDS):
            return await _post(address, ip, headers, body)
    except TimeoutError:
        raise Unavailable(f"There was no answer within {SECONDS:g} s.") from None
    except ssl.SSLError:
        raise Unavailable("The certificate of the webhook's host is not valid.") from None
    except (OSError, EOFError, ValueError, asyncio.LimitOverrunError):
        raise Unavailable("The connection failed, or the answer was not HTTP.") from None


async def _post(address: Address, ip: str, headers: Mapping[str, str], body: bytes) -> Answer:
    secure = {"ssl": _context(), "server_hostname": address.host} if address.secure else {}
    reader, writer = await asyncio.open_connection(ip, address.port, limit=MAX_HEAD, **secure)  # type: ignore[arg-type]
    try:
        writer.write(_head(address, headers, len(body)) + body)
        await writer.drain()
        while True:
            answer = _answer(await reader.readuntil(b"\r\n\r\n"))
            if answer.status >= 200:  # the answer is still to come
                return answer
    finally:
        writer.transport.abort()


@cache
def _context() -> ssl.SSLContext:
    return ssl.create_default_context()


def _head(address: Address, headers: Mapping[str, str], length: int) -> bytes:
    lines = [f"POST {address.path} HTTP/1.1", f"Host: {address.header}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    lines += [f"Content-Length: {length}", "Connection: close", "", ""]
    return "\r\n".join(lines).encode("ascii")


def _answer(head: bytes) -> Answer:
    first, *rest = head.decode("latin-1").split("\r\n")
    protocol, _, status = first.partition(" ")
    if not protocol.startswith("HTTP/1.") or not status[:3].isdigit():
        raise ValueError(first)
    fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in rest)}
    wait = fields.get("retry-after", "").partition(".")[0]
    return Answer(int(status[:3]), min(int(wait[:6]), MAX_WAIT) if wait.isascii() and wait.isdigit() else 0)
