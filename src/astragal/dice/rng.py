"""Fair faces out of random bytes.

A byte that would favour some faces is thrown away, never folded back: of the 256
values, a d6 uses 252 and drops 4, so every face has exactly 42 of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from threading import Lock
from typing import TypeAlias

from astragal.dice.dice import Dice, Faces, Pool, Wave, Waves

Source: TypeAlias = Callable[[int], bytes]
"""Gives that many random bytes."""

RESERVE = 4096
"""So many bytes are asked of the system at once; asking takes longer than the bytes do."""


class Reserve:
    """The system's random bytes, each given once, to whichever thread asks; a forked process has none of them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._bytes = b""
        self._used = 0

    def draw(self, n: int) -> bytes:
        """So many bytes that nobody has been given."""
        with self._lock:
            if len(self._bytes) - self._used < n:
                self._bytes, self._used = os.urandom(max(RESERVE, n)), 0
            given = self._bytes[self._used : self._used + n]
            self._used += n
        return given


_reserve = Reserve()
system: Source = _reserve.draw
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reserve.__init__)  # type: ignore[misc]

_tables: dict[int, tuple[bytes, bytes]] = {}


def seeded(seed: int | str) -> Source:
    """A source that gives the same bytes for the same seed, on every machine and version."""
    from hashlib import shake_256

    calls = 0

    def draw(n: int) -> bytes:
        nonlocal calls
        calls += 1
        return shake_256(f"astragal {seed} {calls}".encode()).digest(n)

    return draw


def roll(pool: Pool, source: Source = system) -> Faces:
    """Throw a whole pool, with every wave of rerolls that it earns."""
    faces: Faces = ()
    for dice in pool:
        first = (draw_faces(dice.sides, dice.n, source),)
        faces += (_reroll(dice, first, source) if dice.again or dice.retry else first,)
    return faces


def _reroll(dice: Dice, waves: Waves, source: Source) -> Waves:
    while due := dice.due(waves):
        waves += (draw_faces(dice.sides, due, source),)
    return waves


def draw_faces(sides: int, n: int, source: Source = system) -> Wave:
    """``n`` fair faces of a die with ``sides`` sides."""
    if sides > 255:
        return tuple([_draw_wide(sides, source) for _ in range(n)])
    faces, dropped = _tables.get(sides) or _table(sides)
    drawn = source(n + (n >> 1) + 4).translate(faces, dropped)
    while len(drawn) < n:
        drawn += source(n).translate(faces, dropped)
    return tuple(drawn[:n])


def _table(sides: int) -> tuple[bytes, bytes]:
    """Which face each byte shows, and the bytes to drop so that all faces have as many."""
    usable = 256 - 256 % sides
    faces = bytes(byte % sides + 1 if byte < usable else 0 for byte in range(256))
    _tables[sides] = faces, bytes(range(usable, 256))
    return _tables[sides]


def _draw_wide(sides: int, source: Source) -> int:
    usable = (1 << 32) - (1 << 32) % sides
    while True:
        number = int.from_bytes(source(4), "big")
        if number < usable:
            return number % sides + 1
