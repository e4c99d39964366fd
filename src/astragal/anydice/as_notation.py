"""An AnyDice expression in Astragal's notation: ``output [highest 3 of 4d6]`` is ``4d6kh3``.

AnyDice's own parser reads it. An expression that notation cannot write has odds, but cannot be rolled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from astragal.anydice import as_program
from astragal.anydice import expression as theirs
from astragal.anydice.parser import parse_program
from astragal.anydice.statement import Output
from astragal.dice.cache import cached
from astragal.dice.dice import MAX_DICE, MAX_SIDES
from astragal.errors import Malformed
from astragal.notation.condition import Limit, Listed
from astragal.notation.expression import (
    Binary,
    Comparison,
    Expression,
    Function,
    Group,
    Logic,
    Negative,
    Number,
)
from astragal.notation.term import PLAIN, DiceTerm, Explode, Face, Keep, Pick, Score

EXPLODE_DEPTH = 2
"""The number of times that AnyDice explodes a die, unless a program sets it."""
MAX_FACES = 100
COMPARISONS = {"=": "==", "!=": "!=", "<": "<", ">": ">", "<=": "<=", ">=": ">="}
LOGIC = {"&": "and", "|": "or"}
ARITHMETIC = {"+": "+", "-": "-", "*": "*"}


@cached(2048)
def from_anydice(text: str) -> Expression:
    """Return the notation of a single output of AnyDice."""
    statements = parse_program(as_program(text)).statements
    if len(statements) != 1 or not isinstance(statements[0], Output):
        raise Malformed("A whole AnyDice program has odds, but cannot be rolled; roll a single expression.")
    return _of(statements[0].expression)


def _refuse(what: str) -> NoReturn:
    raise Malformed(f"AnyDice's {what} has odds, but cannot be rolled or written in dice notation.")


def _of(x: Any) -> Expression:
    if isinstance(x, theirs.Number):
        return Number(x.number)
    if isinstance(x, theirs.Prefix):
        return _prefixed(x)
    if isinstance(x, theirs.Chain):
        return _chain(x)
    if isinstance(x, theirs.FunctionCall):
        return _called(x)
    return _refuse("sequence" if isinstance(x, theirs.Listed) else "variable")


def _prefixed(x: theirs.Prefix) -> Expression:
    if x.sign == "d":
        return _dice(1, x.operand)
    if x.sign == "-":
        return Negative(_of(x.operand))
    return _of(x.operand) if x.sign == "+" else _refuse(x.sign)


def _chain(x: theirs.Chain) -> Expression:
    sign, _, operand = x.rest[0]
    found = _at(x.first, operand) if sign == "@" else _joined(sign, _of(x.first), operand)
    for sign, _, operand in x.rest[1:]:
        found = _joined(sign, found, operand)
    return found


def _joined(sign: str, left: Expression, operand: Any) -> Expression:
    if sign == "d":
        return _dice(left.n if isinstance(left, Number) else left, operand)
    right = _of(operand) if sign != "@" else _refuse("@")
    if sign in COMPARISONS:
        return Comparison(COMPARISONS[sign], left, right)
    if sign in LOGIC:
        return Logic(LOGIC[sign], left, right)
    if sign in ARITHMETIC:
        return Binary(ARITHMETIC[sign], left, right)
    if sign == "/" and isinstance(right, Number) and right.n > 0 and _least(left) >= 0:
        return Binary("/", left, right)  # Rounded towards 0 and rounded down are the same.
    return _refuse(sign)


def _least(x: Expression) -> float:
    """A number that the value is never below."""
    if isinstance(x, Number):
        return float(x.n)
    if isinstance(x, DiceTerm):
        return min(0, *(x.values() if isinstance(x.sides, int) else ()), 0)
    if isinstance(x, Binary) and x.operator in ("+", "*", "/"):
        return min(_least(x.left), _least(x.right))
    return 0 if isinstance(x, (Comparison, Logic)) else float("-inf")


def _dice(n: Any, sides: Any) -> DiceTerm:
    if isinstance(n, int) and not 0 <= n <= MAX_DICE:
        raise Malformed(f"From 0 to {MAX_DICE:,} dice can be rolled.")
    if isinstance(sides, theirs.Number) and 1 <= sides.number <= MAX_SIDES:
        return DiceTerm(n, sides.number)
    if isinstance(sides, theirs.Listed) and (faces := _numbers(sides)):
        return DiceTerm(n, len(faces), tuple(map(Face, faces)))
    return _refuse("die of dice")


def _numbers(x: Any) -> list[int]:
    """The numbers of a sequence that is written out; empty if it is not."""
    found: list[int] = []
    for part in x.parts if isinstance(x, theirs.Listed) else (theirs.Element(x, None, None),):
        first, last, times = (_plain(each) for each in (part.first, part.last or part.first, part.times))
        if first is None or last is None or (part.times is not None and times is None):
            return []
        found += list(range(first, last + 1))[:MAX_FACES] * (1 if times is None else times)
        if len(found) > MAX_FACES:
            return []
    return found


def _plain(x: Any) -> int | None:
    if isinstance(x, theirs.Prefix) and x.sign == "-" and isinstance(x.operand, theirs.Number):
        return -x.operand.number
    return x.number if isinstance(x, theirs.Number) else None


def _at(position: Any, pool: Any) -> Expression:
    """The dice at some positions, from the highest: a single one, or the first few."""
    term, places = _pool(pool), _numbers(position)
    if isinstance(position, theirs.Number) and places[0] > 0:
        return term._replace(pick=Pick((*_dropped("dh", places[0] - 1), Keep("kh", 1))))
    if places and places == list(range(1, len(places) + 1)):
        return term._replace(pick=Pick((Keep("kh", len(places)),)))
    return _refuse("@")


def _dropped(kind: str, n: int) -> tuple[Keep, ...]:
    return (Keep(kind, n),) if n else ()


def _pool(x: Any) -> DiceTerm:
    found = _of(x)
    return found if isinstance(found, DiceTerm) and found.pick == PLAIN else _refuse("function on a sum")


def _number(x: Any) -> int:
    found = _plain(x)
    return found if found is not None and 0 <= found <= MAX_DICE else _refuse("function with a number that is rolled")


def _called(x: theirs.FunctionCall) -> Expression:
    name = " ".join(word or "_" for word in x.name)
    if name not in CALLS:
        _refuse(f"function [{' '.join(word or '…' for word in x.name)}]")
    return CALLS[name](*x.arguments)


def _kept(kind: str) -> Callable[..., Expression]:
    def keep(n: Any, *pools: Any) -> Expression:
        pick, terms = Pick((Keep(kind, _number(n)),)), tuple(map(_pool, pools))
        return terms[0]._replace(pick=pick) if len(terms) == 1 else Group(terms, pick)

    return keep


def _middle(n: Any, pool: Any) -> Expression:
    term, kept = _pool(pool), _number(n)
    if not isinstance(term.n, int) or kept > term.n:
        return _refuse("middle")
    skip = (term.n - kept) // 2
    return term._replace(pick=Pick((*_dropped("dl", term.n - kept - skip), *_dropped("dh", skip))))


def _exploding(die: Any) -> Expression:
    term = _pool(die)
    if term.n != 1 or term.explode:
        return _refuse("explosion of a sum")
    return term._replace(explode=Explode(Limit("==", max(term.values())), times=EXPLODE_DEPTH))


def _counting(faces: Any, pool: Any) -> Expression:
    numbers = _numbers(faces)
    if not numbers:
        return _refuse("count")
    test = Limit("==", numbers[0]) if len(numbers) == 1 else Listed(tuple(numbers))
    return _pool(pool)._replace(pick=Pick(scores=(Score(1, test),)))


def _containing(pool: Any, face: Any) -> Expression:
    return Comparison(">=", _counting(face, pool), Number(1))


def _function(name: str) -> Callable[..., Expression]:
    return lambda *arguments: Function(name, tuple(map(_of, arguments)))


CALLS: dict[str, Callable[..., Expression]] = {
    "absolute _": _function("abs"),
    "_ contains _": _containing,
    "count _ in _": _counting,
    "explode _": _exploding,
    "highest of _ and _": _function("max"),
    "lowest of _ and _": _function("min"),
    "middle _ of _": _middle,
    **dict.fromkeys(("highest _ of _", "highest _ of _ and _", "highest _ of _ and _ and _"), _kept("kh")),
    **dict.fromkeys(("lowest _ of _", "lowest _ of _ and _", "lowest _ of _ and _ and _"), _kept("kl")),
}
