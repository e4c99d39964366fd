"""Exact odds of a term's dice.

Rerolls change the odds of a single die. Explosions without end are generating functions, or dice that may earn
any number of further dice; everything else is a pool.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from typing import Any

from astragal.dice.distribution import Beyond, Distribution, Moments
from astragal.dice.solver.keep import kept_up_to
from astragal.dice.solver.series import Ratio, Series, composed, weighted_powers
from astragal.errors import Illegal
from astragal.notation.endless import Endless
from astragal.notation.expression import Binary, Expression, Number
from astragal.notation.odds.die import ChainOdds, Weights, chain_odds, joined_odds
from astragal.notation.odds.earned import earned_odds, earned_throws
from astragal.notation.odds.endless_score import (
    is_kept_by_parity,
    is_scored,
    kept_endless,
    scored,
)
from astragal.notation.odds.law import Law, listed
from astragal.notation.odds.pools import (
    Kind,
    Stages,
    added,
    by_rank,
    multisets,
    pick_odds,
    ranked_sum,
    stages_of,
    window_of,
)
from astragal.notation.pool import kept_of, picked
from astragal.notation.term import PLAIN, DiceTerm, Keep, Pick
from astragal.notation.throw import check

EVERYTHING = Stages(())
"""Nothing is dropped."""


def term_odds(term: DiceTerm, up_to: int) -> Distribution[Any]:
    """Return the distribution of the dice's value; endless values are listed up to ``up_to``."""
    return listed(term_law(term, up_to), up_to)


def term_law(term: DiceTerm, up_to: int) -> Law:
    """Return the odds of the dice's value, without end if it can be; what is only listed goes up to ``up_to``."""
    check(term)
    chain = chain_odds(term)
    pick = term.pick
    assert isinstance(term.n, int)
    if term.replace:
        return _replaced(term, chain)
    if chain.go and term.explode and not term.explode.compound:
        if pick.keeps or pick.pattern:
            return earned_odds(chain, term.n, pick, up_to)
        chain, pick = chain.scored(pick.score) if pick.scores else chain, PLAIN
    return kinds_law([(joined_odds(chain), term.n)], pick, up_to)


def is_listed(term: DiceTerm) -> bool:
    """Return True if a term's odds depend on how far endless values are listed; sums and counts of dice do not."""
    explode, pick = term.explode, term.pick
    return explode is not None and bool(pick.keeps or pick.pattern or (pick.scores and explode.compound))


def groups_of(expression: Expression, sign: int = 1) -> list[tuple[int, Weights]] | None:
    """Return the dice of a sum or difference of plain dice and numbers, to be added up together; None for others."""
    if isinstance(expression, Binary) and expression.operator in ("+", "-"):
        left = groups_of(expression.left, sign)
        right = groups_of(expression.right, sign if expression.operator == "+" else -sign) if left is not None else None
        return None if left is None or right is None else left + right
    if isinstance(expression, Number):
        return [(1, {sign * expression.n: 1})] if isinstance(expression.n, int) else None
    if not isinstance(expression, DiceTerm) or expression[2:] != DiceTerm(0, 0)[2:]:
        return None
    n, sides = expression[:2]
    if not isinstance(n, int) or not isinstance(sides, int):
        return None
    return [(n, dict.fromkeys([sign * face for face in range(1, sides + 1)], 1))]


def kinds_law(parts: Sequence[tuple[Law, int]], pick: Pick, up_to: int) -> Law:
    """Return the odds of what is picked of independent values: pairs of their odds and their number."""
    endless = [(part, n) for part, n in parts if isinstance(part, Endless) and n]
    if not endless:
        return pick_odds([kind_of(part, n, up_to) for part, n in parts], pick)
    if pick == PLAIN and len(endless) == len(parts) and len({part.sign for part, _ in endless}) == 1:
        return reduce(Endless.joined, [part.repeated(n) for part, n in endless])
    if is_scored(pick):
        return added([Kind(n, scored(part, pick).weights) for part, n in parts if n])
    if is_kept_by_parity(pick) and len(parts) == 1:
        kept = kept_endless(endless[0][0], pick)
        if kept is not None:
            return kept.repeated(endless[0][1])
    if any(part.sign < 0 for part, _ in endless):
        raise Illegal("Dice without end downwards cannot be kept, dropped or counted in a group.")
    kinds = [kind_of(part, n, up_to) for part, n in parts]
    found = _kept_up_to(kinds, pick, up_to)
    return pick_odds(kinds, pick) if found is None else found


def _kept_up_to(kinds: list[Kind], pick: Pick, up_to: int) -> Distribution[Any] | None:
    """The sum of the best or worst values without end, if nothing else is asked and no value is below 0."""
    n = sum(kind.n for kind in kinds)
    start, end = window_of(pick.keeps, n) if pick.keeps and pick.adds and all(map(by_rank, pick.keeps)) else (0, 0)
    lasts = {value.last for kind in kinds for value in kind.weights if isinstance(value, Beyond)}
    values = [value for kind in kinds for value in kind.weights if not isinstance(value, Beyond)]
    if end == start or (start and end < n) or lasts != {up_to} or min(values) < 0 or max(values) > up_to:
        return None
    return kept_up_to(kinds, end - start, up_to, not start)


