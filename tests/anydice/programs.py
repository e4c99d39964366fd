"""Programs as people post them, each with the dice it rolls and a plain reading of a throw.

``odds_by_hand`` goes through every throw: what a program says must be the same, fraction by
fraction. A reading of None is a throw that is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

from astragal.dice.distribution import Distribution


class Posted(NamedTuple):
    """A program with one output."""

    title: str
    text: str
    dice: Sequence[Sequence[int]]
    read: Callable[..., int | None]


def odds_by_hand(posted: Posted) -> Distribution[int]:
    """Return the odds of all throws, one by one."""
    found: Counter[int] = Counter()
    for throw in product(*posted.dice):
        value = posted.read(*throw)
        if value is not None:
            found[value] += 1
    return Distribution(found)


def d(sides: int, n: int = 1) -> list[range]:
    return [range(1, sides + 1)] * n


def best(keep: int, throw: Sequence[int]) -> int:
    return sum(sorted(throw, reverse=True)[:keep])


def attack(hit: int, damage: int, more: int) -> int:
    return 0 if hit == 1 else damage + more + 3 if hit == 20 else damage + 3 if hit + 5 >= 15 else 0


def widest(throw: Sequence[int]) -> int:
    return max(10 * throw.count(face) + face for face in throw)


def risk(*throw: int) -> int:
    ours, theirs = sorted(throw[:3], reverse=True), sorted(throw[3:], reverse=True)
    return sum(mine > other for mine, other in zip(ours, theirs, strict=False))


def run_of(throw: Sequence[int]) -> int:
    return max(n for n in range(1, 7) for low in range(1, 8 - n) if n == 1 or set(range(low, low + n)) <= set(throw))


def blades(*throw: int) -> int:
    return 4 if throw.count(6) > 1 else 3 if 6 in throw else 2 if max(throw) >= 4 else 1


def opposed(*throw: int) -> int:
    return sum(face >= 4 for face in throw[:3]) - sum(face >= 4 for face in throw[3:])


def pushed(one: int, two: int, again: int, once_more: int) -> int:
    return sum(face == 6 or (face != 1 and new == 6) for face, new in ((one, again), (two, once_more)))


def drawn(first: int, second: int) -> int | None:
    return None if first == second else first + second


def towards_zero(left: int, right: int) -> int:
    return int(left / right)


POSTED = [
    Posted("ability scores", "output [highest 3 of 4d6]", d(6, 4), lambda *t: best(3, t)),
    Posted("advantage", "output [highest 1 of 2d20] + 5", d(20, 2), lambda *t: max(t) + 5),
    Posted("disadvantage", "output 2@2d20", d(20, 2), lambda *t: min(t)),
    Posted("the middle die", "output [middle 1 of 3d20]", d(20, 3), lambda *t: sorted(t)[1]),
    Posted("the two in the middle", "output {2,3}@4d6", d(6, 4), lambda *t: sum(sorted(t)[1:3])),
    Posted("the highest counts twice", "output {1,1,3}@3d6", d(6, 3), lambda *t: 2 * max(t) + min(t)),
    Posted("the other order", 'set "position order" to "lowest first"\noutput {1,1,3}@3d6', d(6, 3),
           lambda *t: 2 * min(t) + max(t)),
    Posted("hits", "function: hits R:s { result: R >= 5 }\noutput [hits 6d6]", d(6, 6),
           lambda *t: sum(f >= 5 for f in t)),
    Posted("hits less ones", "function: R:s botch { result: (R >= 4) - (R = 1) }\noutput [4d6 botch]", d(6, 4),
           lambda *t: sum((f >= 4) - (f == 1) for f in t)),
    Posted("tens count twice", "output [count {7..10, 10} in 3d10]", d(10, 3),
           lambda *t: sum((f >= 7) + (f == 10) for f in t)),
    Posted("a six somewhere", "output [4d6 contains 6]", d(6, 4), lambda *t: int(6 in t)),
    Posted("hits as dice", "output 5d(d6 >= 5)", d(6, 5), lambda *t: sum(f >= 5 for f in t)),
    Posted("Fate", "output 4d{-1..1} + 2", [range(-1, 2)] * 4, lambda *t: sum(t) + 2),
    Posted("roll under", "SKILL: 12\noutput 3d6 <= SKILL", d(6, 3), lambda *t: int(sum(t) <= 12)),
    Posted("who is higher", "output d8 > d6", [*d(8), *d(6)], lambda a, b: int(a > b)),
    Posted("a d8 or a wild die", "output [highest of d8 and d6]", [*d(8), *d(6)], max),
    Posted("best of mixed dice", "output [highest 2 of 2d6 and 1d8]", [*d(6, 2), *d(8)], lambda *t: best(2, t)),
    Posted("clamped", """
