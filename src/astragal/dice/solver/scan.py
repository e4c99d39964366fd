"""The class scan: automata that go through the values of dice from the highest down.

For each state there is one packed polynomial in y, in which slot j stands for j dice so
far: n!/j! times the throws of j dice that lead there. Counts of a value that lead to the
same state are one class, and one product: Σ n!/i!·wⁱ·yⁱ over the counts i of the class,
divided by n!. The last value is that of all dice that are left. Several kinds of dice
have a variable each, all in one number.

Where a step stays the same from some small count c on, "c or more dice" is
e^(wy) − Σ_{i<c} (wy)ⁱ/i!. Written in E = e^y, the first term is a shift, and in the end
Eᵃ·yᵇ/b! stands for C(n, b)·a^(n − b) throws: the cost does not depend on n.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import product
from math import comb, factorial, prod
from operator import sub
from typing import Any, NamedTuple, TypeAlias, TypeVar

from astragal.dice.distribution import Distribution
from astragal.dice.estimates import refuse_bytes
from astragal.dice.solver.packed import DIGIT

S = TypeVar("S", bound=Hashable)
Counts: TypeAlias = tuple[int, ...]
"""The number of dice of each group that show a value."""
Step: TypeAlias = Callable[[S, Any, Counts], S]

Group: TypeAlias = tuple[int, Mapping[Any, int]]
"""A number of equal dice: their values, which are anything that can be sorted, with weights."""

HEAVY = 50_000_000
"""Digits that are read from one polynomial in E, up to which it is used; they grow with the total weight of a die."""


def scan_odds(
    groups: Sequence[Group],
    start: S,
    step: Step[S],
    same_from: int | None = None,
    downwards: bool = True,
) -> Distribution[S]:
    """Return the odds of the last state; ``step`` is called for every value of the dice, from the highest down or up.

    It gets how many dice of each group show the value, which may be none at all.
    ``same_from`` promises, for a single group, that all counts from there on lead to the same state.
    """
    values = sorted({value for _, die in groups for value in die}, reverse=downwards)
    if not any(n for n, _ in groups):
        for value in values:
            start = step(start, value, (0,) * len(groups))
        return Distribution.certain(start)
    saturating = Saturating(groups[0], same_from) if same_from is not None and len(groups) == 1 else None
    if saturating and saturating.digits <= HEAVY:
        found = saturating.scan(start, step, values)
    else:
        found = Classes(groups).scan(start, step, values)
    total = prod(sum(die.values()) ** n for n, die in groups)
    return Distribution({state: ways for state, ways in found.items() if ways}, total)


class Saturating(NamedTuple):
    """The scan of one group in E."""

    group: Group
    same_from: int

    @property
    def bits(self) -> int:
        """The bits of a slot: for all terms of a product over the values, two signs for each and the orders of dice."""
        n, die = self.group
        single = min(self.same_from, n)
        counted = min(n, (single - 1) * len(die)) if single else 0
        return 2 * len(die) + counted * sum(die.values()).bit_length() + 8

    @property
    def digits(self) -> int:
        """The digits that are read from a polynomial in the end: all that are left, for each slot."""
        return self.bits * sum(self.group[1].values()) ** 2 // DIGIT

    def scan(self, start: S, step: Step[S], values: Sequence[Any]) -> dict[S, int]:
        """Return the throws that lead to each last state."""
        n, die = self.group
        single, bits = min(self.same_from, n), self.bits
        states: dict[S, dict[int, int]] = {start: {0: 1}}
        for value in values:
            after: dict[S, dict[int, int]] = {}
            for state, parts in states.items():
                following = [step(state, value, (i,)) for i in range(single + 1)]
                self._one_value(after, parts, following, die[value], bits)
            states = after
        return {state: self._throws(parts, bits) for state, parts in states.items()}

    def _one_value(
        self, after: dict[S, dict[int, int]], parts: dict[int, int], following: list[S], weight: int, bits: int
    ) -> None:
        """Many dice lead to the last of the following states; fewer are taken back from it and lead to theirs."""
        many = after.setdefault(following[-1], {})
        for b, packed in parts.items():
            many[b] = many.get(b, 0) + (packed << (bits * weight))
        for i, state in enumerate(following[:-1]):
            if state != following[-1]:
                few = after.setdefault(state, {})
                for b, packed in parts.items():
                    if b + i <= self.group[0]:
                        term = packed * (comb(b + i, i) * weight**i)
                        few[b + i] = few.get(b + i, 0) + term
                        many[b + i] = many.get(b + i, 0) - term

    def _throws(self, parts: dict[int, int], bits: int) -> int:
        """The throws that all Eᵃ·yᵇ/b! stand for."""
        n = self.group[0]
        found = 0
        for b, packed in parts.items():
            ways = [coefficient * a ** (n - b) for a, coefficient in enumerate(_signed(packed, bits))]
            found += comb(n, b) * sum(ways)
        return found


def _signed(packed: int, bits: int) -> Iterator[int]:
    """Give coefficients that may be below 0: the upper half of each slot's range stands for them."""
    mask, half = (1 << bits) - 1, 1 << (bits - 1)
    while packed:
        coefficient = packed & mask
        packed >>= bits
        if coefficient >= half:
            coefficient -= mask + 1
            packed += 1
        yield coefficient


