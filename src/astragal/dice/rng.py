"""Fair faces from random bytes.

Bytes that would favour some faces are rejected: of the 256 values, a d6 uses 252 and
drops 4, so every face has exactly 42 of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from io import BytesIO
from typing import TypeAlias

from astragal.dice.dice import Cards, Faces, Pool, Wave, Waves, refuse_short

Source: TypeAlias = Callable[[int], bytes]
"""Returns the given number of random bytes."""
Draw: TypeAlias = Callable[[int, int, Source], Wave]
"""Returns faces of a die from a source: by sides, the number of faces, and the source."""

BUFFER_BYTES = 4096
"""Bytes per system call. The call costs more than the bytes."""


class RandomBuffer:
    """A thread-safe buffer of the system's random bytes; each byte is given out once.

    A forked process starts with an empty buffer.
    """

    def __init__(self) -> None:
        self._read = BytesIO().read

    def draw(self, n: int) -> bytes:
        """Return ``n`` bytes that were never returned before."""
        drawn = self._read(n)
        if len(drawn) < n:
            read = BytesIO(os.urandom(max(BUFFER_BYTES, n))).read
            drawn = read(n)
            self._read = read  # only now, so that no other thread has read of it
        return drawn


_buffer = RandomBuffer()
system: Source = _buffer.draw
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_buffer.__init__)  # type: ignore[misc]

_byte_maps: dict[int, tuple[bytes, bytes]] = {}


def seeded(seed: int | str) -> Source:
    """Return a source that gives the same bytes for the same seed, on every machine and version."""
    from hashlib import shake_256

    calls = 0

    def draw(n: int) -> bytes:
        nonlocal calls
        calls += 1
        return shake_256(f"astragal {seed} {calls}".encode()).digest(n)

    return draw


def roll(pool: Pool, source: Source = system, draw: Draw | None = None) -> Faces:
    """Throw a whole pool, with every wave of rerolls that it earns; draw its cards."""
    draw = draw or draw_faces
    faces: Faces = ()
    for dice in pool:
        if dice.cards:
            refuse_short(pool)
            faces += ((draw_cards(dice.cards, dice.n, source, draw),),)
            continue
        waves: Waves = (draw(dice.sides, dice.n, source),)
        if dice.again or dice.retry or dice.law:
            while due := dice.due(waves):
                waves += (draw(dice.sides, due, source),)
        faces += (waves,)
    return faces


def draw_faces(sides: int, n: int, source: Source = system) -> Wave:
    """Return ``n`` fair faces of a die with ``sides`` sides."""
    if sides > 255:
        return tuple([_draw_wide(sides, source) for _ in range(n)])
    faces, rejected = _byte_maps.get(sides) or _byte_map(sides)
    drawn = source(n + (n >> 1) + 4).translate(faces, rejected)
    while len(drawn) < n:
        drawn += source(n).translate(faces, rejected)
    return tuple(drawn[:n])


def draw_exactly(sides: int, n: int, source: Source) -> Wave:
    """Return ``n`` fair faces, and take no byte from the source that is neither used for a face nor rejected.

    So the faces depend on the order of the bytes alone, and not on how many are asked for together.
    """
    if sides > 255:
        return tuple([_draw_wide(sides, source) for _ in range(n)])
    faces, rejected = _byte_maps.get(sides) or _byte_map(sides)
    drawn = b""
    while len(drawn) < n:
        drawn += source(n - len(drawn)).translate(faces, rejected)
    return tuple(drawn)


def draw_cards(cards: Cards, n: int, source: Source = system, draw: Draw | None = None) -> Wave:
    """Return ``n`` cards in the order in which they are drawn; each of those left is as likely as any other."""
    stock = [face for face, copies in enumerate(cards.left, 1) for _ in range(copies)]
    draw = draw or draw_faces
    return tuple([stock.pop(draw(len(stock), 1, source)[0] - 1) for _ in range(n)])


def _byte_map(sides: int) -> tuple[bytes, bytes]:
    """The face for each byte, and the bytes to reject so that every face has equally many."""
    usable = 256 - 256 % sides
    faces = bytes(byte % sides + 1 if byte < usable else 0 for byte in range(256))
    _byte_maps[sides] = faces, bytes(range(usable, 256))
    return _byte_maps[sides]


def _draw_wide(sides: int, source: Source) -> int:
    usable = (1 << 32) - (1 << 32) % sides
    while True:
        number = int.from_bytes(source(4), "big")
        if number < usable:
            return number % sides + 1
