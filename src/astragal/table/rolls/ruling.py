"""Rolls that need no dice: somebody's word settles them, before anything is thrown."""

from __future__ import annotations

from typing import Any

from astragal.errors import Refusal
from astragal.rule.tree.node import Choice, Option, Outcome
from astragal.rule.tree.play import Hand, play
from astragal.table.rolls.ask import ask_of, kind_of
from astragal.table.rolls.guess import guesses
from astragal.table.rolls.playback import BREAKS
from astragal.table.state import Roll, State


def ruling_of(state: State, roll: Roll) -> Choice[Any] | None:
    """The choice that settles a roll which needs no dice; None if it is thrown, or needs some.

    If something is hidden, it must be so whatever that is.
    """
    if roll.ask is not None or roll.over:
        return None
    try:
        asks = guesses(state, roll) if roll.hidden else [ask_of(state, roll)]
        nodes = [play(kind_of(state, roll).rule(ask), Hand()).node for ask in asks]
        rulings = [node for node in nodes if isinstance(node, Choice) and all(map(_ends, node.options.values()))]
    except (Refusal, *BREAKS):
        return None
    return rulings[0] if nodes and len(rulings) == len(nodes) else None


def _ends(option: Option[Any]) -> bool:
    """True if the answer ends the roll."""
    node = option.then.node("") if option.words else option.then.node()
    return isinstance(node, Outcome)
