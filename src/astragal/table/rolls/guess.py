"""Guesses for hidden inputs: values that lie far apart, chosen by the declaration alone.

What comes out the same for all of them rests on nothing hidden. The true values are never looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from astragal.errors import Refusal
from astragal.rule.game import Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.input import Flag, Input, Numbers, OneOf, Whole
from astragal.rule.inputs.word import Named, Words
from astragal.table.rolls.basis import Basis
from astragal.table.state import Roll

FEW = 3
"""Guesses that are enough for odds, each of which takes a while."""
MANY = 5
"""Guesses for all else."""
BEGUN = [0, 1, 2, 0, 3]
"""Guesses of how far a long task has come, which is less than the guesses of how far it goes."""


def guesses(basis: Basis) -> list[Ask]:
    """Asks of a roll that is being built, with guesses for its hidden inputs; empty if nothing can be guessed."""
    return list(_guesses(basis))


def _guesses(basis: Basis) -> Iterator[Ask]:
    roll, kind = basis.roll, basis.kind
    seen = basis.open_offers if roll.use else {}
    inputs = {name: value for name, value in roll.inputs.items() if name not in roll.hidden}
    use = {id: n for id, n in roll.use.items() if id in seen}
    known = basis.at(basis.state, replace(roll, inputs=inputs, use=use))
    if any(isinstance(kind.ask._input(name), (Named, Numbers)) for name in roll.hidden):
        return  # a few lists say nothing about the chances of others
    for instead in instead_of(kind, roll, FEW):
        try:
            yield known.ask_with(instead)
        except Refusal:
            continue


def instead_of(kind: Kind, roll: Roll, n: int = MANY) -> Iterator[Mapping[str, Any]]:
    """Values for the hidden inputs of a roll, n times; nothing if one of them cannot be guessed."""
    begun = kind.series.before if kind.series else ()
    values = {name: BEGUN if name in begun else far_apart(kind.ask._input(name)) for name in roll.hidden}
    if all(values.values()):
        for turn in range(n):
            yield {name: each[turn % len(each)] for name, each in values.items()}


def far_apart(input: Input) -> list[Any]:
    """Values of an input that lie far apart, the usual ones first; none for a deck, or where there is only one."""
    if isinstance(input, Whole):
        return [max(input.lowest, min(input.highest, n)) for n in (1, 8, 15, input.lowest, input.highest)]
    if isinstance(input, OneOf):
        return list(input.options)
    if isinstance(input, Flag):
        return [False, True]
    if isinstance(input, Words):
        return ["x", "xx", "xxx"]
    found: list[Any] = []
    if isinstance(input, Named):
        found = [(), *((("x", option),) for option in input.options)]
    if isinstance(input, Numbers):
        n = input.n or 1
        found = [input.default, (input.lowest,) * n, (input.highest,) * n]
    found = [value for value in found if _fits(input, value)]
    return found if len(found) > 1 else []


def _fits(input: Input, value: Any) -> bool:
    try:
        input.check(value)
    except Refusal:
        return False
    return True
