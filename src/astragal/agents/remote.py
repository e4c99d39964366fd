"""An API at another server, which is reached by a seat's link."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2

from astragal.agents.api import MAX_ANSWER, Api, ApiRefusal, Received, Sent, fresh_nonce
from astragal.agents.endpoint import NO_MEMBER
from astragal.errors import Illegal, Malformed, Unavailable
from astragal.serve.access.auth import LINK

TIMEOUT = 30.0
"""Seconds for an answer; the server's own limits are shorter."""
BAD_LINK = "This is not a link to a table. A link looks like https://table.example.org/t/TABLE#TOKEN."
UNREACHABLE = "The server at {server} cannot be reached."


class Remote:
    """Sends requests to a server over HTTP. Its client keeps the seat's cookie."""

    def __init__(self, client: httpx2.AsyncClient) -> None:
        self._client = client

    async def send(self, sent: Sent) -> Received:
        """The response of the server, up to the bytes that are read."""
        url = f"{sent.path}?{sent.query}" if sent.query else sent.path
        try:
            async with self._client.stream(
                sent.method, url, headers=sent.headers, content=sent.body or None
            ) as response:
                chunks, size = [], 0
                async for chunk in response.aiter_bytes():
                    chunks.append(chunk)
                    size += len(chunk)
                    if size > MAX_ANSWER:
                        break
                media = response.headers.get("content-type", "").partition(";")[0]
                return Received(response.status_code, media, b"".join(chunks))
        except (httpx2.HTTPError, httpx2.InvalidURL):
            # The error's own text may quote the request, so only the address is shown.
            raise Unavailable(UNREACHABLE.format(server=self._client.base_url)) from None


@asynccontextmanager
async def remote_api(link: str) -> AsyncIterator[Api]:
    """The API of a link's server, from the link's seat."""
    server, _, rest = link.strip().rpartition("/t/")
    found = LINK(rest)
    if found is None or not server.startswith(("http://", "https://")):
        raise Malformed(BAD_LINK)
    table, token = found.groups()
    async with httpx2.AsyncClient(base_url=server, timeout=TIMEOUT) as client:
        api = Api(Remote(client), table, fresh_nonce)
        await _sit_down(api, token)
        yield api


async def _sit_down(api: Api, token: str) -> None:
    """Take the seat of a link, as a cookie. A link that makes new seats would need a name, and is refused."""
    try:
        await api.post(api.at("/seat"), {"token": token})
    except ApiRefusal as refusal:
        raise Illegal(NO_MEMBER) if refusal.kind == "malformed" else refusal from None
