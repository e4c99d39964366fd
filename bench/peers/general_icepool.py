"""General questions, put to icepool."""

from __future__ import annotations

from typing import Any

import icepool  # type: ignore[import-untyped]
import icepool.evaluator  # type: ignore[import-untyped]
from icepool import Die, MultisetEvaluator, Order, UnsupportedOrder, d

from bench.peers.symbols import LAMPS, Vector, lamp_lit, packed, pushed_die


def total(n: int, sides: int) -> Any:
    return n @ d(sides)


def totals(*groups: tuple[int, int]) -> Any:
    return sum(n @ d(sides) for n, sides in groups)


def keep(n: int, sides: int, k: int) -> Any:
    return d(sides).highest(n, k)


def at_most(sides: int, limit: int) -> Any:
    return d(sides) <= limit


def middle(n: int, sides: int, k: int) -> Any:
    return d(sides).middle(n, k)


def mixed(k: int, *sides: int) -> Any:
    return icepool.highest([d(n) for n in sides], keep=k)


def best_sums(n: int, sides: int, times: int, k: int) -> Any:
    return (n @ d(sides)).highest(times, k)


def exploding_keep(n: int, sides: int, k: int) -> Any:
    """Cut off after four explosions: not exact."""
    return d(sides).explode(depth=4).highest(n, k)


def straight(n: int, sides: int) -> Any:
    return icepool.evaluator.LargestStraightEvaluator().evaluate(d(sides).pool(n))


def widest(n: int, sides: int) -> Any:
    return icepool.evaluator.LargestCountAndOutcomeEvaluator().evaluate(d(sides).pool(n))


class HighestLeft(MultisetEvaluator):  # type: ignore[misc]
    """The highest outcome of which the first pool has more than the second; 0 if there is none."""

    def initial_state(self, order: Any, outcomes: Any, *sizes: int) -> int:
        if order != Order.Descending:
            raise UnsupportedOrder
        return 0

    def next_state(self, state: int, order: Any, outcome: int, ours: int, theirs: int) -> int:
        return state or (outcome if ours > theirs else 0)


def highest_left(n: int, m: int, sides: int) -> Any:
    return HighestLeft().evaluate(d(sides).pool(n), d(sides).pool(m))


def pairs(n: int, m: int, sides: int) -> Any:
    won = d(sides).pool(n).sort_pair(">", d(sides).pool(m))
    return icepool.evaluator.SizeEvaluator().evaluate(won)


def symbols(groups: list[tuple[int, dict[Vector, int]]]) -> Any:
    return sum((n @ Die(packed(die)) for n, die in groups if n), Die([0]))


def exploding_wins(sides: int, others: int) -> Any:
    """Cut off after nine explosions: not exact."""
    return d(sides).explode(depth=9) > d(others).explode(depth=9)


def lamps(*counts: int) -> Any:
    """What is left of the light, of the gleams and of the dawns, packed into one number, and the outcome of it."""
    return symbols(list(zip(counts, LAMPS, strict=True))).map(lamp_lit)


def push_success(dice: int, needed: int) -> Any:
    """6s stay and a push is made wherever it can help, so what counts is what the dice show after it."""
    return dice @ Die({1: 10, 0: 26}) >= needed


def push_frost(attribute: int, others: int, needed: int) -> Any:
    """A die and its push as one die, packed by hand: 6s at first, dice that are left, 1s after the push."""
    both = attribute @ Die(packed(pushed_die(True))) + others @ Die(packed(pushed_die(False)))

    def frost(number: int) -> int:
        sixes, left = number % 1000, number // 1000 % 1000
        return number // 1_000_000 if sixes < needed <= sixes + left else 0

    return both.map(frost)


def burned(bonus: int, momentum: int) -> Any:
    """Two d10s beaten by a d6 and a bonus, or by momentum where that beats both and the score does not."""

    def both(die: int, one: int, other: int) -> bool:
        weather = max(one, other)
        return max(min(die + bonus, 10), momentum) > weather

    return icepool.map(both, d(6), d(10), d(10))


def challenge(bonus: int) -> Any:
    """The challenge dice of Ironsworn below the score: both if their best is, one if only their worst is."""
    score = Die([min(shown + bonus, 10) for shown in range(1, 7)])
    both, some = score > d(10).highest(2), score > d(10).lowest(2)
    strong, hit = both.quantity(True), some.quantity(True)
    return Die({2: strong, 1: hit - strong, 0: some.denominator() - hit})


def challenge_burned(bonus: int, momentum: int) -> Any:
    """Whether both are below the score, or below momentum if that is more."""
    return Die([max(min(shown + bonus, 10), momentum) for shown in range(1, 7)]) > d(10).highest(2)


def best_or_critical(dice: int) -> Any:
    """The best die of Blades in the Dark, less is 0, 4 or 5 is 1, 6 is 2, and two 6s are 3."""
    best, two = Die({0: 3, 1: 2, 2: 1}).highest(dice), (dice @ (d(6) == 6)) >= 2
    critical = two.quantity(True) * best.denominator() // two.denominator()
    return Die({0: best.quantity(0), 1: best.quantity(1), 2: best.quantity(2) - critical, 3: critical})


def fate_degree(ahead: int) -> Any:
    """Failure, tie, success or style of four Fate dice and so much more than the difficulty."""

    def degree(shown: int) -> int:
        return 3 if shown + ahead > 2 else 2 if shown + ahead > 0 else 1 if shown + ahead == 0 else 0

    return (4 @ Die([-1, 0, 1])).map(degree)


def attack_damage(bonus: int, dc: int, dice: int, sides: int, more: int) -> Any:
    """The damage of an attack with advantage, whose dice fall twice if it is critical."""
    hit, critical = dice @ d(sides) + more, (2 * dice) @ d(sides) + more
    damage = [critical if shown == 20 else hit if shown > 1 and shown + bonus >= dc else 0 for shown in range(1, 21)]
    return Die(damage, [2 * shown - 1 for shown in range(1, 21)])
