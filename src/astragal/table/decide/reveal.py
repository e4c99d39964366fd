"""Revealing: hidden rolls and inputs are shown to everybody."""

from __future__ import annotations

from typing import Any

from astragal.errors import Illegal
from astragal.rule.report import told_inputs
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import EVERYBODY, dice_audience, find_roll, holder_audience, refuse_player
from astragal.table.decide.ledger import Context
from astragal.table.proof import Proof
from astragal.table.rolls.ask import told_offers
from astragal.table.state import Roll


def reveal(context: Context, action: a.RevealAction) -> list[e.Event]:
    """Show everybody a hidden roll, or its hidden inputs, with the sentences that were told to those who saw it."""
    refuse_player(context.member, "reveal a roll")
    roll = _hidden_roll(context, action.roll)
    _refuse_unknown(context, roll)
    if roll.ask is None:
        return [e.Revealed(roll=roll.id, ask=roll.inputs)]
    kind = context.ruleset.game.kinds.get(roll.kind)
    dice = [die for _, thrown in roll.throws for die in thrown]
    return [
        e.Revealed(
            roll=roll.id,
            ask=roll.ask,
            told=list(told_inputs(kind.ask if kind else None, roll.ask, told_offers(context.state, roll))),
            dice=dice,
            headline=roll.headline,
            verdict=roll.verdict,
            notes=roll.notes,
            words=list(roll.words),
            thrown=_thrown(roll) if dice_audience(context.state, roll) != EVERYBODY else [],
        )
    ]


def _thrown(roll: Roll) -> list[tuple[Any, Proof | None]]:
    """The faces and proofs of the throws, if the machine threw some with tickets."""
    faces = [step["faces"] for step in roll.steps if "faces" in step]
    return list(zip(faces, roll.proofs, strict=True)) if any(roll.proofs) else []


def _refuse_unknown(context: Context, roll: Roll) -> None:
    """Refuse to tell of somebody who is hidden; a roll that was open named only those whom everybody knows."""
    others = (roll.against, *roll.helpers, *roll.their_helpers) if roll.seen != "all" else ()
    for id in (roll.who, *others):
        kept = context.state.world.holders.get(id)
        if kept and holder_audience(kept):
            raise Illegal(f"{kept.name} takes part in this roll and is hidden; show the character first.")


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
