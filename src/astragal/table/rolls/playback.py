"""The playback of an unfinished roll from its steps.

Rules change while tables continue. A finished roll is never played back to be shown: the log says
what it was. An open one continues by today's rules, if these allow what was rolled so far.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import add
from typing import Any

from astragal.dice.dice import Dice, Waves
from astragal.errors import Illegal, Refusal
from astragal.rule.game import Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.input import Whole
from astragal.rule.sheets.deck import CardsLeft, drawn_of
from astragal.rule.tree.node import Choice, Lazy, Node, Outcome, Throw
from astragal.rule.tree.play import ChoiceStep, Hand, Played, ThrowStep, play
from astragal.table.rolls.ask import thaw
from astragal.table.rolls.basis import Basis, once
from astragal.table.rolls.hand import TableHand, machine

BREAKS = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError, RecursionError)
"""What a rule may raise when it is played with steps that it was not made for."""


@once
def played_of(basis: Basis) -> Played[Any]:
    """The roll as far as it went, by today's rules; refused if it no longer fits them."""
    try:
        played = replayed(basis.kind, ask_now(basis), basis.roll.steps)
        if played.outcome and not basis.roll.over:
            raise Illegal("by today's rules it would be over already.")
        return played
    except (Refusal, *BREAKS) as error:
        reason = f": {error.sentence}" if isinstance(error, Refusal) else "."
        raise Illegal(f"This roll does not fit the rules any more; withdraw or undo it{reason}") from None


@once
def begins_with(basis: Basis) -> Throw[Any, Any] | None:
    """The dice with which a roll that is being gathered begins; None if it cannot be thrown as it is."""
    try:
        node = play(basis.kind.rule(basis.ask), Hand()).node
    except (Refusal, *BREAKS):
        return None
    return node if isinstance(node, Throw) else None


def foreseen_of(basis: Basis) -> Played[Any]:
    """The roll as far as it went, with all that may follow; of a long task, every roll that is left, like this one."""
    if not basis.kind.series:
        return played_of(basis)
    return replayed(basis.kind, basis.kind.series.whole(ask_now(basis)), basis.roll.steps)


@once
def ask_now(basis: Basis) -> Ask:
    """The ask that was fixed, with its live inputs as they stand."""
    return ask_with(basis, {})


def ask_with(basis: Basis, instead: Mapping[str, Any]) -> Ask:
    """The ask that was fixed, with its live inputs as they stand: what the sheets say, and what this roll has spent.

    What was answered before stays allowed then, since it is counted in. ``instead`` has values that replace the true
    ones, for a guess that must not know them.
    """
    roll, kind = basis.roll, basis.kind
    fixed = {**(roll.ask or {}), **instead}
    given = (*roll.inputs, *instead)
    live = [input for input in kind.ask.inputs.values() if input.live and input.name not in given]
    if roll.over:  # what it leaves open may draw cards
        live = [input for input in live if isinstance(input, CardsLeft)]
    if not live:
        return thaw(kind, fixed)
    reads = basis.reads
    # A roll without answers has spent nothing, and cards are drawn by throws.
    counts = any("choice" in step for step in roll.steps) or any(isinstance(input, CardsLeft) for input in live)
    steps = replayed(kind, thaw(kind, fixed), roll.steps).steps if counts else ()
    thrown = [(step.throw.pool, step.faces) for step in steps if isinstance(step, ThrowStep)]
    paid = [effect for step in steps if isinstance(step, ChoiceStep) for effect in step.option.effects]
    now = {}
    for input in live:
        if input.name in reads:
            now[input.name] = reads[input.name]
        if input.name in reads and isinstance(input, Whole):
            spent = -sum(effect.by for effect in paid if effect.what == input.live and effect.by < 0)
            now[input.name] = min(int(reads[input.name]) + spent, input.highest)
        if isinstance(input, CardsLeft):
            drawn = drawn_of(input.deck.name, thrown, len(input.deck.cards))
            now[input.name] = tuple(map(add, reads[input.name], drawn))
    return thaw(kind, {**fixed, **now})


@once
def follow_up_of(basis: Basis) -> Choice[Any] | None:
    """The choice that a finished roll leaves open until the roller's next one; None if there is none."""
    if basis.roll.after != "open":
        return None
    try:
        node: Node[Any] | None = played_of(basis).node
    except Refusal:
        return None
    node = node.after if isinstance(node, Outcome) else node
    while isinstance(node, Lazy):
        node = node.node()
    return node if isinstance(node, Choice) else None


def replayed(kind: Kind, ask: Ask, steps: Sequence[dict[str, Any]]) -> Played[Any]:
    """A roll played back from its steps; refused if today's rules throw other dice."""
    played = play(kind.rule(ask), TableHand(steps, machine, throws=0))
    for step in played.steps:
        pool = step.throw.pool if isinstance(step, ThrowStep) else ()
        if isinstance(step, ThrowStep) and (
            len(pool) != len(step.faces) or not all(map(_could_show, pool, step.faces))
        ):
            dice = ", ".join(f"{dice.n} × {dice.title}" for dice in pool)
            raise Illegal(f"there it throws {dice or 'nothing'}, and other dice lie there.")
    return played


def _could_show(dice: Dice, waves: Waves) -> bool:
    """True if these dice can show these faces, each reroll in its wave."""
    return all(
        len(wave) == dice.due(waves[:place]) and dice.can_show(wave) for place, wave in enumerate(waves)
    ) and not dice.due(waves)


def open_node_of(basis: Basis) -> Node[Any] | None:
    """The choice or throw that a roll waits for; None if it is over, not begun, or does not fit the rules."""
    if basis.roll.ask is None or basis.roll.over:
        return None
    try:
        return played_of(basis).node
    except Refusal:
        return None
