"""Calls: what a parameter's type makes of its argument, and what comes of a call for every roll.

=====  ======================  ==========================  ==============================
type   a number                a sequence                  dice
=====  ======================  ==========================  ==============================
``n``  itself                  its sum                     a call for each sum
``s``  a sequence of one       itself                      a call for each throw, sorted
``d``  a die that shows it     a die that shows its sum    themselves
none   itself                  itself                      themselves
=====  ======================  ==========================  ==============================

The results of many calls are mixed into one die. A throw is called once for all its
orders, with their number as its weight. Variables that a call sets stay for its other
throws, and go when it is over; what is left of a caller's variables can be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import NamedTuple, Protocol

from astragal.anydice.values import EMPTY, Name, Pool, State, Value, mixed, number_of
from astragal.dice.estimates import refuse_throws

FRAMES = 10
"""Python's frames of a call, without those of nested expressions and blocks."""


class ByValue(NamedTuple):
    """An argument that a function is called for value by value, each with its weight."""

    each: Sequence[tuple[Value, int]]


class Body(Protocol):
    """The statements of a function, which read its parameters as variables."""

    def run(self, state: State) -> Value | None:
        """Return the result, if there is one."""


class Parameter(NamedTuple):
    """A parameter: its name, and its type if it has one."""

    name: str
    type: str = ""


class Function(NamedTuple):
    """A function of a program."""

    name: Name
    parameters: tuple[Parameter, ...]
    body: Body
    reads: frozenset[str] = frozenset()
    """The variables that its body names, parameters among them."""
    calls: frozenset[Name] = frozenset()

    def call(self, state: State, arguments: Sequence[Value], nested: int) -> Value:
        """Return the result of a call, or of all calls if it is called for each roll of an argument."""
        taken = [taken_as(p.type, a, state.highest_first) for p, a in zip(self.parameters, arguments, strict=True)]
        frames = FRAMES + 2 * nested
        kept, line = state.variables, state.line
        state.variables = dict(kept)
        state.enter(frames)
        try:
            if any(isinstance(each, ByValue) for each in taken):
                return self._remembered(state, arguments, taken)
            return self._once(state, taken)  # type: ignore[arg-type]
        finally:
            state.leave(frames)
            state.variables, state.line = kept, line

    def _remembered(self, state: State, arguments: Sequence[Value], taken: Sequence[Value | ByValue]) -> Pool:
        """The results for every roll; an equal call, as of a die that explodes on two faces, is made once."""
        given = tuple([a.key if isinstance(a, Pool) else a for a in arguments])
        key = self.name, state.depth, given, tuple(map(state.variables.get, free_variables(state, self)))
        found = state.results.get(key)
        if found is None:
            found = state.results[key] = self._for_each(state, taken)
        return found

    def _for_each(self, state: State, taken: Sequence[Value | ByValue]) -> Pool:
        """The results of calls for every roll, mixed; a sequence is added up."""
        numbers: dict[int, int] = {}
        pools: dict[Pool, int] = {}
        for roll, weight in every_roll(taken):
            found = self._once(state, roll)
            if isinstance(found, Pool):
                pools[found] = pools.get(found, 0) + weight
            else:
                number = number_of(found)
                numbers[number] = numbers.get(number, 0) + weight
        results: list[tuple[int, Value]] = [(weight, number) for number, weight in numbers.items()]
        results.extend((weight, pool) for pool, weight in pools.items())
        return mixed(results)

    def _once(self, state: State, arguments: Sequence[Value]) -> Value:
        # Backwards: of two parameters with one name, the first one counts.
        for parameter, argument in zip(reversed(self.parameters), reversed(arguments), strict=True):
            state.variables[parameter.name] = argument
        found = self.body.run(state)
        return EMPTY if found is None else found


def taken_as(kind: str, argument: Value, highest_first: bool) -> Value | ByValue:
    """Return an argument as a parameter of some type takes it."""
    if isinstance(argument, Pool):
        if kind == "n":
            return ByValue(list(argument.sum.items()))
        return ByValue(list(throws(argument, highest_first))) if kind == "s" else argument
    if kind == "n" and not isinstance(argument, int):
        return ByValue([(number_of(argument), 1)])
    if kind == "s" and isinstance(argument, int):
        return (argument,)
    return Pool(1, {number_of(argument): 1}) if kind == "d" else argument


def throws(pool: Pool, highest_first: bool) -> Iterator[tuple[tuple[int, ...], int]]:
    """Give the throws of a pool, sorted, each with the weight of all its orders."""
    if pool.n <= 1:
        yield from (((value,), weight) for value, weight in pool.die.items())
        return
    refuse_throws(comb(pool.n + len(pool.die) - 1, pool.n))
    orders = factorial(pool.n)
    fair = all(weight == 1 for weight in pool.die.values())
    for throw in combinations_with_replacement(sorted(pool.die, reverse=highest_first), pool.n):
        weight = orders
        for value in set(throw):
            count = throw.count(value)
            weight //= factorial(count)
            if not fair:
                weight *= pool.die[value] ** count
        yield throw, weight


def every_roll(taken: Sequence[Value | ByValue]) -> Iterator[tuple[Sequence[Value], int]]:
    """Give all combinations of the arguments, the first of them changing fastest."""
    choices = [each.each if isinstance(each, ByValue) else ((each, 1),) for each in reversed(taken)]
    refuse_throws(prod(map(len, choices)), "rolls of the arguments")
    for chosen in product(*choices):
        yield [value for value, _ in reversed(chosen)], prod([weight for _, weight in chosen])


def free_variables(state: State, function: Function) -> tuple[str, ...]:
    """Return the variables of its caller that a function may read, by itself or by those that it calls."""
    found = state.free.get(function.name)
    if found is None:
        names: set[str] = set()
        known, left = {function.name}, [function]
        while left:
            each = left.pop()
            names |= each.reads - {parameter.name for parameter in each.parameters}
            left += [state.functions[name] for name in each.calls - known if name in state.functions]
            known |= each.calls
        found = state.free[function.name] = tuple(sorted(names))
    return found
