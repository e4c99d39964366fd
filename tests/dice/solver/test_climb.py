"""Counters that go up are followed move by move, on paper; endless waits are compared round by round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import pytest

from astragal.dice.distribution import Beyond
from astragal.dice.solver.climb import Climb
from astragal.errors import Illegal, Malformed

Vector = tuple[int, ...]
RACES: list[tuple[Vector, dict[Vector, int]]] = [
    ((1,), {(1,): 1}),
    ((3,), {(1,): 2, (2,): 1}),
    ((2, 3), {(1, 0): 3, (0, 1): 2, (2, 2): 1}),
    ((3, 2), {(3, 0): 1, (1, 1): 4, (0, 1): 1}),
    ((2, 2, 2), {(1, 0, 0): 1, (0, 1, 0): 2, (0, 0, 1): 3, (1, 0, 2): 1}),
]


def on_paper(
    sizes: Vector, moves: Mapping[Vector, Fraction], most: int, so_far: Vector = (), n: int = 0
) -> Iterator[Any]:
    """Every way to go on: how far the counters come, after how many moves, with its chance; None beyond ``most``."""
    at = so_far or (0,) * len(sizes)
    if any(here == size for here, size in zip(at, sizes, strict=True)):
        yield at, n, Fraction(1)
    elif n == most:
        yield None, n, Fraction(1)
    else:
        for move, chance in moves.items():
            then = tuple(min(here + more, size) for here, more, size in zip(at, move, sizes, strict=True))
            for end, moves_made, inner in on_paper(sizes, moves, most, then, n + 1):
                yield end, moves_made, chance * inner


def added(pairs: Iterator[tuple[Any, Fraction]]) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for value, chance in pairs:
        found[value] = found.get(value, Fraction(0)) + chance
    return found


@pytest.mark.parametrize(("sizes", "moves"), RACES)
@pytest.mark.parametrize("waits", [0, 5])
def test_ends_are_those_of_every_series_of_moves(sizes: Vector, moves: dict[Vector, int], waits: int) -> None:
    """Moves that add nothing change no end."""
    total = sum(moves.values())
    paper = list(on_paper(sizes, {move: Fraction(weight, total) for move, weight in moves.items()}, 9))
    climb = Climb(sizes, [*moves.items(), ((0,) * len(sizes), waits)])
    assert climb.ends().to_dict() == added((end, chance) for end, _, chance in paper)
    full = added((tuple(a == b for a, b in zip(end, sizes, strict=True)), chance) for end, _, chance in paper)
    assert climb.full().to_dict() == full
    if not waits:
        assert climb.rounds(20).to_dict() == added((n, chance) for _, n, chance in paper)


@pytest.mark.parametrize(("sizes", "moves"), RACES[:4])
def test_rounds_that_add_nothing_are_waited_out(sizes: Vector, moves: dict[Vector, int]) -> None:
    total = sum(moves.values()) + 2
    chances = {move: Fraction(weight, total) for move, weight in {**moves, (0,) * len(sizes): 2}.items()}
    wanted = added((Beyond(5) if end is None else n, chance) for end, n, chance in on_paper(sizes, chances, 5))
    odds = Climb(sizes, [*moves.items(), ((0,) * len(sizes), 2)]).rounds(5)
    assert {n: chance for n, chance in odds.items() if chance} == wanted


def test_the_mean_of_rounds_without_end_is_exact() -> None:
    """A coin that must come up three times takes six throws on average, with a variance of six."""
    odds = Climb((3,), [((1,), 1), ((0,), 1)]).rounds(4)
    assert (odds.mean, odds.variance) == (Fraction(6), Fraction(6))


def test_what_never_ends_is_refused() -> None:
    with pytest.raises(Illegal, match="none is ever full"):
        Climb((2, 2), [((0, 0), 1), ((1, 0), 0)])
    with pytest.raises(Malformed, match="room for at least 1"):
        Climb((2, 0), [((1, 1), 1)])
    with pytest.raises(Malformed, match="adds 0 or more to each"):
        Climb((2,), [((1, 1), 1)])
