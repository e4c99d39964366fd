"""The statements of a program. Running one gives a result where it defines one, and otherwise nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from astragal.anydice.expression import Expression
from astragal.anydice.functions import Function
from astragal.anydice.values import Pool, State, Value, counted
from astragal.dice.distribution import Distribution
from astragal.errors import Illegal, Unknown

DEPTHS = {"maximum function depth": "max_depth", "explode depth": "explode_depth"}
ORDER = "position order"
ORDERS = {"highest first": True, "lowest first": False}
MAX_DEPTH = 10_000


class Statement(Protocol):
    """Something that a program does."""

    def run(self, state: State) -> Value | None:
        """Do it; return the result if it defines one."""


@dataclass(frozen=True, slots=True)
class Block:
    """Statements one after another, up to the first that defines a result."""

    statements: tuple[Statement, ...]

    def run(self, state: State) -> Value | None:
        """Run them."""
        for statement in self.statements:
            found = statement.run(state)
            if found is not None:
                return found
        return None


@dataclass(frozen=True, slots=True)
class Assign:
    """``NAME: value``."""

    at: int
    name: str
    expression: Expression

    def run(self, state: State) -> Value | None:
        """Set the variable."""
        state.line = self.at
        state.variables[self.name] = self.expression.value(state)
        return None


@dataclass(frozen=True, slots=True)
class Result:
    """``result: value``."""

    at: int
    expression: Expression

    def run(self, state: State) -> Value | None:
        """Return the result."""
        state.line = self.at
        return self.expression.value(state)


@dataclass(frozen=True, slots=True)
class If:
    """Conditions with what is done for the first that is met, and what is done for none."""

    branches: tuple[tuple[int, Expression, Block], ...]
    otherwise: Block

    def run(self, state: State) -> Value | None:
        """Run the block of the first condition that is met."""
        for at, condition, block in self.branches:
            state.line = at
            value = condition.value(state)
            if not isinstance(value, int):
                what = "dice" if isinstance(value, Pool) else "a sequence"
                raise Illegal(f"an if needs a number, not {what}; pass it to a function with a parameter such as N:n.")
            if value:
                return block.run(state)
        return self.otherwise.run(state)


@dataclass(frozen=True, slots=True)
class Loop:
    """``loop NAME over sequence { … }``."""

    at: int
    name: str
    over: Expression
    block: Block

    def run(self, state: State) -> Value | None:
        """Run the block for each number of the sequence."""
        state.line = self.at
        values = self.over.value(state)
        if not isinstance(values, tuple):
            raise Illegal("a loop goes over a sequence, such as {1..6}.")
        for value in values:
            state.variables[self.name] = value
            found = self.block.run(state)
            if found is not None:
                return found
        return None


@dataclass(frozen=True, slots=True)
class Define:
    """``function: … { … }``; it takes the place of one with the same words."""

    function: Function

    def run(self, state: State) -> Value | None:
        """Remember the function."""
        state.functions[self.function.name] = self.function
        state.changed()
        return None


@dataclass(frozen=True, slots=True)
class Setting:
    """``set "…" to …``."""

    at: int
    name: str
    to: Expression | str

    def run(self, state: State) -> Value | None:
        """Change the setting."""
        state.line = self.at
        state.changed()
        value = self.to if isinstance(self.to, str) else self.to.value(state)
        if self.name in DEPTHS:
            if not isinstance(value, int) or not 1 <= value <= MAX_DEPTH:
                raise Illegal(f'"{self.name}" is a number from 1 to {MAX_DEPTH:,}.')
            setattr(state, DEPTHS[self.name], value)
        elif self.name == ORDER:
            if value not in ORDERS:
                raise Illegal(f'"{ORDER}" is "highest first" or "lowest first".')
            state.highest_first = ORDERS[str(value)]
        else:
            raise Unknown(f'there is no setting "{self.name[:40]}"; there are {", ".join([*DEPTHS, ORDER])}.')
        return None


@dataclass(frozen=True, slots=True)
class Output:
    """``output value named "…"``; a variable in square brackets is put into the name."""

    at: int
    expression: Expression
    name: str

    def run(self, state: State) -> Value | None:
        """Add an output."""
        state.line = self.at
        value = self.expression.value(state)
        name = re.sub(r"\[([A-Z_]+)\]", lambda match: _written(state, match[1]), self.name)
        state.line = self.at
        state.output(name[:200], _shown(value))
        return None


def _shown(value: Value) -> Distribution[int]:
    """The odds of an output; a sequence is a die with its numbers on the faces, and the empty die has no value."""
    pool = value if isinstance(value, Pool) else counted(value if isinstance(value, tuple) else (value,))
    return Distribution(pool.sum) if pool else Distribution({}, 1)


def _written(state: State, name: str) -> str:
    value = state.variables.get(name)
    if value is None:
        raise Unknown(f"there is no variable {name} here.")
    if not isinstance(value, Pool):
        return str(value) if isinstance(value, int) else "{?}" if value else "{}"
    sides = len(value.die)
    ordinary = sides and tuple(value.die) == tuple(range(1, sides + 1)) and set(value.die.values()) == {1}
    return f"{value.n if value.n > 1 else ''}d{sides if ordinary else '{?}' if sides else '{}'}"
