"""What comes of helpers whose dice go again, by a wish: against the tree where it ends, and term by term where not."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from astragal import Typed, play
from astragal.games.chronicles import Attempt, Contested, Extended
from astragal.games.chronicles.contested import SideResult, their_roll
from astragal.questions.advice import advice_for
from astragal.rule.chances.advise import advise
from astragal.rule.chances.fact import Policy, facts_of, wish_of, wishes_for, wishes_of
from astragal.rule.chances.odds import odds
from astragal.rule.chances.solve import WORTH, Solver
from astragal.rule.game import kind_of
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.total import total as named
from astragal.rule.tree.node import Choice, Node
from astragal.rule.typed import Given

UP_TO = 12


def attempts() -> Iterator[Attempt]:
    """Teams whose dice end, so that the tree can be gone through; rote ones keep some failures."""
    for (pool, ben, cat), rote in product(((3, 1, 2), (-1, 2, 0), (5, 0, 1), (4, 3, 2), (1, 1, 1)), (False, True)):
        yield Attempt(pool=pool, again="none", rote=rote, helper_pool=named({"Ben": ben, "Cat": cat}))
    yield Attempt(pool=4, again="none", rote=True, extra=2, helper_pool=named({"Ben": 1, "Cat": 0, "Dan": 1}))


def tasks() -> Iterator[Extended]:
    """Small extended actions with helpers, some of which are better given up."""
    for pool, rolls, target, rote in ((1, 2, 2, False), (3, 2, 3, True), (0, 2, 2, False), (4, 3, 2, True)):
        yield Extended(pool=pool, rolls=rolls, target=target, rote=rote, again="none", helper_pool=named({"Ben": 1}))
    yield Extended(pool=2, rolls=2, target=4, extra=1, again="none", helper_pool=named({"Ben": 2, "Cat": 0}))
    yield Extended(pool=-6, rolls=3, target=9, again="none", helper_pool=named({"Ben": 3}))


def assert_as_the_tree_says(ask: Ask, wish: str, node: Node[Any] | None = None) -> None:
    """What is found for every number of dice at once is what comes of looking at each throw's every value."""
    kind, node = kind_of(ask), node or kind_of(ask).rule(ask)
    for name in ("best", "cheapest"):
        policy = Policy(name, wish_of(kind, wish))
        solved = Solver(policy, UP_TO).solve(node)
        assert Solver(policy, 0, WORTH).solve(node).worth == solved.worth
        for fact in facts_of(kind).values():
            found = Solver(policy, UP_TO, fact).solve(node)
            assert found.worth == solved.worth
            assert fact.cut(found.results, UP_TO) == fact.of_results(solved.results, UP_TO), fact.title


@pytest.mark.parametrize("wish", ["succeed", "exceptional", "calm", "beat", "weighed"])
@pytest.mark.parametrize("ask", list(attempts()), ids=repr)
def test_cd12_an_attempt_is_foreseen_as_the_tree_says(ask: Attempt, wish: str) -> None:
    assert_as_the_tree_says(ask, wish)


@pytest.mark.parametrize("wish", ["done", "beat", "weighed"])
@pytest.mark.parametrize("ask", list(tasks()), ids=repr)
def test_cd13_an_extended_action_is_foreseen_as_the_tree_says(ask: Extended, wish: str) -> None:
    assert_as_the_tree_says(ask, wish)


IN_CONTESTS = ["succeed", "weighed", "beat", "resist", "their-weighed", "their-beat"]
every_contest = pytest.mark.parametrize("dice", [(2, 1, 1, 1), (0, 1, 2, 0), (4, 2, 0, 2), (2, 3, 1, 1)])


def contest(dice: tuple[int, ...]) -> Contested:
    """Two leaders and a helper of each."""
    ours, theirs, ben, bo = dice
    helpers: dict[str, Any] = {"helper_pool": named({"Ben": ben}), "their_helper_pool": named({"Bo": bo})}
    return Contested(ours=ours, theirs=theirs, again="none", their_again="none", **helpers)


@pytest.mark.parametrize("wish", IN_CONTESTS)
@every_contest
def test_cd13_a_contest_is_foreseen_as_the_tree_says(dice: tuple[int, ...], wish: str) -> None:
    assert_as_the_tree_says(contest(dice), wish)


@pytest.mark.parametrize("wish", IN_CONTESTS)
@pytest.mark.parametrize(("rolled", "outcome"), [(0, "failure"), (0, "dramatic_failure"), (1, "success")])
@every_contest
def test_cd12_their_part_of_a_contest_is_foreseen_as_the_tree_says(
    dice: tuple[int, ...], rolled: int, outcome: str, wish: str
) -> None:
    ask = contest(dice)
    assert_as_the_tree_says(ask, wish, their_roll(ask, SideResult("Our side", rolled, outcome)))


