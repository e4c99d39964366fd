"""Rolls after their first dice: the next dice are thrown, a choice is answered, a roll is withdrawn or corrected."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from astragal.dice.dice import Dice
from astragal.dice.faces import TypedFaces
from astragal.errors import Forbidden, Illegal, Stale, Unknown
from astragal.rule.tree.node import Choice, Throw
from astragal.rule.tree.play import chosen_option, parse_answer
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import (
    GM,
    dice_audience,
    find_roll,
    is_over_for,
    may_see,
    outcome_audience,
    owner_of,
    owns_roll,
    refuse_player,
    roll_audience,
    seat_name,
    seat_of,
    seen_rolls,
    takes_part,
    throw_of,
    waited_for,
)
from astragal.table.decide.assist import THROWN, refuse_unready
from astragal.table.decide.build import refuse_outsider
from astragal.table.decide.ledger import Context, Ledger
from astragal.table.decide.roll import HIDDEN_COURSE, advance
from astragal.table.kept import read_line
from astragal.table.rolls.known import known_of
from astragal.table.rolls.picks import picked_answer
from astragal.table.rolls.playback import begins_with, follow_up_of, open_node_of, played_of
from astragal.table.rolls.ready import ruling_of
from astragal.table.state import KeptDie, Member, Roll, State


def throw(context: Context, action: a.ThrowAction) -> Ledger:
    """Throw the next dice."""
    roll = find_roll(context.state, context.member, action.roll)
    _refuse_bystander(context, roll)
    if ruling := ruling_of(context.basis(roll)):
        why = ruling.question.partition(". ")[0]
        raise Illegal(f"{why}, so nothing is thrown; {_waits_for(context, roll, ruling)} answers.")
    if action.fresh:
        refuse_player(context.member, "throw fresh dice after an undo")
    if roll.ask is None:
        refuse_unready(context, roll)
    else:
        _refuse_unknowing(context, roll)
        _refuse_overtaken(context, roll, action.steps)
        _refuse_over(roll)
        node = _awaited(context, roll)
        if not isinstance(node, Throw):
            raise Illegal("This roll waits for an answer, not for dice.")
        if throw_of(context.state, roll, node, context.member) is None:
            what = f" ({node.title})" if node.title else ""
            raise Forbidden(f"These dice are {_waits_for(context, roll, node)}'s to throw{what}.")
    ledger = context.ledger(asker=context.member)
    advance(context, ledger, roll, answers=action.answers, faces=action.faces, fresh=action.fresh, nonce=action.nonce)
    return ledger


def _waits_for(context: Context, roll: Roll, node: Choice[Any] | Throw[Any, Any]) -> str:
    return seat_name(context.state, waited_for(context.state, roll, node))


def _refuse_unknowing(context: Context, roll: Roll) -> None:
    """Refuse a member who may not know what the roll waits for: that would give away what is hidden."""
    if not roll.known_open and not _knows(context, roll):
        raise Forbidden(HIDDEN_COURSE)


def _knows(context: Context, roll: Roll) -> bool:
    """True if the member may see the roll's outcome, and not only what rests on nothing hidden."""
    return may_see(context.member, outcome_audience(context.state, roll))


def _awaited(context: Context, roll: Roll) -> Any:
    """The node that a thrown roll waits for, as far as the member may know."""
    basis = context.basis(roll)
    return played_of(basis).node if _knows(context, roll) else known_of(basis).node


def _refuse_overtaken(context: Context, roll: Roll, steps: int | None) -> None:
    """Refuse an action that was meant for an earlier throw or choice than the one that the roll waits for now."""
    if steps is not None and steps != len(roll.steps if _knows(context, roll) else roll.part.steps):
        raise Stale("Somebody was faster: the roll has gone on meanwhile. Nothing was done.")


def _refuse_over(roll: Roll) -> None:
    if roll.over:
        raise Illegal("This roll is over.")


def _refuse_bystander(context: Context, roll: Roll) -> None:
    """Refuse anyone who does not take part; a roll begins with its owner's throw, or with that of a helper."""
    name = seat_name(context.state, owner_of(context.state, roll))
    whose = Forbidden(f"This is {name}'s roll; {name} throws.")
    if not takes_part(context.state, roll, context.member):
        raise whose
    if roll.ask is not None or owns_roll(context.state, roll, context.member):
        return
    throw = begins_with(context.basis(roll))
    if throw is None or throw_of(context.state, roll, throw, context.member) is None:
        raise whose


