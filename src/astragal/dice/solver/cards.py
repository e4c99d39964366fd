"""The draw: cards that are not put back, counted by how many of each are drawn.

Of ``m`` equal cards, ``k`` come up in C(m, k) ways, and a draw of ``n`` out of all cards in C(size, n). A reading is
taken along from one kind of card to the next, with the number of cards drawn so far, so that draws with the same value
are one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import product
from math import comb, prod
from operator import add
from typing import TypeVar

from astragal.dice.dice import Dice, Pool
from astragal.dice.distribution import Distribution, added_up, changed_weights
from astragal.dice.reading import Keep, Kept

S = TypeVar("S", bound=Hashable)
Vector = tuple[int, ...]


def has_cards(pool: Pool) -> bool:
    """Return True if something of the pool is drawn from a deck."""
    return any(dice.cards for dice in pool)


def left_of(dice: Dice) -> tuple[int, ...]:
    """Return how many cards of each face are left."""
    assert dice.cards is not None
    return dice.cards.left


def ways_of(pool: Pool) -> int:
    """Return the number of throws and draws that a pool has."""
    return prod(comb(dice.cards.size, dice.n) if dice.cards else dice.sides**dice.n for dice in pool)


def drawn_sums(dice: Dice, worth: Iterable[Vector]) -> Distribution[Vector]:
    """Return the odds of the sum of the cards' vectors; cards of the same worth are one kind."""
    copies = added_up(zip(worth, left_of(dice), strict=True))
    zero = (0,) * len(next(iter(copies)))
    sums = {(0, zero): 1}
    for vector, of in copies.items():
        sums = added_up(
            ((n + k, tuple([a + k * b for a, b in zip(value, vector, strict=True)])), ways * comb(of, k))
            for (n, value), ways in sums.items()
            for k in range(min(of, dice.n - n) + 1)
        )
    return Distribution({value: ways for (n, value), ways in sums.items() if n == dice.n}, ways_of((dice,)))


def scanned_draws(start: S, step: Callable[[S, int, Vector], S], pool: Pool) -> Distribution[S]:
    """Return the odds of a scan's last state, over cards and dice; a face that nothing shows changes nothing."""
    faces = range(max(dice.sides for dice in pool), 0, -1)
    states: dict[tuple[S, Vector], int] = {(start, (0,) * len(pool)): 1}
    for face in faces:
        states = added_up(
            ((step(state, face, counts) if any(counts) else state, tuple(map(add, drawn, counts))), ways * more)
            for (state, drawn), ways in states.items()
            for counts, more in _shown(pool, face, drawn)
        )
    every = tuple([dice.n for dice in pool])
    return Distribution(
        added_up((state, ways) for (state, drawn), ways in states.items() if drawn == every), ways_of(pool)
    )


def _shown(pool: Pool, face: int, drawn: Vector) -> Iterable[tuple[Vector, int]]:
    """The number of cards of each kind that show a face, given the number there, with the ways."""
    each = [list(_counts(dice, face, dice.n - n)) for dice, n in zip(pool, drawn, strict=True)]
    for counted in product(*each):
        yield tuple([count for count, _ in counted]), prod(ways for _, ways in counted)


def _counts(dice: Dice, face: int, rest: int) -> Iterable[tuple[int, int]]:
    if face > dice.sides:
        return ((0, 1),)
    if dice.cards:
        of = dice.cards.left[face - 1]
        return ((k, comb(of, k)) for k in range(min(of, rest) + 1))
    return ((k, comb(rest, k)) for k in range(rest if face == 1 else 0, rest + 1))


def kept_draws(keep: Keep, dice: Dice) -> Distribution[Kept]:
    """Return the odds of the best or worst cards, added up; draws of nothing but ``keep.every`` apart."""

    def step(state: tuple[int, int, bool], face: int, counts: Vector) -> tuple[int, int, bool]:
        n, total, every = state
        taken = min(counts[0], keep.n - n)
        return n + taken, total + taken * value(face), every and value(face) in keep.every

    def value(face: int) -> int:
        return face if keep.best else dice.sides + 1 - face

    turned = dice if keep.best else dice._replace(cards=dice.cards and dice.cards._replace(left=left_of(dice)[::-1]))
    return scanned_draws((0, 0, bool(keep.every)), step, (turned,)).map(lambda state: Kept(state[1], state[2]))


def walked_draws(start: S, step: Callable[[S, int, int], S], dice: Dice) -> Distribution[S]:
    """Return the odds of a walk's last state; from card to card, what is left goes along with it."""
    states: dict[tuple[S, Vector], int] = {(start, left_of(dice)): 1}
    for place in range(dice.n):
        states = added_up(
            ((step(state, place, face), (*left[: face - 1], of - 1, *left[face:])), ways * of)
            for (state, left), ways in states.items()
            for face, of in enumerate(left, 1)
            if of
        )
    found = changed_weights(states, lambda state: state[0])
    return Distribution(found, prod(range(sum(left_of(dice)) - dice.n + 1, sum(left_of(dice)) + 1)))


def every_draw(dice: Dice) -> dict[tuple[int, ...], int]:
    """Return every different draw, from the lowest face up, with the ways in which it comes about."""
    draws: dict[tuple[int, ...], int] = {(): 1}
    for face, of in enumerate(left_of(dice), 1):
        draws = {
            (*drawn, *(face,) * k): ways * comb(of, k)
            for drawn, ways in draws.items()
            for k in range(min(of, dice.n - len(drawn)) + 1)
        }
    return {drawn: ways for drawn, ways in draws.items() if len(drawn) == dice.n}
