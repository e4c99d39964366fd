"""Playback: an unfinished roll from its steps, to see what it waits for; and whether it still fits the rules.

Rules change while tables go on. A finished roll is never played back to be shown: the log says
what it was. An open one goes on by today's rules, if these allow what was rolled so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from astragal.dice.dice import Dice, Waves
from astragal.errors import Illegal, Refusal
from astragal.rule.ask import Ask
from astragal.rule.game import Kind
from astragal.rule.node import Choice, Node, Throw
from astragal.rule.note import Die
from astragal.rule.play import Played, ThrowStep, play
from astragal.table.access import GM, may_see, outcome_audience, owner_of
from astragal.table.event import DieTold
from astragal.table.rolls.ask import kind_of, thaw
from astragal.table.rolls.hand import TableHand
from astragal.table.ruleset import Ruleset, ruleset_of
from astragal.table.state import Roll, State

BREAKS = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError, RecursionError)
"""What a rule may raise when it is played with steps that it was not made for."""


def played_of(state: State, roll: Roll) -> Played[Any]:
    """The roll as far as it went, by today's rules; a refusal if it does not fit them any more."""
    try:
        kind = kind_of(state, roll)
        played = replayed(kind, thaw(kind, roll.ask or {}), roll.steps)
        if played.outcome and not roll.over:
            raise Illegal("by today's rules it would be over already.")
        return played
    except (Refusal, *BREAKS) as error:
        reason = f": {error.sentence}" if isinstance(error, Refusal) else "."
        raise Illegal(f"This roll does not fit the rules any more; withdraw or undo it{reason}") from None


def replayed(kind: Kind, ask: Ask, steps: Sequence[dict[str, Any]]) -> Played[Any]:
    """A roll played back from its steps; the dice must be such as today's rules throw."""
    played = play(kind.rule(ask), TableHand(steps, _no_dice, lambda place, throw: "", {}, throws=0))
    for step in played.steps:
        if isinstance(step, ThrowStep):
            _refuse_foreign_dice(step)
    return played


def _no_dice(pool: Any) -> Any:
    raise AssertionError("a roll that is looked at throws nothing")


def _refuse_foreign_dice(step: ThrowStep) -> None:
    pool = step.throw.pool
    if len(pool) != len(step.faces) or not all(map(_could_show, pool, step.faces)):
        dice = ", ".join(f"{dice.n} × {dice.title}" for dice in pool)
        raise Illegal(f"there it throws {dice or 'nothing'}, and other dice lie there.")


def _could_show(dice: Dice, waves: Waves) -> bool:
    """Whether these dice can come up like this, each reroll in its wave."""
    return all(
        len(wave) == dice.due(waves[:place]) and all(1 <= face <= dice.sides for face in wave)
        for place, wave in enumerate(waves)
    ) and not dice.due(waves)


def open_node_of(state: State, roll: Roll) -> Node[Any] | None:
    """The choice or throw that a roll waits for; None if it is over, not begun, or does not fit the rules."""
    if roll.ask is None or roll.over:
        return None
    try:
        return played_of(state, roll).node
    except Refusal:
        return None


def may_answer(state: State, roll: Roll, choice: Choice[Any], member: str) -> bool:
    """Whether the rules leave this choice to this member; what hides the outcome leaves it to the GM."""
    seat = state.members[member]
    if seat.role == GM:
        return True
    if not may_see(seat, outcome_audience(state, roll)):
        return False
    role = ruleset_of(state.game).table_rules.decides(roll.kind, choice.by, choice.so_far)
    if role == "target":
        holder = state.world.holders.get(roll.against)
        return bool(holder and holder.owner == member)
    return role == "roller" and owner_of(state, roll) == member


# What a throw is stored with.


def dice_told(dice: Sequence[Die], hidden: bool = False) -> list[DieTold]:
    """Every die of a throw; what it did is left out where that would tell something hidden."""
    return [(die.name, die.sides, die.face, "" if hidden else die.did, die.counts and not hidden) for die in dice]


def same_dice(one: list[DieTold], other: list[DieTold]) -> bool:
    """Whether the same dice came up and counted; what they are called and did may be said in other words."""
    return [(die[1], die[2], die[4]) for die in one] == [(die[1], die[2], die[4]) for die in other]


def thrower_of(roll: Roll, throw: Throw[Any, Any]) -> str:
    """The id of the holder or member who makes a throw; nothing if nobody at the table does."""
    if throw.by == "roller":
        return roll.who or roll.by
    if throw.by == "target":
        return roll.against
    place = int(throw.by.removeprefix("helper ")) - 1 if throw.by.startswith("helper ") else len(roll.helpers)
    return roll.helpers[place] if place < len(roll.helpers) else ""


def luck_value(ruleset: Ruleset, kind: str, step: ThrowStep) -> int | None:
    """How good a throw is, as a number of things; None if luck does not count it."""
    return ruleset.table_rules.luck(kind, step.value)
