"""The live table against a bare app: actions a second to 20 clients, and the time from post to client.

``python -m bench.live`` starts each server in a process of its own, in turns, prints ratios, and writes them down.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import httpx
import uvloop

from bench.live_page import PACE, PAGE, POSTERS, ROUNDS, WANTED_P99, WANTED_RATE, WATCHERS, write_page
from bench.sockets import VERSION, Client, Poster

ACTIONS = 4000
SECONDS = 10
Posts = list[bytes]


class Target(NamedTuple):
    """A server with its addresses, ready to be measured."""

    port: int
    live: str
    cookies: list[str]
    base: int
    """The version before the first action."""
    posts: Posts


async def watch(target: Target, watchers: int = WATCHERS) -> list[Client]:
    loop = asyncio.get_running_loop()
    clients = []
    for n in range(watchers):
        key = base64.b64encode(os.urandom(16)).decode()
        request = (
            f"GET {target.live} HTTP/1.1\r\nHost: 127.0.0.1:{target.port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Cookie: {target.cookies[n % len(target.cookies)] if target.cookies else 'x=y'}\r\n\r\n"
        )
        _, client = await loop.create_connection(lambda r=request: Client(r.encode()), "127.0.0.1", target.port)  # type: ignore[misc]
        head = await client.open
        if b" 101 " not in head:
            raise SystemExit(f"No connection: {head!r}")
        clients.append(client)
    await asyncio.sleep(0.3)
    for client in clients:
        client.version = target.base
        client.frames.clear()
    return clients


async def reached(clients: list[Client], version: int) -> None:
    while any(client.version < version for client in clients):
        await asyncio.sleep(0.002)


async def flat_out(target: Target, n: int) -> float:
    """Actions a second, until the last client has the last one."""
    loop = asyncio.get_running_loop()
    clients = await watch(target)
    posts = iter(target.posts[:n])

    async def pump() -> None:
        _, poster = await loop.create_connection(Poster, "127.0.0.1", target.port)
        for post in posts:
            await poster.post(post)

    started = time.perf_counter()
    await asyncio.gather(*(pump() for _ in range(POSTERS)))
    await reached(clients, target.base + n)
    took = time.perf_counter() - started
    check(clients, target.base, n)
    return n / took


def check(clients: list[Client], base: int, n: int) -> None:
    """Every client has every entry, once, and all of them in the same order; versions only go up."""
    received = [_entries(client, base) for client in clients]
    if any(entries != received[0] for entries in received) or not len(received[0]) == len(set(received[0])) == n:
        raise SystemExit("A client missed an entry, or received entries twice or out of order.")


def _entries(client: Client, base: int) -> list[str]:
    frames = [frame for frame in map(json.loads, client.frames) if frame["type"] == "news"]
    versions = [frame["version"] for frame in frames]
    if versions != sorted(set(versions)) or versions[0] <= base:
        raise SystemExit("A client received a version twice, or out of order.")
    return [entry["id"] for frame in frames for entry in frame["entries"]]


async def paced(target: Target, rate: int, seconds: int) -> list[float]:
    """Seconds from post to each client, at a steady rate."""
    loop = asyncio.get_running_loop()
    clients = await watch(target)
    idle: list[Poster] = []
    sent: dict[int, float] = {}

    async def one(post: bytes) -> None:
        while idle and not idle[-1].alive:  # servers close what has been idle for a while
            idle.pop()
        poster = idle.pop() if idle else (await loop.create_connection(Poster, "127.0.0.1", target.port))[1]
        at = time.perf_counter()
        answer = await poster.post(post)
        sent[int(VERSION.search(answer)[1])] = at  # type: ignore[index]
        idle.append(poster)

    started, tasks = loop.time(), []
    for n in range(rate * seconds):
        await asyncio.sleep(max(0, started + n / rate - loop.time()))
        tasks.append(asyncio.create_task(one(target.posts[n])))
    await asyncio.gather(*tasks)
    await reached(clients, target.base + rate * seconds)
    check(clients, target.base, rate * seconds)
    return [client.came[version] - at for version, at in sent.items() for client in clients]


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def request(path: str, port: int, key: str, body: bytes, cookie: str = "") -> bytes:
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        f"Idempotency-Key: {key}\r\nContent-Length: {len(body)}\r\n"
        + (f"Cookie: {cookie}\r\n" if cookie else "")
        + "\r\n"
    )
    return head.encode() + body


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def start(module: str, address: str, port: int) -> subprocess.Popen[bytes]:
    process = subprocess.Popen([sys.executable, "-m", module, address, str(port)])
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), 0.1).close()
            return process
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"{module} does not start.")


def actions(n: int, character: str) -> list[bytes]:
    """What a table does: rolls, counts that move, words."""
    kinds: list[dict[str, Any]] = [
        {"do": "roll", "who": character, "inputs": {"d6": 5, "difficulty": 2}, "answers": ["settle"]},
        {"do": "note", "text": "The lamp hisses, and something below answers."},
    ]
    return [
        json.dumps(kinds[place // 2 % 2] if place % 2 else _edit(character, place // 2)).encode() for place in range(n)
    ]


def _edit(character: str, n: int) -> dict[str, Any]:
    """One of fifty lamps gets other dice than it had, in whatever order edits come in."""
    turn, lamp = divmod(n, 50)
    dice = {"dice": turn % 18 + 2}
    return {"do": "edit", "holder": character, "section": "gear", "item": f"Lamp {lamp}", "to": dice}


def astragal(port: int, n: int) -> Target:
    """A table of Narraject with a GM, three players and onlookers, everybody at the table twice or more."""
    base = f"http://127.0.0.1:{port}"
    gm = httpx.Client(base_url=base)
    made = gm.post("/api/tables", json={"game": "narraject", "title": "Bench", "name": "Mira"}).json()
    table, cookies = made["table"], [f"seat={gm.cookies['seat']}"]
    for name, role in [
        ("Jonas", "player"),
        ("Ada", "player"),
        ("Pia", "player"),
        ("Ole", "onlooker"),
        ("Uma", "onlooker"),
    ]:
        guest = httpx.Client(base_url=base)
        token = made["links"][role].partition("#")[2]
        guest.post(f"/api/tables/{table}/seat", json={"token": token, "name": name})
        cookies.append(f"seat={guest.cookies['seat']}")
    act = f"/api/tables/{table}/actions"
    owner = gm.get(f"/api/tables/{table}").json()["parts"]
    jonas = next(part["id"] for path, part in owner.items() if path.startswith("members/") and part["name"] == "Jonas")
    create = {"do": "create", "name": "Ysolde", "template": "Ysolde Marrin", "owner": jonas}
    gm.post(act, json=create, headers={"Idempotency-Key": "create"}).raise_for_status()
    version = gm.get(f"/api/tables/{table}").json()["version"]
    posts = [request(act, port, f"key-{place}", body, cookies[0]) for place, body in enumerate(actions(n, "Ysolde"))]
    return Target(port, f"/api/tables/{table}/live", cookies, version, posts)


def plain(port: int, n: int) -> Target:
    posts = [request("/act", port, f"key-{place}", body) for place, body in enumerate(actions(n, "Ysolde"))]
    return Target(port, "/live", [], 0, posts)


def processor(process: subprocess.Popen[bytes]) -> float:
    """Seconds of processor time that a server has used: what else runs on the machine hardly moves these."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Measured(NamedTuple):
    """Actions a second, seconds from post to client, and processor seconds for an action."""

    rate: float
    times: list[float]
    effort: float


