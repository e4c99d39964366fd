"""Random faces: none is favoured, and a seed repeats them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from astragal.dice.dice import Dice, faces_below, faces_from
from astragal.dice.rng import BUFFER_BYTES, RandomBuffer, draw_faces, roll, seeded


def test_every_face_has_as_many_bytes_as_every_other() -> None:
    every_byte = bytes(range(256))
    for sides in range(2, 256):
        usable = 256 - 256 % sides
        drawn = Counter(draw_faces(sides, usable, lambda n: every_byte))
        assert drawn == dict.fromkeys(range(1, sides + 1), usable // sides)


def test_bytes_that_would_favour_a_face_are_dropped_and_drawn_anew() -> None:
    draws = iter([bytes([252, 253, 254, 255]), bytes([5])])
    assert draw_faces(6, 1, lambda n: next(draws)) == (6,)


@pytest.mark.parametrize("sides", [256, 300, 1000])
def test_dice_with_more_sides_than_a_byte_has_values_drop_the_uneven_rest(sides: int) -> None:
    uneven = (2**32 - 1).to_bytes(4, "big")
    draws = iter([uneven, (sides - 1).to_bytes(4, "big")])
    expected = sides if 2**32 % sides else None
    if expected:
        assert draw_faces(sides, 1, lambda n: next(draws)) == (sides,)
    assert set(draw_faces(sides, 200)) <= set(range(1, sides + 1))


def test_the_default_source_gives_each_of_the_operating_system_s_bytes_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[bytes] = []

    def urandom(n: int) -> bytes:
        drawn.append(bytes((len(drawn) + place) % 251 for place in range(n)))
        return drawn[-1]

    monkeypatch.setattr(os, "urandom", urandom)
    buffer = RandomBuffer()
    given = b"".join(buffer.draw(n) for n in (1, 7, BUFFER_BYTES - 8, 30, 2 * BUFFER_BYTES))
    assert given == drawn[0] + drawn[1][:30] + drawn[2]


def test_threads_are_never_given_the_same_bytes() -> None:
    buffer = RandomBuffer()
    with ThreadPoolExecutor(8) as threads:
        given = list(threads.map(buffer.draw, [16] * 4000))
    assert len(set(given)) == 4000


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_process_has_other_dice() -> None:
    """Both have the same buffer at the fork, so the child has to discard it."""
    code = (
        "import os; from astragal.dice.rng import system; system(1); r, w = os.pipe()\n"
        "if os.fork() == 0: os.write(w, system(16)); os._exit(0)\n"
        "os.wait(); print(os.read(r, 16) != system(16))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "True\n"


def test_a_seed_repeats_and_another_seed_does_not() -> None:
    pool = (Dice(6, 50), Dice(10, 50, again=faces_from(10, 10)))
    assert roll(pool, seeded(7)) == roll(pool, seeded(7)) != roll(pool, seeded(8))


def test_a_seed_gives_these_dice_on_every_machine_and_version() -> None:
    assert roll((Dice(6, 5), Dice(10)), seeded(1)) == SEED_1


def test_rerolls_come_in_waves_of_as_many_dice_as_earned_them() -> None:
    dice = Dice(10, 40, again=faces_from(8, 10), retry=faces_below(8))
    (waves,) = roll((dice,), seeded("waves"))
    assert len(waves[0]) == len(waves[1]) == 40
    for place in range(1, len(waves)):
        assert len(waves[place]) == dice.due(waves[:place])
    assert dice.due(waves) == 0


def test_no_dice_are_an_empty_wave() -> None:
    assert roll((Dice(10, 0), Dice(10, 0, again=faces_from(10, 10)))) == (((),), ((),))


SEED_1 = (((5, 3, 5, 1, 6),), ((10,),))
