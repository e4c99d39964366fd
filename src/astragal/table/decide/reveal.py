"""Revealing: what was hidden is shown to everybody."""

from __future__ import annotations

from astragal.errors import Illegal
from astragal.rule.explain import explain
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import EVERYBODY, find_roll, refuse_player
from astragal.table.decide.context import Context
from astragal.table.decide.roll import dice_told, played_of, told
from astragal.table.rolls.ask import kind_of, thaw
from astragal.table.state import Roll


def reveal(context: Context, action: a.RevealAction) -> list[e.Event]:
    """Show everybody a roll that was hidden, or what was hidden in it."""
    refuse_player(context.member, "reveal a roll")
    roll = _hidden_roll(context, action.roll)
    if roll.ask is None:
        return [e.Revealed(roll=roll.id, ask=roll.inputs)]
    played = played_of(context.state, roll)
    explained = explain(played)
    kind = kind_of(context.state, roll)
    ended = told(kind, roll, thaw(kind, roll.ask), played, explained.notes, audience=EVERYBODY)
    dice = [die for _, shown in explained.throws for die in dice_told(shown, hidden=False)]
    return [
        e.Revealed(
            roll=roll.id, ask=roll.ask, dice=dice, headline=ended.headline, verdict=ended.verdict, notes=ended.notes
        )
    ]


def _hidden_roll(context: Context, ref: str) -> Roll:
    if ref:
        roll = find_roll(context.state, context.member, ref)
        if roll.seen == "all" and not roll.hidden:
            raise Illegal("Everybody can see this roll already.")
        return roll
    hidden = [roll for roll in context.state.world.rolls.values() if roll.seen != "all" or roll.hidden]
    if not hidden:
        raise Illegal("No roll is hidden.")
    return hidden[-1]
