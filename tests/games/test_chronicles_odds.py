"""The odds of Chronicles teams against the referee: unequal helpers, Beats by policy, contests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from astragal.dice.distribution import Beyond
from astragal.games.chronicles import Attempt, Contested, Extended
from astragal.rule.chances.fact import NEVER, Policy, facts_of, wish_of
from astragal.rule.chances.odds import odds
from astragal.rule.game import kind_of
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.total import total as named
from astragal.rule.tree.node import Choice, Lazy, Node, Outcome
from tests.referee import UNFINISHED, every_throw, tally

KEPT: dict[str, str] = {}
TAKEN = {"helper-beat": "take", "beat": "take"}


def teams() -> Iterator[Ask]:
    """Every small team: leaders and helpers of all sizes, chance dice among them."""
    for pool, ben, cat in product((-1, 0, 1), (-1, 1), (0, 1)):
        yield Attempt(pool=pool, again="none", helper_pool=named({"Ben": ben, "Cat": cat}))
    yield Attempt(pool=-2, again="none", helper_pool=named({"Ben": 2, "Cat": 0}), extra=2)
    yield Attempt(pool=0, again="none", helper_pool=named({"Cat": 0}), rote=True)
    yield Attempt(pool=0, again="none", helpers=2, helper_pool=0)
    for target, extra in product((1, 2, 3), (0, 2)):
        yield Extended(pool=1, rolls=2, again="none", target=target, extra=extra, helper_pool=named({"Ben": 0}))
        yield Extended(pool=1, rolls=1, again="none", target=target, extra=extra, helper_pool=named({"Ben": 1}))
    for ours, theirs, helper in product((0, 1), (0, 1), (-1, 1)):
        yield contest(ours, theirs, {"helper_pool": named({"Ben": helper})})
        yield contest(theirs, ours, {"their_helper_pool": named({"Ben": helper}), "extra": 1})
    yield contest(1, 1, {"helper_pool": named({"Ben": 0}), "their_helper_pool": named({"Cat": 0}), "their_extra": 1})


def contest(ours: int, theirs: int, more: Mapping[str, Any]) -> Contested:
    return Contested(ours=ours, theirs=theirs, again="none", their_again="none", **more)


@pytest.mark.parametrize("ask", list(teams()), ids=repr)
def test_cd12_odds_are_the_tally_of_every_throw_with_beats_and_without(ask: Ask) -> None:
    for answers, policy in ((KEPT, NEVER), (TAKEN, Policy("best", wish_of(kind_of(ask), "beat")))):
        played = tally(kind_of(ask).rule(ask), answers=answers)
        for name, fact in facts_of(kind_of(ask)).items():
            wanted: dict[Any, Fraction] = {}
            for result, chance in played.items():
                wanted[fact.of(result)] = wanted.get(fact.of(result), Fraction(0)) + chance
            found = odds(ask, name, policy=policy, up_to=40)
            assert {value: chance for value, chance in found.items() if chance} == wanted, name


@pytest.mark.parametrize("wish", ["succeed", "exceptional", "calm", "beat", "weighed"])
@pytest.mark.parametrize("name", ["best", "cheapest"])
def test_cd12_a_wish_that_always_answers_alike_is_what_the_tree_says(wish: str, name: Any) -> None:
    """The closed forms of the policies are the solved tree's, in which every choice is weighed for itself."""
    for pool, ben, cat in ((3, 1, 2), (-1, 2, 0), (5, 0, 1)):
        ask = Attempt(pool=pool, again="none", helper_pool=named({"Ben": ben, "Cat": cat}))
        policy = Policy(name, wish_of(kind_of(ask), wish))
        results = odds(ask, policy=policy, up_to=40)
        for asked, fact in facts_of(kind_of(ask)).items():
            assert odds(ask, asked, policy=policy, up_to=40) == fact.of_results(results, 40)


def best_of(node: Node[Any], worth: Callable[[Any], int]) -> dict[Any, Fraction]:
    """Every result with its chance if our side answers as is best for it and the other keeps what falls."""
    if isinstance(node, Lazy):
        return best_of(node.node(), worth)
    if isinstance(node, Outcome):
        return {node.result: Fraction(1)}
    if isinstance(node, Choice):
        kept = best_of(node.options[node.rest].then, worth)
        if node.name.startswith("their-"):
            return kept
        return max([kept, *(best_of(option.then, worth) for option in node.options.values())], key=mean_of(worth))
    found: dict[Any, Fraction] = {}
    for faces, chance in every_throw(node.pool, 1):
        for result, inner in best_of(node.then(node.reading.read(faces or ())), worth).items():
            found[result] = found.get(result, Fraction(0)) + chance * inner
    return found


