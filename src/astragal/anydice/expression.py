"""The expressions of a program: each gives its value in the current state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from astragal.anydice.library import LIBRARY
from astragal.anydice.operators import CALCULATE, at, calculate, dice, die_faces, length, negative, opposite
from astragal.anydice.values import EMPTY, MAX_NUMBER, Name, Pool, State, Value, checked, number_of, sized
from astragal.errors import Illegal, Unknown


class Expression(Protocol):
    """Something that has a value."""

    def value(self, state: State) -> Value:
        """Return the value."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written."""

    number: int

    def value(self, state: State) -> Value:
        """Return the number."""
        return self.number


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, by its name."""

    name: str

    def value(self, state: State) -> Value:
        """Return what was last assigned to it."""
        found = state.variables.get(self.name)
        if found is None:
            raise Unknown(f"there is no variable {self.name} here.")
        return found


Step: TypeAlias = tuple[str, Callable[[int, int], int] | None, Expression]
"""A sign, what it does with two numbers, and the expression behind it."""


def step_of(sign: str, operand: Expression) -> Step:
    """Return a step of a chain."""
    return sign, CALCULATE.get(sign), operand


@dataclass(frozen=True, slots=True)
class Chain:
    """Operators from left to right: a first value, then signs with their operands."""

    first: Expression
    rest: tuple[Step, ...]

    def value(self, state: State) -> Value:
        """Return the value of all of them."""
        found = self.first.value(state)
        for sign, of_numbers, operand in self.rest:
            other = operand.value(state)
            if of_numbers and type(found) is int and type(other) is int:
                found = of_numbers(found, other)
                if not -MAX_NUMBER <= found <= MAX_NUMBER:
                    checked(found)
            elif sign == "d":
                found = dice(found, other)
            elif sign == "@":
                found = at(found, other, state.highest_first)
            else:
                found = calculate(sign, found, other)
        return found


@dataclass(frozen=True, slots=True)
class Prefix:
    """A sign before a value."""

    sign: str
    operand: Expression

    def value(self, state: State) -> Value:
        """Return what the sign makes of it."""
        found = self.operand.value(state)
        if self.sign == "-":
            return negative(found)
        if self.sign == "!":
            return opposite(found)
        if self.sign == "#":
            return length(found)
        return found if self.sign == "+" or isinstance(found, Pool) else die_faces(found)


@dataclass(frozen=True, slots=True)
class Element:
    """A part of a sequence: a value or a range, perhaps repeated."""

    first: Expression
    last: Expression | None
    times: Expression | None

    def numbers(self, state: State) -> tuple[int, ...]:
        """Return its numbers; dice give each of their values once."""
        found = self._once(state)
        if self.times is None:
            return found
        times = max(_number(self.times.value(state), "how often something is repeated"), 0)
        sized(len(found) * times, "numbers of a sequence")
        return found * times

    def _once(self, state: State) -> tuple[int, ...]:
        value = self.first.value(state)
        if self.last is not None:
            first, last = _number(value, "an end of a range"), _number(self.last.value(state), "an end of a range")
            sized(last - first + 1, "numbers of a sequence")
            return tuple(range(first, last + 1))
        if isinstance(value, Pool):
            sized(len(value.sum), "numbers of a sequence")
            return tuple(value.sum)
        return (value,) if isinstance(value, int) else value


@dataclass(frozen=True, slots=True)
class Listed:
    """A sequence in braces."""

    parts: tuple[Element, ...]

    def value(self, state: State) -> Value:
        """Return its numbers in the order in which they are written."""
        found: list[int] = []
        for part in self.parts:
            found.extend(part.numbers(state))
            sized(len(found), "numbers of a sequence")
        return tuple(found)


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A call of a function in brackets; ``nested`` is its depth in blocks and brackets."""

    name: Name
    arguments: tuple[Expression, ...]
    nested: int

    def value(self, state: State) -> Value:
        """Return the result; calls that are nested deeper than is set give the empty die."""
        if state.depth >= state.max_depth:
            return EMPTY
        function = state.functions.get(self.name) or LIBRARY.get(self.name)
        if function is None:
            raise Unknown(f"there is no function [{' '.join(word or '…' for word in self.name)}].")
        arguments = [argument.value(state) for argument in self.arguments]
        return function.call(state, arguments, self.nested)


def _number(value: Value, what: str) -> int:
    if isinstance(value, Pool):
        raise Illegal(f"{what} is a number, not dice; pass the dice to a function with a parameter such as N:n.")
    return number_of(value)
