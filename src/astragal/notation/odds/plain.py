"""Plain dice, answered from their text at once: ``3d6``, ``4d6kh3``, ``d100<=45``, ``{d4, 2d6}kh2``, ``3d6 vs 2d6``.

Most of what people ask is of this form, and takes the solver less time than parsing would. Whatever else is in the
text, or is to be refused, is left to the parser.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import ge, gt, le, lt
from typing import Any

from astragal.dice.dice import MAX_DICE, MAX_SIDES
from astragal.dice.distribution import Distribution
from astragal.dice.solver.keep import kept_odds
from astragal.dice.solver.sums import Group, fair_power
from astragal.dice.solver.threshold import best_fair

FORM = re.compile(
    r"([0-9]{0,4})d([0-9]{1,4})(?:(kh|kl|dh|dl)([0-9]{1,4}))?(?: ?(>=|<=|>|<) ?([0-9]{1,6}))?", re.ASCII
).fullmatch
DICE = "[0-9]{0,4}d[0-9]{1,4}"
GROUP = re.compile(rf"\{{({DICE}(?:, ?{DICE}){{1,19}})\}}(kh|kl|dh|dl)([0-9]{{1,4}})", re.ASCII).fullmatch
VERSUS = re.compile(rf"({DICE}) vs ({DICE})", re.ASCII).fullmatch
HOLDS = {">=": ge, "<=": le, ">": gt, "<": lt}


def plain_odds(text: str) -> Distribution[Any] | None:
    """Return the odds of plain dice; None if the text is anything else."""
    match = FORM(text)
    if match is None:
        return _group_odds(text) if text[:1] == "{" else _versus_odds(text)
    number, of, step, by, operator, limit = match.groups()
    n, sides = int(number) if number else 1, int(of)
    kept = n
    if step:
        kept = min(int(by), n) if step[0] == "k" else n - int(by)
    if not (0 < kept <= n <= MAX_DICE and 0 < sides <= MAX_SIDES):
        return None
    weights, total = _weights(n, sides, kept, step in ("kh", "dl"))
    if not operator:
        return Distribution(weights, total)
    holds, than = HOLDS[operator], int(limit)
    ways = sum([weight for value, weight in weights.items() if holds(value, than)])
    return Distribution({True: ways, False: total - ways}, total)


def plain_notation(text: str) -> str:
    """Return a single term as the parser writes it; empty if it is anything else, or the parser adds a note."""
    match = FORM(text)
    if match is None:
        return ""
    number, sides, step, by, operator, limit = match.groups()
    written = f"{int(number or 1)}d{int(sides)}" + (f"{step}{int(by)}" if step else "")
    if not operator:
        return written
    # A number that a single die can show may be meant for each die: the parser says so.
    return f"{written} {operator} {int(limit)}" if int(limit) > int(sides) else ""


def _group_odds(text: str) -> Distribution[Any] | None:
    """The odds of a mixed pool that keeps some of its dice."""
    match = GROUP(text)
    groups = _groups(match[1].split(",")) if match else None
    if match is None or groups is None:
        return None
    n, step, by = sum([n for n, _ in groups]), match[2], int(match[3])
    kept = min(by, n) if step[0] == "k" else n - by
    if kept <= 0:
        return None
    return kept_odds(groups, kept, step in ("kh", "dl"))


def _versus_odds(text: str) -> Distribution[Any] | None:
    """The same of two pools, paired from the highest down."""
    match = VERSUS(text)
    groups = _groups(match.groups()) if match else None
    if groups is None:
        return None
    from astragal.dice.solver.pairs import pairs_won

    ours, theirs = groups
    return pairs_won(ours, theirs)


def _groups(texts: Sequence[str]) -> list[Group] | None:
    """Plain dice for the solver; None if the parser would refuse some."""
    kinds = [(int(n or 1), int(sides)) for n, _, sides in [text.strip().partition("d") for text in texts]]
    if not all(0 < n <= MAX_DICE and 0 < sides <= MAX_SIDES for n, sides in kinds):
        return None
    return [(n, dict.fromkeys(range(1, sides + 1), 1)) for n, sides in kinds]


def _weights(n: int, sides: int, kept: int, best: bool) -> tuple[Any, int]:
    """The weights of the sum of the dice that are kept, and of all throws."""
    if kept == n:
        return dict(enumerate(fair_power(sides, n), n)), sides**n
    if kept == 1:
        weights = best_fair(n, sides)
        return dict(enumerate(weights if best else reversed(weights), 1)), sides**n
    odds = kept_odds([(n, dict.fromkeys(range(1, sides + 1), 1))], kept, best)
    return odds.weights, odds.total
