"""Fixing: the right figures written over the wrong ones, and every other character left as it is."""

from __future__ import annotations

from typing import NamedTuple

from astragal.audit.auditor import audit
from astragal.audit.evaluator import Evaluator
from astragal.audit.finding import Audit, Checked

MOST_ROUNDS = 5
LONGEST = 60
MARKS = tuple("*_`~")


class Fixed(NamedTuple):
    """The text with the right figures, which were put in, and what an audit says of it now."""

    text: str
    changes: tuple[Checked, ...]
    audit: Audit


def fixed(text: str, before: Audit | None = None, oracle: Evaluator | None = None) -> Fixed:
    """Write the right figures. An expression may use a cell that was wrong itself, so this is done until it is calm."""
    oracle = oracle or Evaluator()
    found = before or audit(text, oracle)
    changes: dict[tuple[int, int], Checked] = {}
    for _ in range(MOST_ROUNDS):
        wrong = [checked for checked in found.wrong if can_fix(checked, text)]
        if not wrong:
            break
        for checked in wrong:
            changes.setdefault((checked.span.line, len(changes)), checked)
        text = _written(text, wrong)
        found = audit(text, oracle)
    return Fixed(text, tuple(changes.values()), found)


def can_fix(checked: Checked, text: str) -> bool:
    """Whether the figure stands in the text as it is read, without markup inside, and the right one fits."""
    printed = text[checked.span.start : checked.span.end]
    return printed == checked.figure.text and 0 < len(checked.right) <= LONGEST and checked.right != printed


def _written(text: str, wrong: list[Checked]) -> str:
    parts, place = [], 0
    for checked in sorted(wrong, key=lambda checked: checked.span.start):
        start, end = checked.span.start, checked.span.end
        if start < place:
            continue
        start, end, figure = _fitted(text, start, end, checked)
        parts += [text[place:start], figure]
        place = end
    return "".join([*parts, text[place:]])


def _fitted(text: str, start: int, end: int, checked: Checked) -> tuple[int, int, str]:
    """The figure with gaps taken or given, so that the pipes stay where they are; one gap is always left.

    Gaps stand outside of what marks the figure, as in ``**56%**``.
    """
    figure, more = checked.right, len(checked.right) - (end - start)
    first, last = start, end
    while checked.pad < 0 and text[first - 1 : first] in MARKS:
        first -= 1
    while checked.pad > 0 and text[last : last + 1] in MARKS:
        last += 1
    before, after = text[first:start], text[end:last]
    if more < 0:
        gaps = " " * (-more * abs(checked.pad))
        return first, last, f"{gaps}{before}{figure}" if checked.pad < 0 else f"{figure}{after}{gaps}"
    while more and checked.pad < 0 and text[max(0, first - 2) : first] == "  ":
        first, more = first - 1, more - 1
    while more and checked.pad > 0 and text[last : last + 2] == "  ":
        last, more = last + 1, more - 1
    return first, last, f"{before}{figure}{after}"
