"""Exact odds of TGIMH: winner and successes, and what a Recovery leaves of a Condition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from astragal.author import Distribution, Fact, Wish
from astragal.games.tgimh.opposed import SIDES, Lead, opposed_odds, pools
from astragal.games.tgimh.recovery import Recovery
from astragal.games.tgimh.text import TONES

WINNERS = ("ours", "none", "theirs")


def _result(result: Any) -> str:
    return "stalemate" if result.stalemate else f"{result.winner} {result.successes}"


def _results(ask: Any) -> tuple[str, ...]:
    """``ours 3`` down to ``ours 1``, the stalemate, then ``theirs 1`` and up."""
    ours, theirs = (max(ask.dice_of(side), 0) for side in SIDES)
    return (
        *(f"ours {n}" for n in range(max(ours, 1), 0, -1)),
        "stalemate",
        *(f"theirs {n}" for n in range(1, max(theirs, 1) + 1)),
    )


def of_lead(judge: Callable[[Lead], Any]) -> Callable[[Any, int], Distribution[Any]]:
    """A closed form: what the dice alone decide, without a look at what winner and loser make of it."""

    def solve(ask: Any, up_to: int) -> Distribution[Any]:
        ours, theirs = (ask.pool, ask.dice) if isinstance(ask, Recovery) else map(ask.dice_of, SIDES)
        return opposed_odds(pools(ours, theirs, ask.die)).map(judge)

    return solve


def _winner(lead: Lead) -> str:
    return lead.winner


def _result_of_lead(lead: Lead) -> str:
    return f"{lead.winner} {lead.successes}" if lead.side else "stalemate"


FACTS = {
    "contest": {
        "winner": Fact("Winner", lambda result: result.winner, lambda ask: WINNERS, of_lead(_winner), tones=TONES),
        "result": Fact("Result", _result, _results, of_lead(_result_of_lead)),
        "successes": Fact(
            "Successes of the winner", lambda result: result.successes, None, of_lead(lambda lead: lead.successes)
        ),
    },
    "recovery": {
        "winner": Fact("Winner", lambda result: result.winner, lambda ask: WINNERS, of_lead(_winner)),
        "dice_left": Fact("Dice that the Condition has left", lambda result: result.dice_left),
        "gone": Fact("The Condition is gone", lambda result: result.gone, lambda ask: (True, False)),
    },
}
WISHES = {
    "contest": {
        "succeed": Wish("succeed", "our side wins", lambda result: int(result.winner == "ours")),
        "stay": Wish(
            "stay",
            "nobody of ours is out of the scene",
            lambda result: int(not (result.out and result.winner != "ours")),
        ),
        "unhurt": Wish(
            "unhurt",
            "as few Injury dice on our side as can be",
            lambda result: -result.injury if result.winner == "theirs" else 0,
            True,
        ),
    },
    "recovery": {
        "succeed": Wish("succeed", "the Condition is gone", lambda result: int(result.gone)),
    },
}
