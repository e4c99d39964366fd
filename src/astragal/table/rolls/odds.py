"""Odds of a roll at a table, as far as a seat may know: hidden inputs are guessed, never looked at."""

from __future__ import annotations

from typing import Any

from astragal.dice.distribution import Distribution
from astragal.errors import Illegal, Refusal, Unknown
from astragal.rule.chances.advise import Advice, advise
from astragal.rule.chances.fact import facts_of, wish_of, wishes_for
from astragal.rule.chances.odds import all_odds, odds, results_odds
from astragal.rule.inputs.ask import Ask
from astragal.rule.tree.node import Choice, Node
from astragal.table.access import GM, dice_audience, may_see, outcome_audience
from astragal.table.rolls.ask import thaw
from astragal.table.rolls.basis import Basis, kind_of
from astragal.table.rolls.guess import guesses
from astragal.table.rolls.kept_tree import kept_results, refuse_unseen_kept, rest_of
from astragal.table.state import Member, Roll, State

KEPT_TASK = "Dice of the undone roll are kept (T-1), so the odds of the whole task from fresh dice are left out."

# Odds and advice.


def chances(state: State, roll: Roll, member: Member, up_to: int = 20) -> dict[str, Distribution[Any]]:
    """The odds of each fact of a roll; with hidden inputs, only of facts that these do not affect."""
    kind = kind_of(state, roll)
    refuse_unseen_kept(state, roll, member)
    if roll.hidden and member.role != GM:
        return _unaffected(state, roll, up_to)
    ask = thaw(kind, roll.ask) if roll.ask is not None else Basis(state, roll).ask
    if roll.reopened and roll.kept:
        return _with_kept(state, roll, ask, up_to)
    return all_odds(kind.series.whole(ask) if kind.series else ask, up_to=up_to)


def _with_kept(state: State, roll: Roll, ask: Ask, up_to: int) -> dict[str, Distribution[Any]]:
    """The odds of each fact of an undone roll, whose dice are kept; of a long task, those of the roll alone are not."""
    kind = kind_of(state, roll)
    if kind.series:
        raise Illegal(KEPT_TASK)
    results = kept_results(state, roll, ask, up_to=up_to)
    return results_odds(kind, ask, results, up_to)


def _unaffected(state: State, roll: Roll, up_to: int) -> dict[str, Distribution[Any]]:
    """Odds that are the same whatever the hidden inputs are, so that they tell nothing about them."""
    asks = guesses(Basis(state, roll))
    if len(asks) < 2:
        raise Unknown("What is hidden has a bearing on every chance; ask the GM.")
    found = {}
    for name in facts_of(kind_of(state, roll)):
        first, *others = [_odds_of(state, roll, ask, name, up_to) for ask in asks]
        if first is not None and all(first == other for other in others):
            found[name] = first
    if not found:
        raise Unknown("What is hidden has a bearing on every chance; ask the GM.")
    return found


def _odds_of(state: State, roll: Roll, ask: Ask, name: str, up_to: int) -> Distribution[Any] | None:
    try:
        if roll.reopened and roll.kept:
            return _with_kept(state, roll, ask, up_to).get(name)
        return odds(ask, name, up_to=up_to)
    except Refusal:
        return None


def advice(state: State, roll: Roll, member: Member, wish: str = "", up_to: int = 20) -> Advice:
    """How each answer to the open choice would change the chances."""
    return advise(_weighed_node(state, roll, member), wish_of(kind_of(state, roll), wish), up_to)


def every_advice(state: State, roll: Roll, member: Member) -> list[Advice]:
    """The same for each wish of whose choice it is."""
    node = _weighed_node(state, roll, member)
    wishes = wishes_for(kind_of(state, roll), node) if isinstance(node, Choice) else [wish_of(kind_of(state, roll))]
    return [advise(node, wish) for wish in wishes]


def _weighed_node(state: State, roll: Roll, member: Member) -> Node[Any]:
    """What a roll waits for, if this member may know all that bears on it."""
    if not may_see(member, outcome_audience(state, roll)) or not may_see(member, dice_audience(state, roll)):
        raise Unknown("What is hidden has a bearing on every answer; ask the GM.")
    if roll.ask is None:
        raise Illegal("Advice is about a choice, and no die is thrown yet.")
    if roll.over:
        raise Illegal("Nothing is left to decide here: the roll is settled.")
    return rest_of(state, roll)
