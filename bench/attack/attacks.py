"""The attacks. Each goes on until it is cancelled, with a bounded number of connections, against one port of ours."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import sys
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from itertools import count
from typing import Any

from astragal.table.action import FoundAction, NoteAction, RollAction
from astragal.table.log.export import FORMAT, export_lines
from astragal.table.table import Table as LongTable
from bench.attack.http import HOST, Http, Table, found, imported, join, written

BROKEN = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError)
Attack = Callable[[int], Awaitable[None]]
BOMB = {"do": "roll", "kind": "attempt", "inputs": {"pool": 1000, "again": "8", "rote": True}}


async def _forever(http: Http, requests: Iterable[tuple[str, str, Any, dict[str, str]]]) -> None:
    for method, path, body, headers in requests:
        try:
            await http.ask(method, path, body, **headers)
        except BROKEN:
            http.close()
            await asyncio.sleep(0.01)


async def _all(*tasks: Awaitable[None]) -> None:
    await asyncio.gather(*tasks)


async def floods(port: int) -> None:
    """50 connections ask for pages, games and tables that are not there, as fast as they can."""
    paths = ("/", "/api/games", "/api/tables/nothing", "/%00", "/" + "x" * 2000, "/openapi.json")
    await _all(*(_forever(Http(port), (("GET", paths[n % 6], None, {}) for n in count(place))) for place in range(50)))


async def action_floods(port: int) -> None:
    """Eight members of one table act as fast as they can, rolls of 1,000 dice among it."""
    table = await found(port)
    await _act([table, *[await join(table, f"Player {n}") for n in range(7)]])


async def _act(seats: list[Table]) -> None:
    def actions(seat: Table, name: int) -> Iterable[tuple[str, str, Any, dict[str, str]]]:
        for n in count():
            headers = {"Cookie": seat.cookie, "Idempotency_Key": f"{name}-{n}"}
            yield "POST", f"{seat.path}/actions", BOMB if n % 4 == 0 else {"do": "note", "text": f"{n}"}, headers

    await _all(*(_forever(Http(seat.port), actions(seat, n)) for n, seat in enumerate(seats)))


async def worst_questions(port: int) -> None:
    """20 connections ask for odds that take all the work that is allowed, and for more than that."""
    each = (
        _forever(Http(port), (("POST", "/api/odds", worst_question(n), {}) for n in count(place)))
        for place in range(20)
    )
    await _all(*each)


async def one_address(port: int) -> None:
    """Six connections of one address ask for sums that take all the time that is allowed."""

    def sums(place: int) -> Iterable[tuple[str, str, Any, dict[str, str]]]:
        for n in count(place):
            yield "POST", "/api/odds", {"notation": "+".join(["d1000"] * (60 + n % 7))}, {}

    await _all(*(_forever(Http(port, "127.0.7.1"), sums(n)) for n in range(6)))


LONG = 30_000
"""Entries of the long table."""


async def long_table(port: int) -> None:
    """Four connections ask for the story of a table of 30,000 entries, and one for its export, again and again."""
    table = await imported(port, long_export(LONG))
    say_ready()
    asks = [*[f"{table.path}/story"] * 4, f"{table.path}/export"]
    headers = {"Cookie": table.cookie}
    await _all(*(_forever(Http(port), (("GET", path, None, headers) for _ in count())) for path in asks))


PREPARES: tuple[Attack, ...] = (long_table,)
"""Attacks that say themselves when they begin."""


def say_ready() -> None:
    """Tell the process that measures that the attack begins."""
    sys.stdout.write("ready\n")
    sys.stdout.flush()


def long_export(n: int) -> bytes:
    """The file of a table at which this many things happened: notes, and a roll for every third."""
    table = LongTable()
    founding = FoundAction(game="razorweave", title="Long", name="Mira")
    entries = [table.decide("", founding, "found", 1)]
    table.apply(entries[0])
    for at in range(1, n):
        action = NoteAction(text=f"Note {at}.") if at % 3 else RollAction(inputs={"dc": 14}, faces="4 4 4 4")
        entries.append(table.decide(entries[0].by, action, f"key {at}", at))
        table.apply(entries[-1])
    return b"".join(export_lines("long", table.state, entries))


def worst_question(n: int) -> dict[str, Any]:
    """One of those that take the longest, each a little different, so that no answer is remembered."""
    less = n % 97
    inputs = (
        ("narraject", "attempt", {"d6": 1000 - less, "step": 10}),
        ("chronicles", "contested", {"ours": 1000 - less, "theirs": 900, "their_again": "8"}),
        ("chronicles", "contested", {"theirs": 1000 - less, "attribute": 10, "skill": 3, "rote": True, "helpers": 16}),
        ("chronicles", "attempt", {"pool": 1000 - less, "again": "8", "rote": True}),
        (
            "razorweave",
            "race",
            {"dc": 10, "modifier": less % 9, "goal": 24, "threat": 24, "goal_ticks": [0, 1, 2, 3, 4]},
        ),
    )
    game, roll, given = inputs[n % 5]
    wish = {"wish": "partial", "policy": "best"} if game == "narraject" else {}
    return {"game": game, "roll": roll, "inputs": given, "up_to": 1000, **wish}


async def luck_bombs(port: int) -> None:
    """Rolls of 1,000 dice, and then everybody's luck in them, again and again."""
    table = await found(port)
    http = Http(port)
    for n in range(40):
        await table.act(http, f"bomb-{n}", **BOMB)
    asking = (("GET", f"{table.path}/stats", None, {"Cookie": table.cookie}) for _ in count())
    await _all(*(_forever(Http(port), asking) for _ in range(8)))


