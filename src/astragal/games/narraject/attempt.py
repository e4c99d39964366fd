"""A Narraject roll: a pool of d6s and one Step Die (NJ-1 to NJ-8)."""

from __future__ import annotations

from astragal.author import (
    MAX_DICE,
    Ask,
    Dice,
    Node,
    Throw,
    named,
    one_of,
    sources_of,
    summed,
    whole,
    words,
)
from astragal.games.narraject import text
from astragal.games.narraject.after import after_roll
from astragal.games.narraject.pool import COUNTING, DIFFICULTIES, READINGS, STEP_DICE
from astragal.games.narraject.result import Result
from astragal.games.narraject.rules import TEXTS, refuse

MAX_IP = 1000
MAX_HELP = 2
"""The d6s that helpers add in all, however many they are (NJ-5)."""
SIDES = ("player", "gm")
"""Whose character may roll: a player's, or one of the GM's own (NJ-15)."""


class Attempt(Ask, texts=TEXTS.of("attempt")):
    """The inputs of a Narraject roll."""

    d6: int = summed(0, MAX_DICE, default=0, rule="NJ-2", each=(1, MAX_DICE), spends="NJ-6", guided=True)
    step: int | None = one_of(
        tuple(STEP_DICE.values()),
        default=None,
        rule="NJ-3",
        prefix="d",
        guided=True,
        steps=tuple((sides, f"d{sides}") for sides in STEP_DICE.values()),
    )
    difficulty: int = whole(0, MAX_DICE, default=1, rule="NJ-7", guided=True, steps=DIFFICULTIES, advanced=False)
    edition: str = one_of(
        tuple(COUNTING), default="marks", rule="NJ-1", guided=True, whose="sheet", reads="options.edition"
    )
    help_dice: int = summed(0, MAX_HELP, default=0, rule="NJ-5", each=(1, 1), spends="NJ-6")
    ip: int = whole(0, MAX_IP, default=0, rule="NJ-13", guided=True, whose="sheet", live="ip")
    trait: tuple[tuple[str, str], ...] = named(tuple(STEP_DICE), default=(), rule="NJ-3")
    side: str = one_of(SIDES, default="player", rule="NJ-15", whose="sheet")
    about: str | None = words(default=None, rule="NJ-2", told="{}")

    def check(self) -> None:
        """Refuse two Step Dice (NJ-3), and a helper who adds more than one d6, of whatever stat (NJ-5)."""
        refuse(self.step and self.trait, "NJ-3.both")
        helpers = [source.label for source in sources_of(self.help_dice) if source.label] if self.help_dice > 1 else ()
        for helper in helpers:
            refuse(helpers.count(helper) > 1, "NJ-5.twice", name=helper)

    @property
    def dice(self) -> int:
        """All d6s, the helpers' included: theirs alone are enough (NJ-2)."""
        return self.d6 + self.help_dice

    @property
    def approach(self) -> tuple[str, str] | None:
        """The trait that gives the Step Die: the highest, and of equals the first (NJ-3)."""
        return max(self.trait, key=lambda trait: STEP_DICE[trait[1]], default=None)

    @property
    def step_die(self) -> int:
        """The sides of the Step Die (NJ-3)."""
        return STEP_DICE[self.approach[1]] if self.approach else self.step or STEP_DICE["untrained"]

    @property
    def pool(self) -> tuple[Dice, Dice]:
        """The d6s and the Step Die (NJ-2)."""
        return Dice(6, self.dice, "d6"), Dice(self.step_die, 1, "Step Die")

    @property
    def counting(self) -> frozenset[int]:
        """The faces that count (NJ-4)."""
        return COUNTING[self.edition]


def attempt(ask: Attempt) -> Node[Result]:
    """A roll (NJ-2): read the pool, then leave the after-roll spends to the player (NJ-13)."""
    return Throw(
        ask.pool,
        READINGS[ask.edition, ask.side],
        then=lambda summary: after_roll(ask, summary, ask.ip),
        tell=lambda faces: text.tell_pool(ask, faces),
        so_far=lambda summary: Result(ask, summary, ask.ip),
    )
