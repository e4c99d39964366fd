"""Provable dice: the same key, nonce and turn give the same faces, and nothing else gives them."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.dice.dice import Cards, Dice, Pool
from astragal.dice.provable import follows, format_pool, keyed_bytes, parse_pool, provable_faces
from astragal.dice.rng import draw_exactly
from astragal.errors import Malformed

KEY = sha256(b"a key").digest()
POOLS: list[Pool] = [
    (Dice(6, 4), Dice(10)),
    (Dice(10, 7, again=frozenset({8, 9, 10}), retry=frozenset(range(1, 8))),),
    (Dice(6, 0), Dice(20)),
    (Dice(1000, 3),),
    (Dice(4, 2, cards=Cards((1, 0, 3, 2))), Dice(6)),
]


@given(st.sampled_from(POOLS), st.binary(min_size=32, max_size=32), st.text("abc-_019", max_size=20))
def test_thrown_faces_follow_from_what_they_were_thrown_with(pool: Pool, key: bytes, nonce: str) -> None:
    faces = provable_faces(pool, key, "t/r/0", nonce)
    text = format_pool(pool)
    assert provable_faces(pool, key, "t/r/0", nonce) == faces
    assert follows(faces, text, key, "t/r/0", nonce)
    assert [(each.sides, each.n) for each in parse_pool(text)] == [(each.sides, each.n) for each in pool]


def test_another_key_nonce_turn_or_pool_gives_other_faces() -> None:
    pool: Pool = (Dice(100, 10),)
    faces = provable_faces(pool, KEY, "t/r/0", "mine")
    assert not follows(faces, "10d100", sha256(b"another").digest(), "t/r/0", "mine")
    assert not follows(faces, "10d100", KEY, "t/r/0", "yours")
    assert not follows(faces, "10d100", KEY, "t/r/1", "mine")
    assert not follows(faces, "10d99", KEY, "t/r/0", "mine")
    assert not follows(((faces[0][0][::-1],),), "10d100", KEY, "t/r/0", "mine")
    assert not follows(((faces[0][0][:-1],),), "10d100", KEY, "t/r/0", "mine")
    assert not follows(((faces[0][0], ()),), "10d100", KEY, "t/r/0", "mine")


@given(st.text("rq0123456789abcdef/", max_size=20), st.lists(st.integers(1, 1000), max_size=3))
def test_what_could_be_chosen_after_the_nonce_was_seen_changes_no_face(name: str, empty: list[int]) -> None:
    """A server names the roll and writes the pool when it knows the nonce, and could try until the dice please it."""
    faces = provable_faces((Dice(6, 10),), KEY, "table.book/r1/0/0", "mine")
    assert provable_faces((Dice(6, 10),), KEY, f"{name}/0", "mine") == faces
    padded = (Dice(6, 4), *(Dice(sides, 0) for sides in empty), Dice(6, 6))
    assert [face for waves in provable_faces(padded, KEY, "t/r/0", "mine") for face in waves[0]] == [*faces[0][0]]


def test_faces_are_taken_one_byte_after_the_other_however_many_are_drawn_at_once() -> None:
    at_once = draw_exactly(6, 200, keyed_bytes(KEY, "p", ""))
    source = keyed_bytes(KEY, "p", "")
    assert tuple(draw_exactly(6, 1, source)[0] for _ in range(200)) == at_once


def test_every_byte_that_is_not_rejected_makes_a_face() -> None:
    every = bytes(range(256))
    taken = iter(range(256))
    faces = draw_exactly(6, 252, lambda n: bytes(every[next(taken)] for _ in range(n)))
    assert Counter(faces) == dict.fromkeys(range(1, 7), 42)


@pytest.mark.parametrize(
    "text", ["d6", "4d0", "4d6+", "1001d6", "2d1001", "3c1.1", "4D6", "04d6", "1c0.0", "1c", "4d6 "]
)
def test_what_is_no_pool_is_refused(text: str) -> None:
    with pytest.raises(Malformed, match="is neither dice of a pool"):
        parse_pool(text)
