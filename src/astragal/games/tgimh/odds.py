"""Exact odds of TGIMH: winner and successes, and what a Recovery leaves of a Condition."""

from __future__ import annotations

from functools import partial
from typing import Any

from astragal.author import Fact, Wish
from astragal.games.tgimh.aftermath import Result
from astragal.games.tgimh.opposed import SIDES
from astragal.games.tgimh.text import TONES

WINNERS = ("ours", "none", "theirs")


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
        "winner": Fact("Winner", lambda result: result.winner, lambda ask: WINNERS, tones=TONES),
        "result": Fact("Result", _result, _results),
        "successes": Fact("Successes of the winner", lambda result: result.successes),
    },
    "recovery": {
        "winner": Fact("Winner", lambda result: result.winner, lambda ask: WINNERS),
        "dice_left": Fact("Dice that the Condition has left", lambda result: result.dice_left),
        "gone": Fact("The Condition is gone", lambda result: result.gone, lambda ask: (True, False)),
    },
}


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
        "succeed": Wish("succeed", "our side wins", lambda result: int(result.winner == "ours")),
        "press": Wish(
            "press",
            "a Condition of as many dice as our successes",
            partial(pressed, "ours"),
            counts=True,
        ),
        "stay": Wish("stay", "nobody of ours is out of the scene", partial(stays, "theirs")),
        "unhurt": Wish(
            "unhurt",
            "as few Injury dice on our side as can be",
            partial(unhurt, "theirs"),
            counts=True,
        ),
        "resist": Wish("resist", "their side wins", lambda result: int(result.winner == "theirs"), theirs=True),
        "their_press": Wish(
            "their_press",
            "a Condition of as many dice as their successes",
            partial(pressed, "theirs"),
            counts=True,
            theirs=True,
        ),
        "their_stay": Wish("their_stay", "nobody of theirs is out of the scene", partial(stays, "ours"), theirs=True),
        "their_unhurt": Wish(
            "their_unhurt",
            "as few Injury dice on their side as can be",
            partial(unhurt, "ours"),
            counts=True,
            theirs=True,
        ),
    },
    "recovery": {
        "succeed": Wish("succeed", "the Condition is eased", lambda result: int(result.winner == "ours")),
        "gone": Wish("gone", "the Condition is gone", lambda result: int(result.gone)),
    },
}
