"""Properties that never occur together, although each does, and every two of three do.

A property is a fact of words or of yes and no, or such a part of a fact with several parts. Asks for which a property
is certain are left out. What follows from a definition is not a surprise: properties are not compared if one
determines the other, or if both have the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import combinations, product
from typing import Any, NamedTuple

from astragal.dice.render.text import format_value
from astragal.errors import Refusal
from astragal.lint.finding import Finding, Proof, format_ask, format_chance
from astragal.lint.survey import Survey, as_function
from astragal.rule.chances.odds import odds
from astragal.rule.inputs.ask import Ask

MAX_VALUES = 12
"""Most values of a property, as more would give too many combinations."""
MAX_PROPERTIES = 8
"""Most properties of a roll, for the same reason."""
MAX_SOLVED = 200
"""Most asks with two changed inputs that are solved: about a second's work."""

Values = tuple[Hashable, ...]
Places = tuple[int, ...]


class Property(NamedTuple):
    """A name, and a function of a result with few values."""

    name: str
    of: Callable[[Any], Hashable]


class Combination(NamedTuple):
    """Values of some properties, which are given by their places."""

    places: Places
    values: Values


class Observed(NamedTuple):
    """Properties, and for every ask the combinations of their values that can occur."""

    properties: tuple[Property, ...]
    rows: dict[Ask, set[Values]]

    def determined(self, one: int, other: int) -> dict[Hashable, Hashable] | None:
        """Return the other property as a function of the one, or None if it is not."""
        return as_function((row[one], row[other]) for rows in self.rows.values() for row in rows)

    def related(self, one: int, other: int) -> bool:
        """Return True if one property determines the other, or both have the same values."""
        mine, theirs = ({row[place] for rows in self.rows.values() for row in rows} for place in (one, other))
        same = mine == theirs and not mine <= {True, False}
        return same or self.determined(one, other) is not None or self.determined(other, one) is not None

    def open(self, places: Places) -> dict[Ask, set[Values]]:
        """Return the combinations of these properties for every ask in which none of them is certain."""
        found = {}
        for ask, rows in self.rows.items():
            kept = {tuple(row[place] for place in places) for row in rows}
            if all(len({row[i] for row in kept}) > 1 for i in range(len(places))):
                found[ask] = kept
        return found


def together(survey: Survey) -> Iterator[Finding]:
    """Yield a finding for each combination of two or three properties that never occurs."""
    observed = _observed(survey)
    if not missing_of(observed):
        return
    observed = _with_pairs(survey, observed)
    missing = missing_of(observed)
    found = {each: ask for each, ask in missing.items() if not _follows(observed, each, missing)}
    yield from (_finding(observed, group, found[group[0]]) for group in _grouped(list(found)))


def _observed(survey: Survey) -> Observed:
    """Every property with few values, once, for every ask whose whole tree was visited."""
    visited = {ask: reached.results for ask, reached in survey.reached.items() if reached.whole}
    by_column: dict[Values, Property] = {}
    for each in _properties(survey):
        column = tuple(each.of(result) for results in visited.values() for result in results)
        if 1 < len(set(column)) <= MAX_VALUES and all(value is None or type(value) in (str, bool) for value in column):
            by_column.setdefault(column, each)
    properties = tuple(by_column.values())[:MAX_PROPERTIES]
    return Observed(properties, {ask: _rows(properties, results) for ask, results in visited.items()})


def _properties(survey: Survey) -> Iterator[Property]:
    """Facts, and the parts of facts that have some."""
    for fact in survey.facts.values():
        if not fact.parts:
            yield Property(fact.title, fact.of)
        yield from (Property(name, _part(fact.of, place)) for place, name in enumerate(fact.parts))


def _part(of: Callable[[Any], Any], place: int) -> Callable[[Any], Hashable]:
    def part(result: Any) -> Hashable:
        value: Hashable = of(result)[place]
        return value

    return part


def _rows(properties: tuple[Property, ...], results: Iterable[Any]) -> set[Values]:
    return {tuple(each.of(result) for each in properties) for result in results}


