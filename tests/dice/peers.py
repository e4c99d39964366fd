"""What other tools say about the expressions of the corpus: d20 itself, thrown with every face, and icepool."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import d20
import icepool  # type: ignore[import-untyped]

from astragal.dice.notation import expression as e
from astragal.dice.notation.condition import Listed
from astragal.dice.notation.term import PLAIN, DiceTerm, Pick, Score
from tests.dice.notation_referee import TooMany, meets


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


def odds_by_icepool(x: Any) -> dict[Any, Fraction]:
    """The odds of an expression as icepool finds them."""
    die = _die(x)
    total = die.denominator()
    return {value: Fraction(die.quantity(value), total) for value in die.outcomes() if die.quantity(value)}


def _die(x: Any) -> Any:
    if isinstance(x, e.Number):
        return icepool.Die([x.n])
    if isinstance(x, DiceTerm):
        return _term(x)
    if isinstance(x, e.Negative):
        return -_die(x.inner)
    if isinstance(x, (e.Total, e.Sets)):
        return _die(x.inner)
    if isinstance(x, (e.Binary, e.Comparison)):
        return icepool.map(OPERATIONS[x.operator], _die(x.left), _die(x.right))
    if isinstance(x, e.Function) and x.name in ("min", "max"):
        return icepool.map({"min": min, "max": max}[x.name], *map(_die, x.arguments))
    if isinstance(x, e.Group):
        return _picked(icepool.Pool([die for part in x.parts for die in _dice_in(part)]), x.pick)
    raise Unsaid


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left // right,
    "%": lambda left, right: left % right,
    ">=": lambda left, right: left >= right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    "<": lambda left, right: left < right,
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
}


def _dice_in(part: Any) -> list[Any]:
    """The values that a part of a group gives: one for each plain die."""
    if isinstance(part, e.Sets):
        return [_die(part.inner)] * part.times
    if isinstance(part, DiceTerm) and part.pick == PLAIN and isinstance(part.n, int):
        return [_single(part)] * part.n
    return [_die(part)]


def _term(x: DiceTerm) -> Any:
    if not isinstance(x.n, int) or x.replace:
        raise Unsaid
    die = _single(x)
    if x.explode and not x.explode.compound and x.pick != PLAIN:
        raise Unsaid
    if not x.n:
        return icepool.Die([0])
    if x.pick.scores and not x.pick.keeps:
        return x.n @ die.map(lambda value: sum(_score(score, value) for score in x.pick.scores))
    return _picked(die.pool(x.n), x.pick)


def _score(score: Score, value: Any) -> int:
    """What a die adds to a count."""
    times = score.test.faces.count(value) if isinstance(score.test, Listed) else int(meets(score.test, value))
    return score.by * times


def _single(x: DiceTerm) -> Any:
    """One die, after rerolls, explosions that come to an end, and limits."""
    if not isinstance(x.sides, int) or any(isinstance(value, str) for value in x.values()):
        raise Unsaid
    die = icepool.Die(x.values())
    if x.reroll:
        again = [value for value in set(x.values()) if meets(x.reroll.test, value)]
        die = die.reroll(again, depth=x.reroll.times or "inf")
    if x.explode:
        if not x.explode.times or x.explode.penetrate or x.least is not None or x.most is not None:
            raise Unsaid
        more = [value for value in set(x.values()) if meets(x.explode.test, value)]
        die = die.explode(more, depth=x.explode.times)
    return die.map(x.limited)


def _picked(pool: Any, pick: Pick) -> Any:
    if pick.pattern or len(pick.keeps) > 1 or any(keep.test or keep.kind == "unique" for keep in pick.keeps):
        raise Unsaid
    for keep in pick.keeps:
        n = min(keep.n, pool.raw_size()) if keep.kind[0] == "k" else max(pool.raw_size() - keep.n, 0)
        pool = pool.highest(n) if keep.kind in ("kh", "dl") else pool.lowest(n)
    if pick.scores and pick.keeps:
        raise Unsaid
    return pool.sum()
