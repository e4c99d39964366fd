"""The referee of dice notation: evaluates an expression with every face that every die can show.

Plain and slow, and without the parser's, the table's or the solver's code: only the classes of expressions are shared.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from typing import Any

from astragal.notation import expression as e
from astragal.notation.condition import Limit, Listed, Test
from astragal.notation.term import DiceTerm, Pick

ARITHMETIC: dict[str, Callable[[Fraction, Fraction], Any]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left // right,
    "÷": lambda left, right: left / right,
    "%": lambda left, right: left % right,
    "**": lambda left, right: left ** int(right),
}
FUNCTIONS: dict[str, Callable[[Fraction], Any]] = {
    "abs": abs,
    "floor": floor,
    "ceil": ceil,
    "round": lambda value: floor(value + Fraction(1, 2)),
}
UNFINISHED = "unfinished"
"""Where the chance of all throws is counted in which some die goes on for longer than it is followed."""


class TooMany(Exception):
    """There are more throws than the referee has patience for."""


class Unfinished(Exception):
    """A die goes on for longer than it is followed."""


class Die:
    """Throws dice with so many sides: all faces in turn, one throw after the other."""

    def __init__(self, deepest: int) -> None:
        self.deepest = deepest
        """How often in a row a die that goes on without end is thrown; 0 if it is not thrown at all."""
        self.script: list[list[int]] = []
        self.place, self.chance = 0, Fraction(1)

    def __call__(self, sides: int) -> int:
        if self.place == len(self.script):
            self.script.append([1, sides])
        face, _ = self.script[self.place]
        self.place += 1
        self.chance /= sides
        return face

    def next(self) -> bool:
        """Go on to the next throw of all dice; False after the last one."""
        del self.script[self.place :]
        while self.script and self.script[-1][0] == self.script[-1][1]:
            self.script.pop()
        if self.script:
            self.script[-1][0] += 1
        self.place, self.chance = 0, Fraction(1)
        return bool(self.script)


def tally(expression: Any, most: int = 20_000, deepest: int = 0) -> dict[Any, Fraction]:
    """Every value with its chance."""
    found: dict[Any, Fraction] = {}
    die = Die(deepest)
    for _ in range(most):
        try:
            value = evaluate(expression, {}, die)
        except Unfinished:
            value = UNFINISHED
        found[value] = found.get(value, Fraction(0)) + die.chance
        if not die.next():
            return found
    raise TooMany


def evaluate(x: Any, names: dict[str, Any], die: Die) -> Any:
    """The value of an expression: a pool's is its sum."""
    if isinstance(x, e.Number):
        return x.n
    if isinstance(x, e.Name):
        value = names[x.name]
        return conclude(x.pick, list(value)) if isinstance(value, list) else value
    if isinstance(x, DiceTerm):
        return conclude(x.pick, throw(x, die, False))
    if isinstance(x, e.Negative):
        return -evaluate(x.inner, names, die)
    if isinstance(x, e.Binary):
        first = Fraction(evaluate(x.left, names, die))
        return whole(ARITHMETIC[x.operator](first, Fraction(evaluate(x.right, names, die))))
    if isinstance(x, e.Comparison):
        left, right = evaluate(x.left, names, die), evaluate(x.right, names, die)
        return holds(x.operator, left, right)
    if isinstance(x, e.Each):
        value = evaluate(x.left, names, die)
        return len([other for other in pool(x.pool, names, die) if holds(x.operator, value, other)])
    if isinstance(x, e.Versus):
        ours = sorted(pool(x.left, names, die), reverse=True)
        theirs = sorted(pool(x.right, names, die), reverse=True)
        return len([1 for k in range(min(len(ours), len(theirs))) if holds(x.operator, ours[k], theirs[k])])
    if isinstance(x, e.Cancel):
        return sum(pool(x, names, die))
    if isinstance(x, e.Logic):
        left, right = bool(evaluate(x.left, names, die)), bool(evaluate(x.right, names, die))
        return (left and right) if x.operator == "and" else (left or right)
    if isinstance(x, e.Not):
        return not evaluate(x.inner, names, die)
    if isinstance(x, e.If):
        return evaluate(x.then if evaluate(x.question, names, die) else x.otherwise, names, die)
    if isinstance(x, e.Let):
        if isinstance(x.value, DiceTerm) and not x.value.pick.scores and not x.value.pick.pattern:
            named: Any = keep(x.value.pick, throw(x.value, die, False))
        elif isinstance(x.value, e.Group) and not x.value.pick.scores and not x.value.pick.pattern:
            named = pool(x.value, names, die)
        else:
            named = evaluate(x.value, names, die)
        return evaluate(x.body, {**names, x.name: named}, die)
    if isinstance(x, e.Function):
        values = [evaluate(argument, names, die) for argument in x.arguments]
        if x.name in ("min", "max"):
            return {"min": min, "max": max}[x.name](values)
        return whole(FUNCTIONS[x.name](Fraction(values[0])))
    if isinstance(x, e.Total):
        return evaluate(x.inner, names, die)
    if isinstance(x, e.Sets):
        return evaluate(x.inner, names, die)  # The odds are those of one of them.
    if isinstance(x, e.Group):
        return conclude(x.pick, parts(x, names, die))
    raise AssertionError(x)


def whole(value: Any) -> Any:
    """A whole number as such."""
    return int(value) if value == int(value) else value