@pytest.mark.parametrize("wish", IN_CONTESTS)
@pytest.mark.parametrize(
    "more",
    [
        {"ours": 2, "theirs": 1},
        {"ours": 2, "theirs": 1, "extra": 3},
        {"ours": 1, "theirs": 3, "their_extra": 7, "their_again": "8", "their_rote": True},
        {"ours": 3, "theirs": -1, "extra": 1},
        {"ours": 2, "theirs": 2, "helper_pool": named({"Ben": 1, "Cat": 0}), "their_helper_pool": named({"Bo": 2})},
        {"ours": 0, "theirs": 2, "again": "9", "helper_pool": named({"Ben": 2}), "their_extra": 2},
    ],
    ids=repr,
)
def test_cd13_a_contest_without_end_is_what_both_sides_successes_come_to(more: dict[str, Any], wish: str) -> None:
    """The solved tree, against the successes of both sides as they are compared by themselves."""
    ask = Contested(**more)
    fact, policy = facts_of(kind_of(ask))["winner"], Policy("best", wish_of(kind_of(ask), wish))
    solved = Solver(policy, UP_TO, fact).solve(kind_of(ask).rule(ask))
    assert solved.results == odds(ask, "winner", policy=policy)
    if wish in ("succeed", "resist"):
        assert solved.worth == solved.results.get("ours" if wish == "succeed" else "theirs")


def test_cd12_their_helper_is_advised_for_their_own_side_though_dice_go_on_without_end() -> None:
    ask = Contested(ours=4, theirs=3, their_helper_pool=named({"Bo": 2, "Cy": 3}))
    choice = play(kind_of(ask).rule(ask), Given(Typed("8 1 2 3 | 1 2"), {})).node
    assert isinstance(choice, Choice)
    assert [wish.name for wish in wishes_for(kind_of(ask), choice)] == ["resist", "their-weighed"]
    advice = advice_for(kind_of(ask), choice, None)
    assert (advice.wish.name, advice.best) == ("resist", "keep")
    kept, taken = (1 - winner_after(dice)[0] - winner_after(dice)[1] for dice in (3, -1))
    assert [option.worth for option in advice.options] == [kept, taken]


def winner_after(dice: int) -> tuple[Fraction, Fraction]:
    """The chances of no and of one success on their side, which Cy's three dice help."""
    found = odds(Attempt(pool=dice, helper_pool=named({"Cy": 3})), "successes")
    return found[0], found[1]


@pytest.mark.parametrize("again", ["10", "8", "none"])
@pytest.mark.parametrize("leader", [-2, 0, 1, 3, 5, 9, 20])
def test_cd12_a_helpers_own_dramatic_failure_counts_so_that_weighed_keeps_it(leader: int, again: str) -> None:
    """R-30: a Beat counts 1 and its dramatic failure -2, also a helper's, who costs the leader 4 dice besides."""
    ask = Attempt(pool=leader, again=again, helper_pool=named({"Ben": 3, "Cat": 2}))
    choice = play(kind_of(ask).rule(ask), Asked("1 2 3")).node
    assert isinstance(choice, Choice)
    weighed, succeeds, beats = (advise(choice, wish_of(kind_of(ask), wish)) for wish in ("weighed", "succeed", "beat"))
    assert (weighed.best, succeeds.best, beats.best) == ("keep", "keep", "take")
    keep, take = weighed.options
    assert keep.worth >= take.worth + 1
    assert choice.assumes == "Cat is still to roll, and is taken to keep a failure unless the wish is for Beats."
    kept = succeeds.options[0].worth
    cat = odds(Attempt(pool=leader, again=again, helper_pool=named({"Cat": 2})), "successes")
    assert kept == 1 - cat[0], "Cat keeps hers"


def test_cd12_who_rolls_last_of_all_helpers_is_advised_without_an_assumption() -> None:
    ask = Attempt(pool=5, helper_pool=named({"Ben": 3}))
    choice = play(kind_of(ask).rule(ask), Asked("1 2 3")).node
    assert isinstance(choice, Choice) and not choice.assumes


@pytest.mark.parametrize("wish", ["done", "beat", "weighed"])
@pytest.mark.parametrize("made", [0, 1, 2])
def test_cd13_one_roll_of_a_task_is_foreseen_as_the_tree_says(made: int, wish: str) -> None:
    helpers: Any = named({"Ben": 1, "Cat": 0})
    given: Any = {"made": made, "gathered": made, "one_roll": True, "helper_pool": helpers}
    ask = Extended(pool=3, rolls=3, target=4, again="none", **given)
    assert_as_the_tree_says(ask, wish)


@pytest.mark.parametrize(
    ("ask", "faces"),
    [
        (Attempt(pool=5, helper_pool=named({"Ben": 3, "Cat": 2})), "1 2 3"),
        (Attempt(pool=5, again="8", helper_pool=named({"Ben": 0, "Cat": 2, "Dan": 4})), "2"),
        (Extended(pool=5, rolls=3, target=5, helper_pool=named({"Ben": 3})), "1 2 3"),
        (Contested(ours=4, theirs=3, helper_pool=named({"Ben": 2, "Cat": 1})), "1 2"),
    ],
    ids=repr,
)
def test_advice_on_a_helpers_failure_is_given_though_others_are_still_to_roll(ask: Ask, faces: str) -> None:
    """The worth of each answer is what the wish makes of it, and the facts after each are chances."""
    kind = kind_of(ask)
    choice = play(kind.rule(ask), Asked(faces)).node
    assert isinstance(choice, Choice) and choice.name == "helper-beat"
    for wish in wishes_of(kind).values():
        found = advise(choice, wish)
        assert [option.name for option in found.options] == ["keep", "take"]
        for option in found.options:
            for fact in facts_of(kind).values():
                assert sum(chance for _, chance in fact.of_results(option.results, 20).items()) == 1
    succeeds = advise(choice, next(iter(wishes_of(kind).values())))
    assert succeeds.best == "keep"


class Asked(Typed):
    """Typed dice, with every choice left open."""

    def choose(self, choice: Choice[Any]) -> None:
        return None
