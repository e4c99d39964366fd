"""The values of formulas: in one case, or in every case of a throw at once.

Handfuls of dice are independent, so a formula is evaluated only for the throws of the handfuls that it names. Cases
that are the same for a question are added up first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence, Set
from functools import partial, reduce
from itertools import count, starmap
from math import prod
from operator import add, itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from astragal.dice.distribution import Distribution
from astragal.errors import Refusal
from astragal.written.formula import Column, Formula, lifted, one_of
from astragal.written.reading import Handful, Value, of_dice, value_of

if TYPE_CHECKING:
    from astragal.written.roll import WrittenRoll

FEW = 10
"""Cases that are not worth merging."""
FALLS = "when "
"""Before the name of dice, the name of the answer to whether they fall."""
OUTCOME = "outcome"
"""The name of the outcome, as a field of a result and as a fact."""


class Working(dict[str, Any]):
    """Values by name in one case; readings and the outcome are evaluated when they are needed."""

    def __init__(self, roll: WrittenRoll, known: Mapping[str, Any]) -> None:
        super().__init__(known)
        self.roll = roll

    def __missing__(self, name: str) -> Any:
        self[name] = found = self.found(name)
        return found

    def found(self, name: str) -> Any:
        """Return the value of a reading, or the name of the outcome: the first whose condition holds."""
        if name == OUTCOME:
            return next(each.name for each in self.roll.bands if each.when is None or each.when.value(self))
        return self.roll.readings[name].value(self)


class Step(NamedTuple):
    """Something that is found on the way to a fact."""

    name: str
    known: Sequence[str]
    """What was found up to here and is used after it."""
    ahead: Sequence[str]
    """What dice show that is not yet found."""


class Steps(NamedTuple):
    """All that a fact depends on, in the order in which it is found; the fact itself is last, and not among them."""

    name: str
    order: Sequence[Step]
    falling: Container[str]
    """What is read of dice that do not always fall."""


def steps_of(roll: WrittenRoll, name: str) -> Steps:
    """Return the steps on the way to a fact."""
    uses: dict[str, Sequence[str]] = {}
    read = {*(each.name for each in roll.reading.sums), *map(str, roll.reading.names)}

    def visit(name: str) -> None:
        if name in uses or not (name in read or name == OUTCOME or name in roll.readings or name.startswith(FALLS)):
            return
        if name == OUTCOME:
            needs = [each for band in roll.bands if band.when for each in band.when.uses]
        elif name in read:
            needs = [FALLS + each for each in roll.reading.sources(name) if each in roll.later]
        else:
            needs = [*formula_of(roll, name).uses]
        for each in needs:
            visit(each)
        uses[name] = needs

    visit(name)
    last = {used: place for place, needs in enumerate(uses.values()) for used in needs}
    order = [each for each in uses if each != name]
    return Steps(name, [
        Step(each, [one for one in order[: place + 1] if last[one] > place],
             [one for one in order[place + 1 :] if one in read])
        for place, each in enumerate(order)
    ], {each for each in read if uses.get(each)})  # fmt: skip


def formula_of(roll: WrittenRoll, name: str) -> Formula:
    """Return a reading's formula, or when dice fall."""
    return roll.later[name.removeprefix(FALLS)] if name.startswith(FALLS) else roll.readings[name]


