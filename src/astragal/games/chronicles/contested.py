"""A contested action: both sides roll, and more successes win (CD-13)."""

from __future__ import annotations

from typing import NamedTuple

from astragal.author import MAX_DICE, Ask, Node, Note, Outcome, flag, format_total, lazy, one_of, sources_of, summed
from astragal.games.chronicles import text
from astragal.games.chronicles.attempt import outcome_of
from astragal.games.chronicles.pool import AGAIN, Count, Quality, throw_pool


class Contested(Ask):
    """Two pools against each other."""

    ours: int = summed(-MAX_DICE, MAX_DICE, "dice of our side, a number or named sources", rule="CD-13")
    theirs: int = summed(-MAX_DICE, MAX_DICE, "dice of their side", rule="CD-13", told="against {}")
    again: str = one_of(tuple(AGAIN), "the lowest face that our side rolls again", default="10", rule="CD-6")
    rote: bool = flag("our side's action is rote", default=False, rule="CD-7")
    their_again: str = one_of(tuple(AGAIN), "the lowest face that their side rolls again", default="10", rule="CD-6")
    their_rote: bool = flag("their side's action is rote", default=False, rule="CD-7")


class ContestedResult(NamedTuple):
    """Both sides' successes, and who has more."""

    winner: str
    ours: int
    theirs: int
    our_outcome: str
    their_outcome: str


def contested(ask: Contested) -> Node[ContestedResult]:
    """Our side rolls, then theirs."""
    return throw_pool(
        ask.ours,
        Quality(AGAIN[ask.again], ask.rote),
        then=lambda count: lazy(their_roll, ask, count),
        notes=(Note(f"Our pool is {format_total(sources_of(ask.ours))}.", "CD-1"),),
        title="Ours",
    )


def their_roll(ask: Contested, ours: Count) -> Node[ContestedResult]:
    """The other side's throw, then the comparison with ours."""
    return throw_pool(
        ask.theirs,
        Quality(AGAIN[ask.their_again], ask.their_rote),
        then=lambda theirs: settled(ours, theirs),
        notes=(Note(f"Their pool is {format_total(sources_of(ask.theirs))}.", "CD-1"),),
        title="Theirs",
        by="target",
    )


def settled(ours: Count, theirs: Count) -> Node[ContestedResult]:
    """More successes win, equal is a draw (CD-13)."""
    winner = "ours" if ours.rolled > theirs.rolled else "theirs" if theirs.rolled > ours.rolled else "draw"
    result = ContestedResult(winner, ours.rolled, theirs.rolled, outcome_of(ours), outcome_of(theirs))
    return Outcome(result, tell=lambda: text.contested_notes(result))
