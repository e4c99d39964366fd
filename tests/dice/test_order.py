"""The order of words in a distribution: at least, quantiles, charts, and names that do not exist."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any

import pytest

from astragal.dice.distribution import Distribution, mix
from astragal.dice.render.text import rows
from astragal.errors import Illegal, Malformed, Unknown

GRADES = ("superb", "good", "poor", "awful")
"""From best to worst, which is neither the alphabet nor the alphabet turned round."""
MARKS = Distribution({"awful": 1, "good": 4, "poor": 3}, 8, order=GRADES)
D6 = Distribution(dict.fromkeys(range(1, 7), 1))


def test_at_least_and_at_most_follow_the_order() -> None:
    assert [MARKS.at_least(grade) for grade in GRADES] == [0, Fraction(1, 2), Fraction(7, 8), 1]
    assert [MARKS.at_most(grade) for grade in GRADES] == [1, 1, Fraction(1, 2), Fraction(1, 8)]


def test_quantiles_go_from_the_worst_to_the_best() -> None:
    assert [MARKS.quantile(share) for share in (0, "1/8", "1/2", "51/100", 1)] == [
        "awful",
        "awful",
        "poor",
        "good",
        "good",
    ]


def test_words_without_an_order_are_not_compared() -> None:
    words = Distribution({"heads": 1, "tails": 1})
    for ask in (words.at_least, words.at_most):
        with pytest.raises(Illegal, match="have no order"):
            ask("heads")
    with pytest.raises(Illegal, match="have no order"):
        words.quantile("1/2")
    assert words.in_order(("tails", "heads")).at_least("tails") == Fraction(1, 2)


def test_values_of_several_parts_are_not_compared() -> None:
    pairs = Distribution({(1, "high"): 1, (2, "low"): 1}).in_order([(1, "high"), (2, "low"), (3, "low")])
    assert pairs[3, "low"] == 0
    with pytest.raises(Illegal, match="have no order"):
        pairs.at_least((2, "low"))


def test_yes_is_more_than_no() -> None:
    assert D6.map(lambda face: face > 2).at_least(True) == Fraction(2, 3)
    assert D6.map(lambda face: face > 2).in_order((True, False)).at_least(True) == Fraction(2, 3)


def test_a_word_that_is_none_of_the_values_is_an_error_with_the_nearest_name() -> None:
    for ask in (MARKS.__getitem__, MARKS.at_least, MARKS.at_most):
        with pytest.raises(Unknown, match=r'no value "supreb" here.*Did you mean "superb"\?'):
            ask("supreb")
    with pytest.raises(Unknown, match="there are heads, tails"):
        Distribution({"heads": 1, "tails": 1})["head"]
    assert MARKS["superb"] == 0


def test_a_word_among_numbers_is_an_error_and_a_number_that_cannot_come_up_is_0() -> None:
    assert D6[7] == D6[-1] == 0
    odds: Distribution[Any] = D6
    for ask in (odds.__getitem__, odds.at_least, odds.at_most):
        with pytest.raises(Unknown, match='no value "x" here; there are 1, 2'):
            ask("x")


def test_get_is_0_for_whatever_is_not_there() -> None:
    assert MARKS.get("supreb") == D6.get("x") == 0
    assert MARKS.get("good") == Fraction(1, 2)


def test_everything_that_lists_words_lists_them_in_order() -> None:
    assert list(MARKS) == list(MARKS.to_dict()) == ["good", "poor", "awful"]
    assert str(MARKS).index("good") < str(MARKS).index("poor") < str(MARKS).index("awful")
    assert [row.value for row in rows(MARKS)] == list(GRADES)
    assert [line.split(",")[0] for line in MARKS.to_csv().splitlines()[1:]] == list(GRADES)
    for shown in (MARKS.to_svg(), MARKS._repr_html_()):
        places = [shown.index(grade) for grade in GRADES]
        assert places == sorted(places)


def test_rows_add_up_as_the_distribution_does() -> None:
    for row in rows(MARKS):
        assert (row.at_least, row.at_most) == (MARKS.at_least(row.value), MARKS.at_most(row.value))


def test_the_order_survives_a_condition_a_mixture_and_a_pickle() -> None:
    assert MARKS.given(lambda grade: grade != "awful").at_least("good") == Fraction(4, 7)
    assert MARKS.given(lambda grade: grade != "awful")["awful"] == 0
    best = Distribution.certain("superb").in_order(GRADES)
    assert mix([(1, MARKS), (1, best)], 2).at_least("good") == Fraction(3, 4)
    assert mix([(1, MARKS), (1, Distribution.certain("superb"))], 2).order == ()
    assert pickle.loads(pickle.dumps(MARKS)).order == GRADES


def test_the_order_survives_a_change_that_keeps_better_and_worse_apart() -> None:
    renamed = MARKS.map({"superb": "A", "good": "B", "poor": "C", "awful": "C"}.__getitem__)
    assert renamed.order == ("A", "B", "C")
    assert renamed.at_least("B") == Fraction(1, 2)
    assert MARKS.map(len).order == ()
    assert MARKS.map({"superb": "odd", "good": "even", "poor": "odd", "awful": "even"}.__getitem__).order == ()


def test_a_value_outside_the_order_is_neither_at_least_nor_at_most() -> None:
    none: Distribution[str | None] = Distribution({"good": 1, None: 1}, order=GRADES)
    assert none.at_least("awful") == none.at_most("superb") == Fraction(1, 2)
    assert list(none) == ["good", None]
    with pytest.raises(Illegal, match="None has no place in the order"):
        none.quantile("1/2")


def test_sums_of_several_rolls_and_of_a_number() -> None:
    assert sum([D6] * 3) == D6 + D6 + D6
    assert (D6 + 2).mean == (2 + D6).mean == Fraction(11, 2)
    with pytest.raises(Malformed, match=r"sum\(\[d\] \* 12\)"):
        _ = 12 * D6
