"""Founding: who may found and import tables on this server."""

from __future__ import annotations

import asyncio
import hmac
from secrets import token_urlsafe

from starlette.requests import HTTPConnection

from astragal.errors import Forbidden, Unavailable
from astragal.serve.settings import ServerSettings
from astragal.serve.telemetry import memory_in_use
from astragal.storage import Store

FOUNDER = "serve/founder"
"""Name of the setting that holds the token of the founder's link."""
HEADER = "founder-token"
TOKEN_BYTES = 24
NOBODY = "Nobody can found tables on this server. Tables that are there can be played; links open them."
NO_LINK = "Only whoever has the founder's link of this server can found tables; ask whoever runs it."
NO_MEMORY = "The server has no memory left for another table. Try again later."


def founder_path(store: Store, renew: bool = False) -> str:
    """The founder's link, made if there is none; ``renew`` replaces it, and the old one stops working at once."""
    token = token_urlsafe(TOKEN_BYTES).encode()
    if renew:
        store.set_setting(FOUNDER, token).result()
    return f"/#founder={store.setting_once(FOUNDER, token).decode()}"


async def check_founding(store: Store, settings: ServerSettings, request: HTTPConnection) -> None:
    """Refuse whoever may not found a table here; an import counts as founding."""
    if settings.founding == "nobody":
        raise Forbidden(NOBODY)
    if settings.founding == "link":
        token = await asyncio.to_thread(store.setting, FOUNDER)
        given = request.headers.get(HEADER, "").encode("utf-8", "replace")
        if not token or not hmac.compare_digest(token, given):
            raise Forbidden(NO_LINK)
    if memory_in_use() > settings.limits.memory:
        raise Unavailable(NO_MEMORY)
