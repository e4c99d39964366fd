"""Programs of the corpus, answered by hand: what AnyDice's rules make of them, as a number or as icepool's die.

Nothing of ours is used here: a program was read by a person, with AnyDice's pages open.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import icepool  # type: ignore[import-untyped]
from icepool import Die, d

ZERO = ("! (1 < 2)", "! -5", "! 2>3", "! 5", "!(2d4)", "!({0,-1})", "!-1", "!-10", "!-5", "!1", "!10", "(! 2)>3",
        "-1 @ 789", "-2 @ 789", "0 @ 789", "4 @ 789", "5 @ 789", "0d0|0d0", "1d0|0d0", "{1,2}=(1d{1,2})",
        "{}*1")  # fmt: skip
ONE = ("! (1 > 2)", "! (2>3)", "! 0", "!(0d4)", "!(2d(2d(0d3)))", "!(2d0)", "!({-1,1})", "!({-2,2})", "!({0,-1,1})",
       "!({0,0})", "!({0})", "!({})", "!0", "#-1", "#-9", "#0", "#7", "0^0", "2 > !3", "{}={}", "1 @ {1..6}",
       "[{1..6} contains 4]")  # fmt: skip
NUMBERS = {
    **dict.fromkeys(ZERO, 0),
    **dict.fromkeys(ONE, 1),
    **dict.fromkeys(("#-10", "#78", "1@246", "[count {1, 2} in {1..6}]"), 2),
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
    }


def odds_by_hand(text: str) -> dict[Any, Fraction]:
    """Every value of a program with one output, with its chance."""
    program = text.removeprefix("output ")
    if program in NUMBERS:
        return {NUMBERS[program]: Fraction(1)}
    die = _dice()[program]
    return {int(value): Fraction(die.quantity(value), die.denominator()) for value in die.outcomes()}