class Classes:
    """The scan of any groups by classes of counts; a class is a number with a bit for each of its counts."""

    def __init__(self, groups: Sequence[Group]) -> None:
        self.groups = groups
        self.most = tuple([n for n, _ in groups])
        self.scale: int = prod(map(factorial, self.most))
        total = prod(sum(die.values()) ** n for n, die in groups)
        # A product also has slots for more dice than there are; they are dropped, but must not run over.
        heaviest = prod(max(die.values()) ** n for n, die in groups)
        needed = (total * heaviest * self.scale**2).bit_length() + sum(self.most).bit_length()
        self.bits: int = needed + -needed % 8  # whole bytes
        # A product has room for twice the dice of every group but the first.
        self.strides = [self.bits * prod([2 * n + 1 for n in self.most[i + 1 :]]) for i in range(len(groups))]
        slots = prod([n + 1 for n in self.most])
        # A class is a bit for each slot, and at first every slot is a class.
        refuse_bytes((self.at(self.most) + slots * slots) // 8)
        self.counts = list(product(*[range(n + 1) for n in self.most]))
        self.kept: int = (1 << self.bits) - 1
        for n, stride in zip(reversed(self.most), reversed(self.strides), strict=True):
            self.kept = _repeated(self.kept, n + 1, stride)
        self.tables: dict[Counts, ClassTable] = {}

    def at(self, counts: Counts) -> int:
        """Return the place of a slot."""
        return sum([stride * i for stride, i in zip(self.strides, counts, strict=True)])

    def scan(self, start: S, step: Step[S], values: Sequence[Any]) -> dict[S, int]:
        """Return the throws that lead to each last state."""
        states: dict[S, int] = {start: self.scale}
        for value in values[:-1]:
            table = self._table(tuple([die.get(value, 0) for _, die in self.groups]))
            after: dict[S, int] = {}
            for state, packed in states.items():
                for following, members in self._classes(state, value, step, packed, table.counts).items():
                    after[following] = after.get(following, 0) + table.times(packed, members)
            states = after
        return self._last(states, step, values[-1])

    def _table(self, weights: Counts) -> ClassTable:
        if weights not in self.tables:
            self.tables[weights] = ClassTable(self, weights)
        return self.tables[weights]

    def _classes(
        self, state: S, value: Any, step: Step[S], packed: int, counts: Sequence[tuple[int, Counts]]
    ) -> dict[S, int]:
        """The counts of a value by the state that they lead to; no more of the first group than it has left."""
        used = ((packed & -packed).bit_length() - 1) // self.strides[0]
        classes: dict[S, int] = {}
        left = self.most[0] - used
        for bit, each in counts:
            if each[0] > left:
                break
            following = step(state, value, each)
            classes[following] = classes.get(following, 0) | bit
        return classes

    def _last(self, states: dict[S, int], step: Step[S], value: Any) -> dict[S, int]:
        """All dice that are left show the last value."""
        found: dict[S, int] = {}
        table = self._table(tuple([die.get(value, 0) for _, die in self.groups]))
        width, length = self.bits // 8, (self.at(self.most) + self.bits) // 8
        slots = []
        for used in self.counts:
            left = tuple(map(sub, self.most, used))
            slots.append((self.at(used) // 8, left, *table.alone(left)))
        for state, packed in states.items():
            data = packed.to_bytes(length, "little")
            for at, left, scale, orders in slots:
                ways = int.from_bytes(data[at : at + width], "little")
                if ways:
                    following = step(state, value, left)
                    found[following] = found.get(following, 0) + ways // orders * scale
        return found


def _repeated(block: int, times: int, stride: int) -> int:
    """A block of bits, repeated every ``stride`` bits."""
    have = 1
    while have < times:
        more = min(have, times - have)
        block |= block << (more * stride)
        have += more
    return block


class ClassTable:
    """The counts of a value with given weights, and the factors of their classes."""

    def __init__(self, scan: Classes, weights: Counts) -> None:
        self.scan = scan
        self.weights = weights
        self.counts = [
            (1 << place, counts)
            for place, counts in enumerate(scan.counts)
            if all(weight or not i for weight, i in zip(weights, counts, strict=True))
        ]
        self.factors: dict[int, int] = {}
        self.singles: dict[int, tuple[int, int, int]] = {}

    def times(self, packed: int, members: int) -> int:
        """Return the product with a class of counts; a single one needs only a shift."""
        scan = self.scan
        if members & (members - 1):
            factor = self.factors.get(members) or self._factor(members)
            return ((packed * factor) & scan.kept) // scan.scale
        at, scale, orders = self.singles.get(members) or self._single(members)
        found = packed & (scan.kept >> at)
        return (found if scale == orders else found * scale // orders) << at

    def alone(self, counts: Counts) -> tuple[int, int]:
        """Return what these counts of dice with the value scale throws by, and their orders."""
        scale: int = prod([weight**i for weight, i in zip(self.weights, counts, strict=True)])
        return scale, prod(map(factorial, counts))

    def _single(self, bit: int) -> tuple[int, int, int]:
        """How far a single count shifts a slot, what it scales it by, and its orders."""
        counts = self.scan.counts[bit.bit_length() - 1]
        scale, orders = self.alone(counts)
        self.singles[bit] = self.scan.at(counts), scale, orders
        return self.singles[bit]

    def _factor(self, members: int) -> int:
        """The counts of a class as one factor."""
        factor = 0
        for bit, _ in self.counts:
            if bit & members:
                at, scale, orders = self.singles.get(bit) or self._single(bit)
                factor += (self.scan.scale // orders * scale) << at
        self.factors[members] = factor
        return factor
