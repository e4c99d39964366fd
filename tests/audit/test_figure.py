"""Figures: an exact chance rendered at any precision is right, and one step beside it is wrong."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from astragal.audit.figure import Figure, Rounding, half_even, half_up, parse_figure, truncated

CHANCES = st.builds(
    lambda top, bottom: Fraction(min(top, bottom), bottom), st.integers(0, 10**9), st.integers(1, 10**9)
)
ROUNDERS = {Rounding.HALF_UP: half_up, Rounding.HALF_EVEN: half_even, Rounding.TRUNCATED: truncated}


def read(text: str, percent: bool = False) -> Figure:
    found = parse_figure(text, percent)
    assert found is not None
    assert found[1:] == (0, len(text))
    return found[0]


def rendered(steps: int, places: int, point: str, after: str) -> str:
    digits = str(steps).rjust(places + 1, "0")
    return f"{digits[:-places]}{point}{digits[-places:]}{after}" if places else f"{digits}{after}"


@given(
    CHANCES,
    st.integers(0, 12),
    st.sampled_from(list(ROUNDERS)),
    st.sampled_from("., "),
    st.sampled_from(["%", " %", ""]),
)
def test_what_an_exact_chance_rounds_to_is_right(
    chance: Fraction, places: int, mode: Rounding, point: str, after: str
) -> None:
    point = point.strip() or "."
    assume(after or point == "." or places != 3)
    steps = ROUNDERS[mode](chance * 10**places * (100 if after else 1))
    figure = read(rendered(steps, places, point, after))
    assert figure.rounding_of(chance) is not None
    assert figure.right(chance, mode) == figure.text


@given(CHANCES, st.integers(0, 12), st.sampled_from([-1, 1]), st.sampled_from(["%", ""]))
def test_one_step_beside_what_any_rounding_gives_is_wrong(
    chance: Fraction, places: int, beside: int, after: str
) -> None:
    exact = chance * 10**places * (100 if after else 1)
    allowed = {way(exact) for way in ROUNDERS.values()}
    steps = (max if beside > 0 else min)(allowed) + beside
    assume(steps >= 0)
    figure = read(rendered(steps, places, ".", after))
    assert figure.rounding_of(chance) is None
    assert read(figure.right(chance)).rounding_of(chance) is not None


@given(CHANCES, st.integers(0, 3))
def test_one_in_n_rounds_n(chance: Fraction, places: int) -> None:
    assume(chance)
    steps = half_up(10**places / chance)
    figure = read(f"1 in {rendered(steps, places, '.', '')}")
    assert figure.rounding_of(chance) is not None
    assert read(f"1 in {rendered(steps + 2, places, '.', '')}").rounding_of(chance) is None
    assert read(read("1 in 7").right(chance)).rounding_of(chance) is not None


@given(CHANCES, st.integers(1, 50))
def test_a_fraction_has_to_be_exact(chance: Fraction, times: int) -> None:
    top, bottom = chance.numerator * times, chance.denominator * times
    assume(50 not in (top, top + 1))  # 50/50 means even odds
    assert read(f"{top}/{bottom}").rounding_of(chance) is Rounding.EXACT
    assert read(f"{top}/{bottom}").right(chance) == f"{top}/{bottom}"
    assert read(f"{top + 1}/{bottom}").rounding_of(chance) is None
    assert read(read(f"{top + 1}/{bottom + 1}").right(chance)).value == chance


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("56%", "0.56"),
        ("56 %", "0.56"),
        ("10.80 %", "0.108"),
        ("10,80 %", "0.108"),
        ("12,346%", "0.12346"),
        ("5 percent", "0.05"),
        ("5‰", "0.005"),
        ("0.56", "0.56"),
        (".56", "0.56"),
        ("0,56", "0.56"),
        ("0,560", "0.560"),
        ("7/10", "0.7"),
        ("7 in 10", "0.7"),
        ("3 out of 4", "0.75"),
        ("1 in 6", "1/6"),
        ("1-in-6", "1/6"),
        ("1 in 1,296", "1/1296"),
        ("1 in 1.5", "2/3"),
        ("~56%", "0.56"),
        ("about 56%", "0.56"),
        ("1,296", "1296"),
        ("10.5", "10.5"),
        ("−2.5", "-2.5"),
        ("never", "0"),
        ("Always", "1"),
    ],
)
def test_figures_that_people_print(text: str, value: str) -> None:
    assert read(text).value == Fraction(value)


@pytest.mark.parametrize("text", ["", "about", "%", "x", "1/0", "1 in 0", "56%x", "9" * 100, f"0.{'1' * 50}", "1 in"])
def test_what_is_no_figure(text: str) -> None:
    found = parse_figure(text)
    assert found is None or found[2] < len(text)


@pytest.mark.parametrize(
    ("text", "chance", "mode"),
    [
        ("12%", "1/8", Rounding.HALF_EVEN),
        ("13%", "1/8", Rounding.HALF_UP),
        ("38%", "3/8", Rounding.HALF_UP),
        ("37%", "3/8", Rounding.TRUNCATED),
        ("12.5%", "1/8", Rounding.EXACT),
        ("33%", "1/3", Rounding.ROUNDED),
        ("66%", "2/3", Rounding.TRUNCATED),
        ("34%", "1/3", None),
        ("<1%", "1/200", Rounding.BOUND),
        ("<1%", "1/100", None),
        ("≤1%", "1/100", Rounding.BOUND),
        (">99%", "399/400", Rounding.BOUND),
        (">99%", "1/2", None),
        ("~1/3", "3/10", Rounding.ROUNDED),
        ("1/3", "3/10", None),
        ("never", "0", Rounding.EXACT),
        ("never", "1/9", None),
    ],
)
def test_how_a_figure_was_rounded(text: str, chance: str, mode: Rounding | None) -> None:
    found = read(text).rounding_of(Fraction(chance))
    assert found is mode or (mode is Rounding.HALF_UP and found in (Rounding.HALF_UP, Rounding.ROUNDED))


@pytest.mark.parametrize(
    ("text", "chance", "right"),
    [
        ("10%", "1/8", "13%"),
        ("10.0 %", "1/3", "33.3 %"),
        ("10,0 %", "1/3", "33,3 %"),
        (".10", "1/3", ".33"),
        ("0.10", "1/3", "0.33"),
        ("1 in 7", "1/1296", "1 in 1,296"),
        ("1 in 7", "0", "never"),
        ("7/36", "1/6", "6/36"),
        ("7/10", "1/6", "1/6"),
        ("~2/3", "1/3", "~1/3"),
        ("<1%", "1/2", "50%"),
        ("never", "1/8", "12.5%"),
        ("about 10%", "1/2", "about 50%"),
        ("1,296", "2500", "2,500"),
    ],
)
def test_the_right_figure_is_written_in_the_same_way(text: str, chance: str, right: str) -> None:
    assert read(text).right(Fraction(chance)) == right


def test_a_heading_in_percent_makes_bare_numbers_percent() -> None:
    assert read("56", percent=True).value == Fraction(56, 100)
    assert read("56", percent=True).right(Fraction(1, 3)) == "33"
    assert read("1 in 6", percent=True).value == Fraction(1, 6)