async def hidden_histories(port: int) -> None:
    """A GM hides 1,500 entries, while players view, read back, undo what is not there and redo."""
    table = await found(port)
    player = await join(table, "Jonas")

    async def hide() -> None:
        http = Http(port)
        for n in range(1500):
            with suppress(*BROKEN):
                await table.act(http, f"hidden-{n}", do="note", text="hidden", seen="gm")

    def asks(seat: Table, name: int) -> Iterable[tuple[str, str, Any, dict[str, str]]]:
        for n in count():
            yield "GET", seat.path, None, {"Cookie": seat.cookie}
            yield "GET", f"{seat.path}/log?before=2", None, {"Cookie": seat.cookie}
            headers = {"Cookie": seat.cookie, "Idempotency_Key": f"{name}-{n}"}
            yield "POST", f"{seat.path}/actions", {"do": "undo", "entry": "nothing"}, headers

    await _all(hide(), *(_forever(Http(port), asks(player, n)) for n in range(10)))


def _upgrade(table: Table) -> bytes:
    key = base64.b64encode(os.urandom(16)).decode()
    return written(
        "GET",
        f"{table.path}/live",
        Cookie=table.cookie,
        Upgrade="websocket",
        Connection="Upgrade",
        Sec_WebSocket_Key=key,
        Sec_WebSocket_Version="13",
    ).replace(b"Content-Length: 0\r\n", b"")


async def _sockets(port: int, n: int, read: bool) -> tuple[list[asyncio.StreamWriter], list[Table]]:
    """So many sockets at tables of many members, from many addresses; and the seats there."""
    opened: list[asyncio.StreamWriter] = []
    taken: list[Table] = []
    for place in range(0, n, 100):
        source = f"127.0.2.{place // 100 + 1}"
        table = await found(port, source=source)
        seats = [await join(table, f"P{seat}", source) for seat in range(8)]
        taken += seats
        for each in range(100):
            with suppress(*BROKEN):
                reader, writer = await asyncio.open_connection(HOST, port, local_addr=(source, 0))
                writer.write(_upgrade(seats[each % 8]))
                opened.append(writer)
                if read:
                    await reader.readuntil(b"\r\n\r\n")
    return opened, taken


async def thousand_sockets(port: int) -> None:
    """1,000 sockets, opened as fast as they can be, and left open."""
    opened, _ = await _sockets(port, 1000, read=True)
    try:
        await asyncio.Event().wait()
    finally:
        for writer in opened:
            writer.close()


async def slow_readers(port: int) -> None:
    """200 sockets that read nothing, at two tables whose members act as fast as they can, with rolls of 1,000 dice."""
    opened, seats = await _sockets(port, 200, read=False)
    try:
        await _act(seats)
    finally:
        for writer in opened:
            writer.close()


