"""A Recovery roll: a pool against a Condition's own dice (TG-14)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from astragal.author import (
    MAX_DICE,
    Ask,
    Effect,
    Illegal,
    Node,
    Outcome,
    Source,
    Throw,
    sources_of,
    summed,
    whole,
    words,
)
from astragal.games.tgimh import text
from astragal.games.tgimh.contest import MAX_DIE, MAX_WILL, will_spent
from astragal.games.tgimh.opposed import OPPOSED, Lead, pools


class Recovery(Ask):
    """Somebody works to be rid of a Condition, their own or another's. The pool is gathered as ever (TG-2, TG-6)."""

    ours: int = summed(-MAX_DICE, MAX_DICE, "dice of the helper or sufferer", rule="TG-14")
    dice: int = whole(1, MAX_DICE, "dice of the Condition", rule="TG-14")
    die: int = whole(2, MAX_DIE, "sides of every die", default=10, rule="TG-1")
    name: str = words("the Condition's name", default="the Condition", rule="TG-14")
    gear: int = summed(-MAX_DICE, MAX_DICE, "dice of Gear and Abilities, free of Will", default=0, rule="TG-2")
    will: int | None = whole(0, MAX_WILL, "Will that the helper or sufferer holds", default=None, rule="TG-6")

    def check(self) -> None:
        """Refuse too many dice, and a cost above the Will that is there."""
        if self.pool > MAX_DICE:
            raise Illegal(f"The pool comes to {self.pool:,} dice; at most {MAX_DICE:,} are rolled.")
        if self.will is not None and self.cost > self.will:
            raise Illegal(
                f"{self.cost} Aspects and Conditions cost {self.cost} Will and {self.will} is there; nothing is spent.",
                "TG-6",
            )

    @property
    def pool(self) -> int:
        """The number of our dice."""
        return self.ours + self.gear

    @property
    def sources(self) -> list[Source]:
        """What our pool is made of."""
        return [*sources_of(self.ours), *sources_of(self.gear, "Gear")]

    @property
    def cost(self) -> int:
        """1 Will for each named Aspect or Condition that gives dice (TG-6)."""
        return sum(source.n > 0 and bool(source.label) for source in sources_of(self.ours))


class RecoveryResult(NamedTuple):
    """How the roll went, and how many dice the Condition has left."""

    winner: str
    successes: int
    stalemate: bool
    dice_left: int
    gone: bool


def recovery(ask: Recovery) -> Node[RecoveryResult]:
    """The pool against the Condition's dice."""
    return Throw(
        pools(ask.pool, ask.dice, ask.die),
        OPPOSED,
        then=lambda lead: settled(ask, lead),
        tell=lambda faces: text.tell_recovery(ask, faces),
    )


def settled(ask: Recovery, lead: Lead) -> Node[RecoveryResult]:
    """Each success takes one die off it; a lost roll changes nothing (TG-14)."""
    off = min(lead.successes, ask.dice) if lead.winner == "ours" else 0
    result = RecoveryResult(lead.winner, lead.successes, lead.winner == "none", ask.dice - off, off == ask.dice)
    return Outcome(result, tuple(effects(ask, off)), tell=lambda: text.recovery_notes(result))


def effects(ask: Recovery, off: int) -> Iterator[Effect]:
    """Will spent, and dice off the Condition, which stands where an opponent would (TG-14)."""
    yield from will_spent(ask.ours, "roller")
    if off:
        yield Effect("condition", "target", -off, ask.name, "TG-14")
