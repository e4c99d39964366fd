"""Odds of a roll at a table, as far as a seat may know: hidden inputs are guessed, never looked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from astragal.dice.dice import Pool
from astragal.dice.distribution import Distribution
from astragal.errors import Illegal, Refusal, Unknown
from astragal.rule.chances.advise import Advice, advise
from astragal.rule.chances.fact import facts_of, wish_of, wishes_for
from astragal.rule.chances.odds import all_odds, odds
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.input import Flag, Input, OneOf, Whole
from astragal.rule.inputs.word import Words
from astragal.rule.tree.node import Choice, Node, Throw
from astragal.rule.tree.play import Hand, play
from astragal.table.access import GM, dice_audience, may_see, outcome_audience
from astragal.table.rolls.ask import ask_of, kind_of, open_offers, thaw
from astragal.table.rolls.playback import played_of
from astragal.table.state import Member, Roll, State

GUESSES = 3
CANNOT: Any = object()


def guesses(state: State, roll: Roll) -> list[Ask]:
    """Asks with guesses for the hidden inputs that lie far apart; empty if nothing can be guessed."""
    return list(_guesses(state, roll))


def _guesses(state: State, roll: Roll) -> Iterator[Ask]:
    kind, seen = kind_of(state, roll), open_offers(state, roll) if roll.use else {}
    known = replace(
        roll,
        inputs={name: value for name, value in roll.inputs.items() if name not in roll.hidden},
        use={id: n for id, n in roll.use.items() if id in seen},
    )
    for turn in range(GUESSES):
        instead = {name: _guess(kind.ask._input(name), turn) for name in roll.hidden}
        if CANNOT in instead.values():
            return
        try:
            yield ask_of(state, known, instead=instead)
        except Refusal:
            continue


def _guess(input: Input, turn: int) -> Any:
    if isinstance(input, Whole):
        return max(input.lowest, min(input.highest, 1 + 7 * turn))
    if isinstance(input, OneOf):
        return input.options[turn % len(input.options)]
    if isinstance(input, Flag):
        return bool(turn % 2)
    return "x" * (turn + 1) if isinstance(input, Words) else CANNOT


def dice_tell(state: State, roll: Roll, ask: Ask) -> bool:
    """Whether the number of dice would tell something about a hidden input."""
    asks = guesses(state, roll)
    pools = {_first_pool(state, roll, guess) for guess in (ask, *asks)}
    return len(asks) < 2 or len(pools) > 1


def _first_pool(state: State, roll: Roll, ask: Ask) -> Pool | None:
    node = play(kind_of(state, roll).rule(ask), Hand()).node
    return (node.together or node).pool if isinstance(node, Throw) else None


# Odds and advice.


def chances(state: State, roll: Roll, member: Member, up_to: int = 20) -> dict[str, Distribution[Any]]:
    """The odds of each fact of a roll; with hidden inputs, only of facts that these do not affect."""
    ask = thaw(kind_of(state, roll), roll.ask) if roll.ask is not None else None
    if roll.hidden and member.role != GM:
        return _unaffected(state, roll, up_to)
    return all_odds(ask or ask_of(state, roll), up_to=up_to)


def _unaffected(state: State, roll: Roll, up_to: int) -> dict[str, Distribution[Any]]:
    """Odds that are the same whatever the hidden inputs are, so that they tell nothing about them."""
    asks = guesses(state, roll)
    if len(asks) < 2:
        raise Unknown("What is hidden has a bearing on every chance; ask the GM.")
    found = {}
    for name in facts_of(kind_of(state, roll)):
        first, *others = [_odds_of(ask, name, up_to) for ask in asks]
        if first is not None and all(first == other for other in others):
            found[name] = first
    if not found:
        raise Unknown("What is hidden has a bearing on every chance; ask the GM.")
    return found


def _odds_of(ask: Ask, name: str, up_to: int) -> Distribution[Any] | None:
    try:
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
    return played_of(state, roll).node