def kind_of(part: Law, n: int, up_to: int) -> Kind:
    """Return a kind of dice; values above ``up_to`` are one, greater than all others."""
    return Kind(n, listed(part, up_to).weights)


def _replaced(term: DiceTerm, chain: ChainOdds) -> Law:
    """Some of the lowest or highest dice are rerolled: what stays is kept by rank, independent of the new dice."""
    pick, (away, first, fresh) = term.pick, _replacing(term, chain)
    if pick.keeps or pick.pattern:
        return _replaced_throws(term, chain).map(partial(picked, pick))
    score, stages = pick.score if pick.scores else None, stages_of((away,), first.n)
    assert stages is not None
    return ranked_sum([first], stages, score).convolve(ranked_sum([fresh], EVERYTHING, score))


def _replacing(term: DiceTerm, chain: ChainOdds) -> tuple[Keep, Kind, Kind]:
    """Which dice are taken away, those that are thrown first, and those in place of others, which stand."""
    assert isinstance(term.n, int)
    assert term.replace
    new = min(term.replace.n, term.n)
    fresh = chain_odds(term._replace(reroll=None))
    return Keep("dh" if term.replace.highest else "dl", new), Kind(term.n, chain.stay), Kind(new, fresh.stay)


def _replaced_throws(term: DiceTerm, chain: ChainOdds) -> Distribution[tuple[Any, ...]]:
    away, first, fresh = _replacing(term, chain)
    left = multisets([first]).map(partial(kept_of, (away,)))
    return left.convolve(multisets([fresh]), lambda kept, rerolled: tuple(sorted((*kept, *rerolled))))


def loose_throws(term: DiceTerm) -> Distribution[tuple[Any, ...]]:
    """Return the odds of every different throw of dice that are rerolled by rank, or explode into dice of their own."""
    check(term)
    assert isinstance(term.n, int)
    chain = chain_odds(term)
    if term.replace:
        found = _replaced_throws(term, chain)
    elif chain.endless:
        raise Illegal(
            f"{term} has any number of dice; a name for all of them has no exact odds. Compound them with !!."
        )
    else:
        found = earned_throws(chain, term.n)
    return found.map(partial(kept_of, term.pick.keeps))


# Dice whose number is rolled, where the number or the dice have no end.
#
# With N the generating function of the number and F that of one die, that of the sum is N(F). Of a listed number it is
# Σ w(n)·F^n, which takes one recurrence.


def adds_up(term: DiceTerm) -> bool:
    """Return True if each die adds to the value by itself, whatever the others show: nothing is kept or matched."""
    return not (term.pick.keeps or term.pick.pattern or term.replace) and isinstance(term.sides, int)


def rolled_sum(number: Law, term: DiceTerm, up_to: int) -> Law | None:
    """Return the odds of as many dice as a number says; None if neither has no end, or something may be below 0."""
    one = term_law(term._replace(n=1), up_to)
    die = _ratio(one)
    if die is None:
        return None
    if isinstance(number, Endless):
        return _composed(number, die)
    if not isinstance(one, Endless) or one.series.degree is not None or not _counts(number, up_to):
        return None
    weights = {n: ways for n, ways in number.weights.items() if isinstance(n, int)}
    found, total = weighted_powers(die, weights, (), up_to)
    listed: dict[Any, int] = {value: ways for value, ways in enumerate(found) if ways}
    listed[Beyond(up_to)] = total * number.total - sum(found)
    return Distribution(listed, total * number.total, _moments(number, one))


def _moments(number: Distribution[Any], one: Endless) -> Moments | None:
    """The mean and variance of the sum; None if those of the number are not known."""
    if not number.is_numeric:
        return None
    return Moments(number.mean * one.mean, number.mean * one.variance + number.variance * one.mean**2)


def _counts(number: Distribution[Any], up_to: int) -> bool:
    """True if all values are numbers of dice; those that come to more than ``up_to`` may be one value."""
    return all(
        value.last >= up_to if isinstance(value, Beyond) else type(value) is int and value >= 0
        for value in number.weights
    ) and any(type(value) is int for value in number.weights)


def _ratio(one: Law) -> Ratio | None:
    """The generating function of one die as a ratio; None if it may be below 0."""
    if isinstance(one, Distribution):
        if any(type(value) is not int or value < 0 for value in one.weights):
            return None
        return Ratio(tuple([one.weights.get(value, 0) for value in range(max(one.weights) + 1)]), (one.total,))
    return one.series.shifted(one.shift).ratio if one.sign > 0 and one.shift >= 0 else None


def _composed(number: Endless, die: Ratio) -> Endless | None:
    """N(F); a polynomial of F is one of its numerator and denominator, over a power of the denominator."""
    if number.sign < 0 or number.shift < 0:
        return None
    factors = [(die.above, number.shift)]
    below = -number.shift
    for polynomial, exponent in number.series.factors:
        factors.append((composed(polynomial, die, len(polynomial) - 1), exponent))
        below -= exponent * (len(polynomial) - 1)
    return Endless(Series((*factors, (die.below, below))))
