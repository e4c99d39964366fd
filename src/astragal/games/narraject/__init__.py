"""Narraject: a pool of d6s and one Step Die, in two editions."""

from astragal.author import CoverDie, Decision, Kind, game_in
from astragal.games.narraject.attempt import Attempt, attempt
from astragal.games.narraject.result import Result

__all__ = ["GAME", "Attempt", "Result", "attempt"]

ANSWERS = ("reroll", "add", "partial", "settle", "offer", "accept", "decline")

GAME = game_in(
    __name__,
    Kind(
        "attempt",
        ask=Attempt,
        rule=attempt,
        decisions=(Decision("spend", answers=ANSWERS, written="list", rule="NJ-13"),),
        short=("d6", "step", "difficulty"),
        counted=(("d6", ("help_dice",)),),
        example='narraject --d6 "2 Agility, 2 Stealth, 1 dark clothes" --step 10 --difficulty 3 --ip 2',
        budget="ip",
        helpers=2,
        helpers_give=True,
        helpers_rule="NJ-5",
        target="difficulty",
        aim="about",
    ),
    title="Narraject",
    hue=205,
    icon="M3 20h5v-5h5v-5h5V5h3",
    pile=(CoverDie(6, 5), CoverDie(6, 6), CoverDie(10, 7, "special")),
    minutes=5,
)