def pool(x: Any, names: dict[str, Any], die: Die) -> list[Any]:
    """The values of a pool."""
    if isinstance(x, DiceTerm) and not x.pick.scores and not x.pick.pattern:
        return keep(x.pick, throw(x, die, True))
    if isinstance(x, e.Group) and not x.pick.scores and not x.pick.pattern:
        return keep(x.pick, parts(x, names, die))
    if isinstance(x, e.Cancel):
        ours = pool(x.left, names, die)
        for value in pool(x.right, names, die):
            if value in ours:
                ours.remove(value)
        return ours
    if isinstance(x, e.Name) and isinstance(names[x.name], list) and not x.pick.scores and not x.pick.pattern:
        return keep(x.pick, list(names[x.name]))
    return [evaluate(x, names, die)]


def parts(x: e.Group, names: dict[str, Any], die: Die) -> list[Any]:
    """The values of a group: one for each plain die, one for everything else."""
    values: list[Any] = []
    for part in x.parts:
        if isinstance(part, e.Sets):
            values += [evaluate(part.inner, names, die) for _ in range(part.times)]
        elif isinstance(part, e.Cancel) or (isinstance(part, DiceTerm) and part.pick == Pick()):
            values += pool(part, names, die)
        else:
            values.append(evaluate(part, names, die))
    return values


def throw(x: DiceTerm, die: Die, joined: bool) -> list[int]:
    """The values that dice come to rest with, before keeping and dropping."""
    n = x.n if isinstance(x.n, int) else evaluate(x.n, {}, die)
    sides = x.sides if isinstance(x.sides, int) else evaluate(x.sides, {}, die)
    x = x._replace(sides=sides)
    if x.explode and not x.explode.times and not die.deepest:
        raise TooMany
    faces = [settled(x, die, sides) for _ in range(n)]
    if x.replace:
        ranked = sorted(range(n), key=lambda k: counted(x, faces[k]), reverse=x.replace.highest)
        for k in sorted(ranked[: x.replace.n]):
            faces[k] = die(sides)
    values: list[int] = []
    for face in faces:
        chain = [counted(x, face)]
        shown, more = face, 0
        while (
            x.explode and meets(x.explode.test, natural(x, shown)) and (more < x.explode.times or not x.explode.times)
        ):
            more += 1
            if more == die.deepest and not x.explode.times:
                raise Unfinished
            shown = settled(x, die, sides)
            chain.append(counted(x, shown) - (1 if x.explode.penetrate else 0))
        values += [sum(chain)] if joined or (x.explode and x.explode.compound) else chain
    return values


def settled(x: DiceTerm, die: Die, sides: int) -> int:
    """A face after its rerolls; one that is rerolled without end shows one of the other faces."""
    if x.reroll and not x.reroll.times:
        others = [face for face in range(1, sides + 1) if not meets(x.reroll.test, natural(x, face))]
        return others[die(len(others)) - 1]
    face = die(sides)
    times = 0
    while x.reroll and meets(x.reroll.test, natural(x, face)) and times < x.reroll.times:
        face = die(sides)
        times += 1
    return face


def natural(x: DiceTerm, face: int) -> Any:
    if x.faces:
        return x.faces[face - 1].value
    return face - 2 if x.fate else face


def counted(x: DiceTerm, face: int) -> Any:
    value = natural(x, face)
    if x.least is not None and value < x.least:
        value = x.least
    elif x.most is not None and value > x.most:
        value = x.most
    return value


def meets(test: Test, value: Any) -> bool:
    if isinstance(test, Limit):
        return holds(test.operator, value, test.limit)
    return value in test.faces if isinstance(test, Listed) else value % 2 == (1 if test.odd else 0)


def holds(operator: str, left: Any, right: Any) -> bool:
    return bool(eval(f"{int(left)} {operator} {int(right)}"))


def keep(pick: Pick, values: list[Any]) -> list[Any]:
    """What is left of the values after each step of keeping and dropping."""
    for step in pick.keeps:
        if step.kind == "unique":
            values = list(dict.fromkeys(values))
        elif step.test:
            values = [value for value in values if meets(step.test, value) == (step.kind == "keep")]
        else:
            values = sorted(values)
            n = min(step.n, len(values))
            values = {
                "kh": values[len(values) - n :],
                "kl": values[:n],
                "dh": values[: len(values) - n],
                "dl": values[n:],
            }[step.kind]
    return values


def conclude(pick: Pick, values: list[Any]) -> Any:
    """The sum, the count or the pattern of the values that are kept."""
    values = keep(pick, values)
    if pick.scores:
        total = 0
        for score in pick.scores:
            for value in values:
                times = score.test.faces.count(value) if isinstance(score.test, Listed) else 1
                total += score.by * times if meets(score.test, value) else 0
        return total
    counts = [values.count(value) for value in set(values)]
    if pick.pattern == "straight":
        return max([0, *(run(value, values) for value in values)])
    return {
        "": 0 if pick.pattern else sum(values),
        "doubles": any(count > 1 for count in counts),
        "widest": max([0, *counts]),
        "pairs": sum(count // 2 for count in counts),
        "matches": len([count for count in counts if count >= (pick.size or 2)]),
        "distinct": len(counts),
    }[pick.pattern]


def run(value: Any, values: list[Any]) -> int:
    """How many values in a row there are from this one up."""
    length = 0
    while value + length in values:
        length += 1
    return length
