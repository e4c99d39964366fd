"""Distributions as text: rows, percent, 1 in N, CSV and HTML."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.dice.distribution import Beyond, Distribution
from astragal.dice.render.text import (
    format_csv,
    format_exact,
    format_html,
    format_number,
    format_one_in,
    format_percent,
    format_points,
    format_value,
    listed_values,
    rows,
)

COINS: Distribution[int] = Distribution({0: 1, 1: 2, 2: 1})


def test_rows_have_the_chance_and_both_sums() -> None:
    assert [row[1:] for row in rows(COINS)] == [
        (Fraction(1, 4), 1, Fraction(1, 4)),
        (Fraction(1, 2), Fraction(3, 4), Fraction(3, 4)),
        (Fraction(1, 4), Fraction(1, 4), 1),
    ]


def test_values_that_cannot_happen_are_listed_if_asked_for_and_none_is_lost() -> None:
    assert [row.value for row in rows(COINS, (3, 2, 1))] == [0, 1, 2, 3]
    assert rows(COINS, (3, 2, 1))[-1].chance == 0
    words = Distribution({"lost": 1, "won": 1, "never": 0})
    assert [row.value for row in rows(words, ("won", "drawn"))] == ["won", "drawn", "lost"]


def test_what_lies_beyond_comes_last() -> None:
    endless: Distribution[object] = Distribution({Beyond(2): 1, 2: 1, 0: 1, 1: 1})
    assert [str(value) for value in listed_values([endless])] == ["0", "1", "2", "2+"]


@given(st.dictionaries(st.integers(-50, 50), st.integers(0, 10**30), min_size=1).filter(lambda d: any(d.values())))
def test_at_least_and_at_most_agree_with_the_distribution(weights: dict[int, int]) -> None:
    distribution = Distribution(weights)
    for row in rows(distribution):
        assert row.at_least == distribution.at_least(row.value)
        assert row.at_most == distribution.at_most(row.value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (False, "false"),
        (None, "none"),
        (3, "3"),
        ((3, "highest", False), "3,highest,false"),
        ("a", "a"),
    ],
)
def test_values_as_text(value: object, text: str) -> None:
    assert format_value(value) == text


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (Fraction(0), "0%"),
        (Fraction(1), "100%"),
        (Fraction(247, 324), "76.2%"),
        (Fraction(1, 2000), "0.05%"),
        (Fraction(1, 10**400), "<0.0001%"),
        (1 - Fraction(1, 10**400), ">99.99%"),
        (Fraction(9995, 10000), "99.95%"),
    ],
)
def test_percent_never_says_what_is_not_so(chance: Fraction, text: str) -> None:
    assert format_percent(chance) == text


@given(st.fractions(0, 1, max_denominator=10**9))
def test_only_what_is_certain_looks_certain(chance: Fraction) -> None:
    assert (float(format_percent(chance).strip("<>%")) in (0, 100)) == (chance in (0, 1))
    assert (format_one_in(chance) in ("never", "always")) == (chance in (0, 1))


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (Fraction(0), "never"),
        (Fraction(1), "always"),
        (Fraction(1, 6), "1 in 6"),
        (Fraction(10, 139), "1 in 13.9"),
        (Fraction(247, 324), "1 in 1.31"),
        (Fraction(999, 1000), "nearly always"),
        (Fraction(1, 12345), "1 in 12,345"),
        (Fraction(2, 10**2000), "1 in 5.0 × 10^1999"),
    ],
)
def test_one_in(chance: Fraction, text: str) -> None:
    assert format_one_in(chance) == text


@pytest.mark.parametrize(
    ("difference", "text"),
    [(Fraction(0), "0"), (Fraction(1, 40), "+2.5"), (Fraction(-1, 40), "−2.5"), (Fraction(1, 10**5), "+0.001")],
)
def test_points(difference: Fraction, text: str) -> None:
    assert format_points(difference) == text


def test_exact_fractions_of_any_length() -> None:
    assert [format_exact(Fraction(n)) for n in (0, 1)] == ["0/1", "1/1"]
    assert format_exact(Fraction(-2, 6)) == "-1/3"
    assert format_exact(Fraction(10**9000 + 7)) == f"1{'0' * 8999}7/1"


def test_numbers() -> None:
    assert [format_number(Fraction(n)) for n in ("14", "-0.001", "-1.5", "15.246")] == ["14", "0", "−1.5", "15.25"]


def test_csv_quotes_what_needs_it() -> None:
    distribution: Distribution[object] = Distribution({(3, "highest", False): 1, 'say "no"': 3})
    lines = list(csv.reader(io.StringIO(distribution.to_csv())))
    assert lines == [["value", "exact", "chance"], ["3,highest,false", "1/4", "0.25"], ['say "no"', "3/4", "0.75"]]
    assert format_csv(COINS) == "value,exact,chance\n0,1/4,0.25\n1,1/2,0.5\n2,1/4,0.25\n"


def test_html_is_escaped_and_needs_nothing_from_outside() -> None:
    distribution: Distribution[str] = Distribution({"<script>": 1, "b": 2})
    shown = distribution._repr_html_()
    HTMLParser().feed(shown)
    assert "&lt;script&gt;" in shown
    assert "<script" not in shown
    assert "http" not in shown
    assert "66.7%" in shown
    assert "1 in 3" in shown


def test_html_has_the_mean_and_stays_small() -> None:
    assert "mean 1, standard deviation 0.71" in format_html(COINS)
    assert "and 900 more values" in format_html(Distribution(dict.fromkeys(range(1000), 1)))
