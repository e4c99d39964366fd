"""A Recovery roll: a pool against a Condition's own dice (TG-14)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from astragal.author import MAX_DICE, Ask, Effect, Node, Outcome, Prompt, Throw, flag, side, summed, whole, words
from astragal.games.tgimh import text
from astragal.games.tgimh.contest import MAX_DIE
from astragal.games.tgimh.contestant import Contestant
from astragal.games.tgimh.opposed import OPPOSED, Lead, Winner, pools
from astragal.games.tgimh.rules import TEXTS, cited


class Recovery(Ask, texts=TEXTS.of("recovery"), init=False):
    """A character works to be rid of a Condition, their own or another's. The pool is gathered as ever (TG-2, TG-6)."""

    ours: int = summed(-MAX_DICE, MAX_DICE, rule="TG-14", advanced=True)
    dice: int = whole(1, MAX_DICE, rule="TG-14")
    die: int = whole(2, MAX_DIE, default=10, rule="TG-1", reads="options.die")
    name: str = words(default=text.UNNAMED, rule="TG-14")
    stakes: str | None = words(default=None, rule="TG-2", told="at stake: {}")
    our_name: str | None = words(default=None, rule="TG-2", whose="gm")
    helper: Contestant = side(Contestant, "roller", pool="ours", gear="gear", name="our_name", will="will", out="out")
    even_so: bool = flag(default=False, rule="TG-12", whose="gm", dice=False)

    def check(self) -> None:
        self.helper.check()

    @property
    def pool(self) -> int:
        """The number of dice that the helper or sufferer throws."""
        return self.helper.dice


class RecoveryResult(NamedTuple):
    """The outcome of the roll, and the number of dice left of the Condition."""

    winner: Winner
    successes: int
    stalemate: bool
    dice_left: int
    gone: bool
    condition: str = text.UNNAMED


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
    result = RecoveryResult(
        lead.winner, lead.successes, lead.winner == "none", ask.dice - off, off == ask.dice, ask.name
    )
    prompts = (Prompt("gm", *cited("TG-5.ask")),) if result.stalemate else ()
    return Outcome(result, tuple(effects(ask, off)), lambda: text.recovery_notes(ask, result), prompts)


def effects(ask: Recovery, off: int) -> Iterator[Effect]:
    """Will spent, and dice off the Condition, which stands where an opponent would (TG-14)."""
    yield from ask.helper.will_effects()
    if off:
        yield Effect("conditions", "target", -off, ask.name, "TG-14")