async def half_requests(port: int) -> None:
    """400 connections that stop in the middle of a line, of the headers or of the body, and begin again."""
    pieces = (b"GET /ap", b"GET / HTTP/1.1\r\nHost: local", b"POST /api/odds HTTP/1.1\r\nHost: localhost\r\n")
    body = written("POST", "/api/odds", b"x" * 1000, Content_Type="application/json")[:-500]

    async def one(n: int) -> None:
        while True:
            with suppress(*BROKEN):
                source = f"127.0.3.{n % 20 + 1}"
                _, writer = await asyncio.open_connection(HOST, port, local_addr=(source, 0))
                writer.write((*pieces, body)[n % 4])
                await asyncio.sleep(3)
                writer.close()
            await asyncio.sleep(0.05)

    await _all(*(one(n) for n in range(400)))


READERS = (
    ("/api/odds", 250_000, "application/json"),
    ("/api/tables", 250_000, "application/json"),
    ("/api/tables/import", 8_000_000, "application/x-ndjson"),
    ("/mcp", 250_000, "application/json"),
    ("/discord", 120_000, "application/json"),
)
"""Paths that read a body of somebody without a seat, about how much of it, and of which type."""
DROP = 4096
"""Bytes in ten seconds that a body may not come slower than."""


def _half(n: int) -> bytes:
    """The head of a request and half of its body, whole or in chunks, for one of the paths."""
    path, size, media = READERS[n % len(READERS)]
    head = written("POST", path, Content_Type=media)
    half = b'["' + b"x" * (size // 2)
    if n % 2:
        chunked = head.replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
        return chunked + b"%x\r\n%s\r\n%x\r\n" % (len(half), half, size // 2)
    return head.replace(b"Content-Length: 0", b"Content-Length: %d" % size) + half


async def half_bodies(port: int) -> None:
    """400 bodies for questions, tables, imports, assistants and chats: half at once, and then drop by drop."""

    async def one(n: int) -> None:
        for turn in count(n):
            with suppress(*BROKEN):
                _, writer = await asyncio.open_connection(HOST, port, local_addr=(f"127.0.6.{n % 20 + 1}", 0))
                writer.write(_half(turn))
                while not writer.is_closing():
                    await writer.drain()
                    await asyncio.sleep(3)
                    writer.write(b"x" * DROP)
            await asyncio.sleep(0.2)

    await _all(*(one(n) for n in range(400)))


async def hostile_imports(port: int) -> None:
    """Imports of junk, of nested lists, and of logs that make no table, from 20 addresses; bodies of every shape."""
    nested = b"[" * 60_000 + b"]" * 60_000
    endless = b"[" * 60 + b'"' + b'\\"' * 100_000
    entry = {"version": 1, "id": "x", "key": "k", "by": "", "at": 1, "do": "found", "events": []}
    head = {"astragal": "table", "format": FORMAT, "table": "x", "game": "chronicles", "title": "x", "version": 3000}
    log = (
        json.dumps(head).encode()
        + b"\n"
        + b"\n".join(json.dumps({**entry, "version": n}).encode() for n in range(3000))
    )
    files = (b"\x00" * 2_000_000, nested, log, b'{"a":' * 20_000, b"x" * 5_000_000)

    def posts(place: int) -> Iterable[tuple[str, str, Any, dict[str, str]]]:
        for n in count(place):
            yield "POST", "/api/tables/import", files[n % 5], {"Content_Type": "application/x-ndjson"}
            yield "POST", "/api/odds", nested, {}
            yield "POST", "/mcp", (nested, endless)[n % 2], {}

    await _all(*(_forever(Http(port, f"127.0.4.{n + 1}"), posts(n)) for n in range(20)))


async def many_addresses(port: int) -> None:
    """250 addresses, each with a rate of its own, ask, found tables and try links."""

    def asks(place: int) -> Iterable[tuple[str, str, Any, dict[str, str]]]:
        for n in count(place):
            yield "POST", "/api/odds", {"notation": f"{n % 40 + 1}d6kh3"}, {}
            if n % 10 == 0:
                yield "POST", "/api/tables", {"game": "tgimh", "title": "T", "name": "M"}, {}

    await _all(*(_forever(Http(port, f"127.0.5.{n + 1}"), asks(n)) for n in range(250)))


ATTACKS: tuple[Attack, ...] = (
    floods,
    action_floods,
    worst_questions,
    one_address,
    long_table,
    luck_bombs,
    hidden_histories,
    slow_readers,
    half_requests,
    half_bodies,
    thousand_sockets,
    hostile_imports,
    many_addresses,
)
