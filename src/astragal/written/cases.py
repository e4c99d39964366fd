"""The values of formulas: in one case, or in every case of a throw at once.

Handfuls of dice are independent, so a formula is evaluated only for the throws of the handfuls that it names. Cases
that are the same for a question are added up first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, reduce
from itertools import count
from math import prod
from operator import add, itemgetter, mul
from typing import TYPE_CHECKING, Any

from astragal.dice.distribution import Distribution
from astragal.errors import Refusal
from astragal.written.formula import Column, Formula, lifted, one_of
from astragal.written.reading import Handful, Value, value_of

if TYPE_CHECKING:
    from astragal.written.roll import WrittenRoll

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


class Cases(Working):
    """The same in every case: a value is a ``Column``, unless it is the same in all of them."""

    def __init__(self, roll: WrittenRoll, known: Mapping[str, Any], handfuls: Sequence[Distribution[Handful]]) -> None:
        super().__init__(roll, known)
        self._given, self._throws = known, [list(each.weights) for each in handfuls]
        self._sizes = tuple(map(len, self._throws))
        self._totals = [each.total for each in handfuls]
        self._weights = [
            Column(self._sizes, (axis,), list(each.weights.values())) for axis, each in enumerate(handfuls)
        ]
        for place, called in enumerate(roll.reading.sums):
            shown = [[numbers[place] for numbers, _ in throws] for throws in self._throws]
            adds = [self._column(axis, values) for axis, values in enumerate(shown) if any(values)]
            self[called.name] = reduce(partial(lifted, add), adds, 0)
        for axis, (_, names) in enumerate(roll.reading.picks, 1):
            for place, name in enumerate(names):
                self[str(name)] = self._column(axis, [picks[place] for _, picks in self._throws[axis]])

    def found(self, name: str) -> Any:
        """Return what a reading or the outcome is in every case."""
        if name == OUTCOME:
            return self._tried(self._outcome, itemgetter(OUTCOME))
        return self.of(self.roll.readings[name])

    def of(self, formula: Formula) -> Any:
        """Return what a formula comes to in every case."""
        return self._tried(partial(formula.value, self), formula.value)

    def odds(self, name: str) -> Distribution[Any]:
        """Return the odds of a value."""
        value = self[name]
        return self._added(value.axes, value.values) if type(value) is Column else Distribution.certain(value)

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
            axes = tuple(range(len(self._sizes)))
            shown = [self._throw(axes, place) for place in range(prod(self._sizes))]
            cases = [Working(self.roll, {**self._given, **dict(self.roll.reading.parts(each))}) for each in shown]
            return Column(self._sizes, axes, [value(each) for each in cases])

    def _added(self, axes: tuple[int, ...], values: Iterable[Any]) -> Distribution[Any]:
        once = Column(self._sizes, (), [1])
        weights: Any = reduce(partial(lifted, mul), [self._weights[axis] for axis in axes], once)
        found: dict[Any, int] = {}
        for value, weight in zip(values, weights.values, strict=True):
            found[value] = found.get(value, 0) + weight
        return Distribution(found, prod([self._totals[axis] for axis in axes]))

    def _throw(self, axes: tuple[int, ...], place: int) -> Value:
        """A throw by the place of its case; the first one on axes that do not matter."""
        places = [0] * len(self._sizes)
        for axis in reversed(axes):
            place, places[axis] = divmod(place, self._sizes[axis])
        return value_of([throws[place] for throws, place in zip(self._throws, places, strict=True)])
