"""Provable dice: faces that follow from a key and a nonce, so that anybody can find them again.

The bytes come from HMAC-SHA-256 under the key, block after block. Nothing goes into them that could be chosen once the
nonce is known: of the place of a throw only its turn, which counts the throws of one action; not the roll's name, nor
how the dice are written. A face takes the next byte of them that is not
rejected; see ``rng`` for which are. ``docs/verifiable-dice.md`` has the format, byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hmac import new
from itertools import pairwise

from astragal.dice.dice import MAX_DICE, MAX_SIDES, Cards, Dice, Faces, Pool
from astragal.dice.rng import draw_exactly, roll
from astragal.errors import Malformed

MAX_CARDS = 10_000
"""Cards of a deck in a pool's text."""
_PART = re.compile(r"(0|[1-9]\d{0,3})(?:d([1-9]\d{0,3})|c(\d{1,4}(?:\.\d{1,4})*))").fullmatch


class KeyedBytes:
    """A source of bytes: the blocks of a key for one message, one byte after the other."""

    def __init__(self, key: bytes, message: str) -> None:
        self._key = key
        self._message = message
        self._block = 0
        self._left = b""

    def __call__(self, n: int) -> bytes:
        """Return the next ``n`` bytes."""
        while len(self._left) < n:
            block = f"{self._message}\n{self._block}".encode()
            self._left += new(self._key, block, "sha256").digest()  # hmac.digest lets other threads run, and waits
            self._block += 1
        drawn, self._left = self._left[:n], self._left[n:]
        return drawn


def keyed_bytes(key: bytes, place: str, nonce: str) -> KeyedBytes:
    """The bytes for the dice of one throw."""
    return KeyedBytes(key, f"astragal throw 2\n{turn_of(place)}\n{nonce}")


def turn_of(place: str) -> str:
    """The position of a throw among the throws of its action, from 0: the last part of its place."""
    return place.rpartition("/")[2]


def format_pool(pool: Pool) -> str:
    """A pool in a few signs: ``4d6+1d10``; cards with how many of each are left, such as ``2c1.1.0.4``."""
    kinds = [f"c{'.'.join(map(str, dice.cards.left))}" if dice.cards else f"d{dice.sides}" for dice in pool]
    return "+".join([f"{dice.n}{kind}" for dice, kind in zip(pool, kinds, strict=True)])


def parse_pool(text: str) -> Pool:
    """The pool that a text stands for; Malformed if it is none. What is rolled again, it does not say."""
    return tuple([_dice(part) for part in text.split("+") if part or text])


def _dice(part: str) -> Dice:
    found = _PART(part)
    n, sides, left = found.groups() if found else ("", "", "")
    if sides and int(n) <= MAX_DICE and int(sides) <= MAX_SIDES:
        return Dice(int(sides), int(n))
    counts = tuple(map(int, left.split("."))) if left else ()
    if counts and int(n) <= sum(counts) <= MAX_CARDS:
        return Dice(len(counts), int(n), cards=Cards(counts))
    raise Malformed(f'"{part[:40]}" is neither dice of a pool, such as 4d6, nor cards, such as 2c1.1.4.')


def provable_faces(pool: Pool, key: bytes, place: str, nonce: str) -> Faces:
    """Throw a pool with the bytes of a key, at a place, with a member's nonce."""
    return roll(pool, keyed_bytes(key, place, nonce), draw_exactly)


def follows(faces: Sequence[Sequence[Sequence[int]]], pool: str, key: bytes, place: str, nonce: str) -> bool:
    """True if faces are those that the key gives; how many dice were rolled again is taken from the faces."""
    source = keyed_bytes(key, place, nonce)
    dice = parse_pool(pool)
    if len(dice) != len(faces):
        return False
    return all(_follow(waves, each, source) for waves, each in zip(faces, dice, strict=True))


def _follow(waves: Sequence[Sequence[int]], dice: Dice, source: KeyedBytes) -> bool:
    if not waves or len(waves[0]) != dice.n:
        return False
    if dice.cards:
        return len(waves) == 1 and roll((dice,), source, draw_exactly) == ((tuple(waves[0]),),)
    # Each further wave has dice that one of the last wave earned, so that no more can come of it.
    fits = all(1 <= len(later) <= len(earlier) for earlier, later in pairwise(waves))
    return fits and all(draw_exactly(dice.sides, len(wave), source) == tuple(wave) for wave in waves)
