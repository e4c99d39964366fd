"""The values of an AnyDice program (numbers, sequences, equal dice), and its state while it runs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from math import gcd, lcm
from typing import TYPE_CHECKING, TypeAlias

from astragal.dice.distribution import Distribution
from astragal.dice.solver.sums import Die, sum_odds
from astragal.errors import Illegal

if TYPE_CHECKING:
    from astragal.anydice.functions import Function

MAX_NUMBER = 10**18
"""The greatest number, with either sign."""
MAX_SIZE = 100_000
"""Numbers of a sequence, faces of a die, and dice."""


Name: TypeAlias = tuple[str, ...]
"""A function's name: its words in order, with an empty one in place of each parameter."""
MAX_OUTPUTS = 1000
UNNAMED = "output 1"
"""The name of the first output without one."""
MAX_FRAMES = 4000
"""Python's frames of nested calls; more than usual, so that a program may set a great function depth."""


class Pool:
    """Equal dice: their number, and the values of one with their weights, from the lowest up.

    A pool without dice is the empty die: it has no value at all, and whatever depends on
    it is left out.
    """

    __slots__ = ("_key", "_sum", "die", "n")

    def __init__(self, n: int, die: Die) -> None:
        self.n = n if die else 0
        self.die = die
        self._sum: Die | None = None
        self._key: Hashable = None

    @property
    def key(self) -> Hashable:
        """The same for equal dice."""
        if self._key is None:
            self._key = self.n, tuple(self.die.items())
        return self._key

    @property
    def sum(self) -> Die:
        """The odds of the dice added up."""
        if self._sum is None:
            self._sum = self.die if self.n <= 1 else sum_odds([(self.n, self.die)]).weights
        return self._sum

    def __bool__(self) -> bool:
        return self.n > 0


Value: TypeAlias = int | tuple[int, ...] | Pool

EMPTY = Pool(0, {})
ZERO = Pool(1, {0: 1})


def die_of(weights: Mapping[int, int]) -> Pool:
    """Return a single die; its values are put in order, and its weights have no common factor."""
    if not weights:
        return EMPTY
    common = gcd(*weights.values())
    found = {value: weights[value] // common for value in sorted(weights)}
    for value in (next(iter(found)), next(reversed(found))):
        checked(value)
    return Pool(1, found)


def counted(values: Iterable[int]) -> Pool:
    """Return the die with these faces, each as often as it is listed."""
    found: dict[int, int] = {}
    for value in values:
        found[value] = found.get(value, 0) + 1
    return die_of(found)


def mixed(parts: Iterable[tuple[int, Value]]) -> Pool:
    """Return the die that shows one of several results, each with its weight; empty ones are left out."""
    by_total: dict[int, dict[int, int]] = {}
    for weight, result in parts:
        found = odds_of(result)
        total = sum(found.values())
        into = by_total.setdefault(total, {}) if total else {}
        for value, inner in found.items():
            into[value] = into.get(value, 0) + weight * inner
    common = lcm(*by_total)
    weights: dict[int, int] = {}
    for total, into in by_total.items():
        times = common // total
        for value, weight in into.items():
            weights[value] = weights.get(value, 0) + weight * times
    return die_of(weights)


def odds_of(value: Value) -> Die:
    """Return the odds of a value as one number: dice and sequences are added up."""
    if isinstance(value, Pool):
        return value.sum
    return {number_of(value): 1}


def number_of(value: int | tuple[int, ...]) -> int:
    """Return a number, or the sum of a sequence."""
    return value if isinstance(value, int) else sum(value)


def checked(number: int) -> int:
    """Return a number that is not too great."""
    if -MAX_NUMBER <= number <= MAX_NUMBER:
        return number
    raise Illegal(f"a number is beyond {MAX_NUMBER:,}.")


def sized(size: int, what: str) -> int:
    """Return a size that is not too great."""
    if size > MAX_SIZE:
        raise Illegal(f"{size:,} {what} are too many; at most {MAX_SIZE:,} are allowed.")
    return size


class State:
    """The state of one program."""

    def __init__(self) -> None:
        self.variables: dict[str, Value] = {}
        self.functions: dict[Name, Function] = {}
        self.results: dict[Hashable, Pool] = {}
        self.free: dict[Name, tuple[str, ...]] = {}
        self.outputs: list[tuple[str, Distribution[int]]] = []
        self.highest_first = True
        self.max_depth = 10
        self.explode_depth = 2
        self.depth = 0
        self.frames = 0
        self.line = 1

    def output(self, name: str, odds: Distribution[int]) -> None:
        """Add an output; without a name it is numbered."""
        if len(self.outputs) == MAX_OUTPUTS:
            raise Illegal(f"there are more than {MAX_OUTPUTS:,} outputs.")
        self.outputs.append((name or f"output {len(self.outputs) + 1}", odds))

    def changed(self) -> None:
        """Forget results of calls: a function or a setting is another from now on."""
        self.results.clear()
        self.free.clear()

    def enter(self, frames: int) -> None:
        """Enter a call, which takes this number of Python's frames."""
        self.depth += 1
        self.frames += frames
        if self.frames > MAX_FRAMES:
            raise Illegal("calls are nested too deep; set a smaller maximum function depth.")

    def leave(self, frames: int) -> None:
        """Leave a call."""
        self.depth -= 1
        self.frames -= frames
