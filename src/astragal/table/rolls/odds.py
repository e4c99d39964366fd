"""Guessing: the same roll with other values in the place of the hidden ones, for what must not know the true ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from astragal.dice.dice import Pool
from astragal.errors import Refusal
from astragal.rule.ask import Ask
from astragal.rule.hand import Hand
from astragal.rule.input import Input
from astragal.rule.node import Throw
from astragal.rule.number import Whole
from astragal.rule.play import play
from astragal.rule.word import Flag, OneOf, Words
from astragal.table.rolls.ask import ask_of, kind_of, open_offers
from astragal.table.state import Roll, State

GUESSES = 3
CANNOT: Any = object()


def guesses(state: State, roll: Roll) -> list[Ask]:
    """Asks with values that lie far apart; none if nothing can be guessed."""
    return list(_guesses(state, roll))


def _guesses(state: State, roll: Roll) -> Iterator[Ask]:
    kind, seen = kind_of(state, roll), open_offers(state, roll) if roll.use else {}
    known = replace(
        roll,
        inputs={name: value for name, value in roll.inputs.items() if name not in roll.hidden},
        use={id: n for id, n in roll.use.items() if id in seen},
    )
    for turn in range(GUESSES):
        instead = {name: _guess(kind.ask.inputs[name], turn) for name in roll.hidden}
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
    """Whether the number of dice would tell something of what is hidden."""
    if not roll.hidden:
        return False
    asks = guesses(state, roll)
    pools = {_first_pool(state, roll, guess) for guess in (ask, *asks)}
    return len(asks) < 2 or len(pools) > 1


def _first_pool(state: State, roll: Roll, ask: Ask) -> Pool | None:
    node = play(kind_of(state, roll).rule(ask), Hand()).node
    return node.pool if isinstance(node, Throw) else None