class Cases(Working):
    """The same in every case: a value is a ``Column``, unless it is the same in all of them.

    Dice that fall only if something holds count nothing in the other cases; that must not depend on such dice.
    """

    def __init__(
        self, roll: WrittenRoll, known: Mapping[str, Any], handfuls: Sequence[tuple[str, Distribution[Handful]]]
    ) -> None:
        super().__init__(roll, known)
        self._given, self._handfuls = known, handfuls
        self._throws = [list(each.weights) for _, each in handfuls]
        self._sizes = list(map(len, self._throws))
        self._totals = [each.total for _, each in handfuls]
        self._weights = [list(each.weights.values()) for _, each in handfuls]
        self._shown: dict[str, list[tuple[int, list[Any], Any]]] = {}
        """What dice show by name: for each handful its axis, its values, and what it comes to if it does not fall."""
        for place, called in enumerate(roll.reading.sums):
            shown = [[numbers[place] for numbers, _ in throws] for throws in self._throws]
            self._shown[called.name] = [(axis, values, 0) for axis, values in enumerate(shown) if any(values)]
        picks = roll.reading.picks
        for axis, (_, names) in enumerate(picks, len(handfuls) - len(picks)):
            for place, name in enumerate(names):
                values, nothing = [picks[place] for _, picks in self._throws[axis]], of_dice(name.pick, ())
                self._shown[str(name)] = [(axis, values, nothing)]
        self._merges = False

    def found(self, name: str) -> Any:
        """Return what a reading, the outcome, or a number of dice is in every case."""
        if name == OUTCOME:
            return self._tried(self._outcome, itemgetter(OUTCOME))
        if name in self._shown:
            return reduce(partial(lifted, add), starmap(self._fallen, self._shown[name] or [(0, [0], 0)]))
        return self.of(formula_of(self.roll, name))

    def of(self, formula: Formula) -> Any:
        """Return what a formula comes to in every case."""
        return self._tried(partial(formula.value, self), formula.value)

    def odds(self, steps: Steps) -> Distribution[Any]:
        """Return the odds of a value. Cases that nothing tells apart any more are added up on the way."""
        try:
            self._merges = True
            self._follow(steps)
            return self._law(steps.name)
        except Refusal:
            if self.roll.later:
                raise
            return Cases(self.roll, self._given, self._handfuls)._law(steps.name)

    def _law(self, name: str) -> Distribution[Any]:
        value = self[name]
        return self._added(value.axes, value.values) if type(value) is Column else Distribution.certain(value)

    def _follow(self, steps: Steps) -> None:
        """Find all that a value depends on, one after the other, and merge cases after each step."""
        for step in steps.order:
            value = self[step.name]
            if type(value) is not Column or (len(value.axes) == 1 and step.name in self._shown):
                continue
            ahead = [each for each in step.ahead if not self._axes_of(each).isdisjoint(value.axes)]
            if not any(map(steps.falling.__contains__, ahead)):  # dice that fall, or do not, are not known yet
                self._merge(value.axes, [*step.known, *ahead])

    def _axes_of(self, name: str) -> Set[int]:
        """The axes of what dice show, which may be merged ones already."""
        found = self.get(name)
        if found is None:
            return {axis for axis, _, _ in self._shown[name]}
        return {*found.axes} if type(found) is Column else set()

    def _fallen(self, axis: int, values: list[Any], nothing: Any) -> Any:
        """Return what a handful shows in every case, also where it does not fall."""
        column, name = self._column(axis, values), self._handfuls[axis][0]
        return lifted(one_of, self[FALLS + name], column, nothing) if name in self.roll.later else column

    def _merge(self, axes: tuple[int, ...], live: Iterable[str]) -> None:
        """Make one axis of several, with one case for all in which everything that is still used is the same."""
        columns = {name: self[name] for name in live if type(self[name]) is Column}
        columns = {name: column for name, column in columns.items() if {*column.axes} & {*axes}}
        cases = prod([self._sizes[axis] for axis in axes])
        if cases < FEW or not all({*column.axes} <= {*axes} for column in columns.values()):
            return
        keys = list(zip(*[column.along(axes) for column in columns.values()], strict=True))
        if 2 * len(set(keys)) > cases:
            return
        law = self._added(axes, keys)
        axis = len(self._sizes)
        self._sizes.append(len(law.weights))
        self._totals.append(law.total)
        self._weights.append(list(law.weights.values()))
        for name, values in zip(columns, zip(*law.weights, strict=True), strict=True):
            self[name] = self._column(axis, list(values))

    def merged(self, values: Iterable[Any]) -> Distribution[Value]:
        """Return the odds of throws, one of all those for which these values are the same."""
        columns = [each for each in values if type(each) is Column]
        axes = tuple(sorted({axis for each in columns for axis in each.axes}))
        keys = list(zip(*[each.along(axes) for each in columns], strict=True)) or [()]
        places, law = dict(zip(keys, count(), strict=False)), self._added(axes, keys)
        return Distribution({self._throw(axes, places[key]): weight for key, weight in law.weights.items()}, law.total)

    def _column(self, axis: int, values: list[Any]) -> Any:
        return Column(self._sizes, (axis,), values) if len(values) > 1 else values[0]

    def _outcome(self) -> Any:
        *others, last = self.roll.bands
        found: Any = last.name
        for band in reversed(others):
            if band.when:
                found = lifted(one_of, band.when.value(self), band.name, found)
        return found

    def _tried(self, in_columns: Callable[[], Any], value: Callable[[Mapping[str, Any]], Any]) -> Any:
        """All cases at once, or one after the other if a case that cannot come up would be refused."""
        try:
            return in_columns()
        except Refusal:
            if self._merges or self.roll.later:
                raise
            axes = tuple(range(len(self._sizes)))
            shown = [self._throw(axes, place) for place in range(prod(self._sizes))]
            cases = [Working(self.roll, {**self._given, **dict(self.roll.reading.parts(each))}) for each in shown]
            return Column(self._sizes, axes, [value(each) for each in cases])

    def _added(self, axes: tuple[int, ...], values: Iterable[Any]) -> Distribution[Any]:
        found: dict[Any, int] = {}
        if all(set(self._weights[axis]) == {1} for axis in axes):
            found = Counter(values)
        else:
            weights = [1]
            for axis in axes:
                weights = [weight * more for weight in weights for more in self._weights[axis]]
            for value, weight in zip(values, weights, strict=True):
                found[value] = found.get(value, 0) + weight
        return Distribution(found, prod([self._totals[axis] for axis in axes]))

    def _throw(self, axes: tuple[int, ...], place: int) -> Value:
        """A throw by the place of its case; the first one on axes that do not matter."""
        places = [0] * len(self._sizes)
        for axis in reversed(axes):
            place, places[axis] = divmod(place, self._sizes[axis])
        return value_of([throws[place] for throws, place in zip(self._throws, places, strict=True)])