function: clamp X:n from A:n to B:n {
  if X < A { result: A }
  if X > B { result: B }
  result: X
}
output [clamp 2d6 from 4 to 10]""", d(6, 2), lambda *t: min(max(sum(t), 4), 10)),
    Posted("ones and twos again", """
function: again R:s for N:n or D:d { if [R contains N] { result: D } result: N }
function: great D:d { result: [again {1,2} for D or D] }
output 2d[great d6]""", d(6, 4), lambda a, x, b, y: (x if a < 3 else a) + (y if b < 3 else b)),
    Posted("an attack", r"""
function: attack ROLL:n plus BONUS:n against AC:n for DAMAGE:d and CRIT:d {
  if ROLL = 1 { result: 0 }
  if ROLL = 20 { result: DAMAGE + CRIT }
  if ROLL + BONUS >= AC { result: DAMAGE }
  result: 0 \ missed \
}
output [attack d20 plus 5 against 15 for d8 + 3 and d8]""", [*d(20), *d(8, 2)], attack),
    Posted("with advantage", """
function: hit ROLL:n { if ROLL >= 11 { result: d4 + 1 } else { result: 0 } }
output [hit [highest 1 of 2d20]]""", [*d(20, 2), *d(4)], lambda a, b, x: x + 1 if max(a, b) >= 11 else 0),
    Posted("one more for each of the highest", """
function: pool DICE:s { result: 1@DICE + [count 1@DICE in DICE] - 1 }
output [pool 4d6]""", d(6, 4), lambda *t: max(t) + t.count(max(t)) - 1),
    Posted("how often the highest lies there", """
function: tops of R:s { result: R = 1@R }
output [tops of 5d6]""", d(6, 5), lambda *t: t.count(max(t))),
    Posted("neighbours that are equal", """
