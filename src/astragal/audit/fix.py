"""Fixes: wrong figures replaced by right ones; every other character stays as it is."""

from __future__ import annotations

from typing import NamedTuple

from astragal.audit.auditor import audit
from astragal.audit.evaluator import Evaluator
from astragal.audit.finding import Audit, CheckedFigure

MAX_ROUNDS = 5
"""Passes over the text. An expression may use a cell that is itself fixed in the pass before."""
MAX_FIGURE = 60
"""Characters of a figure that is written; a longer fraction is left alone."""
MARKS = tuple("*_`~")


class Fixed(NamedTuple):
    """The fixed text, the figures that were replaced, and the audit of the fixed text."""

    text: str
    changes: tuple[CheckedFigure, ...]
    audit: Audit

    def is_better_than(self, before: Audit) -> bool:
        """True if fewer figures are wrong than before, and nothing else is worse."""
        after = self.audit
        return (
            len(after.wrong) < len(before.wrong)
            and len(after.problems) <= len(before.problems)
            and len(after.sums) <= len(before.sums)
            and len(after.figures) >= len(before.figures)
        )


def fixed(text: str, before: Audit | None = None, evaluator: Evaluator | None = None) -> Fixed:
    """Return the text with the right figures; ``before`` is its audit, if there is one already."""
    evaluator = evaluator or Evaluator()
    found = before or audit(text, evaluator)
    changes: dict[tuple[int, int], CheckedFigure] = {}
    for _ in range(MAX_ROUNDS):
        wrong = [checked for checked in found.wrong if can_fix(checked, text)]
        if not wrong:
            break
        for checked in wrong:
            changes.setdefault((checked.span.line, len(changes)), checked)
        text = _replaced(text, wrong)
        found = audit(text, evaluator)
    return Fixed(text, tuple(changes.values()), found)


def can_fix(checked: CheckedFigure, text: str) -> bool:
    """True if the figure can be replaced: it is fully understood, and the right one is not too long.

    A figure with markup inside is left alone, and so is one whose words would not fit another chance ("nearly").
    """
    printed = text[checked.span.start : checked.span.end]
    if not checked.figure.can_be_rewritten:
        return False
    return printed == checked.figure.text and 0 < len(checked.right) <= MAX_FIGURE and checked.right != printed


def _replaced(text: str, wrong: list[CheckedFigure]) -> str:
    parts, place = [], 0
    for checked in sorted(wrong, key=lambda checked: checked.span.start):
        start, end = checked.span.start, checked.span.end
        if start < place:
            continue
        start, end, figure = _fitted(text, start, end, checked)
        parts += [text[place:start], figure]
        place = end
    return "".join([*parts, text[place:]])


def _fitted(text: str, start: int, end: int, checked: CheckedFigure) -> tuple[int, int, str]:
    """The range to replace and its new text, with spaces removed or added so that the pipes stay in place.

    One space is always left. Spaces stand outside of the figure's markup, as in ``**56%**``.
    """
    figure, more = checked.right, len(checked.right) - (end - start)
    first, last = start, end
    while checked.pad < 0 and text[first - 1 : first] in MARKS:
        first -= 1
    while checked.pad > 0 and text[last : last + 1] in MARKS:
        last += 1
    before, after = text[first:start], text[end:last]
    if more < 0:
        spaces = " " * (-more * abs(checked.pad))
        return first, last, f"{spaces}{before}{figure}" if checked.pad < 0 else f"{figure}{after}{spaces}"
    while more and checked.pad < 0 and text[max(0, first - 2) : first] == "  ":
        first, more = first - 1, more - 1
    while more and checked.pad > 0 and text[last : last + 2] == "  ":
        last, more = last + 1, more - 1
    return first, last, f"{before}{figure}{after}"
