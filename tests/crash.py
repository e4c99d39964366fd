"""A program that is killed, again and again, while it works: what it had acknowledged must be there afterwards."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from subprocess import Popen
from threading import Thread
from typing import NamedTuple, TypeAlias, TypeVar

from tests.share import share

AT_ONCE = 10
"""So many times the same store is used again, then a new one."""

PATIENCE = 30.0
"""Seconds within which a program does something."""

A = TypeVar("A")
Keys: TypeAlias = dict[str, list[str]]
"""The keys of each table, in order."""


def files(folder: Path) -> Callable[[], Path]:
    """Names a new file each time."""
    names = (folder / f"{n}.db" for n in count())
    return lambda: next(names)


class Acknowledged(NamedTuple):
    """What a program said that it had done."""

    table: str
    version: int
    key: str


class Survived(NamedTuple):
    """How much was acknowledged in all, and the longest time that it took to open a file again, in seconds."""

    done: int
    worst: float


def acknowledged(program: Popen[str], moment: float | Callable[[], object], at_least: int = 0) -> list[Acknowledged]:
    """What a program said that it had done, before it was killed: so long after it began, or after something else.

    On a busy machine that may be nothing; ``at_least`` so much is waited for.
    """
    said: list[str] = []
    with program:
        assert program.stdout
        assert program.stdout.readline() == "ready\n"
        listener = Thread(target=said.extend, args=(program.stdout,))
        listener.start()
        try:
            moment() if callable(moment) else time.sleep(moment)
            patience = time.monotonic() + PATIENCE
            while len(said) < at_least and time.monotonic() < patience:
                time.sleep(0.01)
        finally:  # whatever happens, it does not run for ever
            program.kill()
            listener.join()
    lines = (line.split() for line in said if line.endswith("\n"))
    return [Acknowledged(table, int(version), key) for table, version, key in lines]


def survived(
    start: Callable[[A], Popen[str]],
    opened: Callable[[A], tuple[float, Keys]],
    new: Callable[[], A],
    times: int,
    moments: tuple[float, float],
) -> Survived:
    """Kill the program that starts with a new store, so many times, and open what it left: nothing may be lost."""
    rng, worst, done = random.Random(4), 0.0, 0
    address, before = new(), list[Acknowledged]()
    for turn in range(times):
        address, before = (address, before) if turn % AT_ONCE else (new(), [])
        at_least = 0 if done or turn < times - 1 else 1
        before += (told := acknowledged(start(address), rng.uniform(*moments), at_least))
        seconds, found = opened(address)
        assert all(found[table][version - 1] == key for table, version, key in before)
        worst, done = max(worst, seconds), done + len(told)
    assert done
    assert worst < share(2, 30)  # the promise in the soak, and a bound beside a whole test run
    return Survived(done, worst)
