"""Why an action was slow: the client or the server had no core, the server worked, the disk stalled, or its turn.

Everything is read from outside, before and after an action, and costs the server nothing: the scheduler tells how long
a process waited for its core, the clock of a process how much it worked, the block layer what the disk did.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NamedTuple

STALL = 0.025
"""Seconds: a commit that takes longer has met a stall of the disk or the file system. A bound of the histogram."""

DISCARD_MS = 17
"""Where a line of /proc/diskstats has the time for discards."""


class Reading(NamedTuple):
    """What the system has counted so far, in seconds."""

    client: float
    """For which this process was ready to run and had no core."""
    core: float
    """The same for the server's event loop."""
    work: float
    """That the server has computed, in all its threads."""
    discard: float
    """That the disk took to forget deleted files, which the file system may make a commit wait for."""

    def __sub__(self, earlier: Reading) -> Reading:
        return Reading(*(now - then for now, then in zip(self, earlier, strict=True)))


class Meter:
    """Reads what the system counts about this process, about a server, and about the disk of a folder."""

    def __init__(self, server: int, folder: Path) -> None:
        self._server = server
        device = folder.stat().st_dev
        self._disk = [str(os.major(device)), str(os.minor(device))]

    def read(self) -> Reading:
        """All of it now."""
        return Reading(_delay("self"), _delay(str(self._server)), _worked(self._server), self._discarded())

    def _discarded(self) -> float:
        """The seconds of the disk; 0 where the folder is on none, as in memory."""
        for line in Path("/proc/diskstats").read_text("ascii").splitlines():
            found = line.split()
            if found[:2] == self._disk and len(found) > DISCARD_MS:
                return int(found[DISCARD_MS]) / 1000
        return 0.0


def _delay(process: str) -> float:
    """How long a process' first thread was ready to run and had no core."""
    return int(Path(f"/proc/{process}/schedstat").read_text("ascii").split()[1]) / 1e9


def _worked(process: int) -> float:
    """The processor time of another process, by its clock (see clock_getcpuclockid(3))."""
    return time.clock_gettime(~process << 3 | 2)


class Action(NamedTuple):
    """One action of the honest table: its time, and what happened meanwhile."""

    seconds: float
    meanwhile: Reading
    commit: float = 0.0
    """About what the longest commit meanwhile took; only looked up for slow actions."""

    @property
    def cause(self) -> str:
        """What took at least half of the time; its turn, if nothing else did."""
        parts = {
            "client": self.meanwhile.client,
            "core": self.meanwhile.core,
            "server": self.meanwhile.work,
            "disk": self.commit - self.meanwhile.work,
        }
        name = max(parts, key=lambda each: parts[each])
        if parts[name] < self.seconds / 2:
            return "turn"
        return "disk, discarding" if name == "disk" and self.meanwhile.discard >= self.seconds / 2 else name


def commits(metrics: str) -> dict[float, int]:
    """How many commits took at most so long, by the bounds of the server's histogram."""
    found = {}
    for line in metrics.splitlines():
        if line.startswith('astragal_commit_seconds_bucket{le="'):
            bound, _, count = line.partition('le="')[2].partition('"} ')
            found[float(bound)] = int(float(count))
    return found


def longest(before: dict[float, int], after: dict[float, int], most: float) -> float:
    """About what the longest commit between two looks took, if it was at most so long; 0 if there was none."""
    bounds = sorted(after)
    for lower, upper in zip([*reversed(bounds[:-1]), 0.0], reversed(bounds), strict=True):
        if after[upper] - before.get(upper, 0) > after.get(lower, 0) - before.get(lower, 0):
            return (lower + max(lower, min(upper, most))) / 2
    return 0.0


def stalls(before: dict[float, int], after: dict[float, int]) -> tuple[int, int]:
    """How many commits between two looks took longer than a stall, and how many there were."""
    total = after[float("inf")] - before.get(float("inf"), 0)
    return total - after[STALL] + before.get(STALL, 0), total
