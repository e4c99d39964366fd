"""What other tools say about the expressions of the corpus: d20 itself, thrown with every face, and icepool."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import d20  # type: ignore[import-untyped]
import icepool  # type: ignore[import-untyped]

from astragal.notation import expression as e
from astragal.notation.condition import Listed
from astragal.notation.term import PLAIN, DiceTerm, Pick, Score
from tests.notation.notation_referee import TooMany, meets


class Unsaid(Exception):
    """The tool has no odds of this, or they are not asked for here."""


def odds_by_d20(text: str, most: int = 20_000) -> dict[Any, Fraction]:
    """Every total that d20 rolls for a text, with its chance: its random numbers are all tried in turn."""
    found: dict[Any, Fraction] = {}
    script: list[list[int]] = []
    for _ in range(most):
        place, chance = 0, Fraction(1)

        def randrange(size: int) -> int:
            nonlocal place, chance
            if place == len(script):
                script.append([0, size])
            value = script[place][0]
            place += 1
            chance /= size
            return value

        with patch("random.randrange", randrange):
            total = d20.roll(text, allow_comments=True).total
        found[total] = found.get(total, Fraction(0)) + chance
        while script and script[-1][0] == script[-1][1] - 1:
            script.pop()
        if not script:
            return found
        script[-1][0] += 1
    raise TooMany


def odds_by_icepool(x: Any, depth: int = 0) -> dict[Any, Fraction]:
    """The odds of an expression as icepool finds them.

    Explosions without end go as deep as ``depth``; where each of them adds to the value, the chances of values up to
    it are exact.
    """
    die = _die(x, depth)
    total = die.denominator()
    return {value: Fraction(die.quantity(value), total) for value in die.outcomes() if die.quantity(value)}


def _die(x: Any, depth: int) -> Any:
    if isinstance(x, e.Number):
        return icepool.Die([x.n])
    if isinstance(x, DiceTerm):
        return _term(x, depth)
    if isinstance(x, e.Negative):
        return -_die(x.inner, depth)
    if isinstance(x, (e.Total, e.Sets)):
        return _die(x.inner, depth)
    if isinstance(x, (e.Binary, e.Comparison)):
        if x.operator not in OPERATIONS:
            raise Unsaid
        return icepool.map(OPERATIONS[x.operator], _die(x.left, depth), _die(x.right, depth))
    if isinstance(x, e.Function) and x.name in ("min", "max"):
        choose = {"min": icepool.lowest, "max": icepool.highest}[x.name]
        return choose(*(_die(each, depth) for each in x.arguments))
    if isinstance(x, e.Group):
        return _picked(icepool.Pool([die for part in x.parts for die in _dice_in(part, depth)]), x.pick)
    raise Unsaid


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left // right,
    "%": lambda left, right: left % right,
    "**": lambda left, right: left**right,
    ">=": lambda left, right: left >= right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    "<": lambda left, right: left < right,
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
}


def _dice_in(part: Any, depth: int) -> list[Any]:
    """The values that a part of a group gives: one for each plain die."""
    if isinstance(part, e.Sets):
        return [_die(part.inner, depth)] * part.times
    if isinstance(part, DiceTerm) and part.pick == PLAIN and isinstance(part.n, int):
        return [_single(part, depth)] * part.n
    return [_die(part, depth)]


def _term(x: DiceTerm, depth: int) -> Any:
    if not (isinstance(x.n, int) and isinstance(x.sides, int)):
        numbers, sides = (
            icepool.Die([part]) if isinstance(part, int) else _die(part, depth) for part in (x.n, x.sides)
        )
        return icepool.map(lambda n, side: _term(x._replace(n=n, sides=side), depth), numbers, sides)
    if x.replace or (x.explode and not x.explode.times and not depth):
        raise Unsaid
    if not x.n:
        return icepool.Die([0])
    if x.pick.scores and not x.pick.keeps:
        return x.n @ _scored(x, depth)
    if x.explode and not x.explode.compound and x.pick != PLAIN:
        raise Unsaid
    return _picked(_single(x, depth).pool(x.n), x.pick)


def _scored(x: DiceTerm, depth: int) -> Any:
    def counts(value: Any) -> int:
        return sum(_score(score, value) for score in x.pick.scores)

    if x.explode and not x.explode.compound:
        return _chain(x, _face(x), counts, depth)
    return _single(x, depth).map(counts)


def _score(score: Score, value: Any) -> int:
    """What a die adds to a count."""
    times = score.test.faces.count(value) if isinstance(score.test, Listed) else int(meets(score.test, value))
    return score.by * times


def _single(x: DiceTerm, depth: int) -> Any:
    """One die, after rerolls, explosions and limits."""
    die = _face(x)
    if x.explode and (x.least is not None or x.most is not None):
        raise Unsaid
    return _chain(x, die, lambda value: value, depth) if x.explode else die.map(x.limited)


def _face(x: DiceTerm) -> Any:
    """What one die shows after rerolls."""
    if not isinstance(x.sides, int) or any(isinstance(value, str) for value in x.values()):
        raise Unsaid
    die = icepool.Die(x.values())
    if x.reroll:
        again = [value for value in set(x.values()) if meets(x.reroll.test, value)]
        die = die.reroll(again, depth=x.reroll.times or "inf")
    return die


def _chain(x: DiceTerm, die: Any, counts: Callable[[Any], int], depth: int) -> Any:
    """What a die and those that it earns count together; without end is so deep."""
    assert x.explode
    if not x.explode.times and not depth:
        raise Unsaid
    less = int(x.explode.penetrate)
    if less and counts(0) != 0:
        raise Unsaid
    found = die.map(lambda value: counts(value) - less)
    deepest = (x.explode.times or depth) - 1
    for place in range(deepest, -1, -1):
        own = less if place else 0
        found = die.map(lambda value: counts(value) - own + (found if meets(x.explode.test, value) else 0))  # noqa: B023
    return found


def _picked(pool: Any, pick: Pick) -> Any:
    if (
        pick.pattern
        or pick.scores
        or len(pick.keeps) > 1
        or any(keep.test or keep.kind == "unique" for keep in pick.keeps)
    ):
        raise Unsaid
    for keep in pick.keeps:
        n = min(keep.n, pool.raw_size()) if keep.kind[0] == "k" else max(pool.raw_size() - keep.n, 0)
        pool = pool.highest(n) if keep.kind in ("kh", "dl") else pool.lowest(n)
    return pool.sum()
