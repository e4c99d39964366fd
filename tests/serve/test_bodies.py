"""Bodies on their way: half-sent ones hold a bounded share of memory and disk, and honest ones come through."""

from __future__ import annotations

import asyncio
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

import pytest

from astragal.agents.endpoint import mcp_route
from astragal.serve.api import tables
from astragal.serve.limits.bodies import DROPPED, Bodies, Dropped
from tests.serve.discord import PUBLIC_KEY
from tests.serve.running import FREE, WAIT, Running, until
from tests.serve.test_limits import export, import_into

HEAD = "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {media}\r\nContent-Length: 120000\r\n\r\n"
HALF = b'["' + b"x" * 100_000
READERS = ("/api/odds", "/api/tables", "/mcp", "/discord")


@contextmanager
def sending(server: Running, path: str, media: str = "application/json") -> Iterator[socket.socket]:
    """A connection that has sent the larger part of a body."""
    with socket.create_connection(("127.0.0.1", server.port), WAIT) as client:
        client.sendall(HEAD.format(path=path, media=media).encode() + HALF)
        yield client


def answer(client: socket.socket) -> bytes:
    """What the server says, head and body, which may come apart."""
    said = b""
    while not said.endswith(b"}") and (more := client.recv(4000)):
        said += more
    return said


@pytest.mark.parametrize("path", READERS)
def test_half_sent_bodies_hold_a_bounded_share_of_memory(path: str, tmp_path: Path) -> None:
    settings = FREE._replace(limits=FREE.limits._replace(bodies=350_000), discord_key=PUBLIC_KEY)
    with Running(tmp_path / "tables.db", settings, extras=(mcp_route,)) as server, ExitStack() as open:
        bodies = server.server.bodies
        clients = [open.enter_context(sending(server, path)) for _ in range(3)]
        until(lambda: bodies.held > 300_000)
        clients += [open.enter_context(sending(server, path)) for _ in range(3)]
        refused = [answer(client) for client in clients[:3]]  # those that began first
        assert all(b"503" in each and DROPPED.encode() in each for each in refused)
        assert bodies.held <= 350_000
        assert server.guest().post("/api/odds", {"notation": "3d6"})


def test_what_a_body_held_is_given_back_however_it_ends(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", FREE) as server:
        bodies = server.server.bodies
        with sending(server, "/api/odds") as client:
            until(lambda: bodies.held > 100_000)
            client.sendall(b"x" * 19_998)
            assert b" 400 " in client.recv(4000)
            assert bodies.held == 0
        with sending(server, "/api/odds"):
            until(lambda: bodies.held > 100_000)
        until(lambda: bodies.held == 0)  # the connection is gone


def test_half_sent_imports_have_a_bounded_number_of_files(tmp_path: Path) -> None:
    with (
        Running(tmp_path / "tables.db", FREE._replace(limits=FREE.limits._replace(imports=2))) as server,
        ExitStack() as open,
    ):
        first = open.enter_context(sending(server, "/api/tables/import", "text/plain"))
        until(lambda: server.server.uploads.held == 1)
        for _ in range(2):
            open.enter_context(sending(server, "/api/tables/import", "text/plain"))
        assert DROPPED.encode() in answer(first)
        assert server.server.uploads.held == 2
        assert import_into(server.guest(), export(server.found())).status_code == 201


def test_an_import_that_finds_no_room_is_refused_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> IO[bytes]:
        return Path("/dev/full").open("r+b", buffering=0)

    with Running(tmp_path / "tables.db", FREE) as server:
        monkeypatch.setattr(tables, "MAX_IN_MEMORY", 1000)
        monkeypatch.setattr(tempfile, "TemporaryFile", full)
        refused = import_into(server.guest(), b"x" * 5_000)
        assert refused.status_code == 503 and refused.json()["detail"] == tables.NO_ROOM


def test_a_body_that_was_given_up_counts_nothing_more() -> None:
    """Its next piece may have come before it is told."""

    async def both() -> int:
        bodies = Bodies(10)
        with pytest.raises(Dropped):
            async with bodies.receiving() as old:
                old.hold(8)
                async with bodies.receiving() as new:
                    new.hold(8)
                    old.hold(1)
        return bodies.held

    assert asyncio.run(both()) == 0