function: dupes in DICE:s {
  D: 0
  loop X over {2..#DICE} { if (X-1)@DICE = X@DICE { D: D + 1 } }
  result: D
}
output [dupes in 5d6]""", d(6, 5), lambda *t: 5 - len(set(t))),
    Posted("the widest set", """
function: widest in ROLL:s {
  BEST: 0
  loop FACE over {1..6} {
    WIDTH: FACE = ROLL
    if WIDTH & 10 * WIDTH + FACE > BEST { BEST: 10 * WIDTH + FACE }
  }
  result: BEST
}
output [widest in 4d6]""", d(6, 4), lambda *t: widest(t)),
    Posted("the longest run", """
function: longest run in ROLL:s {
  BEST: 1
  loop LENGTH over {2..5} {
    loop LOW over {1..(7 - LENGTH)} {
      ALL: 1
      loop FACE over {LOW..(LOW + LENGTH - 1)} { ALL: ALL & [ROLL contains FACE] }
      if ALL { BEST: LENGTH }
    }
  }
  result: BEST
}
output [longest run in 5d6]""", d(6, 5), lambda *t: run_of(t)),
    Posted("three against two", """
function: A:s beats B:s {
  WON: 0
  loop I over {1..#B} { if I@A > I@B { WON: WON + 1 } }
  result: WON
}
output [3d6 beats 2d6]""", d(6, 5), risk),
    Posted("hits against hits", """
function: hits R:s { result: R >= 4 }
output [hits 3d6] - [hits 2d6]""", d(6, 5), opposed),
    Posted("a six, two sixes", """
function: score R:s {
  if (R = 6) > 1 { result: 4 }
  else if 1@R = 6 { result: 3 }
  else if 1@R >= 4 { result: 2 }
  else { result: 1 }
}
output [score 4d6] named "action"
""", d(6, 4), blades),
    Posted("three tiers", """
function: tier of R:n { if R <= 6 { result: 0 } if R <= 9 { result: 1 } result: 2 }
output [tier of 2d6 + 1]""", d(6, 2), lambda *t: 0 if sum(t) < 6 else 1 if sum(t) < 9 else 2),
    Posted("digits turned round", """
function: flip R:n {
  TURNED: (R - 10 * (R / 10)) * 10 + R / 10
  if R > 45 & TURNED <= 45 { result: TURNED }
  result: R
}
output [flip d{0..99}]""", [range(100)],
           lambda r: r % 10 * 10 + r // 10 if r > 45 >= r % 10 * 10 + r // 10 else r),
    Posted("pushed", """
function: push N:n { if N = 6 { result: 1 } if N = 1 { result: 0 } result: d6 = 6 }
output 2d[push d6]""", d(6, 4), pushed),
    Posted("exploding at most twice", "output [explode d4]", d(4, 3),
           lambda a, b, c: a if a < 4 else 4 + b if b < 4 else 8 + c),
    Posted("exploding once, two kept", 'set "explode depth" to 1\noutput [highest 2 of 3d[explode d4]]', d(4, 6),
           lambda *t: best(2, [a + b * (a == 4) for a, b in zip(t[::2], t[1::2], strict=True)])),
    Posted("an explosion of one's own", """
function: again N:n { if N > 2 { result: N + [again d4] } result: N }
set "maximum function depth" to 3
output [again d4]""", d(4, 3), lambda a, b, c: a if a < 3 else a + b if b < 3 else a + b + c),
    Posted("ten again", """
function: again N:n { if N = 10 { result: 1 + [again d10] } result: N >= 8 }
set "maximum function depth" to 3
output 1d[again d10]""", d(10, 3), lambda a, b, c: (a >= 8) + (a == 10) * ((b >= 8) + (b == 10) * (c >= 8))),
    Posted("a helper that reads its caller's variables", """
function: burst DIE:d { TOP: [maximum of DIE] result: [burst DIE helper] }
function: burst N:n helper { if N = TOP { result: N + DIE } result: N }
output [burst 1d6]""", d(6, 2), lambda a, b: a + b if a == 6 else a),
    Posted("left out until it fits", """
function: A:n and B:n differ { if A = B { result: d{} } result: A + B }
output [d6 and d6 differ]""", d(6, 2), drawn),
    Posted("drawn from a hand", """
function: S:s without N:n {
  R: {}
  loop I over {1..#S} { if I@S != N | DONE { R: {R, I@S} } else { DONE: 1 } }
  result: R
}
function: draw N:n { DONE: 0 result: N + 1d[{1..5} without N] }
output [draw d5]""", d(5, 2), drawn),
    Posted("a die chooses a die", """
function: choose N:n { if N = 1 { result: d4 } if N = 2 { result: d6 } result: d12 }
output [choose d3]""", [*d(3), *d(12)], lambda n, x: (x + 2) // 3 if n == 1 else (x + 1) // 2 if n == 2 else x),
    Posted("a rolled number of dice", "output (d3)d4", [*d(3), *d(4, 3)], lambda n, *t: sum(t[:n])),
    Posted("a rolled die", "output 1d{d4, 10}", [(1, 2, 3, 4, 10)], lambda x: x),
    Posted("a step die", "output 2d{1:2, 2..3}", [(1, 1, 2, 3)] * 2, lambda *t: sum(t)),
    Posted("hit, wound, save", """
function: hit R:n { if R >= 3 { result: [wound d6] } result: 0 }
function: wound R:n { if R >= 4 { result: [save d6] } result: 0 }
function: save R:n { result: R < 5 }
function: attacks N:n { DAMAGE: 0 loop I over {1..N} { DAMAGE: DAMAGE + [hit d6] } result: DAMAGE }
output [attacks 2]""", d(6, 6),
           lambda *t: sum(a >= 3 and b >= 4 and c < 5 for a, b, c in (t[:3], t[3:]))),
    Posted("one against each", """
function: A:n against B:s { result: B < A }
output [1d6 + 3 against 2d10]""", [*d(6), *d(10, 2)], lambda a, *b: sum(a + 3 > x for x in b)),
    Posted("how far from seven", "output [absolute 2d6 - 7]", d(6, 2), lambda *t: abs(sum(t) - 7)),
    Posted("a modifier, rounded towards zero", "output (3d6 - 10) / 2", d(6, 3),
           lambda *t: towards_zero(sum(t) - 10, 2)),
    Posted("at least one of two", "output d6 = 6 | d6 = 6", d(6, 2), lambda *t: int(6 in t)),
    Posted("neither", "output !(d6 = 6) & d6 != 6", d(6, 2), lambda *t: int(6 not in t)),
    Posted("a variable is rolled each time", "X: d6\noutput X - X", d(6, 2), lambda a, b: a - b),
    Posted("times two is one roll", "output 2 * d6", d(6), lambda a: 2 * a),
    Posted("fewer than none", "output (-2)d4", d(4, 2), lambda *t: -sum(t)),
    Posted("pairs among different throws", """
function: A:s shares with B:s { N: 0 loop X over A { if X = B { N: N + 1 } } result: N }
output [2d4 shares with 3d4]""", d(4, 5), lambda *t: sum(x in t[2:] for x in t[:2])),
    Posted("double damage", """
function: crit DICE:s { if 1@DICE = #DICE@DICE { result: 2 * DICE } result: DICE }
output [crit 2d6]""", d(6, 2), lambda a, b: (a + b) * (1 + (a == b))),
]  # fmt: skip


def weight_of(posted: Posted) -> int:
    """How many throws it takes to go through all."""
    return prod(map(len, posted.dice))
