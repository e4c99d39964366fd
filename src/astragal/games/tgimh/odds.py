"""Exact odds of TGIMH: winner and successes, and what a Recovery leaves of a Condition."""

from __future__ import annotations

from functools import partial
from typing import Any

from astragal.author import Fact, Wish, facts
from astragal.games.tgimh.aftermath import Result
from astragal.games.tgimh.opposed import SIDES
from astragal.games.tgimh.recovery import RecoveryResult
from astragal.games.tgimh.text import TONES


def _result(result: Any) -> str:
    return "stalemate" if result.stalemate else f"{result.winner} {result.successes}"


def _results(ask: Any) -> tuple[str, ...]:
    """``ours 3`` down to ``ours 1``, the stalemate, then ``theirs 1`` and up."""
    ours, theirs = (max(ask.side(side).dice, 0) for side in SIDES)
    return (
        *(f"ours {n}" for n in range(max(ours, 1), 0, -1)),
        "stalemate",
        *(f"theirs {n}" for n in range(1, max(theirs, 1) + 1)),
    )


FACTS = {
    "contest": {
        **facts(Result, "winner", tones=TONES),
        "result": Fact(of=_result, domain=_results),
        **facts(Result, "successes"),
    },
    "recovery": facts(RecoveryResult, "winner", "dice_left", "gone"),
}


def wins(side: str, result: Any) -> int:
    """1 if this side wins."""
    return int(result.winner == side)


def pressed(side: str, result: Result) -> int:
    """The dice of the Condition that a side has made."""
    return result.successes if result.winner == side and result.condition else 0


def stays(other: str, result: Result) -> int:
    """1 unless the other side has won, and somebody is out of the scene."""
    return int(not (result.out and result.winner == other))


def unhurt(other: str, result: Result) -> int:
    """The Injury dice that the other side's win costs, below zero."""
    return -result.injury if result.winner == other else 0


WISHES = {
    "contest": {
        "succeed": Wish("succeed", worth=partial(wins, "ours")),
        "press": Wish("press", worth=partial(pressed, "ours"), counts=True),
        "stay": Wish("stay", worth=partial(stays, "theirs")),
        "unhurt": Wish("unhurt", worth=partial(unhurt, "theirs"), counts=True),
        "resist": Wish("resist", worth=partial(wins, "theirs"), theirs=True),
        "their_press": Wish("their_press", worth=partial(pressed, "theirs"), counts=True, theirs=True),
        "their_stay": Wish("their_stay", worth=partial(stays, "ours"), theirs=True),
        "their_unhurt": Wish("their_unhurt", worth=partial(unhurt, "ours"), counts=True, theirs=True),
    },
    "recovery": {
        "succeed": Wish("succeed", worth=partial(wins, "ours")),
        "gone": Wish("gone", worth=lambda result: int(result.gone)),
    },
}
