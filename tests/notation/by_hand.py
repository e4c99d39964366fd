"""Programs and expressions of the corpus, answered by hand: what a tool's rules make of them, with icepool's dice.

Nothing of ours is used here: each was read by a person, with the tool's pages open.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import icepool  # type: ignore[import-untyped]
from icepool import Die, d
from icepool.evaluator import LargestStraightEvaluator, SizeEvaluator  # type: ignore[import-untyped]

ZERO = ("! (1 < 2)", "! -5", "! 2>3", "! 5", "!(2d4)", "!({0,-1})", "!-1", "!-10", "!-5", "!1", "!10", "(! 2)>3",
        "-1 @ 789", "-2 @ 789", "0 @ 789", "4 @ 789", "5 @ 789", "0d0|0d0", "1d0|0d0", "{1,2}=(1d{1,2})",
        "{}*1")  # fmt: skip
ONE = ("! (1 > 2)", "! (2>3)", "! 0", "!(0d4)", "!(2d(2d(0d3)))", "!(2d0)", "!({-1,1})", "!({-2,2})", "!({0,-1,1})",
       "!({0,0})", "!({0})", "!({})", "!0", "#-1", "#-9", "#0", "#7", "0^0", "2 > !3", "{}={}", "1 @ {1..6}",
       "[{1..6} contains 4]")  # fmt: skip
NUMBERS = {
    **dict.fromkeys(ZERO, 0),
    **dict.fromkeys(ONE, 1),
    **dict.fromkeys(("#-10", "#78", "1@246", "[count {1, 2} in {1..6}]", "2d6>3!<4"), 2),
    **dict.fromkeys(("#-100", "#789"), 3),
    **{"1 @ 789": 7, "2 @ 789": 8, "3 @ 789": 9, "[maximum of 3d6]": 18, "[maximum of d6]": 6},
    **dict.fromkeys(("1 @ [reverse {1..6}]", "1 @ [sort {1, 2, 4, 6, 5, 3}]"), 6),
}


def _dice() -> dict[str, Any]:
    fourth = d(6).pool(5)[1]
    ten = d(10).explode(depth=2)
    return {
        "2d(2d2)": 2 @ (2 @ d(2)),
        "[{1..3} contains d6]": d(6) <= 3,
        "2d [explode d6]": 2 @ d(6).explode(depth=2),
        "[explode 2d6]": (2 @ d(6)).explode(depth=2),
        "2d [explode d4]": 2 @ d(4).explode(depth=2),
        "[explode 2d4]": (2 @ d(4)).explode(depth=2),
        "[highest d4 of 4d6]": icepool.map(lambda n: d(6).highest(4, n), d(4)),
        "[lowest d4 of 4d6]": icepool.map(lambda n: d(6).lowest(4, n), d(4)),
        "[highest 1 of 6d[explode d10]]": ten.highest(6, 1),
        "[highest 3 of 6d [explode d10]]": ten.highest(6, 3),
        "1 + 2 * 3 ^ 4 @ 5 d 6": fourth.map(lambda value: 1 + 2 * 3**value),
        "1 @ [sort 5d6]": 5 @ d(6),
        "1d0|(1d2-1)": Die([0, 1]),
        "1d{0, 0, 0, 1d4}": Die([0, 0, 0, 1, 2, 3, 4]),
        "[highest 1 of 2d20 + 100]": 2 @ d(20) + 100,
        "{1,2}": d(2),
        "{1..4}": d(4),
        "d{heads, tails} == heads": Die([False, True]),
        "{5d6!!}>8": 5 @ Die({0: 31, 1: 5}),
        "36d152cs!=45": 36 @ d(152),
        "8d6rl1": d(6).highest(8, 7) + d(6),
        "8d6rl2": d(6).highest(8, 6) + 2 @ d(6),
        "20d12 straight": LargestStraightEvaluator().evaluate(d(12).pool(20)),
        "10d6 vs 10d6": SizeEvaluator().evaluate(d(6).pool(10).sort_pair(">", d(6).pool(10))),
        "6d6 cancel 6d6": (d(6).pool(6) - d(6).pool(6)).sum(),
        "{3d6 cancel 3d6}kh1": (d(6).pool(3) - d(6).pool(3)).highest(1).sum(),
        "let x = 1d20: if x == 20 then 4d6 else if x + 5 >= 15 then 2d6 else 0": d(20).map(
            lambda x: 4 @ d(6) if x == 20 else 2 @ d(6) if x >= 10 else 0
        ),
    }


KEPT = {"4d6e6kh3": (4, 6, 3), "6d6!k3": (6, 6, 3), "5d10!k2": (5, 10, 2), "3d6x6kh2": (3, 6, 2)}
"""Dice that explode on their highest face, of which the best are kept: their number, their sides, how many are kept."""


def _best_exploding(n: int, sides: int, keep: int) -> dict[Any, Fraction]:
    """By how many more dice there are: each was earned by a highest face, and from ``keep`` of these on all show it."""
    found: dict[Any, Fraction] = {}
    left = Fraction(1)
    for earned in range(keep):
        chance = comb(n - 1 + earned, earned) * Fraction(sides - 1, sides) ** n * Fraction(1, sides) ** earned
        left -= chance
        die = icepool.Pool([*[d(sides - 1)] * n, *[Die([sides])] * earned]).highest(keep).sum()
        for value in die.outcomes():
            found[value] = found.get(value, Fraction(0)) + chance * Fraction(die.quantity(value), die.denominator())
    found[keep * sides] = found.get(keep * sides, Fraction(0)) + left
    return found


def odds_by_hand(text: str) -> dict[Any, Fraction]:
    """Every value of a program with one output, with its chance."""
    program = text.removeprefix("output ")
    if program in NUMBERS:
        return {NUMBERS[program]: Fraction(1)}
    if program in KEPT:
        return _best_exploding(*KEPT[program])
    die = _dice()[program]
    return {int(value): Fraction(die.quantity(value), die.denominator()) for value in die.outcomes()}
