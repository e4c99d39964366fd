"""Chances: exact odds of an open roll and of what each answer would do, for what a seat may know."""

from __future__ import annotations

from typing import Any

from astragal.dice.distribution import Distribution
from astragal.errors import Illegal, Refusal, Unknown
from astragal.rule.advise import Advice, advise
from astragal.rule.ask import Ask
from astragal.rule.fact import facts_of, wish_of
from astragal.rule.odds import all_odds, odds
from astragal.table.access import GM, dice_audience, may_see, outcome_audience
from astragal.table.decide.roll import played_of
from astragal.table.rolls.ask import ask_of, kind_of, thaw
from astragal.table.rolls.odds import guesses
from astragal.table.state import Member, Roll, State


def chances(state: State, roll: Roll, member: Member, up_to: int = 20) -> dict[str, Distribution[Any]]:
    """The tables of a roll; with something hidden, those on which it has no bearing."""
    ask = thaw(kind_of(state, roll), roll.ask) if roll.ask is not None else None
    if roll.hidden and member.role != GM:
        return _unaffected(state, roll, up_to)
    return all_odds(ask or ask_of(state, roll), up_to=up_to)


def _unaffected(state: State, roll: Roll, up_to: int) -> dict[str, Distribution[Any]]:
    """Tables that come out the same whatever the hidden inputs are: these tell nothing of them."""
    asks = guesses(state, roll)
    if len(asks) < 2:
        raise Unknown("What is hidden has a bearing on every chance; ask the GM.")
    found = {}
    for name in facts_of(kind_of(state, roll)):
        first, *others = [_table(ask, name, up_to) for ask in asks]
        if first is not None and all(first == other for other in others):
            found[name] = first
    if not found:
        raise Unknown("What is hidden has a bearing on every chance; ask the GM.")
    return found


def _table(ask: Ask, name: str, up_to: int) -> Distribution[Any] | None:
    try:
        return odds(ask, name, up_to=up_to)
    except Refusal:
        return None


def advice(state: State, roll: Roll, member: Member, wish: str = "", up_to: int = 20) -> Advice:
    """What each answer to the open choice would do to the chances."""
    if not may_see(member, outcome_audience(state, roll)) or not may_see(member, dice_audience(state, roll)):
        raise Unknown("What is hidden has a bearing on every answer; ask the GM.")
    if roll.ask is None:
        raise Illegal("Advice is about a choice, and no die is thrown yet.")
    return advise(played_of(state, roll).node, wish_of(kind_of(state, roll), wish), up_to)
