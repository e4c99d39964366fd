"""``make attack``: an honest table's times at rest and under each attack, and what the server needs meanwhile.

The server runs on one core, attackers and the honest table on another; attackers yield to the honest table.
``--seconds N`` is the time for each attack, ``--only NAME …`` takes some of them, ``--write`` puts the figures down.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from astragal.repository.limits import Limits
from bench.attack.attacks import ATTACKS, Attack
from bench.attack.http import Http, Table, found

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reliability.md"
TITLE = "## Attacks"
SECONDS = 10.0
FACTOR = 5
"""What an attack may do to the honest table's 99th percentile, at most."""
SETTLE = 1.0
"""Seconds that an attack has to get going before the honest table is timed."""

_CORES = sorted(os.sched_getaffinity(0))
"""Those of this process at its start."""
_LOAD = os.getloadavg()[0]
"""What else the machine had to do, which the figures must be read by."""
LAUNCH = """
import os, resource, sys
core, size, *words = sys.argv[1:]
os.sched_setaffinity(0, {int(core)})
if int(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), int(size)))
os.execv(sys.executable, [sys.executable, *words])
"""
"""Pins a process to its core, perhaps with a limit on the size of files, and becomes the server."""


class Times(NamedTuple):
    """The honest table's times under one attack, in seconds, and what became of its actions."""

    name: str
    what: str
    times: list[float]
    stored: list[str]
    refused: list[str]

    def percentile(self, share: float) -> float:
        """The time that this share of the actions kept within."""
        return sorted(self.times)[min(len(self.times) - 1, int(share * len(self.times)))]


def cores() -> tuple[set[int], set[int]]:
    """A core for the server, and one for everybody else; the same if there is only one."""
    return {_CORES[-1]}, {_CORES[0]}


class Server:
    """A server of our own, in a process of its own, pinned to its core."""

    def __init__(self, folder: Path, file_bytes: int = 0) -> None:
        words = [str(*cores()[0]), str(file_bytes), "-m", "astragal", "serve", "--port", "0", "--data", str(folder)]
        self.process = subprocess.Popen(
            [sys.executable, "-c", LAUNCH, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1].strip("/\n "))

    @property
    def peak_memory(self) -> tuple[int, int]:
        """The most memory that it has had, in bytes, and that all its reckoners have had together."""
        lists = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        reckoners = [pid for each in lists for pid in each.read_text("ascii").split()]
        return _peak(str(self.process.pid)), sum(map(_peak, reckoners))

    def stop(self) -> None:
        """Stop it as an operator would."""
        self.process.terminate()
        self.process.wait(30)
        if self.process.stdout:
            self.process.stdout.close()


def _peak(pid: str) -> int:
    status = Path(f"/proc/{pid}/status").read_text("ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


@contextmanager
def serving(folder: Path, file_bytes: int = 0) -> Iterator[Server]:
    server = Server(folder, file_bytes)
    try:
        yield server
    finally:
        server.stop()


async def timed(table: Table, name: str, what: str, seconds: float) -> Times:
    """Let the honest table act for so long, in a process that attackers yield to."""
    words = [str(table.port), table.path, table.cookie, str(seconds), name]
    probe = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.attack.probe", *words, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await probe.communicate()
    return Times(name, what, **json.loads(out))


async def attacked(table: Table, attack: Attack, seconds: float) -> Times:
    """The honest table's times while an attack goes on."""
    attacker = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.attack", "--attack", attack.__name__, "--port", str(table.port), cwd=ROOT
    )
    try:
        await asyncio.sleep(SETTLE)
        return await timed(table, attack.__name__, (attack.__doc__ or "").strip(), seconds)
    finally:
        with suppress(ProcessLookupError):
            attacker.kill()
        await attacker.wait()


async def run(attacks: tuple[Attack, ...], seconds: float, folder: Path) -> tuple[list[Times], tuple[int, int]]:
    """Times at rest and under each attack, and the server's peak memory; everything stored is checked in the end."""
    with serving(folder) as server:
        await _ready(server.port)
        table = await found(server.port)
        done = [await timed(table, "rest", "Nobody else is there.", seconds)]
        for attack in attacks:
            done.append(await attacked(table, attack, seconds))
            say(
                f"{attack.__name__:<18} p50 {done[-1].percentile(0.5) * 1000:7.1f} ms"
                f"  p99 {done[-1].percentile(0.99) * 1000:7.1f} ms  refused {len(done[-1].refused)}"
                f"  memory {server.peak_memory[0] >> 20} + {server.peak_memory[1] >> 20} MB"
            )
            await asyncio.sleep(SETTLE)
        peak = server.peak_memory
        await _check(table, done)
    with serving(folder) as server:
        await _ready(server.port)
        await _check(table._replace(port=server.port), done)
    return done, peak


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


def lines(done: list[Times], peak: tuple[int, int], disk: str) -> Iterator[str]:
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
        "other processes wanted a core at a time."
    )
    yield ""
    yield "| attack | p50 | p99 | p99 to rest | refused |"
    yield "|---|---|---|---|---|"
    for each in done:
        ratio = f"{each.percentile(0.99) / rest:.1f}"
        p50, p99 = (f"{each.percentile(share) * 1000:.1f} ms" for share in (0.5, 0.99))
        yield f"| {each.what} | {p50} | {p99} | {ratio} | {len(each.refused)} of {len(each.times)} |"
    yield ""
    yield f"Peak memory of the server: {peak[0] >> 20:,} MB, of its reckoners: {peak[1] >> 20:,} MB. Full disk: {disk}."


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
        asyncio.run(asyncio.wait_for(attack(given.port), 600))
        return 0
    chosen = tuple(each for each in ATTACKS if not given.only or each.__name__ in given.only)
    with tempfile.TemporaryDirectory(prefix="astragal-attack-") as name:
        done, peak = asyncio.run(run(chosen, given.seconds, Path(name)))
        section = "\n".join(lines(done, peak, asyncio.run(full_disk(Path(name, "full")))))
    say(section)
    if given.write:
        write(section)
    worst = max(each.percentile(0.99) for each in done) / done[0].percentile(0.99)
    return 0 if worst <= FACTOR and sum(peak) <= Limits().memory else 1


if __name__ == "__main__":
    sys.exit(main())
