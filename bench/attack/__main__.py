"""``make attack``: an honest table's times at rest and under each attack, and what the server needs meanwhile.

The server runs on one core, attackers and the honest table on another; attackers yield to the honest table.
``--seconds N`` is the time for each attack, ``--only NAME …`` takes some of them, ``--write`` puts the figures down.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from astragal.storage.tables.limits import Limits
from bench.attack.attacks import ATTACKS, PREPARES, Attack, say_ready
from bench.attack.cause import STALL
from bench.attack.disk import Bare, bare
from bench.attack.http import Http, Table, found
from bench.attack.server import Server, cores, serving
from bench.attack.times import Times, read_times

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reliability.md"
TITLE = "## Attacks"
SECONDS = 30.0
"""For each attack: 750 actions, so that seven stalls of the disk do not decide the 99th percentile, and ten do."""
FACTOR = 5
"""What an attack may do to the honest table's 99th percentile, at most."""
SLOW = f"{STALL * 1000:.0f} ms"
PREPARE = 300.0
"""Seconds in which an attacker must be ready; one fills a table first."""
SETTLE = 1.0
"""Seconds that an attack has to get going before the honest table is timed; no longer than it is timed."""

_LOAD = os.getloadavg()[0]
"""What else the machine had to do, which the figures must be read by."""


class Honest(NamedTuple):
    """The honest table, the server that it is at, and where that stores it."""

    table: Table
    server: Server
    folder: Path


async def timed(honest: Honest, name: str, what: str, seconds: float) -> Times:
    """Let the honest table act for so long, in a process that attackers yield to."""
    table = honest.table
    words = [str(table.port), table.path, table.cookie, str(seconds), name]
    words += [str(honest.server.process.pid), str(honest.folder)]
    probe = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.attack.probe", *words, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await probe.communicate()
    return read_times(name, what, json.loads(out))


async def attacked(honest: Honest, attack: Attack, seconds: float) -> Times:
    """The honest table's times while an attack goes on."""
    attacker = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.attack", "--attack", attack.__name__, "--port", str(honest.table.port)),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    assert attacker.stdout
    try:
        await asyncio.wait_for(attacker.stdout.readline(), PREPARE)
        await asyncio.sleep(min(SETTLE, seconds))
        return await timed(honest, attack.__name__, (attack.__doc__ or "").strip(), seconds)
    finally:
        with suppress(ProcessLookupError):
            attacker.kill()
        await attacker.wait()


async def run(attacks: tuple[Attack, ...], seconds: float, folder: Path) -> tuple[list[Times], tuple[int, int]]:
    """Times at rest and under each attack, and the server's peak memory; everything stored is checked in the end.

    Rest is measured before and after the attacks, and counts as one: the disk is not the same all the time.
    """
    with serving(folder) as server:
        await _ready(server.port)
        honest = Honest(await found(server.port), server, folder)
        done = [await timed(honest, "rest", "Nobody else is there.", seconds)]
        for attack in attacks:
            done.append(await attacked(honest, attack, seconds))
            say(_line(done[-1], server.peak_memory))
            await asyncio.sleep(min(SETTLE, seconds))
        done[0] = done[0].longer(await timed(honest, "rest again", "", seconds))
        peak = server.peak_memory
        await _check(honest.table, done)
    with serving(folder) as server:
        await _ready(server.port)
        await _check(honest.table._replace(port=server.port), done)
    return done, peak


def _line(times: Times, peak: tuple[int, int]) -> str:
    p50, p99 = (f"{times.percentile(share) * 1000:7.1f} ms" for share in (0.5, 0.99))
    slowest = f"slowest {times.slowest.seconds * 1000:.1f} ms ({times.slowest.cause})"
    memory = f"memory {peak[0] >> 20} + {peak[1] >> 20} MB"
    return f"{times.name:<18} p50 {p50}  p99 {p99}  {slowest}  refused {len(times.refused)}  {memory}"


async def full_disk(folder: Path) -> str:
    """The disk is full: actions are refused with a sentence, views go on; with room again, nothing is lost."""
    with serving(folder) as server:
        await _ready(server.port)
    size = (folder / "tables.db").stat().st_size + (1 << 20)
    stored, refused = [], 0
    with serving(folder, size) as server:
        await _ready(server.port)
        table = await found(server.port)
        async with Http(server.port) as http:
            for n in range(4000):
                text = f"full {n} " + "x" * 3000
                answer = await table.act(http, f"full-{n}", do="note", text=text)
                if answer.status == 200:
                    stored.append(text)
                elif answer.status == 429:
                    await asyncio.sleep(0.2)
                elif (refused := refused + (answer.status == 503)) == 20:
                    break
            view = await http.ask("GET", table.path, Cookie=table.cookie)
        assert (refused, view.status) == (20, 200), (refused, view)
    with serving(folder) as server:
        await _ready(server.port)
        text = await _story(table._replace(port=server.port))
        assert all(each.rstrip() in text for each in stored)
    return f"{len(stored)} actions stored, then 20 refused with 503; the view went on, and nothing was lost"


