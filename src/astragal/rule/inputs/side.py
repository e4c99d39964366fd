"""Sides: inputs that both sides of a roll have, declared once as an ask of their own.

::

    class Fighter(Ask):
        pool: int = summed(0, 100)
        will: int = whole(0, 9, default=9, whose="gm")

    class Fight(Ask, init=False):
        us: Fighter = side(Fighter, "roller", "{}", pool="ours")
        them: Fighter = side(Fighter, "target", "their_{}", pool="theirs")

    Fight(ours=3, theirs=2, their_will=1).them.will      # 1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from astragal.rule.inputs.input import Input, Summed

if TYPE_CHECKING:
    from astragal.rule.inputs.ask import Ask

AGAINST = "against {}"
"""How the sources of the other side are told, unless their input says something of its own."""


class Side:
    """One side of a roll: its inputs, by the names that they have in the whole roll. Read there, it is the side.

    The side knows its ``role``, and as ``roll`` the ask that it is a side of.
    """

    def __init__(self, of: type[Ask], role: str, names: Mapping[str, str]) -> None:
        self.of = of
        self.role = role
        self.names = names

    def __get__(self, roll: Ask | None, owner: type) -> Any:
        if roll is None:
            return self
        part = object.__new__(self.of)
        part.__dict__.update({name: getattr(roll, called) for name, called in self.names.items()})
        part.__dict__.update(role=self.role, roll=roll)
        return part

    def inputs(self) -> Iterator[Input | None]:
        """The side's inputs as the roll has them; None for one that this roll lacks."""
        for name, declared in self.of.inputs.items():
            yield self._input(declared, self.names[name]) if name in self.names else None

    def _input(self, declared: Input, called: str) -> Input:
        input = copy(declared)
        if called != declared.name:
            vars(input).pop("texts", None)  # the roll has words of its own for it
        input.name = called
        given = ("roller",) if self.role == "roller" else ("roller", "helper")
        input.whose = self.role if input.whose in given else input.whose
        input.told = AGAINST if self.role == "target" and input.told == Summed.told else input.told
        if input.reads.partition(".")[0] == "roller":
            input.reads = f"{self.role}{input.reads.removeprefix('roller')}"
        input.unless = tuple([(self.names[name], value) for name, value in input.unless])
        return input


def inputs_of(sides: Sequence[Side]) -> Iterator[Input]:
    """The inputs of all sides, each beside that of the other side."""
    for each in zip_longest(*(side.inputs() for side in sides)):
        yield from filter(None, each)
