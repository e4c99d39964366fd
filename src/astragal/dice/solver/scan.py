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
from astragal.dice.solver.packed import DIGIT, digits_of, product_steps
from astragal.dice.solver.sums import Group
from astragal.dice.work import Work, working

S = TypeVar("S", bound=Hashable)
Counts: TypeAlias = tuple[int, ...]
"""How many dice of each group show a value."""
Step: TypeAlias = Callable[[S, int, Counts], S]

LISTED = 60
"""Steps of listing what is left of all dice for one slot."""
CALL = 8
"""Steps of a call of ``step`` and of sorting its result."""
HEAVY = 50_000_000
"""Digits that are read from one polynomial in E, up to which it is used; they grow with the total weight of a die."""
COPIED = 50
"""Digits that are added, shifted or copied in one step."""
BUILT = 5
"""Digits of a mask that are made in one step."""
CACHED = 100_000
"""Digits that a processor has at hand; longer numbers are copied more slowly."""
DIVIDED = 35
"""Pairs of digits that a division takes in one step."""


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
        saturating = Saturating(groups[0], same_from, work) if same_from is not None and len(groups) == 1 else None
        if saturating and saturating.digits <= HEAVY:
            found = saturating.scan(start, step, values)
        else:
            found = Classes(groups, work).scan(start, step, values)
    total = prod(sum(die.values()) ** n for n, die in groups)
    return Distribution({state: ways for state, ways in found.items() if ways}, total)


class Saturating(NamedTuple):
    """The scan of one group in E."""

    group: Group
    same_from: int
    work: Work

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

    def scan(self, start: S, step: Step[S], values: Sequence[int]) -> dict[S, int]:
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
        digits = sum([packed.bit_length() for packed in parts.values()]) / DIGIT
        self.work.spend(int(len(following) * (2 * CALL * (len(parts) + 1) + 6 * digits / COPIED)))
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
            digits = (n - b) * total.bit_length() / DIGIT / 2
            each = 10 + packed.bit_length() / DIGIT / COPIED / 2 + product_steps(digits, digits) / 2
            self.work.spend(int(total * each))
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
        needed = (total * heaviest * self.scale**2).bit_length() + sum(self.most).bit_length()
        self.bits: int = needed + -needed % 8  # whole bytes
        # A product has room for twice the dice of every group but the first.
        self.strides = [self.bits * prod([2 * n + 1 for n in self.most[i + 1 :]]) for i in range(len(groups))]
        self.digits: int = (self.at(self.most) + self.bits) // DIGIT + 1
        self.shifted: int = 8 + self.digits // (COPIED if self.digits < CACHED else COPIED // 4)
        """The steps of a shift."""
        slots = prod([n + 1 for n in self.most])
        # A class is a bit for each slot, and at first every slot is a class.
        self.work.expect(self.digits // BUILT + CALL * slots + slots * slots // DIGIT // COPIED)
        self.work.spend(self.digits // BUILT)
        self.counts = list(product(*[range(n + 1) for n in self.most]))
        self.kept: int = (1 << self.bits) - 1
        for n, stride in zip(reversed(self.most), reversed(self.strides), strict=True):
            self.kept = _repeated(self.kept, n + 1, stride)
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
        table = self._table(tuple([die.get(value, 0) for _, die in self.groups]))
        width, length = self.bits // 8, (self.at(self.most) + self.bits) // 8
        slots = []
        for used in self.counts:
            left = tuple(map(sub, self.most, used))
            steps = sum(map(self._orders_steps, left))
            self.work.spend(steps + LISTED)
            slots.append((self.at(used) // 8, left, *table.alone(left), steps))
        for state, packed in states.items():
            self.work.spend(CALL // 2 * len(slots) + packed.bit_length() // DIGIT // COPIED)
            data = packed.to_bytes(length, "little")
            for at, left, scale, orders, steps in slots:
                ways = int.from_bytes(data[at : at + width], "little")
                if ways:
                    self.work.spend(steps)
                    following = step(state, value, left)
                    found[following] = found.get(following, 0) + ways // orders * scale
        return found

    def _orders_steps(self, dice: int) -> int:
        """The steps of dividing a slot by the orders of so many dice."""
        return int(self.bits / DIGIT * dice * dice.bit_length() / DIGIT / DIVIDED) + 1


def _repeated(block: int, times: int, stride: int) -> int:
    """A block of bits so many times, one every ``stride`` bits."""
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
        scan.work.spend(CALL * len(scan.counts))
        self.counts = [
            (1 << place, counts)
            for place, counts in enumerate(scan.counts)
            if all(weight or not i for weight, i in zip(weights, counts, strict=True))
        ]
        self.factors: dict[int, tuple[int, float, float]] = {}
        self.singles: dict[int, tuple[int, int, int, float]] = {}

    def times(self, packed: int, members: int) -> int:
        """Return the product with a class of counts; a single one needs only a shift."""
        scan = self.scan
        if members & (members - 1):
            factor, divided, steps = self.factors.get(members) or self._factor(members)
            scan.work.spend(int(divided + packed.bit_length() * steps))
            return ((packed * factor) & scan.kept) // scan.scale
        at, scale, orders, steps = self.singles.get(members) or self._single(members)
        found = packed & (scan.kept >> at)
        scan.work.spend(int(scan.shifted + found.bit_length() * steps))
        return (found if scale == orders else found * scale // orders) << at

    def alone(self, counts: Counts) -> tuple[int, int]:
        """Return what so many dice with the value scale throws by, and their orders."""
        scale: int = prod([weight**i for weight, i in zip(self.weights, counts, strict=True)])
        return scale, prod(map(factorial, counts))

    def _single(self, bit: int) -> tuple[int, int, int, float]:
        """How far so many dice shift a slot, what they scale it by, their orders, and the steps for each bit."""
        counts = self.scan.counts[bit.bit_length() - 1]
        scale, orders = self.alone(counts)
        divided = 0.0 if scale == orders else (1 + digits_of(scale)) * digits_of(orders) / DIVIDED / DIGIT
        self.singles[bit] = self.scan.at(counts), scale, orders, self._steps(scale) + divided
        return self.singles[bit]

    def _factor(self, members: int) -> tuple[int, float, float]:
        """The counts of a class as one factor, the steps of a division after it, and those of it, for each bit."""
        factor, orders_of_all = 0, digits_of(self.scan.scale)
        for bit, _ in self.counts:
            if bit & members:
                at, scale, orders, _ = self.singles.get(bit) or self._single(bit)
                self.scan.work.spend(int(CALL + orders_of_all**2 / DIVIDED + at / DIGIT / COPIED * 2))
                factor += (self.scan.scale // orders * scale) << at
        self.factors[members] = factor, 8 + self.scan.digits * orders_of_all / DIVIDED, self._steps(factor)
        return self.factors[members]

    def _steps(self, factor: int) -> float:
        """The steps of a product for each bit of a full polynomial."""
        return (0.1 + product_steps(self.scan.digits, digits_of(factor)) / self.scan.digits) / DIGIT
