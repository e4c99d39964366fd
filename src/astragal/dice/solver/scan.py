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

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import product
from math import comb, factorial, prod
from operator import sub
from typing import NamedTuple, TypeAlias, TypeVar

from astragal.dice.distribution import Distribution
from astragal.dice.solver.packed import DIGIT, product_steps
from astragal.dice.solver.sums import Group
from astragal.dice.work import Work, working

S = TypeVar("S", bound=Hashable)
Counts: TypeAlias = tuple[int, ...]
"""How many dice of each group show a value."""
Step: TypeAlias = Callable[[S, int, Counts], S]

CALL = 8
"""Steps of a call of ``step`` and of sorting its result."""


def scan_odds(groups: Sequence[Group], start: S, step: Step[S], same_from: int | None = None) -> Distribution[S]:
    """Return the odds of the last state; ``step`` is called for every value of the dice, from the highest down.

    It gets how many dice of each group show the value, which may be none at all.
    ``same_from`` promises, for a single group, that all counts from there on lead to the same state.
    """
    values = sorted({value for _, die in groups for value in die}, reverse=True)
    if not any(n for n, _ in groups):
        for value in values:
            start = step(start, value, (0,) * len(groups))
        return Distribution.certain(start)
    with working() as work:
        if same_from is not None and len(groups) == 1:
            found = Saturating(groups[0], same_from, work).scan(start, step, values)
        else:
            found = Classes(groups, work).scan(start, step, values)
    total = prod(sum(die.values()) ** n for n, die in groups)
    return Distribution({state: ways for state, ways in found.items() if ways}, total)


class Saturating(NamedTuple):
    """The scan of one group in E."""

    group: Group
    same_from: int
    work: Work

    def scan(self, start: S, step: Step[S], values: Sequence[int]) -> dict[S, int]:
        """Return the throws that lead to each last state."""
        n, die = self.group
        single = min(self.same_from, n)
        # Room for all terms of a product over the values: two signs for each, and the orders of counted dice.
        counted = min(n, (single - 1) * len(values)) if single else 0
        bits = 2 * len(values) + counted * sum(die.values()).bit_length() + 8
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
        self.work.spend(int((len(parts) + 1) * len(following) * (2 * CALL + 24 * bits / DIGIT / 50)))
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
        n, total = self.group[0], sum(self.group[1].values())
        found = 0
        for b, packed in parts.items():
            self.work.spend(10 * total)
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

    def __init__(self, groups: Sequence[Group], work: Work) -> None:
        self.groups = groups
        self.work = work
        self.most = tuple([n for n, _ in groups])
        self.scale: int = prod(map(factorial, self.most))
        total = prod(sum(die.values()) ** n for n, die in groups)
        # A product also has slots for more dice than there are; they are dropped, but must not run over.
        heaviest = prod(max(die.values()) ** n for n, die in groups)
        self.bits: int = (total * heaviest * self.scale**2).bit_length() + sum(self.most).bit_length()
        # A product has room for twice the dice of every group but the first.
        self.strides = [self.bits * prod([2 * n + 1 for n in self.most[i + 1 :]]) for i in range(len(groups))]
        self.counts = list(product(*[range(n + 1) for n in self.most]))
        self.kept: int = sum([((1 << self.bits) - 1) << self.at(counts) for counts in self.counts])
        self.tables: dict[Counts, ClassTable] = {}

    def at(self, counts: Counts) -> int:
        """Return the place of a slot."""
        return sum([stride * i for stride, i in zip(self.strides, counts, strict=True)])

    def scan(self, start: S, step: Step[S], values: Sequence[int]) -> dict[S, int]:
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
        self, state: S, value: int, step: Step[S], packed: int, counts: Sequence[tuple[int, Counts]]
    ) -> dict[S, int]:
        """The counts of a value by the state that they lead to; no more of the first group than it has left."""
        used = ((packed & -packed).bit_length() - 1) // self.strides[0]
        classes: dict[S, int] = {}
        left = self.most[0] - used
        tried = 0
        for bit, each in counts:
            if each[0] > left:
                break
            following = step(state, value, each)
            classes[following] = classes.get(following, 0) | bit
            tried += 1
        self.work.spend(CALL * tried)
        return classes

    def _last(self, states: dict[S, int], step: Step[S], value: int) -> dict[S, int]:
        """All dice that are left show the last value."""
        found: dict[S, int] = {}
        weights = tuple([die.get(value, 0) for _, die in self.groups])
        mask = (1 << self.bits) - 1
        slots = [(self.at(used), tuple(map(sub, self.most, used))) for used in self.counts]
        for state, packed in states.items():
            self.work.spend(CALL * len(slots))
            for at, left in slots:
                ways = (packed >> at) & mask
                if ways:
                    following = step(state, value, left)
                    for weight, i in zip(weights, left, strict=True):
                        ways = ways // factorial(i) * weight**i
                    found[following] = found.get(following, 0) + ways
        return found


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
        self.single: dict[int, tuple[int, int, int, int]] = {bit: self._single(counts) for bit, counts in self.counts}

    def _single(self, counts: Counts) -> tuple[int, int, int, int]:
        """The slots that have room for so many dice more, how far they are shifted, and what they are scaled by."""
        at = self.scan.at(counts)
        scale: int = prod([weight**i for weight, i in zip(self.weights, counts, strict=True)])
        return self.scan.kept & (self.scan.kept >> at), at, scale, prod(map(factorial, counts))

    def times(self, packed: int, members: int) -> int:
        """Return the product with a class of counts; a single one needs only a shift."""
        work, digits = self.scan.work, packed.bit_length() / DIGIT
        if members in self.single:
            work.spend(int(8 + digits / 10))
            room, at, scale, orders = self.single[members]
            found = (packed & room) << at
            return found if scale == orders else found * scale // orders
        factor = self.factors.get(members)
        if factor is None:
            factor = self.factors[members] = self._factor(members)
        work.spend(int(8 + product_steps(digits, factor.bit_length() / DIGIT) + digits / 4))
        return ((packed * factor) & self.scan.kept) // self.scan.scale

    def _factor(self, members: int) -> int:
        factor = 0
        for bit, _ in self.counts:
            if bit & members:
                _, at, scale, orders = self.single[bit]
                factor += (self.scan.scale // orders * scale) << at
        return factor
