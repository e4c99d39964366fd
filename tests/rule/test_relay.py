"""Throws whose counts are dice of a later throw: a small game of its own, against the referee."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from astragal.dice.dice import Dice, faces_from
from astragal.dice.reading import Face, Tally
from astragal.errors import Illegal
from astragal.rule.chances.fact import Fact, Policy, Wish
from astragal.rule.chances.odds import odds
from astragal.rule.chances.open_roll import OpenRoll
from astragal.rule.chances.solve import WORTH, Solver, count_law
from astragal.rule.tree.node import Choice, Lazy, Node, Option, Outcome, Throw
from astragal.rule.tree.note import Telling
from tests.referee import UNFINISHED, tally
from tests.share import share

UP_TO = 6
NONE_AT_ALL = "none at all"


class Result(NamedTuple):
    """What came of it; ``dice`` is a number that is only shown."""

    found: int | str
    dice: int
    pushed: int


class Game(NamedTuple):
    """Scouts throw coins, each head a die for the captain; a scout without one may push, which costs dice."""

    scouts: tuple[int, ...]
    again: bool = False
    costs: int = 2
    numbers: bool = False
    """Whether results are the captain's count alone."""

    def start(self, captain: int) -> Node[Any]:
        return turn(self, 0, captain, (0,)).node()

    def result(self, count: int | str, dice: int, marks: tuple[int, ...]) -> Node[Any]:
        return Outcome(count if isinstance(count, int) else 0) if self.numbers else Outcome(Result(count, dice, *marks))


def turn(game: Game, place: int, dice: int, marks: tuple[int, ...]) -> Lazy[Result]:
    return Lazy(throw, (game, place), dice, marks)


def throw(game: Game, place: int, marks: tuple[int, ...], dice: int) -> Node[Result]:
    """The next scout, or the captain; without dice the captain throws one of another kind."""
    faces = faces_from(4, 4) if game.again else frozenset()
    if place < len(game.scouts):
        pool = (Dice(4, game.scouts[place], "scout", faces),)
        gives = turn(game, place, dice, marks)
        return Throw(pool, COUNT, lambda count: scouted(game, place, dice, marks, count), silent, gives=gives)
    if dice < 1:
        return Throw((Dice(4),), Face(), lambda face: game.result(NONE_AT_ALL, dice, marks), silent)
    pool = (Dice(4, dice, "captain", faces),)
    return Throw(pool, COUNT, lambda count: game.result(count, dice, marks), silent, enough=2)


COUNT = Tally(faces_from(3, 4))


def silent(faces: object) -> Telling:
    return Telling((), ())


def scouted(game: Game, place: int, dice: int, marks: tuple[int, ...], count: int) -> Node[Result]:
    kept = turn(game, place + 1, dice + count, marks)
    if count:
        return kept
    pushed = turn(game, place + 1, dice - game.costs, (marks[0] + 1,))
    options = {"keep": Option("Keep", kept), "push": Option("Push", pushed)}
    return Choice("push", "scout", "Push?", options, None, "keep", passes=True)


COUNTED = Fact("Count", lambda result: "many" if result.found in range(2, 99) else result.found, marked=False)
PUSHED = Fact("Pushed", lambda result: result.pushed)
TALLIED = Fact("Number", lambda result: result.found, endless=True, tallies=True, marked=False)
SOME = Wish("some", "something counts", lambda result: int(result.found not in (0, NONE_AT_ALL)), marks=(0,))
NONE = Wish("none", "nothing counts", lambda result: int(result.found in (0, NONE_AT_ALL)), marks=(0,))
BOLD = Wish("bold", "pushed, but not in vain", lambda result: 2 * result.pushed - 5 * (result.found == 0), True)
EXACTLY = Wish("exactly", "one counts", lambda result: int(result.found == 1), marks=(0,))
GAMES = [Game((2,)), Game((1, 2)), Game((1, 1, 1), costs=1), Game((2, 1), costs=0), Game(())]


def solved(game: Game, captain: int, policy: Any, fact: Fact | None) -> Any:
    return Solver(policy, UP_TO, fact).solve(game.start(captain))


