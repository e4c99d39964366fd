"""Guesses: known slips that would give exactly the printed figure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from astragal.audit.evaluator import Evaluator, ExactValue
from astragal.audit.figure import Figure

MAX_GUESSES = 3
"""Guesses for one figure."""
MAX_COUNTS = 4
"""Thresholds of an expression that are tried."""
COMPARISON = re.compile(r"[()]|>=|<=|==|!=|>|<|=")
COUNT = re.compile(r"(?P<sign>>=|>|<=|<|==)\s*(?P<number>\d{1,6})")
DIE = re.compile(r"\d*d(\d{1,6})")
READ_AS = {
    ">=": ((">", '"more than" instead of "at least"'), ("==", '"exactly" instead of "at least"')),
    ">": ((">=", '"at least" instead of "more than"'), ("==", '"exactly" instead of "more than"')),
    "<=": (("<", '"less than" instead of "at most"'), ("==", '"exactly" instead of "at most"')),
    "<": (("<=", '"at most" instead of "less than"'), ("==", '"exactly" instead of "less than"')),
    "==": ((">=", '"at least" instead of "exactly"'), ("<=", '"at most" instead of "exactly"')),
    "!=": (),
    "=": (),
}
Candidates = Iterator[tuple[str, Fraction | None]]
"""Slips with the value that each would give."""


def fits(figure: Figure, candidate: Fraction | None, value: ExactValue) -> bool:
    """True if this other value would be printed as the figure."""
    return candidate is not None and candidate != value.exact and figure.rounding_of(candidate) is not None


def misreadings(expression: str, figure: Figure, value: ExactValue, evaluator: Evaluator) -> list[str]:
    """Return the misreadings of the expression, and the typing errors, that give exactly this figure."""
    if figure.bound:
        return []
    candidates: list[tuple[str, Fraction | None]] = []
    if value.is_chance:
        candidates += _compared(expression, evaluator)
        candidates += [("the complement, 1 − the chance", 1 - value.exact)]
        candidates += _threshold(expression, evaluator)
    candidates += _slips(figure, value)
    return [name for name, candidate in candidates if fits(figure, candidate, value)]


def _slips(figure: Figure, value: ExactValue) -> Candidates:
    yield "the point is one digit out of place", value.exact * 10
    yield "the point is one digit out of place", value.exact / 10
    if figure.kind in ("percent", "number"):
        steps = value.exact * figure.scale
        if ceil(steps) == figure.steps:
            yield "rounded up", figure.value
    if _swapped(figure, figure.right(value.exact)):
        yield "two digits are swapped", figure.value


def _swapped(figure: Figure, right: str) -> bool:
    printed = figure.text
    differ = [place for place, (a, b) in enumerate(zip(printed, right, strict=False)) if a != b]
    if len(printed) != len(right) or len(differ) != 2 or differ[1] != differ[0] + 1:
        return False
    first, second = differ
    return printed[first] == right[second] and printed[second] == right[first]


def _compared(expression: str, evaluator: Evaluator) -> Candidates:
    """The expression with another comparison at its end."""
    found = _last_comparison(expression)
    if found is None:
        return
    for sign, name in READ_AS[found[0]]:
        yield name, evaluator.chance(f"{expression[: found.start()]}{sign}{expression[found.end() :]}")


def _last_comparison(expression: str) -> re.Match[str] | None:
    """The last comparison outside parentheses."""
    depth, last = 0, None
    for found in COMPARISON.finditer(expression):
        if found[0] in "()":
            depth += 1 if found[0] == "(" else -1
        elif depth == 0:
            last = found
    return last


def _threshold(expression: str, evaluator: Evaluator) -> Candidates:
    """The expression with the number of faces, or of counting faces, instead of a threshold."""
    for found in list(COUNT.finditer(expression))[:MAX_COUNTS]:
        dice = DIE.findall(expression, 0, found.start())
        if not dice:
            continue
        faces, threshold = int(dice[-1]), int(found["number"])
        for number, name in ((faces, "of faces"), (faces - threshold + 1, "of faces that count")):
            if number > 0 and number != threshold:
                read = f"{expression[: found.start('number')]}{number}{expression[found.end('number') :]}"
                yield f"the number {name} ({number}) instead of the threshold {threshold}", evaluator.chance(read)