async def _ready(port: int) -> None:
    for _ in range(200):
        with suppress(OSError, asyncio.IncompleteReadError):
            async with Http(port) as http:
                if (await http.ask("GET", "/healthz")).status == 200:
                    return
        await asyncio.sleep(0.05)
    raise SystemExit("The server does not answer.")


async def _story(table: Table) -> str:
    async with Http(table.port) as http:
        return (await http.ask("GET", f"{table.path}/story", Cookie=table.cookie)).body.decode()


async def _check(table: Table, done: list[Times]) -> None:
    """Every action that was acknowledged is in the log."""
    text = await _story(table)
    lost = [each for times in done for each in times.stored if each.replace("_", "\\_") not in text]
    if lost:
        raise SystemExit(f"{len(lost)} acknowledged actions are lost, such as {lost[0]}.")


def lines(done: list[Times], peak: tuple[int, int], disk: str, bare: Bare) -> Iterator[str]:
    """The section of docs/reliability.md."""
    rest = done[0].percentile(0.99)
    yield TITLE
    yield ""
    yield "Written by `make attack`: a server on one core, attackers on another, and an honest table that acts 25"
    yield f"times a second. Goal: its 99th percentile is at most {FACTOR} times that at rest, nothing acknowledged is"
    yield f"lost, and the server stays below {Limits().memory >> 20:,} MB, which its settings name."
    yield ""
    pinned = "one core for both" if cores()[0] == cores()[1] else "pinned"
    yield (
        f"Run on {datetime.now(UTC).date().isoformat()}, {os.cpu_count()} cores, {pinned}; before it, {_LOAD:.1f} "
        f"other processes wanted a core at a time. {bare}"
    )
    yield ""
    yield "| attack | p50 | p99 | p99 to rest | refused | over the goal, and why | slow commits |"
    yield "|---|---|---|---|---|---|---|"
    for each in done:
        ratio = f"{each.percentile(0.99) / rest:.1f}"
        p50, p99 = (f"{each.percentile(share) * 1000:.1f} ms" for share in (0.5, 0.99))
        refused, slow = f"{len(each.refused)} of {len(each.actions)}", f"{each.stalls} of {each.commits:,}"
        yield f"| {each.what} | {p50} | {p99} | {ratio} | {refused} | {each.over(FACTOR * rest)} | {slow} |"
    yield ""
    yield f"Over the goal are single actions that took more than {FACTOR} times the 99th percentile at rest, with what"
    yield "took at least half of that time: *disk* is a commit that the disk or its file system made wait, *server* the"
    yield "server's own work; with *core* and *client* the server, or the measuring client, waited for its core; *turn*"
    yield f"is everything else, such as the server's turns. Slow commits, of all tables, took more than {SLOW}."
    yield ""
    yield f"Peak memory of the server: {peak[0] >> 20:,} MB, of its workers: {peak[1] >> 20:,} MB. Full disk: {disk}."


def write(section: str) -> None:
    """Put the section at the end of the page, in the place of an older one."""
    text = PAGE.read_text("utf-8").partition(TITLE)[0].rstrip()
    PAGE.write_text(f"{text}\n\n{section}\n", "utf-8")


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.attack", description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--only", nargs="+", choices=[attack.__name__ for attack in ATTACKS])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--attack", help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    os.sched_setaffinity(0, cores()[1])
    if given.attack:
        os.nice(15)
        attack = next(each for each in ATTACKS if each.__name__ == given.attack)
        if attack not in PREPARES:
            say_ready()
        asyncio.run(asyncio.wait_for(attack(given.port), 600))
        return 0
    chosen = tuple(each for each in ATTACKS if not given.only or each.__name__ in given.only)
    with tempfile.TemporaryDirectory(prefix="astragal-attack-") as name:
        done, peak = asyncio.run(run(chosen, given.seconds, Path(name)))
        disk = asyncio.run(full_disk(Path(name, "full")))
        section = "\n".join(lines(done, peak, disk, bare(Path(name), given.seconds)))
    say(section)
    if given.write:
        write(section)
    worst = max(each.percentile(0.99) for each in done) / done[0].percentile(0.99)
    return 0 if worst <= FACTOR and sum(peak) <= Limits().memory else 1


if __name__ == "__main__":
    sys.exit(main())