def _with_pairs(survey: Survey, observed: Observed) -> Observed:
    """The same with asks that differ from the middle in two inputs; their choices are left unused."""
    rows = dict(observed.rows)
    others = [ask for ask in survey.grid.asks if ask not in rows]
    for ask in others[:: len(others) // MAX_SOLVED + 1]:
        try:
            results = odds(ask)
        except Refusal:
            continue
        rows[ask] = _rows(observed.properties, (result for result, weight in results.weights.items() if weight))
    return Observed(observed.properties, rows)


def missing_of(observed: Observed) -> dict[Combination, Ask]:
    """Return the combinations that no ask allows, each with an ask in which all but any one of its values occur."""
    found: dict[Combination, Ask] = {}
    for size in (2, 3):
        for places in combinations(range(len(observed.properties)), size):
            if not any(observed.related(one, other) for one, other in combinations(places, 2)):
                found.update(_missing(observed, places))
    return found


def _missing(observed: Observed, places: Places) -> dict[Combination, Ask]:
    open_rows = observed.open(places)
    seen = {row for rows in open_rows.values() for row in rows}
    found: dict[Combination, Ask] = {}
    for ask, rows in open_rows.items():
        for values in product(*(dict.fromkeys(row[i] for row in sorted(rows, key=str)) for i in range(len(places)))):
            if values not in seen and Combination(places, values) not in found and _parts_occur(rows, values):
                found[Combination(places, values)] = ask
    return found


def _parts_occur(rows: set[Values], values: Values) -> bool:
    """True if all values but one occur together, for each that is left out."""
    return all(
        any(all(row[i] == values[i] for i in range(len(values)) if i != left) for row in rows)
        for left in range(len(values))
    )


def _follows(observed: Observed, combination: Combination, missing: dict[Combination, Ask]) -> bool:
    """True if the combination is missing already with a property that one of its own determines."""
    by_place = dict(zip(combination.places, combination.values, strict=True))
    for place, value in by_place.items():
        for other in set(range(len(observed.properties))) - set(by_place):
            determined = observed.determined(place, other)
            if determined is None:
                continue
            wider = {each: by_place[each] for each in by_place if each != place} | {other: determined[value]}
            places = tuple(sorted(wider))
            if Combination(places, tuple(wider[each] for each in places)) in missing:
                return True
    return False


def _grouped(left: list[Combination]) -> Iterator[list[Combination]]:
    """Combinations that differ in one property only make one finding."""
    while left:
        first = left[0]
        groups = [[each for each in left if _same_but(each, first, i)] for i in range(len(first.places))]
        group = max(groups, key=len)
        yield group
        left = [each for each in left if each not in group]


def _same_but(one: Combination, other: Combination, place: int) -> bool:
    return one.places == other.places and all(
        mine == theirs for i, (mine, theirs) in enumerate(zip(one.values, other.values, strict=True)) if i != place
    )


def _finding(observed: Observed, group: list[Combination], ask: Ask) -> Finding:
    places = group[0].places
    parts = [
        _quoted(observed.properties[place], dict.fromkeys(each.values[i] for each in group))
        for i, place in enumerate(places)
    ]
    listed = f"{', '.join(parts[:-1])} and {parts[-1]}"
    proof = tuple(_proof(observed, ask, group[0]))
    asks = len(observed.open(places))
    sentence = f"{listed} never occur together: in none of the {asks} asks that leave all of them open."
    if proof:
        each = ", ".join(f"{part.what} {format_chance(part.exact)}" for part in proof[:-1])
        sentence += f" With {format_ask(ask)} the chances are: {each}, all at once {format_chance(proof[-1].exact)}."
    return Finding("impossible", "note", sentence, (), proof)


def _quoted(each: Property, values: Iterable[Hashable]) -> str:
    return f'"{each.name}: {" or ".join(map(format_value, values))}"'


def _proof(observed: Observed, ask: Ask, combination: Combination) -> Iterator[Proof]:
    """The chance of each value, and of all together; nothing if the ask cannot be solved."""
    try:
        results = odds(ask)
    except Refusal:
        return
    properties = [observed.properties[place] for place in combination.places]
    for each, value in zip(properties, combination.values, strict=True):
        yield Proof(ask, _quoted(each, [value]), results.map(each.of).get(value))
    joint = results.map(lambda result: tuple(each.of(result) for each in properties))
    yield Proof(ask, "all at once", joint.get(combination.values))
