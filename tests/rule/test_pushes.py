"""A push: its odds are those of its tree, and of every throw, also where a push may do harm."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from astragal.author import Choice, Dice, Faces, Fields, Option, Outcome, Push, Throw, Wish, field, lazy
from astragal.dice.dice import every_face
from astragal.rule.chances.fact import NEVER, Fact, Policy
from astragal.rule.chances.pushes import Pushed
from astragal.rule.chances.solve import Solver
from astragal.rule.tree.node import Node
from tests.referee import tally

COUNTS: dict[str, tuple[tuple[int, ...], ...]] = {
    "sixes": ((0, 0, 0, 1), (0, 0, 1)),
    "ones": ((1, 0, 0, 0), (0, 0, 0)),
    "total": ((1, 2, 3, 4), (-1, 0, 2)),
}
STAYS = {
    "the best": (frozenset({4}), frozenset({3})),
    "also the worst": (frozenset({1, 4}), frozenset({1, 3})),
    "some that count": (frozenset({2}), frozenset({2})),
    "all of one kind": (frozenset({4}), frozenset({1, 2, 3})),
}


class Result(Fields):
    """What the dice show, and whether they were pushed."""

    def __init__(self, counts: Any, pushed: bool = False) -> None:
        self._counts, self.pushed = counts, pushed

    @field
    def sixes(self) -> int:
        return int(self._counts.sixes)

    @field
    def harm(self) -> int:
        return self._counts.ones if self.pushed else 0

    @field
    def total(self) -> int:
        return int(self._counts.total)

    pushed: bool = False


class Shown:
    """Counts of faces that lie there."""

    def __init__(self, faces: tuple[tuple[int, ...], ...]) -> None:
        for name, dice in COUNTS.items():
            setattr(self, name, sum(adds[face - 1] for adds, own in zip(dice, faces, strict=True) for face in own))


class Lie:
    """Reads the faces themselves."""

    def read(self, faces: Faces) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(sorted(every_face(waves))) for waves in faces)


def roll(n: int, m: int, stays: tuple[frozenset[int], ...], may: Callable[[Any], bool]) -> Throw[Any, Any]:
    """n dice with four sides and m with three."""
    pool = Dice(4, n, "four"), Dice(3, m, "three")

    def judge(shown: Any) -> Node[Any]:
        kept = tuple(tuple(f for f in own if f in stay) for own, stay in zip(shown, stays, strict=True))
        result = Result(Shown(shown))
        if kept == shown or not may(Shown(shown)):
            return Outcome(result)
        options: Any = {"keep": Option("Keep", lazy(Outcome, result)), "push": Option("Push", lazy(again, shown, kept))}
        return Choice("push", "player", "Push?", options, result, "keep")

    def again(shown: Any, kept: Any) -> Node[Any]:
        dice = tuple(each._replace(n=len(own) - len(stay)) for each, own, stay in zip(pool, shown, kept, strict=True))
        return Throw(dice, Lie(), lambda new: Outcome(Result(Shown(tuple(map(tuple.__add__, kept, new))), True)))

    return Throw(pool, Lie(), judge, push=Push(stays, COUNTS.__getitem__, Result, partial(Result, pushed=True), may))


WISHES = (
    Wish("two", "", lambda r: int(r.sixes >= 2)),
    Wish("unharmed", "", lambda r: int(r.sixes >= 1 and not r.harm)),
    Wish("total", "", lambda r: r.total - 2 * r.harm, counts=True),
)
MAY: dict[str, Callable[[Any], bool]] = {
    "always": lambda shown: True,
    "if it is not enough": lambda shown: shown.sixes < 2,
    "never with a 1": lambda shown: not shown.ones,
}


@pytest.mark.parametrize("may", MAY)
@pytest.mark.parametrize("stays", STAYS)
@pytest.mark.parametrize(("n", "m"), [(2, 1), (0, 2)])
def test_its_odds_are_those_of_its_tree(n: int, m: int, stays: str, may: str) -> None:
    node = roll(n, m, STAYS[stays], MAY[may])
    left = tally(node)
    for wish in WISHES:
        policy = Policy("best", wish)
        tree = Solver(policy, 20).solve(node._replace(push=None)).results
        for name in ("sixes", "harm", "total", "pushed"):
            of = Fact(name, lambda result, name=name: getattr(result, name)).of  # type: ignore[misc]
            found = Solver(policy, 20, of).solve(node).results
            assert dict(found.items()) == dict(tree.map(of).items()), (wish.name, name)
            assert Solver(NEVER, 20, of).solve(node).results.to_dict() == {
                value: chance for value, chance in _by(left, of).items() if chance
            }


def _by(results: dict[Any, Fraction], of: Callable[[Any], Any]) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for result, chance in results.items():
        found[of(result)] = found.get(of(result), Fraction(0)) + chance
    return found


def test_what_can_only_help_needs_the_last_counts_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    node = roll(6, 4, STAYS["the best"], MAY["if it is not enough"])
    monkeypatch.setattr(Pushed, "_weighed", lambda self: pytest.fail("it was weighed"))
    won = Solver(Policy("best", WISHES[0]), 20, lambda result: result.sixes >= 2).solve(node).results
    four, three = Fraction(1, 4) + Fraction(3, 16), Fraction(1, 3) + Fraction(2, 9)
    none = (1 - four) ** 6 * (1 - three) ** 4
    one = 6 * four * (1 - four) ** 5 * (1 - three) ** 4 + 4 * three * (1 - three) ** 3 * (1 - four) ** 6
    assert won[True] == 1 - none - one
