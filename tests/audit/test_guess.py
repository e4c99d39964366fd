"""Guesses: each misreading is named where it fits to the last digit, and nothing is guessed otherwise."""

from __future__ import annotations

import pytest

from astragal.audit import CheckedFigure, audit


def wrong(expression: str, figure: str) -> CheckedFigure:
    [checked] = audit(f"<!-- astragal: {expression} --> {figure}").wrong
    return checked


@pytest.mark.parametrize(
    ("expression", "figure", "guess"),
    [
        ("4d6 >= 14", "44.37%", '"more than" instead of "at least"'),
        ("4d6 > 14", "55.63%", '"at least" instead of "more than"'),
        ("4d6 <= 14", "44.37%", '"less than" instead of "at most"'),
        ("4d6 < 14", "44.37%", None),
        ("4d6 < 14", "55.63%", '"at most" instead of "less than"'),
        ("4d6 >= 14", "11.27%", '"exactly" instead of "at least"'),
        ("4d6 == 14", "55.63%", '"at least" instead of "exactly"'),
        ("4d6 >= 12", "23.92%", "the complement, 1 − the chance"),
        ("3d10 count>=8 >= 1", "99.2%", "the number of faces that count (3) instead of the threshold 8"),
        ("4d6 >= 14", "99.61%", "the number of faces (6) instead of the threshold 14"),
        ("4d6 >= 14", "5.56%", "the point is one digit out of place"),
        ("4d6 >= 15", "44.4%", None),
        ("4d6 >= 15", "44.5%", None),
        ("4d6 >= 14", "55.7%", "rounded up"),
        ("4d6 >= 14", "56.53%", None),
        ("4d6 >= 14", "55.36%", "two digits are swapped"),
        ("4d6 >= 14", "51.23%", None),
        ("4d6 >= 14", "<20%", None),
        ("mean(4d6)", "41", "two digits are swapped"),
        ("mean(4d6)", "15", None),
    ],
)
def test_a_guess_only_where_it_fits(expression: str, figure: str, guess: str | None) -> None:
    found = audit(f"<!-- astragal: {expression} --> {figure}")
    if not found.wrong:
        assert guess is None
        return
    guesses = found.wrong[0].guesses
    assert guess in guesses if guess else guesses == ()


def table(*rows: str) -> tuple[CheckedFigure, ...]:
    text = (
        "<!-- astragal\nExactly = 2d6 == {Sum}\nAt least = 2d6 >= {Sum}\n-->\n| Sum | Exactly | At least |\n|-|-|-|\n"
    )
    return tuple(audit(text + "\n".join(rows)).wrong)


def test_the_value_of_a_neighbour() -> None:
    [below] = table("| 6 | 16.7% | 72.2% |", "| 7 | 16.7% | 58.3% |")
    assert "the value of the row below (Sum 7)" in below.guesses
    [above] = table("| 6 | 13.9% | 72.2% |", "| 7 | 13.9% | 58.3% |")
    assert "the value of the row above (Sum 6)" in above.guesses


def test_the_value_of_another_column() -> None:
    [swapped] = table("| 7 | 58.3% | 58.3% |")
    assert 'the value of the column "At least"' in swapped.guesses


def test_sums_of_wrong_figures_from_either_end() -> None:
    found = table("| 10 | 8.3% | 16.7% |", "| 11 | 5.0% | 7.8% |", "| 12 | 2.8% | 2.8% |")
    assert [checked.figure.text for checked in found] == ["5.0%", "7.8%"]
    assert found[1].guesses[0] == (
        'the sum of the printed figures of "Exactly" from here to the bottom, 1 of them wrong'
    )


def test_a_sum_of_right_figures_is_no_guess() -> None:
    [checked] = table("| 9 | 11.1% | 27.9% |", "| 10 | 8.3% | 16.7% |", "| 11 | 5.6% | 8.3% |", "| 12 | 2.8% | 2.8% |")
    assert checked.guesses == ("rounded up",) or not any("sum" in guess for guess in checked.guesses)


def test_the_error_is_told_in_points_and_the_value_as_a_fraction() -> None:
    assert wrong("4d6 == 14", "12.27%").sentence == (
        "12.27% is printed, 11.27% is right; exactly 73/648, 1 percentage point too high."
    )
