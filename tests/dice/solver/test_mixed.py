"""Counts of several laws: pools to which other dice add some, and two counts against each other."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice.distribution import Beyond
from astragal.dice.solver.endless.mixed import Duel, Mixed, grown, joined, listed, versus
from astragal.dice.solver.series import Ratio, Series
from astragal.errors import Malformed

COIN, RARE = Ratio((1, 1), (2,)), Ratio((3, 1), (4,))
"""Heads of a coin, and one face of a die with four."""
HEADS = Ratio((1,), (2, -1))
"""Heads until the first tail: 0, 1, 2 … with half the chance each."""
CHANCES = {COIN: (Fraction(1, 2), Fraction(1, 2)), RARE: (Fraction(3, 4), Fraction(1, 4))}


def counts_of(die: Ratio, n: int) -> Iterator[tuple[int, Fraction]]:
    """What n dice count, throw by throw."""
    for faces in product((0, 1), repeat=n):
        chance = Fraction(1)
        for face in faces:
            chance *= CHANCES[die][face]
        yield sum(faces), chance


def chances_of(mixed: Mixed, last: int) -> dict[int, Fraction]:
    ways, total = mixed.coefficients(last)
    return {k: Fraction(n, total) for k, n in enumerate(ways) if n}


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from([COIN, RARE]),
    st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 2), st.integers(0, 2), st.integers(1, 3)), min_size=1),
)
def test_a_pool_that_others_give_dice_to_is_what_every_throw_makes_of_it(
    die: Ratio, some: list[tuple[int, int, int, int]]
) -> None:
    """Coins and rare dice give dice to a pool; where fewer than one is left, nothing of it is thrown."""
    pools: dict[tuple[tuple[tuple[Ratio, int], ...], int], int] = {}
    wanted: dict[int, Fraction] = {}
    below, total = Fraction(0), sum(weight for *_, weight in some)
    for n, coins, rare, weight in some:
        gifts = tuple(sorted((kind, m) for kind, m in ((COIN, coins), (RARE, rare)) if m))
        pools[gifts, n] = pools.get((gifts, n), 0) + weight
        for (a, p), (b, q) in product(counts_of(COIN, coins), counts_of(RARE, rare)):
            chance = Fraction(weight, total) * p * q
            if n + a + b < 1:
                below += chance
                continue
            for k, last in counts_of(die, n + a + b):
                wanted[k] = wanted.get(k, Fraction(0)) + chance * last
    mixed, fewer = grown(die, pools, total)
    assert fewer == below
    assert mixed.whole == 1 - below
    assert chances_of(mixed, 12) == wanted
    assert mixed.mean == sum((k * chance for k, chance in wanted.items()), Fraction(0))
    assert mixed.square == sum((k * k * chance for k, chance in wanted.items()), Fraction(0))


def test_dice_without_end_give_dice_without_end() -> None:
    """One such die gives k dice with half the chance each; by hand, 1 − x/2 is (2 − x) / 2 and f(f) follows."""
    mixed, fewer = grown(HEADS, {(((HEADS, 1),), 1): 1})
    assert fewer == 0 and mixed.most is None
    far = 60
    wanted = sum(Fraction(1, 2 ** (k + 1)) * Fraction(1, 2 ** (k + 1)) for k in range(far))
    assert 0 <= chances_of(mixed, 0)[0] - wanted < Fraction(1, 4**far)
    assert mixed.mean == 2


@pytest.mark.parametrize("by", [0, 1, 3])
def test_what_is_added_to_all_but_none_leaves_the_chance_of_none(by: int) -> None:
    plain = Mixed.of(Series.of(HEADS, 2))
    raised = plain.raised(by)
    odds, before = raised.odds(9), plain.odds(9 - by)
    assert odds[0] == before[0]
    assert [odds[k + by] for k in range(1, 9 - by)] == [before[k] for k in range(1, 9 - by)]
    assert odds[Beyond(9)] == before[Beyond(9 - by)]
    assert raised.mean == plain.mean + by * (1 - before[0])


def test_so_many_counts_are_their_total() -> None:
    for die in (HEADS, COIN):
        assert Mixed.of(Series.of(die, 1)).repeated(4).odds(6) == Mixed.of(Series.of(die, 4)).odds(6)
    assert Mixed.of(Series.of(COIN, 1)).repeated(4).most == 4
    with pytest.raises(Malformed):
        Mixed.of(Series.of(COIN, 2)).raised(1).repeated(2)


def test_parts_that_are_joined_keep_their_chances() -> None:
    mixed = joined([listed({0: 1, 2: 1}, 3), listed({1: 1}, 3)])
    assert chances_of(mixed, 4) == {0: Fraction(1, 3), 1: Fraction(1, 3), 2: Fraction(1, 3)}
    assert mixed.whole == mixed.mean == 1 and mixed.most == 2


def mixtures() -> Iterator[Mixed]:
    """Counts with and without an end, and a part of one."""
    yield Mixed.of(Series.of(COIN, 3))
    yield listed({0: 1, 3: 2}, 4)
    yield Mixed.of(Series.of(HEADS, 2))
    yield grown(HEADS, {(((COIN, 2),), -1): 1, ((), 2): 2}, 3)[0]
    yield Mixed.of(Series.of(HEADS, 1)).raised(2)


@pytest.mark.parametrize(("ours", "theirs"), list(product(mixtures(), repeat=2)), ids=lambda mixed: "")
def test_which_is_greater_adds_up_term_by_term(ours: Mixed, theirs: Mixed) -> None:
    far = 80
    mine, other = chances_of(ours, far), chances_of(theirs, far)
    found = versus(ours, theirs)
    left = Fraction(1, 2**60)
    for name, holds in (("ours", 1), ("draw", 0), ("theirs", -1)):
        pairs = ((a, b) for a, b in product(mine, other) if (a > b) - (a < b) == holds)
        wanted = sum((mine[a] * other[b] for a, b in pairs), Fraction(0))
        assert abs(found[name] - wanted) < left
    assert sum(chance for _, chance in found.items()) == ours.whole * theirs.whole


@pytest.mark.parametrize("ahead", [-2, 0, 1])
@pytest.mark.parametrize(("ours", "theirs"), [pair for pair in product(mixtures(), repeat=2) if not pair[0].most])
def test_a_duel_above_some_count_adds_up_term_by_term(ours: Mixed, theirs: Mixed, ahead: int) -> None:
    last, enough, far = 5, 3, 80
    mine, other = chances_of(ours, far), chances_of(theirs, far)
    low, wins, draws, losses = Duel(ours, theirs, ahead).above(last, enough)
    assert low == [other.get(k, Fraction(0)) for k in range(enough)]
    found = {1: wins, 0: draws, -1: losses}
    wanted = dict.fromkeys(found, Fraction(0))
    for a, b in product(mine, other):
        if a > last and b >= enough:
            wanted[(a + ahead > b) - (a + ahead < b)] += mine[a] * other[b]
    assert all(abs(found[holds] - wanted[holds]) < Fraction(1, 2**60) for holds in found)
