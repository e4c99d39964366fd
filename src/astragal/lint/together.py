"""Facts that never occur together, although each does, and every two of three do.

A fact is a table of words or of yes and no, or such a part of a table that tells
several things at once. Where a fact is certain, there is no question, and the ask is
left out. What follows from a definition is no surprise: a fact that another settles is
not held against it, nor are two facts on the same scale.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import combinations, product
from typing import Any, NamedTuple

from astragal.dice.render.text import format_value
from astragal.errors import Refusal
from astragal.lint.finding import Finding, Proof, described, exactly
from astragal.lint.survey import Survey, told_by
from astragal.rule.ask import Ask
from astragal.rule.odds import odds

MOST_VALUES = 12
MOST_FACTS = 8
MOST_SOLVED = 200

Values = tuple[Hashable, ...]
Places = tuple[int, ...]


class Combination(NamedTuple):
    """Something that a result says, and its name."""

    name: str
    of: Callable[[Any], Hashable]


class Parted(NamedTuple):
    """Values of some facts, by the places of these, that may be missing together."""

    places: Places
    values: Values


class Held(NamedTuple):
    """The facts, and for every ask the combinations of them that can come up."""

    facts: tuple[Combination, ...]
    rows: dict[Ask, set[Values]]

    def settles(self, one: int, other: int) -> dict[Hashable, Hashable] | None:
        """What the other fact is for each value of the one, if that is always the same."""
        return told_by((row[one], row[other]) for rows in self.rows.values() for row in rows)

    def akin(self, one: int, other: int) -> bool:
        """Whether one settles the other, or both are on the same scale."""
        mine, theirs = ({row[place] for rows in self.rows.values() for row in rows} for place in (one, other))
        same = mine == theirs and not mine <= {True, False}
        return same or self.settles(one, other) is not None or self.settles(other, one) is not None

    def open(self, places: Places) -> dict[Ask, set[Values]]:
        """The combinations of these facts, for every ask in which none of them is certain."""
        found = {}
        for ask, rows in self.rows.items():
            kept = {tuple(row[place] for place in places) for row in rows}
            if all(len({row[i] for row in kept}) > 1 for i in range(len(places))):
                found[ask] = kept
        return found


def together(survey: Survey) -> Iterator[Finding]:
    """Combinations of two and three facts that never occur."""
    held = _held(survey)
    if not missing_of(held):
        return
    held = _with_pairs(survey, held)
    missing = missing_of(held)
    told = {parted: ask for parted, ask in missing.items() if not _follows(held, parted, missing)}
    yield from (_finding(held, group, told[group[0]]) for group in _grouped(list(told)))


def _held(survey: Survey) -> Held:
    """Every fact with few values, once, on every ask that was walked to its end."""
    walked = {ask: reached.results for ask, reached in survey.reached.items() if reached.whole}
    facts: dict[Values, Combination] = {}
    for fact in _facts(survey):
        column = tuple(fact.of(result) for results in walked.values() for result in results)
        if 1 < len(set(column)) <= MOST_VALUES and all(value is None or type(value) in (str, bool) for value in column):
            facts.setdefault(column, fact)
    kept = tuple(facts.values())[:MOST_FACTS]
    return Held(kept, {ask: _rows(kept, results) for ask, results in walked.items()})


def _rows(facts: tuple[Combination, ...], results: Iterable[Any]) -> set[Values]:
    return {tuple(fact.of(result) for fact in facts) for result in results}


def _with_pairs(survey: Survey, held: Held) -> Held:
    """The same with the asks that differ from the middle in two inputs, choices left as they fall."""
    rows = dict(held.rows)
    others = [ask for ask in survey.grid.asks if ask not in rows]
    for ask in others[:: len(others) // MOST_SOLVED + 1]:
        try:
            results = odds(ask)
        except Refusal:
            continue
        rows[ask] = _rows(held.facts, (result for result, weight in results.weights.items() if weight))
    return Held(held.facts, rows)


def _facts(survey: Survey) -> Iterator[Combination]:
    """Tables, and the parts of those whose title names as many parts as their values have."""
    for table in survey.named.values():
        values = table.domain(survey.grid.middle) if table.domain else ()
        parts = table.title.split(", ")
        if not values or not isinstance(values[0], tuple):
            yield Combination(table.title, table.of)
        elif len(values[0]) == len(parts):
            yield from (Combination(part, _part(table.of, place)) for place, part in enumerate(parts))


def _part(of: Callable[[Any], Any], place: int) -> Callable[[Any], Hashable]:
    def part(result: Any) -> Hashable:
        value: Hashable = of(result)[place]
        return value

    return part


def missing_of(held: Held) -> dict[Parted, Ask]:
    """What no ask allows, with an ask in which all but any one of its parts come up together."""
    found: dict[Parted, Ask] = {}
    for size in (2, 3):
        for places in combinations(range(len(held.facts)), size):
            if not any(held.akin(one, other) for one, other in combinations(places, 2)):
                found.update(_missing(held, places))
    return found


def _missing(held: Held, places: Places) -> dict[Parted, Ask]:
    open_rows = held.open(places)
    seen = {row for rows in open_rows.values() for row in rows}
    found: dict[Parted, Ask] = {}
    for ask, rows in open_rows.items():
        for values in product(*(dict.fromkeys(row[i] for row in sorted(rows, key=str)) for i in range(len(places)))):
            if values not in seen and Parted(places, values) not in found and _parts_occur(rows, values):
                found[Parted(places, values)] = ask
    return found


def _parts_occur(rows: set[Values], values: Values) -> bool:
    """All parts of the combination but one occur together, whichever is left out."""
    return all(
        any(all(row[i] == values[i] for i in range(len(values)) if i != left) for row in rows)
        for left in range(len(values))
    )


def _follows(held: Held, parted: Parted, missing: dict[Parted, Ask]) -> bool:
    """Whether one of the facts settles a wider one, and the combination is missing with that already."""
    by_place = dict(zip(parted.places, parted.values, strict=True))
    for place, value in by_place.items():
        for other in set(range(len(held.facts))) - set(by_place):
            settled = held.settles(place, other)
            if settled is None:
                continue
            wider = sorted(
                {**{each: by_place[each] for each in by_place if each != place}, other: settled[value]}.items()
            )
            if Parted(tuple(each for each, _ in wider), tuple(each for _, each in wider)) in missing:
                return True
    return False


def _grouped(left: list[Parted]) -> Iterator[list[Parted]]:
    """Combinations that differ in one fact only are told as one."""
    while left:
        first = left[0]
        groups = [[each for each in left if _same_but(each, first, i)] for i in range(len(first.places))]
        group = max(groups, key=len)
        yield group
        left = [each for each in left if each not in group]


def _same_but(one: Parted, other: Parted, place: int) -> bool:
    return one.places == other.places and all(
        mine == theirs for i, (mine, theirs) in enumerate(zip(one.values, other.values, strict=True)) if i != place
    )


def _finding(held: Held, group: list[Parted], ask: Ask) -> Finding:
    places = group[0].places
    parts = [
        f'"{held.facts[place].name}: {" or ".join(dict.fromkeys(format_value(each.values[i]) for each in group))}"'
        for i, place in enumerate(places)
    ]
    listed = f"{', '.join(parts[:-1])} and {parts[-1]}"
    proof = tuple(_proof(held, ask, group[0]))
    sentence = (
        f"{listed} never occur together: in none of the {len(held.open(places))} asks that leave all of them open."
    )
    if proof:
        each = ", ".join(f"{part.what} {exactly(part.exact)}" for part in proof[:-1])
        sentence += f" With {described(ask)} the chances are: {each}, all at once {exactly(proof[-1].exact)}."
    return Finding("impossible", "note", sentence, (), proof)


def _proof(held: Held, ask: Ask, parted: Parted) -> Iterator[Proof]:
    """The chance of each part, and that of all together; none if the results cannot be solved."""
    try:
        results = odds(ask)
    except Refusal:
        return
    facts = [held.facts[place] for place in parted.places]
    for fact, value in zip(facts, parted.values, strict=True):
        yield Proof(ask, f'"{fact.name}: {format_value(value)}"', results.map(fact.of)[value])
    yield Proof(ask, "all at once", results.map(lambda result: tuple(fact.of(result) for fact in facts))[parted.values])