def answer(context: Context, action: a.AnswerAction) -> Ledger:
    """Answer a choice that the rules leave to this member."""
    roll = _answered_roll(context, action.roll)
    if roll.ask is not None:
        _refuse_unknowing(context, roll)
        _refuse_overtaken(context, roll, action.steps)
    node: Any = follow_up_of(context.basis(roll))
    if node is None:
        _refuse_over(roll)
        node = _awaited(context, roll) if roll.ask is not None else ruling_of(context.basis(roll))
    choice = node.instead if isinstance(node, Throw) else node
    if not isinstance(choice, Choice):
        raise Illegal("This roll waits for dice, not for an answer.")
    if not _knows(context, roll):
        chosen_option(choice, parse_answer(action.answer))
    ledger = context.ledger(asker=context.member)
    goes_on = partial(_goes_on, waited_for(context.state, roll, node))
    shown, full = picked_answer(context.state, context.member, roll, choice, action.answer)
    advance(
        context,
        ledger,
        roll,
        answers=[shown],
        faces=action.faces,
        nonce=action.nonce,
        throws=0,
        mine=goes_on,
        picks=full,
    )
    return ledger


def _goes_on(decider: str, state: State, roll: Roll, throw: Throw[Any, Any], member: Member) -> bool:
    """True for dice that follow an answer immediately: the member's own, or those of the one they answered for."""
    seat = seat_of(state, roll, throw.by)
    return seat in (member.id, decider) or (member.role == GM and seat == GM)


def _answered_roll(context: Context, ref: str) -> Roll:
    """The roll that is named; without a name, the latest unfinished one, else one that leaves something open."""
    state, member = context.state, context.member
    seen = seen_rolls(state, member)[::-1]
    left = [roll for roll in seen if roll.after == "open" and _knows(context, roll)]
    over = all(is_over_for(state, roll, member) for roll in seen)
    return left[0] if not ref and left and over else find_roll(state, member, ref)


def withdraw(context: Context, action: a.WithdrawAction) -> list[e.Event]:
    """Withdraw a roll before any die is thrown, or one that no longer fits the rules."""
    roll = find_roll(context.state, context.member, action.roll)
    if roll.ask is not None and (
        roll.over or not _knows(context, roll) or open_node_of(context.basis(roll)) is not None
    ):
        raise Illegal(THROWN)  # the rules can still continue it; of a hidden one, only the GM can tell
    refuse_outsider(context, roll)
    discarded = roll.ask is not None or roll.undone.struck
    if discarded:
        refuse_player(context.member, "withdraw a roll whose dice have fallen (T-1); throw it again")
    return [e.Withdrawn(roll=roll.id, discarded=discarded, audience=roll_audience(context.state, roll))]


# Typed faces are corrected openly, once their throw is undone (T-1).


def typed_lines(roll: Roll) -> Iterator[tuple[str, dict[int, KeptDie]]]:
    """The kept dice of a roll that were typed, group by group and wave by wave."""
    for line, dice in roll.undone.dice.items():
        typed = {root: die for root, die in sorted(dice.items()) if die.typed_by}
        if typed:
            yield line, typed


NOT_UNDONE = "Only typed dice of an undone throw are corrected; undo the throw first."


def correct(context: Context, action: a.CorrectAction) -> list[e.Event]:
    """Replace typed faces of an undone throw; old and new faces are in the log."""
    try:
        roll = find_roll(context.state, context.member, action.roll)
    except Unknown:
        if action.roll:
            raise
        raise Illegal(NOT_UNDONE) from None
    gms = any(member.role == GM for member in context.state.members.values())
    if context.member.role != GM and (gms or not owns_roll(context.state, roll, context.member)):
        raise Forbidden("Only a GM may correct typed dice; ask one to undo the throw and correct it.")
    lines = list(typed_lines(roll))
    if not lines or not may_see(context.member, dice_audience(context.state, roll)):
        raise Illegal(NOT_UNDONE)
    typed, changed = TypedFaces(action.faces), []
    for line, dice in lines:
        _, sides, name, _, _ = read_line(line)
        faces = typed.throw((Dice(sides, len(dice), name),))
        if faces is None:
            raise Illegal(f"Too few faces: all typed dice of the roll are written again, also the {name}.")
        for (root, die), face in zip(dice.items(), faces[0][0], strict=True):
            changed += [(line, root, name, die.face, face)] if face != die.face else []
    typed.finish()
    return [e.Corrected(roll=roll.id, dice=changed, audience=dice_audience(context.state, roll))] if changed else []
