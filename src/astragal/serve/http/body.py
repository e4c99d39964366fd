"""Bodies: read up to a bound, not nested too deeply, and decoded into a declared type."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import msgspec
from starlette.requests import Request

from astragal.serve.problems import Unfit

MOST = 256 * 1024
DEEPEST = 40
JSON = "application/json"

_SIGNS = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', re.DOTALL)


async def read_body(request: Request, media: tuple[str, ...] = (JSON,), most: int = MOST) -> bytes:
    """The body, if it is said to be what it should be and is not too long."""
    refuse_media(request, media)
    refuse_length(request, most)
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise too_long(most)
        parts.append(part)
    return b"".join(parts)


def refuse_media(request: Request, media: tuple[str, ...]) -> None:
    said = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if said not in media:
        raise Unfit(f'The body must be {" or ".join(media)}, not "{said[:60]}".', 415)


def refuse_length(request: Request, most: int) -> None:
    said = request.headers.get("content-length", "0")
    if said.isdigit() and int(said[:20]) > most:
        raise too_long(most)


def too_long(most: int) -> Unfit:
    return Unfit(f"The body is too long; at most {most:,} bytes are taken.", 413)


def decode(decoder: msgspec.json.Decoder[Any], body: bytes, what: str = "The body") -> Any:
    """The value in a body; every fault is a sentence that says where it is."""
    refuse_depth(body, what)
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        if b"." in body or b"e" in body.lower():
            with suppress(ValueError, RecursionError, OverflowError):
                return msgspec.convert(_with_whole(msgspec.json.decode(body)), decoder.type)
        raise Unfit(f"{what} cannot be read: {sentence(error)}") from None


def _with_whole(value: Any) -> Any:
    """To JSON 3.0 is the whole number 3."""
    if isinstance(value, dict):
        return {key: _with_whole(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_with_whole(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def refuse_depth(body: bytes, what: str) -> None:
    """Nobody needs lists in lists in lists without end."""
    if body.count(b"[") + body.count(b"{") <= DEEPEST:
        return
    depth = 0
    for sign in _SIGNS.finditer(body):
        first = sign[0][0]
        depth += (first in b"[{") - (first in b"]}")
        if depth > DEEPEST:
            raise Unfit(f"{what} is nested more than {DEEPEST} deep.")


def sentence(error: Exception) -> str:
    return f"{str(error).rstrip('.')}."
