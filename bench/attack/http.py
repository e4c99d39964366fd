"""A small HTTP client for attackers and the honest table: raw, so that it costs little and can be rude."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any, NamedTuple, Self

HOST = "127.0.0.1"


class Answer(NamedTuple):
    """A status, the headers as text, and the body."""

    status: int
    head: str
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def cookie(self) -> str:
        """The seat that comes with it."""
        lines = [line for line in self.head.splitlines() if line.lower().startswith("set-cookie:")]
        return lines[0].partition(":")[2].split(";")[0].strip() if lines else ""


def written(method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
    """A request as bytes."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class Http:
    """One connection, from an address of the loopback network."""

    def __init__(self, port: int, source: str = HOST) -> None:
        self.port = port
        self._source = source
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._reader is None or self._writer is None or self._writer.is_closing() or self._reader.at_eof():
            self._reader, self._writer = await asyncio.open_connection(
                HOST, self.port, local_addr=(self._source, 0), limit=1 << 24
            )
        return self._reader, self._writer

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Send a request and read the answer; a connection that is gone is made anew."""
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        if body is not None:
            headers.setdefault("Content_Type", "application/json")
        reader, writer = await self.open()
        writer.write(written(method, path, data, **headers))
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        return Answer(int(head.split()[1]), head, await _body(reader, head))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        writer = self._writer
        self.close()
        if writer:
            with suppress(OSError):
                await writer.wait_closed()

    def close(self) -> None:
        if self._writer:
            self._writer.close()
        self._reader = self._writer = None


async def _body(reader: asyncio.StreamReader, head: str) -> bytes:
    lower = head.lower()
    if "transfer-encoding: chunked" in lower:
        parts = []
        while size := int((await reader.readline()).strip() or b"0", 16):
            parts.append(await reader.readexactly(size))
            await reader.readline()
        await reader.readline()
        return b"".join(parts)
    at = lower.find("content-length:")
    return await reader.readexactly(int(lower[at + 15 :].split()[0])) if at >= 0 else b""


class Table(NamedTuple):
    """A seat at a table: its path and cookie."""

    port: int
    path: str
    cookie: str
    links: dict[str, str]

    async def act(self, http: Http, key: str, **action: Any) -> Answer:
        headers = {"Cookie": self.cookie, "Idempotency_Key": key}
        return await http.ask("POST", f"{self.path}/actions", action, **headers)


async def found(port: int, game: str = "chronicles", source: str = HOST) -> Table:
    """Found a table; the seat is its GM's."""
    async with Http(port, source) as http:
        answer = await http.ask("POST", "/api/tables", {"game": game, "title": "Attack", "name": "Mira"})
    if answer.status != 201:
        raise RuntimeError(f"no table: {answer.status} {answer.body!r}")
    made = answer.json()
    return Table(port, f"/api/tables/{made['table']}", answer.cookie, made["links"])


async def imported(port: int, file: bytes) -> Table:
    """Import a table; the seat is its GM's."""
    async with Http(port) as http:
        answer = await http.ask("POST", "/api/tables/import?unsealed=true", file, Content_Type="application/x-ndjson")
    if answer.status != 201:
        raise RuntimeError(f"no table: {answer.status} {answer.body!r}")
    made = answer.json()
    return Table(port, f"/api/tables/{made['table']}", answer.cookie, made["links"])


async def join(table: Table, name: str, source: str = HOST) -> Table:
    """Take a player's seat."""
    token = table.links["player"].partition("#")[2]
    async with Http(table.port, source) as http:
        answer = await http.ask("POST", f"{table.path}/seat", {"token": token, "name": name})
    return table._replace(cookie=answer.cookie)
