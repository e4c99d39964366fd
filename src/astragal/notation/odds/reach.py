"""How far the odds of an expression without end are listed by default."""

from __future__ import annotations

from astragal.notation.endless import Endless
from astragal.notation.expression import Expression, GameCall, Group, Number, Sets, parts_of
from astragal.notation.odds.die import chain_odds, joined_odds
from astragal.notation.term import DiceTerm, Pick

PATTERN_REACH = 6
"""The number of further equal dice, beyond those thrown, that are kept apart."""
CALL_REACH = 20
"""Highest value of a game's endless count that is shown on its own, unless a comparison needs more."""


def reach_of(expression: Expression) -> int:
    """Return the usual reach of the dice plus all numbers in the expression."""
    if isinstance(expression, Number):
        return int(expression.n) + 1
    if isinstance(expression, DiceTerm):
        return _term_reach(expression)
    if isinstance(expression, GameCall):
        return CALL_REACH
    if isinstance(expression, Sets):
        return reach_of(expression.inner) * 2
    tested = _tested(expression.pick) if isinstance(expression, Group) else 0
    return sum(map(reach_of, parts_of(expression))) + tested


def _tested(pick: Pick) -> int:
    """One more than the highest tested value, so that a value beyond the listed ones differs from all tested ones."""
    return max([0, *[number for test in pick.tests for number in test.numbers]]) + 1 if pick.tests else 0


def _term_reach(term: DiceTerm) -> int:
    """The usual reach of endless dice; 0 for dice with an end."""
    if not (isinstance(term.n, int) and isinstance(term.sides, int)):
        return _rolled_reach(term)
    if not term.explode or term.explode.times or not term.n:
        return 0
    if term.pick.pattern:
        return term.n + PATTERN_REACH
    tested = _tested(term.pick)
    chain = chain_odds(term)
    if term.pick.scores and not term.explode.compound:
        chain = chain.scored(term.pick.score)
    one = joined_odds(chain) if chain.go else None
    return tested + (one.repeated(term.n).reach if isinstance(one, Endless) else 0)


def _rolled_reach(term: DiceTerm) -> int:
    """The same for dice whose number or sides are rolled: as many as the number usually reaches."""
    sides = term.sides if isinstance(term.sides, int) else max(reach_of(term.sides), 10)
    if term.pick.scores:
        sides = 1
    n = term.n if isinstance(term.n, int) else reach_of(term.n)
    return n * sides if not term.explode else max(n, 10) * sides * 2
