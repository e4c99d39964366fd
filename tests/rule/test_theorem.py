"""The one theorem: odds(node) == tally(play(node, faces) for faces in every_throw(node)).

For every game and every ask, on all small pools and options: whole results, every
table's closed form, and the solved tree must be the same fractions as the referee's.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from astragal.dice.distribution import Beyond, Distribution
from astragal.errors import Illegal
from astragal.games import chronicles, narraject, razorweave, tgimh
from astragal.rule.chances.fact import Policy, facts_of, wish_of
from astragal.rule.chances.odds import odds
from astragal.rule.game import kind_of
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.total import total as named
from tests.referee import UNFINISHED, tally


def narraject_asks() -> Iterator[Ask]:
    for edition, step, n, difficulty in product(("marks", "hits"), (6, 8, 10, 12), (1, 2, 3), (0, 1, 2, 4)):
        yield narraject.Attempt(edition=edition, step=step, d6=n, difficulty=difficulty)
    for edition, step, difficulty in product(("marks", "hits"), (6, 12), (0, 1, 2)):
        yield narraject.Attempt(edition=edition, step=step, d6=0, difficulty=difficulty)
        yield narraject.Attempt(edition=edition, step=step, d6=2, difficulty=difficulty, side="gm")
    yield narraject.Attempt(d6=1, help_dice=2, step=8, difficulty=3, ip=3)
    yield narraject.Attempt(help_dice=2, step=8, difficulty=1)


def tgimh_asks() -> Iterator[Ask]:
    for ours, theirs, die in product(range(4), range(4), (2, 3, 4)):
        yield tgimh.Contest(ours=ours, theirs=theirs, die=die)
    for ours, theirs in product(range(3), range(3)):
        yield tgimh.Contest(ours=ours, theirs=theirs, die=10, crossed=(1,), will=3)
    for ours, dice in product((-1, 1, 2, 3), (1, 2, 3)):
        yield tgimh.Recovery(ours=ours, dice=dice, die=4)


def chronicles_asks() -> Iterator[Ask]:
    """All that end: pools without again, chance dice, helpers, long tasks, contests."""
    for pool, rote, extra in product((-2, 0, 1, 2, 3), (False, True), (0, 2)):
        yield chronicles.Attempt(pool=pool, again="none", rote=rote and pool < 3, extra=extra)
    for pool, helper_pool in product((-1, 1, 2), (-1, 0, 1)):
        yield chronicles.Attempt(pool=pool, again="none", helpers=1, helper_pool=helper_pool)
    yield chronicles.Attempt(pool=1, again="none", helpers=2, helper_pool=0)
    yield chronicles.Attempt(pool=0, again="none", helpers=1, helper_pool=0, rote=True)
    yield chronicles.Attempt(pool=-2, again="none", helpers=1, helper_pool=2)
    for pool, target, extra in product((0, 1, 2), (1, 2, 3), (0, 1)):
        yield chronicles.Extended(pool=pool, rolls=2, target=target, again="none", extra=extra)
    for ours, theirs, rote in product((0, 1, 2), (0, 1, 2), (False, True)):
        yield chronicles.Contested(ours=ours, theirs=theirs, again="none", their_again="none", rote=rote and ours < 2)


def razorweave_asks() -> Iterator[Ask]:
    for edge, strike in product((-1, 0, 1), (False, True)):
        yield razorweave.Check(dc=16, attribute=2, skill=True, edge=edge, strike=strike)
    yield razorweave.Check(dc=16, edge=2)
    yield razorweave.Check(dc=16, edge=-2)
    yield razorweave.Check(dc=3, bonus=4)
    yield razorweave.Check(dc=30)
    yield razorweave.Check(dc=14, agency="no")
    yield razorweave.Oracle()
    yield razorweave.Oracle(question=(("Old?", "helps"), ("Near?", "hinders")), counted=(2,))
    for words in product(("helps", "hinders"), repeat=4):
        yield razorweave.Oracle(question=tuple((f"{place}?", word) for place, word in enumerate(words)))
    yield razorweave.Check(dc=16, edge=named({"a great setup": 2, "tools": 1}), burden=1)
    yield razorweave.Check(dc=14, assist=named({"Dex": 1, "Mira": 1}), assist_as=(("Dex", "bonus"),))


ASKS = [*narraject_asks(), *tgimh_asks(), *chronicles_asks(), *razorweave_asks()]


def chances(distribution: Distribution[Any]) -> dict[Any, Fraction]:
    return {value: chance for value, chance in distribution.items() if chance}


@pytest.mark.parametrize("ask", ASKS, ids=repr)
def test_odds_are_the_tally_of_every_throw(ask: Ask) -> None:
    kind = kind_of(ask)
    wanted = tally(kind.rule(ask))
    assert chances(odds(ask, up_to=40)) == wanted
    assert chances(odds(kind.rule(ask), up_to=40)) == wanted
    for name, table in facts_of(kind).items():
        asked: dict[Any, Fraction] = {}
        for result, chance in wanted.items():
            value = table.of(result)
            asked[value] = asked.get(value, Fraction(0)) + chance
        assert chances(odds(ask, name, up_to=40)) == asked, name
        if table.domain:
            assert set(asked) <= set(table.domain(ask))


def endless_asks() -> Iterator[tuple[chronicles.Attempt, int]]:
    for again, rote in product(("10", "9", "8"), (False, True)):
        yield chronicles.Attempt(pool=1, again=again, rote=rote), 4
    for again in ("10", "9", "8"):
        yield chronicles.Attempt(pool=2, again=again), 3


@pytest.mark.parametrize(("ask", "deepest"), list(endless_asks()), ids=repr)
def test_cd15_rerolls_without_end_are_exact_for_every_number_of_successes(
    ask: chronicles.Attempt, deepest: int
) -> None:
    """Every die that goes again is a success, so k successes are at rest after k + 1 waves, one more if rote."""
    known = deepest - 1 - ask.rote
    found = tally(chronicles.attempt(ask), deepest)
    wanted = [
        sum((chance for result, chance in found.items() if result != UNFINISHED and result.rolled == k), Fraction(0))
        for k in range(known + 1)
    ]
    distribution = odds(ask, "successes", up_to=known)
    assert [distribution[k] for k in range(known + 1)] == wanted
    assert distribution[Beyond(known)] == 1 - sum(wanted)


@pytest.mark.parametrize(("goal", "threat"), [(1, 1), (2, 1), (3, 2)])
def test_rw11_a_race_is_the_tally_of_all_its_rounds(goal: int, threat: int) -> None:
    """With the tiers as the dice: a race played out on paper, round by round."""
    ask = razorweave.Race(dc=16, modifier=2, goal=goal, threat=threat)
    tiers = odds(razorweave.Check(dc=16, bonus=2), "tier")
    for name in ("first", "rounds"):
        wanted: dict[Any, Fraction] = {}
        for (first, rounds), chance in race_on_paper(ask, tiers, 0, 0, 0):
            value = first if name == "first" else rounds
            wanted[value] = wanted.get(value, Fraction(0)) + chance
        assert chances(odds(ask, name)) == wanted


def splits() -> Iterator[tuple[razorweave.Split, list[tuple[int, int]]]]:
    """Those who split a risk, and the bonus and net Edge that each has."""
    yield razorweave.Split(dc=14, members=named({"Kira": 3, "Dex": 1}), edge=1), [(3, 1), (1, 1)]
    own = named({"Kira: Roofs": 1, "Dex": -2})
    yield razorweave.Split(dc=14, members=named({"Kira": 3, "Dex": 1}), edge=1, edges=own), [(3, 2), (1, -1)]
    great = named({"Kira": 2, "Kira: rope": 2})
    yield razorweave.Split(dc=12, scene=1, members=named({"Kira": 4, "Dex": 0}), edges=great), [(4, 2), (0, 0)]
    yield razorweave.Split(dc=14, members=named({"Kira": 2, "Dex": 2}), edge=1), [(2, 1), (2, 1)]


@pytest.mark.parametrize(("ask", "each"), list(splits()), ids=repr)
def test_rw12_members_who_split_the_risk_throw_independently(
    ask: razorweave.Split, each: list[tuple[int, int]]
) -> None:
    kira, dex = (odds(razorweave.Check(dc=14, bonus=bonus, edge=edge), "tier") for bonus, edge in each)
    tiers = list(kira)
    order = ["critical_success", "full_success", "partial_success", "failure", "critical_failure"]
    for name, judge in (("best", min), ("worst", max)):
        wanted: dict[str, Fraction] = {}
        for one, other in product(tiers, tiers):
            value = judge(one, other, key=order.index)
            wanted[value] = wanted.get(value, Fraction(0)) + kira[one] * dex[other]
        assert chances(odds(ask, name)) == {value: chance for value, chance in wanted.items() if chance}


def race_on_paper(
    ask: razorweave.Race, tiers: Distribution[Any], goal: int, threat: int, rounds: int
) -> Iterator[tuple[tuple[str, int], Fraction]]:
    if goal >= ask.goal or threat >= ask.threat:
        first = "both" if goal >= ask.goal and threat >= ask.threat else "goal" if goal >= ask.goal else "threat"
        yield (first, rounds), Fraction(1)
        return
    names = ["critical_success", "full_success", "partial_success", "failure", "critical_failure"]
    for name, more, worse in zip(names, ask.goal_ticks, ask.threat_ticks, strict=True):
        for end, chance in race_on_paper(ask, tiers, goal + more, threat + worse, rounds + 1):
            yield end, chance * tiers[name]


def test_what_has_no_end_and_always_matters_is_refused_as_a_whole_and_answered_by_fact() -> None:
    ask = chronicles.Attempt(pool=2, helpers=1)
    with pytest.raises(Illegal, match="Ask for a fact by name"):
        odds(ask)
    assert odds(ask, "outcome").total


@pytest.mark.parametrize(("n", "step", "difficulty", "ip"), list(product((0, 1), (6, 8), (1, 2, 3), (0, 1, 2, 3))))
def test_nj9_offers_by_policy_are_the_tally_of_every_throw(n: int, step: int, difficulty: int, ip: int) -> None:
    """Whoever wants at least a partial success, with and without a GM who offers one on every near miss."""
    ask = narraject.Attempt(d6=n, step=step, difficulty=difficulty, ip=ip)
    wish = wish_of(kind_of(ask), "partial")
    for offers in (False, True):
        wanted = sum(
            (on_paper(ask, d6s, face, ip, offers) for d6s in product(range(1, 7), repeat=n)
             for face in range(1, step + 1)), Fraction(0)
        ) / (6**n * step)  # fmt: skip
        degrees = odds(ask, "degree", policy=Policy("best", wish, offers))
        found = sum((degrees[degree] for degree in GOOD), Fraction(0))
        assert found == wanted, offers


GOOD = ("partial_success", "success", "solid", "strong", "triumph")


def on_paper(ask: narraject.Attempt, d6s: tuple[int, ...], face: int, ip: int, offers: bool) -> Fraction:
    """The best chance of a success or a partial one from these dice on, NJ-7 to NJ-13 written out once more."""
    marks = sum(die >= 5 for die in (*d6s, face))
    short, step = ask.difficulty - marks, ask.step_die
    if short <= 0 or ip >= 3 or (offers and marks and short <= 2):
        return Fraction(1)
    best = Fraction(0)
    if ip >= 1:
        again = [on_paper(ask, d6s, other, ip - 1, offers) for other in range(1, step + 1)]
        best = max(best, sum(again, Fraction(0)) / step)
    if ip >= 2:
        added = [on_paper(ask, (*d6s, die), face, ip - 2, offers) for die in range(1, 7)]
        best = max(best, sum(added, Fraction(0)) / 6)
    return best
