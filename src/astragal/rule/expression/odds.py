"""Exact odds of dice notation. The caller solves a game's rolls in an expression, as this room knows no game.

Parts of an expression are independent, as a roll that is used twice has a name, and what follows is solved for each of
its values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from astragal.dice.distribution import Beyond, Distribution
from astragal.dice.notation.condition import compare
from astragal.dice.notation.endless import Endless, applied, gathered, is_endless
from astragal.dice.notation.expression import (
    Binary,
    Cancel,
    Comparison,
    Each,
    Expression,
    Function,
    GameCall,
    Group,
    If,
    Let,
    Logic,
    Name,
    Negative,
    Not,
    Number,
    Sets,
    Total,
    Versus,
    Word,
)
from astragal.dice.notation.odds.law import PAIR, Law, combined, compared, mixed, negated
from astragal.dice.notation.odds.pools import Kind, multisets
from astragal.dice.notation.odds.reach import parts_of, reach_of
from astragal.dice.notation.odds.rolled import adds_up, rolled_sum
from astragal.dice.notation.odds.terms import groups_of, is_listed, term_law
from astragal.dice.notation.pool import picked
from astragal.dice.notation.term import PLAIN, DiceTerm
from astragal.dice.solver.sums import sum_odds
from astragal.dice.work import spend, working
from astragal.errors import Illegal, Malformed
from astragal.rule.expression import pools
from astragal.rule.expression.play import Pooled, counted, is_word, names_dice, unknown_word

MAX_UP_TO = 1000
"""Highest value of an endless count that is shown on its own."""


class ExpressionOdds(NamedTuple):
    """The odds of an expression, and the order of its words, best first, if it has any."""

    odds: Distribution[Any]
    order: Sequence[Any] = ()


Solve = Callable[[GameCall, int], ExpressionOdds]


def expression_odds(expression: Expression, call: Solve, up_to: int | None = None) -> Distribution[Any]:
    """The exact distribution of an expression's value: a number, a word, or True and False for a comparison.

    Endless values above ``up_to`` are one value; a comparison raises ``up_to`` as far as it needs.
    """
    with working():
        return ExpressionSolver(call, Bound(expression, up_to), {}).top(expression)


class Bound:
    """How far values without end are listed; found when the first answer needs it, as few do."""

    def __init__(self, expression: Expression, up_to: int | None) -> None:
        self._expression = expression
        self._wanted = up_to

    @cached_property
    def up_to(self) -> int:
        """The highest value that is listed."""
        wanted, expression = self._wanted, self._expression
        reach = reach_of(expression) if wanted is None or isinstance(expression, Comparison) else 0
        return min(max(wanted or 0, reach), MAX_UP_TO)


class ExpressionSolver:
    """Solves expressions, with what is known of named rolls."""

    def __init__(self, call: Solve, bound: Bound, names: Mapping[str, Any]) -> None:
        self.call = call
        self.bound = bound
        self.names = names

    @property
    def up_to(self) -> int:
        """How far values without end are listed."""
        return self.bound.up_to

    def top(self, expression: Expression) -> Distribution[Any]:
        """The odds of a whole expression; of sets, those of one of them, unless they are sorted."""
        if not isinstance(expression, Sets):
            return self.odds(expression)
        one = self.odds(expression.inner)
        if not expression.in_order:
            return one
        throws = multisets([Kind(dict(one.weights), one.total, expression.times)])
        return throws.map(lambda values: tuple(reversed(values)))

    def solve(self, expression: Expression) -> Law:
        """The odds of an expression's value."""
        return _SOLVE[type(expression)](self, expression)

    def odds(self, expression: Expression) -> Distribution[Any]:
        """The odds of an expression's value, listed."""
        law = self.solve(expression)
        return law.listed(self.up_to) if isinstance(law, Endless) else law

    def naming(self, name: str, value: Any) -> ExpressionSolver:
        """The solver for which a name stands for a value."""
        return ExpressionSolver(self.call, self.bound, {**self.names, name: value})

    def _number(self, expression: Number) -> Law:
        return Distribution.certain(expression.n)

    def _name(self, expression: Name) -> Law:
        value = self.names[expression.name]
        if isinstance(value, Pooled):
            return Distribution.certain(picked(expression.pick, value.values))
        if expression.pick != PLAIN:
            raise Illegal(f'"{expression.name}" is a single value; only dice and groups can be kept and counted.')
        return Distribution.certain(value)

    def _word(self, expression: Word) -> Law:
        raise Malformed(unknown_word(str(expression.word)))

    def _term(self, expression: DiceTerm) -> Law:
        if isinstance(expression.n, int) and isinstance(expression.sides, int):
            return term_law(expression, self.up_to if is_listed(expression) else 0)
        if adds_up(expression) and not isinstance(expression.n, int):
            found = rolled_sum(self.solve(expression.n), expression, self.up_to)
            if found is not None:
                return found
        return self.rolled(expression, self._rolled)

    def rolled(self, term: DiceTerm, then: Callable[[DiceTerm, Any, Any], Law]) -> Law:
        """The odds of dice whose number or sides are rolled themselves, from those of each number and sides."""
        n, sides = (self.odds(Number(part) if isinstance(part, int) else part) for part in (term.n, term.sides))
        cases = [
            (n_ways * side_ways, then(term, number, side))
            for number, n_ways in n.weights.items()
            for side, side_ways in sides.weights.items()
        ]
        return mixed(cases, n.total * sides.total, self.up_to)

    def _rolled(self, term: DiceTerm, n: Any, sides: Any) -> Law:
        if not is_endless(n) and not is_endless(sides):
            return term_law(counted(term, n, sides), self.up_to)
        if isinstance(n, Beyond) and term.pick == PLAIN and isinstance(sides, int) and not term.fate:
            values = [value for value in term._replace(sides=sides).values() if isinstance(value, int)]
            if values and min(values) >= 1:
                return Distribution.certain(Beyond(n.last * min(values)))
        if is_endless(sides):
            raise Illegal(f"{term} may have any number of sides; there are no exact odds of that.")
        raise Illegal(f"{term} may have any number of dice: they can be added up and counted, but there are no exact "
                      "odds of more than that. Explode a number of times, as in !o.")  # fmt: skip

    def _negative(self, expression: Negative) -> Law:
        return negated(self.solve(expression.inner))

    def _binary(self, expression: Binary) -> Law:
        groups = groups_of(expression)
        if groups is not None:
            return sum_odds(groups)
        return combined(expression.operator, self.solve(expression.left), self.solve(expression.right), self.up_to)

    def _comparison(self, expression: Comparison) -> Law:
        if isinstance(expression.right, Word):
            return self._to_word(expression, expression.right.word)
        left, right = self.solve(expression.left), self.solve(expression.right)
        only_one = isinstance(left, Endless) != isinstance(right, Endless)
        return compared(expression.operator, left, right, self.up_to if only_one else 0)

    def _to_word(self, expression: Comparison, word: str) -> Law:
        """The odds of a comparison with a word: a face's, or a game's, ordered best first; a better one is greater."""
        if not isinstance(expression.left, GameCall):
            return self.odds(expression.left).map(lambda value: is_word(expression, value))
        left = self.call(expression.left, self.up_to)
        value: Any = {"true": True, "false": False}.get(word, word)
        order = list(left.order) or list(left.odds)
        if value not in order:
            raise Malformed(f'"{word}" is not one of {", ".join(map(str, order))}.')
        wanted = order.index(value)
        chance = left.odds.chance(lambda value: compare(expression.operator, -order.index(value), -wanted))
        return Distribution({True: chance.numerator, False: chance.denominator - chance.numerator}, chance.denominator)

    def _call(self, expression: GameCall) -> Law:
        return self.call(expression, self.up_to).odds

    def _logic(self, expression: Logic) -> Law:
        join = all if expression.operator == "and" else any
        left, right = self.odds(expression.left).map(bool), self.odds(expression.right).map(bool)
        return left.convolve(right, lambda a, b: join((a, b)))

    def _not(self, expression: Not) -> Law:
        return self.odds(expression.inner).map(lambda value: not value)

    def _if(self, expression: If) -> Law:
        asked = self.odds(expression.question).map(bool)
        branches = {True: expression.then, False: expression.otherwise}
        cases = [(ways, self.solve(branches[yes])) for yes, ways in asked.weights.items() if ways]
        return mixed(cases, asked.total, self.up_to)

    def _let(self, expression: Let) -> Law:
        """Solve the body for each value of the named roll: of its dice, if some of them are picked later."""
        if names_dice(expression.value) and _is_picked(expression.name, expression.body):
            known: Distribution[Any] = pools.throws(self, expression.value, joined=False).map(Pooled)
        else:
            known = self.odds(expression.value)
        cases = [
            (ways, self.naming(expression.name, value).solve(expression.body)) for value, ways in known.weights.items()
        ]
        return mixed(cases, known.total, self.up_to)

    def _function(self, expression: Function) -> Law:
        whole = self.odds(expression.arguments[0])
        if len(expression.arguments) == 1:
            return gathered(whole.map(lambda value: applied(expression.name, [value])))
        for argument in expression.arguments[1:]:
            more = self.odds(argument)
            spend(PAIR * len(whole) * len(more))
            whole = gathered(whole.convolve(more, lambda a, b: applied(expression.name, [a, b])))
        return whole

    def _total(self, expression: Total) -> Law:
        return self.solve(expression.inner)

    def _sets(self, expression: Sets) -> Law:
        raise Malformed(f"{expression} is several values; put it in a group, such as {{{expression}}}kh1.")

    def _group(self, expression: Group) -> Law:
        return pools.group_law(self, expression)

    def _versus(self, expression: Versus) -> Law:
        return pools.versus_law(self, expression)

    def _cancel(self, expression: Cancel) -> Law:
        return pools.cancel_law(self, expression, PLAIN)

    def _each(self, expression: Each) -> Law:
        return pools.each_law(self, expression)


