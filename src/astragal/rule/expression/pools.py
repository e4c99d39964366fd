"""Exact odds of the pools of an expression: groups, and two pools that meet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from astragal.dice.distribution import Distribution
from astragal.dice.notation.endless import Endless, compared, is_endless
from astragal.dice.notation.expression import (
    Cancel,
    Each,
    Expression,
    Group,
    Name,
    Sets,
    Total,
    Versus,
    spreads,
)
from astragal.dice.notation.odds.cancel import cancelled_sum
from astragal.dice.notation.odds.die import chain_odds, joined_odds
from astragal.dice.notation.odds.law import WORDS, Law, listed, mixed, numbers_of
from astragal.dice.notation.odds.pools import goes_on, ranked_sum, stages_of
from astragal.dice.notation.odds.terms import ValueLaw, kind_of, kinds_law, loose_throws
from astragal.dice.notation.odds.versus import (
    THROWS,
    KeptPool,
    cancel_odds,
    endless_each,
    endless_versus,
    side_odds,
    versus_odds,
)
from astragal.dice.notation.pool import kept_places, left_over, pairs_won, picked
from astragal.dice.notation.term import PLAIN, DiceTerm, Keep, Pick
from astragal.dice.notation.throw import check
from astragal.dice.work import spend
from astragal.errors import Illegal
from astragal.rule.expression.play import Pooled, counted

if TYPE_CHECKING:
    from astragal.rule.expression.odds import ExpressionSolver


def group_law(solver: ExpressionSolver, group: Group) -> Law:
    """The odds of what is picked of a group."""
    if len(group.parts) == 1 and isinstance(group.parts[0], Cancel):
        return cancel_law(solver, group.parts[0], group.pick)
    kinds = kinds_of(solver, group.parts)
    if kinds is None:
        pick = group.pick
        return throws(solver, group._replace(pick=PLAIN)).map(lambda values: picked(pick, values))
    return kinds_law(kinds, group.pick, solver.up_to)


def kinds_of(solver: ExpressionSolver, parts: Sequence[Expression]) -> list[tuple[ValueLaw, int]] | None:
    """The independent values of a group, with how many of each there are; None if they are not that simple."""
    found: list[tuple[ValueLaw, int]] = []
    for part in parts:
        if isinstance(part, (Cancel, Name)):
            return None
        if isinstance(part, DiceTerm) and spreads(part):
            if part.replace or not (isinstance(part.n, int) and isinstance(part.sides, int)):
                return None
            check(part)
            found.append((joined_odds(chain_odds(part)), part.n))
            continue
        times, inner = (part.times, part.inner) if isinstance(part, Sets) else (1, part)
        law = solver.solve(inner)
        found.append((law if isinstance(law, Endless) else (dict(law.weights), law.total), times))
    return found


def side_of(solver: ExpressionSolver, expression: Expression, up_to: int = 0) -> KeptPool | None:
    """One of two pools, with values listed at least up to a bound; None if its dice are not independent."""
    pool = independent(solver, expression)
    if pool is None:
        return None
    kinds, keeps = pool
    return KeptPool(tuple(kind_of(part, n, max(solver.up_to, up_to)) for part, n in kinds), keeps)


def independent(
    solver: ExpressionSolver, expression: Expression
) -> tuple[list[tuple[ValueLaw, int]], tuple[Keep, ...]] | None:
    """The independent values of a pool, with their numbers, and what is kept of them; None if they are not that."""
    keeps: tuple[Keep, ...] = ()
    parts: tuple[Expression, ...] = (Total(expression),)
    if isinstance(expression, DiceTerm) and expression.pick.adds:
        parts, keeps = (expression._replace(pick=PLAIN),), expression.pick.keeps
    elif isinstance(expression, Group) and expression.pick.adds:
        parts, keeps = expression.parts, expression.pick.keeps
    elif isinstance(expression, (Cancel, Name)):
        return None
    kinds = kinds_of(solver, parts)
    return None if kinds is None else (kinds, keeps)


def throws(solver: ExpressionSolver, expression: Expression, joined: bool = True) -> Distribution[tuple[Any, ...]]:
    """The odds of every different set of values that a pool can show; ``joined`` adds explosions to their die."""
    if isinstance(expression, Name):
        return _named_throw(solver, expression)
    if isinstance(expression, DiceTerm) and not joined and expression.explode and not expression.explode.compound:
        return loose_throws(expression)
    side = side_of(solver, expression)
    if side is not None:
        return side_odds(side)
    if isinstance(expression, Cancel):
        return _together(throws(solver, expression.left), throws(solver, expression.right), left_over)
    return _rolled_throws(solver, expression) if isinstance(expression, DiceTerm) else _group_throws(solver, expression)


def _named_throw(solver: ExpressionSolver, expression: Name) -> Distribution[tuple[Any, ...]]:
    value = solver.names[expression.name]
    if isinstance(value, Pooled) and expression.pick.adds:
        return Distribution.certain(_kept(expression.pick, value.values))
    return solver.odds(expression).map(lambda value: (value,))


def _kept(pick: Pick, values: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(values[place] for place in kept_places(pick.keeps, values))


def _group_throws(solver: ExpressionSolver, expression: Expression) -> Distribution[tuple[Any, ...]]:
    assert isinstance(expression, Group)
    whole: Distribution[tuple[Any, ...]] = Distribution.certain(())
    for part in expression.parts:
        inner = part.inner if isinstance(part, Sets) else part
        more = throws(solver, part) if spreads(part) else solver.odds(inner).map(lambda value: (value,))
        for _ in range(part.times if isinstance(part, Sets) else 1):
            whole = _together(whole, more, lambda a, b: tuple(sorted((*a, *b), key=str)))
    pick = expression.pick
    return whole.map(lambda values: _kept(pick, values)) if pick.keeps else whole


def _rolled_throws(solver: ExpressionSolver, term: DiceTerm) -> Distribution[tuple[Any, ...]]:
    """Every throw of dice whose number or sides are rolled, or of which some are rerolled by rank."""
    if isinstance(term.n, int) and isinstance(term.sides, int):
        return loose_throws(term)

    def known(term: DiceTerm, n: Any, sides: Any) -> Law:
        return throws(solver, counted(term, n, sides))

    found = solver.rolled(term, known)
    assert isinstance(found, Distribution)
    return found


def _together(left: Distribution[Any], right: Distribution[Any], join: Any) -> Distribution[Any]:
    spend(THROWS * len(left) * len(right))
    return left.convolve(right, join)


def versus_law(solver: ExpressionSolver, expression: Versus) -> Law:
    """The odds of the pairs that the left pool wins."""
    mine, other = (_endless_pool(solver, part) for part in (expression.left, expression.right))
    if mine is not None and other is not None:
        found = endless_versus(expression.operator, mine, other)
        if found is not None:
            return found
    left, right = side_of(solver, expression.left), side_of(solver, expression.right)
    _check_words(left, right, False)
    if left is not None and right is not None:
        return versus_odds(expression.operator, left, right)
    ours, theirs = throws(solver, expression.left), throws(solver, expression.right)
    return _together(ours, theirs, lambda a, b: pairs_won(expression.operator, a, b))


def _endless_pool(solver: ExpressionSolver, expression: Expression) -> tuple[Endless, int] | None:
    """A pool of equal dice without end, all of them kept."""
    if not isinstance(expression, DiceTerm) or not expression.explode:
        return None
    pool = independent(solver, expression)
    if pool is None or pool[1] or len(pool[0]) != 1:
        return None
    ((part, n),) = pool[0]
    return (part, n) if isinstance(part, Endless) and n else None


def cancel_law(solver: ExpressionSolver, expression: Cancel, pick: Pick) -> Law:
    """The odds of what is picked of the dice that are left after cancelling."""
    right = side_of(solver, expression.right)
    mine = _endless_pool(solver, expression.left)
    if mine is not None and right is not None and pick == PLAIN and not right.keeps and not goes_on(right.kinds):
        found = cancelled_sum(mine, right.kinds)
        if found is not None:
            return found
    left = side_of(solver, expression.left, _highest(right))
    _check_words(left, right, bool(pick.scores))
    if left is not None and right is not None:
        return cancel_odds(left, right, pick)
    return throws(solver, expression).map(lambda values: picked(pick, values))


def _check_words(left: KeptPool | None, right: KeptPool | None, counted: bool) -> None:
    """Refuse words, unless dice that show nothing else are counted."""
    kinds = [kind for side in (left, right) if side is not None for kind in side.kinds]
    words = [isinstance(value, str) for kind in kinds for value in kind.weights]
    if any(words) and not (counted and all(words)):
        raise Illegal(WORDS)


def _highest(side: KeptPool | None) -> int:
    """The highest number of a pool; 0 if there is none."""
    kinds = side.kinds if side else ()
    return max([0, *[value for kind in kinds for value in kind.weights if isinstance(value, int)]])


def _furthest(odds: Distribution[Any]) -> int:
    """One more than the greatest distance from 0; words are refused."""
    return max([0, *[int(abs(value)) + 1 for value in numbers_of(odds)]])


def each_law(solver: ExpressionSolver, expression: Each) -> Law:
    """For each value of the left side, the odds of how many dice it compares well with."""
    operator, value, others = expression.operator, solver.solve(expression.left), _endless_pool(solver, expression.pool)
    if isinstance(value, Endless) and others is not None:
        found = endless_each(operator, value, others)
        if found is not None:
            return found
    left = listed(value, solver.up_to)
    side = side_of(solver, expression.pool, _furthest(left))
    _check_words(side, None, False)
    if side is not None and goes_on(side.kinds) and any(map(is_endless, left.weights)):
        raise Illegal("A value without end meets each die of a pool without end exactly if all of them go on with one "
                      "face, and the pool has equal dice of which none is dropped, as in 1d6! > each 2d10!. "
                      "Or explode a number of times, as in !o.")  # fmt: skip
    stages = stages_of(side.keeps, side.n) if side is not None else None
    if side is None or stages is None:
        pool = throws(solver, expression.pool)
        return _together(left, pool, lambda value, others: sum([compared(operator, value, each) for each in others]))
    cases = []
    spend(THROWS * len(left) * sum([len(kind.weights) for kind in side.kinds]))
    for value, ways in left.weights.items():

        def beats(other: Any, value: Any = value) -> int:
            return int(compared(operator, value, other))

        cases.append((ways, ranked_sum(side.kinds, stages, beats)))
    return mixed(cases, left.total, solver.up_to)
