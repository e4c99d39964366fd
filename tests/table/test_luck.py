"""Luck: an exact percentile, compared with plain enumeration of what the same throws could have given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from astragal.dice.dice import Dice, Faces, Pool, faces_below, faces_from
from astragal.dice.reading import Tally
from astragal.rule.tree.play import ThrowStep
from astragal.table import action as a
from astragal.table.log import luck
from astragal.table.log.luck import luck_of, throws_of
from astragal.table.log.percentile import Chances, Luck, LuckThrow, mean_and_percentile
from astragal.table.ruleset import ruleset_of
from tests.table.tables import Party


def plain_luck(party: Party, casts: list[LuckThrow]) -> tuple[Fraction, Fraction]:
    """Mean and percentile by listing every way in which all the throws together could have come up."""
    counts = ruleset_of(party.state.game).table_rules.luck
    every = [list(values_of(participants.thrown, participants.kind, counts)) for participants in casts]
    total = sum(participants.value for participants in casts)
    below = just = mean = Fraction(0)
    for ways in product(*every):
        chance, value = Fraction(1), 0
        for part, weight in ways:
            chance, value = chance * weight, value + part
        mean += chance * value
        below += chance if value < total else 0
        just += chance if value == total else 0
    return mean, below + just / 2


def values_of(thrown: ThrowStep, kind: str, luck: Any) -> Any:
    counted: Counter[int] = Counter()
    throws = list(every_throw(thrown.throw.pool))
    for faces in throws:
        counted[luck(kind, thrown.throw.reading.read(faces)) or 0] += 1
    return [(value, Fraction(n, len(throws))) for value, n in counted.items()]


def every_throw(pool: Pool) -> Iterator[Faces]:
    """Every way in which these dice can fall, one by one."""
    for groups in product(*(product(range(1, dice.sides + 1), repeat=dice.n) for dice in pool)):
        yield tuple((faces,) for faces in groups)


ROLLS: list[tuple[str, list[tuple[dict[str, Any], str]]]] = [
    ("narraject", [({"d6": 2}, "6 1 | 3"), ({"d6": 1}, "5 | 2")]),
    ("razorweave", [({"dc": 12}, "6 5 1 2")]),
    ("tgimh", [({"ours": 1, "theirs": 2}, "9 | 8 3")]),
]


@pytest.mark.parametrize(("game", "rolls"), ROLLS)
def test_luck_is_what_counting_every_throw_gives(game: str, rolls: list[tuple[dict[str, Any], str]]) -> None:
    party = Party(game)
    for inputs, faces in rolls:
        party.do("Jonas", a.RollAction(who="Wren", inputs=inputs, faces=faces))
    casts = [throw for throw in throws_of(party.entries, party.state, None) if throw]
    assert len(casts) == len(rolls)
    mean, share = plain_luck(party, casts)
    (wren, jonas) = luck_of(party.entries, party.state, None).luck
    assert (wren.who, jonas.who) == (party.holder("Wren").id, party.ids["Jonas"])
    assert (wren.throws, wren.mean, wren.percentile) == (len(rolls), mean, share)
    assert jonas[1:] == wren[1:]


def test_dice_without_end_are_exact_too() -> None:
    """One die with 10-again: 7 in 10 fail, and a ten rolls once more; the mean is (3/10) / (1 − 1/10)."""
    party = Party("chronicles")
    party.do("Jonas", a.RollAction(who="Wren", inputs={"pool": 1}, faces="8"))
    (wren, _) = luck_of(party.entries, party.state, None).luck
    # Less than one success: 7/10. Just one: 2/10, or a ten and then none: 7/100.
    assert wren.mean == Fraction(1, 3)
    assert wren.percentile == Fraction(7, 10) + (Fraction(2, 10) + Fraction(7, 100)) / 2


def test_luck_is_of_what_a_seat_may_see_and_of_what_stands() -> None:
    party = Party()
    roll = a.RollAction(who="Wren", inputs={"d6": 2}, faces="6 6 | 1")
    party.do("Jonas", roll)
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 3}, faces="1 1 1 | 1"))
    party.do("Mira", a.UndoAction())
    party.do("Mira", a.WithdrawAction())
    party.do("Mira", a.RollAction(who="Wren", inputs={"d6": 4}, seen="gm"))

    def throws(name: str) -> list[int]:
        return [luck.throws for luck in luck_of(party.entries, party.state, party.member(name)).luck]

    assert throws("Jonas") == throws("nobody") == [1, 1]
    assert throws("Mira") == [2, 2]


def test_each_side_has_its_own_luck() -> None:
    party = Party("chronicles")
    party.do("Jonas", a.OpenAction(kind="contested", who="Wren", against="Kit", inputs={"ours": 2}))
    party.do("Ada", a.BuildAction(inputs={"theirs": 2}))
    party.do("Ada", a.ReadyAction())
    party.do("Jonas", a.ThrowAction(faces="9 9"))
    party.do("Ada", a.ThrowAction(faces="1 2"))
    found: dict[str, Luck] = {luck.who: luck for luck in luck_of(party.entries, party.state, None).luck}
    assert found[party.holder("Wren").id].total == 2
    assert found[party.holder("Kit").id].total == 0
    assert found[party.holder("Wren").id].percentile > Fraction(1, 2) > found[party.holder("Kit").id].percentile


def test_a_percentile_of_many_throws_is_that_of_their_sum() -> None:
    """Coins: n of 2n heads is the middle, all heads nearly the top."""
    coin = Chances(0, (((1, 1), 1), ((2,), -1)))
    assert mean_and_percentile(Counter({coin: 10}), 5) == (Fraction(5), Fraction(1, 2))
    assert mean_and_percentile(Counter({coin: 10}), 10) == (Fraction(5), 1 - Fraction(1, 2**11))
    assert mean_and_percentile(Counter({coin: 10}), 0) == (Fraction(5), Fraction(1, 2**11))
    below_zero = Chances(-1, (((1, 0, 1), 1), ((2,), -1)))
    assert mean_and_percentile(Counter({below_zero: 2}), 0) == (Fraction(0), Fraction(1, 2))
    assert mean_and_percentile(Counter({below_zero: 2, coin: 1}), 1) == (Fraction(1, 2), Fraction(5, 8))


# Bounded work.

BOMB = {"pool": 1000, "again": "8", "rote": True}


def bombs(n: int) -> Party:
    party = Party("chronicles")
    for _ in range(n):
        party.do("Jonas", a.RollAction(who="Wren", inputs=BOMB))
    return party


def test_many_dice_are_exact() -> None:
    """A mean of 51/70 for each die: 3/7 for a chain of 8-again, and once more for the 7 in 10 that fail at first."""
    party = bombs(5)
    (wren, _), _, too_much = luck_of(party.entries, party.state, None)
    assert (wren.throws, too_much, wren.mean) == (5, 0, 5000 * Fraction(51, 70))
    die = Dice(10, 5000, again=faces_from(8, 10), retry=faces_below(8))
    odds = Tally(faces_from(8, 10)).odds((die,), wren.total)
    assert wren.percentile == odds.chance(lambda n: n < wren.total) + odds[wren.total] / 2


def test_what_is_too_large_is_left_out_and_counted() -> None:
    party = bombs(40)
    party.do("Jonas", a.RollAction(who="Wren", inputs={"pool": 1}, faces="8"))
    (wren, jonas), _, too_much = luck_of(party.entries, party.state, None)
    assert 1 < wren.throws < 41
    assert wren.throws + too_much == 41
    assert wren[1:] == jonas[1:]


def test_no_more_dice_are_played_back_than_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(luck, "MAX_DICE", 5)
    party = Party()
    for _ in range(4):
        party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 1}, answers=["settle"]))
    (wren, _), _, too_much = luck_of(party.entries, party.state, None)
    assert (wren.throws, too_much) == (2, 2)


def test_different_polynomials_are_multiplied_too() -> None:
    """Two coins and a die with 0 to 2: of 18 ways, 1 + 4 give less than 2 and 5 just 2."""
    coin, die = Chances(0, (((1, 1), 1), ((2,), -1))), Chances(0, (((1, 1, 1), 1), ((3,), -1)))
    mean, percentile = mean_and_percentile(Counter({coin: 2, die: 1}), 2)
    assert (mean, percentile) == (Fraction(2), Fraction(1, 2))


def test_a_roll_without_a_character_counts_once() -> None:
    party = Party()
    party.do("Jonas", a.RollAction(inputs={"d6": 2}, faces="5 1 | 3"))
    found = luck_of(party.entries, party.state, party.member("Jonas")).luck
    assert [(each.who, each.throws, each.total) for each in found] == [(party.ids["Jonas"], 1, 1)]


def test_typed_and_repeated_throws_are_counted_also_where_luck_does_not_count_them() -> None:
    """A Step Die that is rolled again is no matter of luck, and whoever typed it typed it."""
    party = Party()
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2}, faces="5 1 | 3"))
    party.do("Jonas", a.AnswerAction(answer="reroll", faces="6"))
    party.do("Mira", a.UndoAction())
    party.do("Jonas", a.AnswerAction(answer="reroll"))
    found = {each.who: each for each in luck_of(party.entries, party.state, party.member("Olaf")).luck}
    for who in (party.ids["Jonas"], party.holder("Wren").id):
        assert (found[who].throws, found[who].typed, found[who].again) == (1, 2, 1)
