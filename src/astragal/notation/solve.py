"""Exact odds of dice notation. The caller solves a game's rolls in an expression, as this room knows no game.

Parts of an expression are independent, as a roll that is used twice has a name, and what follows is solved for each of
its values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain
from typing import Any, NamedTuple

from astragal.dice.distribution import Beyond, Distribution, chained
from astragal.dice.solver.sums import sum_odds
from astragal.errors import Illegal, Malformed
from astragal.notation.endless import Endless, compared, gathered, is_endless
from astragal.notation.expression import Binary, Comparison, Expression, GameCall, Group, Sets, Versus
from astragal.notation.odds import law as laws
from astragal.notation.odds.die import chain_odds, joined_odds
from astragal.notation.odds.law import WORDS, Law, listed, mixed, negated, numbers_of
from astragal.notation.odds.pools import Kind, goes_on, multisets, ranked_sum, stages_of
from astragal.notation.odds.reach import reach_of
from astragal.notation.odds.terms import (
    adds_up,
    groups_of,
    is_listed,
    kind_of,
    kinds_law,
    loose_throws,
    rolled_sum,
    term_law,
)
from astragal.notation.odds.versus import (
    KeptPool,
    cancel_odds,
    cancelled_sum,
    endless_each,
    endless_versus,
    side_odds,
    versus_odds,
)
from astragal.notation.pool import beaten, kept_of, left_over, pairs_won, picked
from astragal.notation.term import PLAIN, DiceTerm, Keep, Pick
from astragal.notation.throw import check
from astragal.notation.walk import Values, Walk, counted

MAX_UP_TO = 1000
"""Highest value of an endless count that is shown on its own."""

Throws = Distribution[tuple[Any, ...]]
Solve = Callable[[GameCall, int], Distribution[Any]]
"""The odds of a game's fact, its words in order; endless counts are told apart up to a bound."""


def expression_odds(expression: Expression, call: Solve, up_to: int | None = None) -> Distribution[Any]:
    """The exact distribution of an expression's value: a number, a word, or True and False for a comparison.

    Endless values above ``up_to`` are one value; a comparison raises ``up_to`` as far as it needs. The odds of sets are
    those of one of them, unless they are sorted.
    """
    kind = Laws(expression, call, up_to)
    walk = Walk(kind, {})
    if not isinstance(expression, Sets):
        return kind.listed(walk.value(expression))
    one = kind.listed(walk.value(expression.inner))
    if not expression.in_order:
        return one
    throws = multisets([Kind(expression.times, one.weights)])
    return throws.map(lambda values: tuple(reversed(values)))


class PoolLaw(NamedTuple):
    """The odds of a pool.

    ``kinds`` are its values before anything is dropped, with how many of each there are, if they are independent;
    ``keeps`` says what is kept of them. ``met`` are the two pools, if this pool is what cancelling leaves of them.
    Otherwise ``found`` finds the odds of every different throw.
    """

    kinds: tuple[tuple[Law, int], ...] | None = None
    keeps: tuple[Keep, ...] = ()
    found: Callable[[], Throws] | None = None
    met: tuple[PoolLaw, PoolLaw] | None = None

    @property
    def endless(self) -> tuple[Endless, int] | None:
        """The law of one value and their number, if all are equal, without end, and kept."""
        if self.keeps or self.kinds is None or len(self.kinds) != 1:
            return None
        ((part, n),) = self.kinds
        return (part, n) if isinstance(part, Endless) and n else None