def mean_of(worth: Callable[[Any], int]) -> Callable[[dict[Any, Fraction]], Fraction]:
    return lambda found: sum((chance * worth(result) for result, chance in found.items()), Fraction(0))


def weighed_contests() -> Iterator[Contested]:
    for ours, theirs in product((0, 1, 2), (0, 1)):
        yield contest(ours, theirs, {"their_helper_pool": named({"Cat": 0})} if ours == 1 else {"extra": ours})
    for ours, helper in product((-3, 0, 1), (0, 1)):
        yield contest(ours, 1, {"helper_pool": named({"Ben": helper})})


@pytest.mark.parametrize("ask", list(weighed_contests()), ids=repr)
def test_cd13_a_weighed_contest_is_what_the_best_answers_to_every_throw_make_it(ask: Contested) -> None:
    """Its closed form takes no Beat: a win counts 2, our Beat 1, our dramatic failure -2 (CD-10)."""
    wish = wish_of(kind_of(ask), "weighed")
    wanted: dict[str, Fraction] = {}
    for result, chance in best_of(kind_of(ask).rule(ask), wish.worth).items():
        wanted[result.winner] = wanted.get(result.winner, Fraction(0)) + chance
    found = odds(ask, "winner", policy=Policy("best", wish))
    assert {winner: chance for winner, chance in found.items() if chance} == wanted


def endless() -> Iterator[tuple[Attempt, int]]:
    for again in ("10", "9"):
        yield Attempt(pool=1, again=again, helper_pool=named({"Ben": 1})), 2
        yield Attempt(pool=1, again=again, helper_pool=named({"Cat": 0})), 3


@pytest.mark.parametrize("beats", [False, True])
@pytest.mark.parametrize(("ask", "waves"), list(endless()), ids=repr)
def test_cd15_helpers_that_go_again_are_exact_within_what_the_referee_leaves_open(
    ask: Attempt, waves: int, beats: bool
) -> None:
    """The referee stops after a few waves: what it has found is a floor, and what it left open the room above it."""
    found = tally(kind_of(ask).rule(ask), waves, TAKEN if beats else KEPT)
    left = found.pop(UNFINISHED)
    policy = Policy("best", wish_of(kind_of(ask), "beat")) if beats else NEVER
    outcomes = odds(ask, "outcome", policy=policy)
    for name in outcomes:
        floor = sum((chance for result, chance in found.items() if result.outcome == name), Fraction(0))
        assert floor <= outcomes[name] <= floor + left
    assert sum(outcomes.weights.values()) == outcomes.total


def test_cd12_equal_helpers_by_number_and_by_name_are_the_same() -> None:
    by_number = Attempt(pool=4, helpers=3, helper_pool=2)
    by_name = Attempt(pool=4, helper_pool=named({"Ben": 2, "Cat": 2, "Dan": 2}))
    for fact in ("outcome", "successes", "beats"):
        assert odds(by_number, fact) == odds(by_name, fact)


@pytest.mark.parametrize(("ours", "theirs"), [(2, 1), (1, 3), (-1, 1)])
def test_cd13_a_contest_with_helpers_and_no_end_adds_up_term_by_term(ours: int, theirs: int) -> None:
    """Both sides' successes are listed far out; what is left beyond bounds the error of each chance."""
    far = 60
    helped = Attempt(pool=ours, helper_pool=named({"Ben": 2}), extra=1)
    alone = Attempt(pool=theirs, again="9", helper_pool=named({"Cat": 0}))
    mine, other = odds(helped, "successes", up_to=far), odds(alone, "successes", up_to=far)
    pools: dict[str, Any] = {"helper_pool": named({"Ben": 2}), "their_helper_pool": named({"Cat": 0})}
    found = odds(Contested(ours=ours, theirs=theirs, their_again="9", extra=1, **pools), "winner")
    wins = sum(mine[a] * other[b] for a in range(far + 1) for b in range(a))
    draws = sum(mine[a] * other[a] for a in range(far + 1))
    left = mine[Beyond(far)] + other[Beyond(far)]
    assert 0 <= found["ours"] - wins <= left
    assert 0 <= found["draw"] - draws <= left
    assert left < Fraction(1, 10**9)
