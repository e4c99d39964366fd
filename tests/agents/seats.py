"""Assistants for the tests: the official client of the protocol, over both transports."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from itertools import count, cycle
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from astragal.agents.endpoint import mcp_route
from astragal.serve.settings import ServerSettings
from tests.serve.running import FREE, Guest, Running

PATIENCE = 60
PARTS = ["table", "members", "sheets", "rolls", "finished", "requests", "turns", "pools"]
"""Everything that can be looked at."""


class Agent:
    """An assistant. What it is answered is checked against the tool's schema by the client itself."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._keys = count(1)

    async def call(self, tool: str, **arguments: Any) -> Any:
        """The result of a tool."""
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        return result.structured_content

    async def do(self, tool: str, **arguments: Any) -> Any:
        """The result of a tool that acts, under a new key."""
        return await self.call(tool, key=f"key {next(self._keys)}", **arguments)

    async def act(self, do: str, **action: Any) -> Any:
        """The result of an action."""
        return await self.do("act", action={"do": do, **action})

    async def refused(self, tool: str, **arguments: Any) -> str:
        """The sentence with which a tool refuses."""
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error, result.content
        return str(result.content[0].text)  # type: ignore[union-attr]


def running(path: Path, settings: ServerSettings = FREE) -> Running:
    """A server with seats for assistants."""
    return Running(path, settings, extras=(mcp_route,))


def own_link(gm: Guest, member: str) -> str:
    """The address of a link to a member's own seat."""
    return f"{gm.server.url}{gm.post(gm.at('/links'), {'member': member}, 201)['path']}"


def gm_link(gm: Guest) -> str:
    """The address of the GM's own link."""
    return f"{gm.server.url}{gm.links['gm']}"


class Rotating(httpx2.AsyncHTTPTransport):
    """Sends each request to another one of some servers."""

    def __init__(self, urls: Sequence[str]) -> None:
        super().__init__()
        self._turns = cycle(httpx2.URL(url) for url in urls)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        turn = next(self._turns)
        request.url = request.url.copy_with(host=turn.host, port=turn.port)
        return await super().handle_async_request(request)


@asynccontextmanager
async def over_http(
    url: str,
    link: str = "",
    mode: str = "auto",
    heard: list[bytes] | None = None,
    transport: httpx2.AsyncHTTPTransport | None = None,
) -> AsyncIterator[Agent]:
    """An assistant at a server's ``/mcp``; ``heard`` gets the bytes of every answer."""

    async def hear(response: httpx2.Response) -> None:
        if heard is not None:
            heard.append(await response.aread())

    headers = {"Authorization": f"Bearer {link}"} if link else {}
    async with (
        httpx2.AsyncClient(
            headers=headers, timeout=PATIENCE, event_hooks={"response": [hear]}, transport=transport
        ) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client,
    ):
        yield Agent(client)


@asynccontextmanager
async def over_stdio(*words: str, **environment: str) -> AsyncIterator[Agent]:
    """An assistant whose client starts ``astragal mcp``."""
    given = {**os.environ, **environment}
    started = StdioServerParameters(command=sys.executable, args=["-m", "astragal", "mcp", *words], env=given)
    async with Client(started) as client:
        yield Agent(client)


def run(play: Coroutine[Any, Any, None]) -> None:
    """Run to the end, within patience."""

    async def bounded() -> None:
        async with asyncio.timeout(PATIENCE):
            await play

    asyncio.run(bounded())