def of(fact: Fact, results: dict[Any, Fraction]) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for result, chance in results.items():
        value = result if result == UNFINISHED else fact.of(result)
        found[value] = found.get(value, Fraction(0)) + chance
    return found


def chances(results: Any) -> dict[Any, Fraction]:
    return {value: chance for value, chance in results.items() if chance}


@pytest.mark.parametrize("answer", ["keep", "push"])
@pytest.mark.parametrize("captain", [-1, 0, 1, 2])
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_facts_are_the_tally_of_every_throw(game: Game, captain: int, answer: str) -> None:
    played = tally(game.start(captain), answers={"push": answer})
    for fact in (COUNTED, PUSHED):
        found = solved(game, captain, lambda roll: answer, fact).results
        assert chances(found) == of(fact, played)


@pytest.mark.slow
@pytest.mark.parametrize("captain", [0, 2])
def test_dice_that_go_again_are_exact_within_what_the_referee_leaves_open(captain: int) -> None:
    game = Game((1,), again=True)
    played = of(COUNTED, tally(game.start(captain), share(4, 3)))
    left = played.pop(UNFINISHED)
    found = solved(game, captain, Policy(), COUNTED).results
    for value in (0, 1, "many", NONE_AT_ALL):
        assert 0 <= found.get(value) - played.get(value, 0) <= left
    assert sum(found.weights.values()) == found.total


@pytest.mark.parametrize("wish", [SOME, NONE, BOLD], ids=lambda wish: wish.name)
@pytest.mark.parametrize("captain", [-1, 1, 2])
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_what_is_best_for_every_number_of_dice_is_best_for_each(game: Game, captain: int, wish: Wish) -> None:
    """The plain solver looks at every number of dice by itself."""
    policy = Policy("best", wish)
    plain = solved(game, captain, policy, None)
    try:
        found = solved(game, captain, policy, COUNTED)
    except Illegal:
        assert wish is BOLD, "one more die is never worse for these wishes, or never better"
        return
    assert found.worth == plain.worth == solved(game, captain, policy, WORTH).worth
    assert found.results == plain.results.map(COUNTED.of)


def test_what_is_best_only_with_some_numbers_of_dice_is_refused() -> None:
    game, policy = Game((1,)), Policy("best", EXACTLY)
    with pytest.raises(Illegal, match="depends here on a number of dice"):
        solved(game, 2, policy, COUNTED)
    assert solved(game, 2, policy, None).worth


def test_marks_are_worth_what_the_wish_says() -> None:
    """With what each mark is worth, it need not be known how many there are."""
    game, each = Game((1, 2), costs=0), Wish("eager", "pushes", lambda result: result.pushed, counts=True)
    counted = each._replace(marks=(1,))
    for wish in (each, counted):
        assert solved(game, 2, Policy("best", wish), COUNTED).worth == Fraction(1, 2) + Fraction(1, 4)


def test_an_average_without_end_is_exact() -> None:
    """A scout's die counts 2/3 on average, the captain's too: half of all faces count, one in four goes again."""
    game = Game((1,), again=True)
    found = Solver(Policy(), UP_TO, TALLIED).solve(game.start(1))
    assert found.moments is not None
    mean, square = found.moments()
    assert mean == Fraction(2, 3) * (1 + Fraction(2, 3))
    assert Solver(Policy(), 30, TALLIED).solve(game.start(1)).moments() == (mean, square)  # type: ignore[misc]


def test_whole_results_of_dice_without_end_are_refused() -> None:
    with pytest.raises(Illegal, match="no end"):
        odds(Game((1,), again=True).start(1))


def test_a_policy_of_ones_own_answers_for_every_number_of_dice() -> None:
    seen: list[str] = []

    def own(roll: OpenRoll) -> str:
        seen.append(roll.choice.name)
        return "push"

    found = solved(Game((1,), again=True), 3, own, PUSHED).results
    assert found[1] == Fraction(1, 2)
    assert seen == ["push"]


@pytest.mark.parametrize("captain", [-1, 0, 2])
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_the_law_of_a_count_is_the_tally_of_every_throw(game: Game, captain: int) -> None:
    start = game._replace(numbers=True).start(captain)
    assert chances(count_law(start).odds(9)) == tally(start)
