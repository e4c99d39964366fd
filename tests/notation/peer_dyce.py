"""What dyce says about an expression: its histograms and pools, asked for the same thing."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import factorial, prod
from typing import Any

from dyce import H, P

from astragal.notation import expression as e
from astragal.notation.term import PLAIN, DiceTerm, Pick
from tests.notation.notation_referee import Die, conclude, evaluate, meets
from tests.notation.peers import Unsaid

MOST_ROLLS = 100_000
OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left // right,
    "%": lambda left, right: left % right,
    ">=": lambda left, right: left.ge(right),
    "<=": lambda left, right: left.le(right),
    ">": lambda left, right: left.gt(right),
    "<": lambda left, right: left.lt(right),
    "==": lambda left, right: left.eq(right),
    "!=": lambda left, right: left.ne(right),
}


def odds_by_dyce(x: Any) -> dict[Any, Fraction]:
    """The odds of an expression as dyce finds them."""
    found = _histogram(x)
    return {value: Fraction(count, found.total) for value, count in found.items() if count}


def _histogram(x: Any) -> Any:
    if isinstance(x, e.Number):
        return H({x.n: 1})
    if isinstance(x, DiceTerm):
        return _term(x)
    if isinstance(x, e.Negative):
        return -_histogram(x.inner)
    if isinstance(x, (e.Total, e.Sets)):
        return _histogram(x.inner)
    if isinstance(x, (e.Binary, e.Comparison)) and x.operator in OPERATIONS:
        return OPERATIONS[x.operator](_histogram(x.left), _histogram(x.right))
    if isinstance(x, (e.Versus, e.Cancel)):
        return _facing(x, x)
    if isinstance(x, e.Group) and isinstance(x.parts[0], e.Cancel):
        return _facing(x.parts[0], x)
    if isinstance(x, e.Group):
        return _picked([die for part in x.parts for die in _dice_in(part)], x.pick)
    raise Unsaid


def _dice_in(part: Any) -> list[Any]:
    """The values that a part of a group gives: one for each plain die."""
    if isinstance(part, e.Sets):
        return [_histogram(part.inner)] * part.times
    if isinstance(part, DiceTerm) and part.pick == PLAIN and isinstance(part.n, int):
        return [_single(part)] * part.n
    return [_histogram(part)]


def _term(x: DiceTerm) -> Any:
    if not isinstance(x.n, int) or x.replace:
        raise Unsaid
    if x.explode and not x.explode.compound and x.pick != PLAIN:
        raise Unsaid
    if x.pick == PLAIN:
        return x.n @ _single(x) if x.n else H({0: 1})
    return _picked([_single(x)] * x.n, x.pick) if x.n else H({0: 1})


def _single(x: DiceTerm) -> Any:
    """One die, after rerolls, explosions and limits."""
    if not isinstance(x.sides, int) or any(isinstance(value, str) for value in x.values()):
        raise Unsaid
    die = fresh = H.from_counts([(value, 1) for value in x.values()])
    if x.explode and (x.explode.penetrate or not x.explode.times or x.least is not None or x.most is not None):
        raise Unsaid
    if x.reroll and not x.reroll.times:
        raise Unsaid
    for _ in range(x.reroll.times if x.reroll else 0):
        die = _where(fresh, x.reroll.test, lambda value: die)  # type: ignore[union-attr]  # noqa: B023
    found = die
    for _ in range(x.explode.times if x.explode else 0):
        found = _where(die, x.explode.test, lambda value: found + value)  # type: ignore[union-attr]  # noqa: B023
    return found if x.explode else H.from_counts([(x.limited(value), count) for value, count in found.items()])


def _where(die: Any, test: Any, instead: Callable[[Any], Any]) -> Any:
    """The die with another histogram in place of each value that meets a condition."""
    parts = [(instead(value) if meets(test, value) else H({value: 1}), count) for value, count in die.items()]
    common = 1
    for part, _ in parts:
        common *= part.total
    return H.from_counts(
        [(value, ways * count * (common // part.total)) for part, count in parts for value, ways in part.items()]
    )


def _picked(dice: list[Any], pick: Pick) -> Any:
    """The sum of the dice of a pool that are kept by rank; of everything else, what each of dyce's rolls comes to."""
    if pick.pattern or pick.scores or len(pick.keeps) > 1 or any(keep.test or keep.n == 0 for keep in pick.keeps):
        return H.from_counts([(conclude(pick, list(roll)), count) for roll, count in _rolls(dice)])
    kept = slice(None)
    for keep in pick.keeps:
        n = min(keep.n, len(dice))
        kept = {"kh": slice(-n, None), "kl": slice(n), "dh": slice(max(len(dice) - n, 0)), "dl": slice(n, None)}[
            keep.kind
        ]
    return H.from_counts([(sum(roll[kept]), count) for roll, count in _rolls(dice)])


def _rolls(dice: list[Any]) -> Any:
    """Every different roll of a pool, sorted, with its count."""
    most = prod(len(die) + k for k, die in enumerate(dice)) / factorial(len(dice))
    if most > MOST_ROLLS:
        raise Unsaid
    return P(*dice).rolls_with_counts()


def _facing(x: e.Versus | e.Cancel, whole: Any) -> Any:
    """Two pools that meet, and what is made of them: each roll of one with each of the other."""
    ours, theirs = list(_rolls(_pool(x.left))), list(_rolls(_pool(x.right)))
    if len(ours) * len(theirs) > MOST_ROLLS:
        raise Unsaid
    both: Any = x._replace(left=e.Name("ours"), right=e.Name("theirs"))
    both = whole._replace(parts=(both,)) if isinstance(whole, e.Group) else both
    return H.from_counts(
        [
            (evaluate(both, {"ours": list(mine), "theirs": list(other)}, Die(0)), count * others)
            for mine, count in ours
            for other, others in theirs
        ]
    )


def _pool(x: Any) -> list[Any]:
    """The dice of a pool of which all are kept."""
    if isinstance(x, (DiceTerm, e.Total)):
        dice = _dice_in(x)
    elif isinstance(x, e.Group) and x.pick == PLAIN:
        dice = [die for part in x.parts for die in _dice_in(part)]
    else:
        raise Unsaid
    return dice