class Laws(Values):
    """Exact odds: a value is a distribution, listed or without end, and parts are independent."""

    def __init__(self, expression: Expression, call: Solve, up_to: int | None) -> None:
        self._expression = expression
        self._call = call
        self._wanted = up_to

    @cached_property
    def up_to(self) -> int:
        """How far values without end are listed; found when the first answer needs it, as few do."""
        wanted, expression = self._wanted, self._expression
        reach = reach_of(expression) if wanted is None or isinstance(expression, Comparison) else 0
        return min(max(wanted or 0, reach), MAX_UP_TO)

    def listed(self, law: Law) -> Distribution[Any]:
        """Return the odds with every value listed, or one value for all beyond the bound."""
        return law.listed(self.up_to) if isinstance(law, Endless) else law  # found for these alone

    def known(self, value: Any) -> Law:
        return Distribution.certain(value)

    def map(self, change: Callable[..., Any], *values: Law) -> Law:
        first, *rest = [self.listed(value) for value in values]
        return gathered(first.convolve(rest[0], change) if rest else first.map(change))

    def given(self, value: Law, then: Callable[[Any], Law]) -> Law:
        known = self.listed(value)
        cases = [(ways, then(each)) for each, ways in known.weights.items() if ways]
        return mixed(cases, known.total, self.up_to)

    def calculated(self, operator: str, left: Law, right: Law) -> Law:
        return laws.combined(operator, left, right, self.up_to)

    def compared(self, operator: str, left: Law, right: Law) -> Law:
        only_one = isinstance(left, Endless) != isinstance(right, Endless)
        return laws.compared(operator, left, right, self.up_to if only_one else 0)

    def negative(self, value: Law) -> Law:
        return negated(value)

    def at_once(self, expression: Binary) -> Law | None:
        groups = groups_of(expression)
        return None if groups is None else sum_odds(groups)

    def term(self, term: DiceTerm, n: Law | None, sides: Law | None) -> Law:
        if n is None and sides is None:
            return term_law(term, self.up_to if is_listed(term) else 0)
        if n is not None and adds_up(term):
            found = rolled_sum(n, term, self.up_to)
            if found is not None:
                return found
        return self._rolled(term, n, sides, self._of_number)

    def _rolled(
        self, term: DiceTerm, n: Law | None, sides: Law | None, then: Callable[[DiceTerm, Any, Any], Law]
    ) -> Law:
        """The odds of dice whose number or sides are rolled, from those of each number and sides."""
        number, side = (self.known(part) if law is None else law for part, law in ((term.n, n), (term.sides, sides)))
        return self.given(number, lambda n: self.given(side, lambda sides: then(term, n, sides)))

    def _of_number(self, term: DiceTerm, n: Any, sides: Any) -> Law:
        if not is_endless(n) and not is_endless(sides):
            return term_law(counted(term, n, sides), self.up_to)
        if isinstance(n, Beyond) and term.pick == PLAIN and isinstance(sides, int) and not term.fate:
            values = [value for value in term._replace(sides=sides).values() if isinstance(value, int)]
            if values and min(values) >= 1:
                return self.known(Beyond(n.last * min(values)))
        if is_endless(sides):
            raise Illegal(f"{term} may have any number of sides; there are no exact odds of that.")
        raise Illegal(f"{term} may have any number of dice: they can be added up and counted, but there are no exact "
                      "odds of more than that. Explode a number of times, as in !o.")  # fmt: skip

    def call(self, expression: GameCall) -> Law:
        return self._call(expression, self.up_to)

    def call_to_word(self, expression: Comparison, call: GameCall, word: Any) -> Law:
        chance = CHANCES[expression.operator](self._call(call, self.up_to), word)
        return Distribution({True: chance.numerator, False: chance.denominator - chance.numerator}, chance.denominator)

    def sets(self, expression: Sets, one: Callable[[], Law]) -> Law:
        raise Malformed(f"{expression} is several values; put it in a group, such as {{{expression}}}kh1.")

    def dice(self, term: DiceTerm, n: Law | None, sides: Law | None, joined: bool) -> PoolLaw:
        if n is not None or sides is not None:

            def known(term: DiceTerm, n: Any, sides: Any) -> Law:
                return self._throws(self.dice(counted(term, n, sides), None, None, joined))

            return PoolLaw(found=lambda: self.listed(self._rolled(term, n, sides, known)))
        if term.replace or (not joined and term.explode and not term.explode.compound):
            return PoolLaw(found=partial(loose_throws, term))
        all_dice = term._replace(pick=PLAIN)
        check(all_dice)
        assert isinstance(term.n, int)
        return PoolLaw(((joined_odds(chain_odds(all_dice)), term.n),), term.pick.keeps)

    def _throws(self, pool: PoolLaw) -> Throws:
        """The odds of every different throw of a pool."""
        side = self._side(pool)
        if side is not None:
            return side_odds(side)
        if pool.met is not None:
            return self._throws(pool.met[0]).convolve(self._throws(pool.met[1]), left_over)
        assert pool.found is not None
        return pool.found()

    def _side(self, pool: PoolLaw, up_to: int = 0) -> KeptPool | None:
        """A pool with values listed at least up to a bound; None if they are not independent."""
        if pool.kinds is None:
            return None
        return KeptPool(tuple(kind_of(part, n, max(self.up_to, up_to)) for part, n in pool.kinds), pool.keeps)

    def single(self, value: Law) -> PoolLaw:
        return PoolLaw(((value, 1),))

    def repeated(self, expression: Sets, one: Callable[[], Law]) -> PoolLaw:
        return PoolLaw(((one(), expression.times),))

    def certain(self, values: tuple[Any, ...]) -> PoolLaw:
        return PoolLaw(found=lambda: Distribution.certain(values))

    def together(self, pools: Sequence[PoolLaw]) -> PoolLaw:
        if len(pools) == 1:
            return pools[0]
        kinds = [pool.kinds for pool in pools if pool.kinds is not None]
        if len(kinds) == len(pools):
            return PoolLaw(tuple(chain.from_iterable(kinds)))

        def sorted_together(one: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[Any, ...]:
            return tuple(sorted((*one, *other), key=str))

        return PoolLaw(found=lambda: chained(map(self._throws, pools), (), sorted_together))

    def kept(self, keeps: tuple[Keep, ...], pool: PoolLaw) -> PoolLaw:
        if not keeps:
            return pool
        if pool.kinds is not None:
            return PoolLaw(pool.kinds, keeps)
        return PoolLaw(found=lambda: self._throws(pool).map(partial(kept_of, keeps)))

    def left_over(self, left: PoolLaw, right: PoolLaw) -> PoolLaw:
        return PoolLaw(met=(left, right))

    def shown(self, pool: PoolLaw) -> Law:
        return self._throws(pool)

    def total(self, pool: PoolLaw) -> Law:
        return self._picked(PLAIN, pool)

    def group(self, expression: Group, pool: PoolLaw) -> Law:
        return self._picked(expression.pick, pool)

    def _picked(self, pick: Pick, pool: PoolLaw) -> Law:
        if pool.kinds is not None:
            return kinds_law(pool.kinds, pick, self.up_to)
        found = self._cancelled(*pool.met, pick) if pool.met is not None else None
        return self._throws(pool).map(partial(picked, pick)) if found is None else found

    def _cancelled(self, left: PoolLaw, right: PoolLaw, pick: Pick) -> Law | None:
        """What is picked of the dice that are left after cancelling; None if every throw must be looked at."""
        theirs, endless = self._side(right), left.endless
        if endless is not None and theirs is not None and pick == PLAIN and not theirs.keeps:
            found = None if goes_on(theirs.kinds) else cancelled_sum(endless, theirs.kinds)
            if found is not None:
                return found
        ours = self._side(left, _highest(theirs))
        _check_words(ours, theirs, bool(pick.scores))
        return None if ours is None or theirs is None else cancel_odds(ours, theirs, pick)

    def versus(self, expression: Versus, left: PoolLaw, right: PoolLaw) -> Law:
        if left.endless is not None and right.endless is not None:
            found = endless_versus(expression.operator, left.endless, right.endless)
            if found is not None:
                return found
        ours, theirs = self._side(left), self._side(right)
        _check_words(ours, theirs, False)
        if ours is not None and theirs is not None:
            return versus_odds(expression.operator, ours, theirs)
        return self._throws(left).convolve(self._throws(right), partial(pairs_won, expression.operator))

    def each(self, operator: str, value: Law, pool: PoolLaw) -> Law:
        """For each value, the odds of how many of the pool it compares well with."""
        if isinstance(value, Endless) and pool.endless is not None:
            found = endless_each(operator, value, pool.endless)
            if found is not None:
                return found
        left = listed(value, self.up_to)
        side = self._side(pool, max([0, *[int(abs(each)) + 1 for each in numbers_of(left)]]))
        _check_words(side, None, False)
        if side is not None and goes_on(side.kinds) and any(map(is_endless, left.weights)):
            raise Illegal("A value without end meets each die of a pool without end exactly if all of them go on with "
                          "one face, and the pool has equal dice of which none is dropped, as in 1d6! > each 2d10!. "
                          "Or explode a number of times, as in !o.")  # fmt: skip
        stages = stages_of(side.keeps, side.n) if side is not None else None
        if side is None or stages is None:
            return left.convolve(self._throws(pool), partial(beaten, operator))

        def of_value(value: Any) -> Law:
            return ranked_sum(side.kinds, stages, lambda other: int(compared(operator, value, other)))

        return self.given(left, of_value)


CHANCES: dict[str, Callable[[Distribution[Any], Any], Fraction]] = {
    "==": lambda odds, value: odds[value],
    "!=": lambda odds, value: 1 - odds[value],
    ">=": lambda odds, value: odds.at_least(value),
    "<": lambda odds, value: odds.at_most(value) - odds[value],
    "<=": lambda odds, value: odds.at_most(value),
    ">": lambda odds, value: odds.at_least(value) - odds[value],
}
"""The chance that a value compares so with a word."""


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