def _is_picked(name: str, expression: Expression) -> bool:
    """Whether an expression picks some of the dice of a name, or meets them as a pool."""
    if isinstance(expression, Name):
        return expression.name == name and expression.pick != PLAIN
    if isinstance(expression, (Versus, Cancel, Each, Group)):
        return True
    return any(_is_picked(name, part) for part in parts_of(expression))


_SOLVE: dict[type, Callable[[ExpressionSolver, Any], Law]] = {
    Number: ExpressionSolver._number,
    Name: ExpressionSolver._name,
    Word: ExpressionSolver._word,
    DiceTerm: ExpressionSolver._term,
    Negative: ExpressionSolver._negative,
    Binary: ExpressionSolver._binary,
    Comparison: ExpressionSolver._comparison,
    Each: ExpressionSolver._each,
    Versus: ExpressionSolver._versus,
    Cancel: ExpressionSolver._cancel,
    Logic: ExpressionSolver._logic,
    Not: ExpressionSolver._not,
    If: ExpressionSolver._if,
    Let: ExpressionSolver._let,
    Function: ExpressionSolver._function,
    Total: ExpressionSolver._total,
    Group: ExpressionSolver._group,
    GameCall: ExpressionSolver._call,
    Sets: ExpressionSolver._sets,
}
