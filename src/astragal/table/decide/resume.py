"""Rolls that go on: the next dice are thrown, a choice is answered; or one is withdrawn."""

from __future__ import annotations

from functools import partial
from typing import Any

from astragal.errors import Forbidden, Illegal, Stale
from astragal.rule.tree.node import Choice, Throw
from astragal.rule.tree.play import Played
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import (
    GM,
    find_roll,
    may_see,
    may_throw,
    outcome_audience,
    owner_of,
    owns_roll,
    refuse_player,
    roll_audience,
    seat_name,
    seat_of,
    seen_rolls,
    takes_part,
    waited_for,
)
from astragal.table.decide.assist import THROWN
from astragal.table.decide.build import refuse_outsider
from astragal.table.decide.ledger import Context, Ledger
from astragal.table.decide.roll import advance
from astragal.table.rolls.playback import follow_up_of, open_node_of, played_of
from astragal.table.state import Member, Roll, State


def throw(context: Context, action: a.ThrowAction) -> Ledger:
    """Throw the next dice."""
    roll = find_roll(context.state, context.member, action.roll)
    _refuse_bystander(context, roll)
    if action.fresh:
        refuse_player(context.member, "throw fresh dice after an undo")
    if roll.ask is not None:
        _refuse_unknowing(context, roll)
        _refuse_overtaken(roll, action.steps)
        _refuse_over(roll)
        _refuse_others_dice(context, roll, _open_throw(played_of(context.state, roll)))
    ledger = Ledger(context.state, asker=context.member)
    advance(context, ledger, roll, answers=action.answers, faces=action.faces, fresh=action.fresh, nonce=action.nonce)
    return ledger


def _refuse_unknowing(context: Context, roll: Roll) -> None:
    """Refuse a member who may not see the dice: what the roll waits for would give them away."""
    if not may_see(context.member, outcome_audience(context.state, roll)):
        raise Forbidden("How this roll goes on is hidden; it is the GM's to say.")


def _refuse_overtaken(roll: Roll, steps: int | None) -> None:
    """Refuse whoever meant an earlier throw or choice of the roll than the one that it waits for now."""
    if steps is not None and steps != len(roll.steps):
        raise Stale("Somebody was faster: the roll has gone on meanwhile. Nothing was done.")


def _refuse_over(roll: Roll) -> None:
    if roll.over:
        raise Illegal("This roll is over.")


def _open_throw(played: Played[Any]) -> Throw[Any, Any]:
    if not isinstance(played.node, Throw):
        raise Illegal("This roll waits for an answer, not for dice.")
    return played.node


def _refuse_bystander(context: Context, roll: Roll) -> None:
    """Refuse whoever does not take part; whose roll it is begins it."""
    if not takes_part(context.state, roll, context.member):
        raise Forbidden("This roll is not yours to throw.")
    if roll.ask is None and not owns_roll(context.state, roll, context.member):
        name = seat_name(context.state, owner_of(context.state, roll))
        raise Forbidden(f"{name[:1].upper()}{name[1:]} begins this roll; then everybody throws their own dice.")


def _refuse_others_dice(context: Context, roll: Roll, throw: Throw[Any, Any]) -> None:
    if not may_throw(context.state, roll, throw, context.member):
        name = seat_name(context.state, waited_for(context.state, roll, throw))
        raise Forbidden(f"These dice are {name}'s to throw{f' ({throw.title})' if throw.title else ''}.")


def answer(context: Context, action: a.AnswerAction) -> Ledger:
    """Answer a choice that the rules leave to this member."""
    roll = _answered_roll(context, action.roll)
    if roll.ask is not None:
        _refuse_unknowing(context, roll)
        _refuse_overtaken(roll, action.steps)
    node: Any = follow_up_of(context.state, roll)
    if node is None:
        _refuse_over(roll)
        node = played_of(context.state, roll).node if roll.ask is not None else None
    if not isinstance(node, Choice) and not (isinstance(node, Throw) and node.instead):
        raise Illegal("This roll waits for dice, not for an answer.")
    ledger = Ledger(context.state, asker=context.member)
    seat = waited_for(context.state, roll, node)
    goes_on = partial(_goes_on, seat)
    advance(
        context, ledger, roll, answers=[action.answer], faces=action.faces, nonce=action.nonce, throws=0, mine=goes_on
    )
    return ledger


def _goes_on(decider: str, state: State, roll: Roll, throw: Throw[Any, Any], member: Member) -> bool:
    """Whether dice that follow an answer are thrown at once: those of whoever acts, or of whom they answered for."""
    seat = seat_of(state, roll, throw.by)
    return seat in (member.id, decider) or (member.role == GM and seat == GM)


def _answered_roll(context: Context, ref: str) -> Roll:
    """The roll that is named; without a name, the latest unfinished one, else one that leaves something open."""
    state, member = context.state, context.member
    seen = seen_rolls(state, member)[::-1]
    left = [roll for roll in seen if roll.after == "open"]
    return left[0] if not ref and left and all(roll.over for roll in seen) else find_roll(state, member, ref)


def withdraw(context: Context, action: a.WithdrawAction) -> list[e.Event]:
    """Withdraw a roll before any die is thrown, or one that no longer fits the rules."""
    roll = find_roll(context.state, context.member, action.roll)
    if roll.ask is not None:
        _refuse_fitting(context, roll)
    refuse_outsider(context, roll)
    return [e.Withdrawn(roll=roll.id, audience=roll_audience(context.state, roll))]


def _refuse_fitting(context: Context, roll: Roll) -> None:
    """Refuse to withdraw a thrown roll that the rules can still continue; for a hidden one, only the GM can tell."""
    unknown = not may_see(context.member, outcome_audience(context.state, roll))
    if roll.over or unknown or open_node_of(context.state, roll) is not None:
        raise Illegal(THROWN)