async def measure(name: str) -> Measured:
    rate, effort, times = 0.0, 0.0, []
    for what in ("flat", "paced"):
        with tempfile.TemporaryDirectory() as folder:
            port = free_port()
            module = f"bench.{'bare' if name == 'bare' else 'live_server'}"
            server = start(module, str(Path(folder) / "bench.db"), port)
            try:
                n = max(ACTIONS, PACE * SECONDS)
                target = plain(port, n) if name == "bare" else astragal(port, n)
                if what == "flat":
                    before = processor(server)
                    rate = await flat_out(target, ACTIONS)
                    effort = (processor(server) - before) / ACTIONS
                else:
                    times = await paced(target, PACE, SECONDS)
            finally:
                server.terminate()
                server.wait(10)
    return Measured(rate, times, effort)


def main() -> None:
    """All in turns, so that none has the quieter machine."""
    from bench.fleet import FleetMeasured, measure_fleet
    from bench.fleet_page import print_fleet
    from tools.postgres import Postgres

    found: dict[str, list[Measured]] = {"bare": [], "astragal": []}
    fleets: list[FleetMeasured] = []
    with Postgres() as postgres:
        for _ in range(ROUNDS):
            for name, results in found.items():
                results.append(uvloop.run(measure(name)))
                print(f"{name:>9}: {_line(results[-1])}", flush=True)
            fleets.append(measure_fleet(postgres))
            print_fleet(fleets[-1])
    rates, efforts, p99 = (
        {name: median(map(of, results)) for name, results in found.items()}
        for of in (lambda each: each.rate, lambda each: each.effort, lambda each: quantile(each.times, 0.99))
    )
    rate, late = rates["astragal"] / rates["bare"], p99["astragal"] / p99["bare"]
    effort = efforts["astragal"] / efforts["bare"]
    print(f"rate: {rate:.2f} of the bare app's (at least {WANTED_RATE:g} is asked for)")
    print(f"p99 at {PACE} a second: {late:.2f} times the bare app's (at most {WANTED_P99:g} is asked for)")
    print(f"processor time: {effort:.2f} times the bare app's for an action")
    write_page(rate, late, effort, rates["astragal"], fleets)
    print(f"Wrote docs/{PAGE.name}.")


def _line(each: Measured) -> str:
    p50, p99 = (quantile(each.times, share) * 1000 for share in (0.5, 0.99))
    return (
        f"{each.rate:7,.0f} actions a second to {WATCHERS} clients, {each.effort * 1000:.2f} ms of processor each; "
        f"at {PACE} a second p50 {p50:.2f} ms, p99 {p99:.2f} ms"
    )


if __name__ == "__main__":
    main()
