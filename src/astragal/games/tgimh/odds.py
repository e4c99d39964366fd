"""Exact odds of TGIMH: winner and successes, and what a Recovery leaves of a Condition."""

from __future__ import annotations

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


def _hopes(side: str, other: str, names: str, **more: Any) -> dict[str, Wish]:
    """The wishes of a side: to win, a large Condition, to stay in the scene, few Injury dice; the other side too."""
    win, press, stay, safe = names.split()
    found = (
        Wish(win, worth=lambda result: int(result.winner == side), **more),
        Wish(press, worth=lambda result: pressed(side, result), counts=True, **more),
        Wish(stay, worth=lambda result: int(not (result.out and result.winner == other)), **more),
        Wish(safe, worth=lambda result: -result.injury if result.winner == other else 0, counts=True, **more),
    )
    return {wish.name: wish for wish in found}


def pressed(side: str, result: Result) -> int:
    """The dice of the Condition that a side has made."""
    return result.successes if result.winner == side and result.condition else 0


WISHES = {
    "contest": {
        **_hopes("ours", "theirs", "succeed press stay unhurt"),
        **_hopes("theirs", "ours", "resist their_press their_stay their_unhurt", theirs=True),
    },
    "recovery": {
        "succeed": Wish("succeed", worth=lambda result: int(result.winner == "ours")),
        "gone": Wish("gone", worth=lambda result: int(result.gone)),
    },
}
