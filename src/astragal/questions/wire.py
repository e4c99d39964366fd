"""Figures: exact chances as data, with whole numbers as texts, since a browser's numbers end at 2^53."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct

from astragal.dice.distribution import Distribution
from astragal.dice.render.text import (
    format_exact,
    format_label,
    format_number,
    format_percent,
    format_points,
    listed_values,
    rows,
)
from astragal.rule.advise import Advice as RuleAdvice
from astragal.rule.ask import Ask
from astragal.rule.fact import facts_of
from astragal.rule.game import Kind


class Number(Struct, frozen=True):
    """An exact number, and the same as people read it."""

    exact: str
    shown: str


class Row(Struct, frozen=True):
    """A value with its chance: numerator over the table's denominator."""

    label: str
    numerator: str
    percent: str
    share: float


class Table(Struct, frozen=True):
    """A distribution."""

    name: str
    title: str
    denominator: str
    mean: Number | None
    rows: list[Row]


class Odds(Struct, frozen=True):
    """What is rolled, in a line, and its tables."""

    headline: str
    tables: list[Table]


class OptionWeighed(Struct, frozen=True):
    """What an answer would do: its price now, the wish's worth after it, and the price in all on average."""

    name: str
    label: str
    rule: str
    cost: int
    percent: str
    exact: str
    share: float
    total_cost: str
    best: bool


class Advice(Struct, frozen=True):
    """Every answer to the open choice, weighed for a wish. ``counts``: the worth is a number, not a chance."""

    choice: str
    question: str
    wish: str
    help: str
    counts: bool
    matters: bool
    best: str
    options: list[OptionWeighed]


class RowCompared(Struct, frozen=True):
    """A value's chances on both sides; the difference is in percentage points."""

    label: str
    a: str
    b: str
    points: str
    exact: str
    share: float


class TableCompared(Struct, frozen=True):
    """How a table of the second question differs from the first's."""

    name: str
    title: str
    rows: list[RowCompared]


class Compared(Struct, frozen=True):
    """Two questions side by side: B minus A."""

    a: Odds
    b: Odds
    difference: list[TableCompared]


Solved = Mapping[str, Distribution[Any]]


def title_of(kind: Kind, name: str) -> str:
    known = facts_of(kind)
    return known[name].title if name in known else name.replace("_", " ").capitalize()


def domain_of(kind: Kind, name: str, ask: Ask | None) -> list[Hashable] | None:
    """The values to list, in their order; None if there are no more than can happen."""
    known = facts_of(kind)
    values = known[name].domain if name in known and ask is not None else None
    return list(values(ask)) if values else None


def describe_tables(kind: Kind, ask: Ask | None, solved: Solved) -> list[Table]:
    return [
        describe_table(name, title_of(kind, name), each, domain_of(kind, name, ask)) for name, each in solved.items()
    ]


def describe_table(name: str, title: str, odds: Distribution[Any], values: Iterable[Hashable] | None = None) -> Table:
    mean = Number(format_exact(odds.mean), format_number(odds.mean)) if odds.is_numeric else None
    listed = [
        Row(
            format_label(row.value),
            whole(odds.weights.get(row.value, 0)),
            format_percent(row.chance),
            float(row.chance),
        )
        for row in rows(odds, values)
    ]
    return Table(name, title, whole(odds.total), mean, listed)


def whole(n: int) -> str:
    """A whole number in full, however long it is."""
    return format_exact(Fraction(n)).removesuffix("/1")


def describe_advice(advice: RuleAdvice) -> Advice:
    show = format_number if advice.wish.counts else format_percent
    return Advice(
        advice.choice.name,
        advice.choice.question,
        advice.wish.name,
        advice.wish.help,
        advice.wish.counts,
        advice.matters,
        advice.best,
        [
            OptionWeighed(
                option.name,
                option.label,
                option.rule,
                option.cost,
                show(option.worth),
                format_exact(Fraction(option.worth)),
                float(option.worth),
                format_number(option.total_cost),
                option.name == advice.best,
            )
            for option in advice.options
        ],
    )


def compare_table(kind: Kind, name: str, a: Distribution[Any], b: Distribution[Any], values: Any) -> TableCompared:
    """A row for each value that one of the two lists."""
    listed = [
        RowCompared(
            format_label(value),
            format_percent(a[value]),
            format_percent(b[value]),
            format_points(b[value] - a[value]),
            format_exact(b[value] - a[value]),
            float(b[value] - a[value]),
        )
        for value in listed_values([a, b], values)
    ]
    return TableCompared(name, title_of(kind, name), listed)
