"""An endless number of endless dice, which no referee can list.

Every die adds at least 1, so only few dice can come to a small sum: its chance is computed here, die by die.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import pytest

from astragal.questions.notation import odds_of

UP_TO = 9


def exploding(sides: int, up_to: int, penetrates: bool = False) -> dict[int, Fraction]:
    """The chances of one die that goes on with its highest face, for each value up to a bound."""
    found: dict[int, Fraction] = {}
    before, chance = 0, Fraction(1)
    while before <= up_to and chance:
        for face in range(1, sides):
            found[before + face] = found.get(before + face, Fraction(0)) + chance / sides
        before, chance = before + sides - penetrates, chance / sides
    return {value: chance for value, chance in found.items() if value <= up_to}


def added(one: dict[int, Fraction], other: dict[int, Fraction], up_to: int) -> dict[int, Fraction]:
    found: dict[int, Fraction] = defaultdict(Fraction)
    for value, chance in one.items():
        for more, times in other.items():
            if value + more <= up_to:
                found[value + more] += chance * times
    return dict(found)


def summed(numbers: dict[int, Fraction], die: dict[int, Fraction], up_to: int) -> dict[int, Fraction]:
    """The chances of the sum of a random number of dice, each at least 1."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    dice: dict[int, Fraction] = {0: Fraction(1)}
    for n in range(up_to + 1):
        for value, chance in dice.items():
            found[value] += numbers.get(n, Fraction(0)) * chance
        dice = added(dice, die, up_to)
    return dict(found)


NUMBERS = {
    "(1d3!)": exploding(3, UP_TO),
    "(1d4!!kh1)": exploding(4, UP_TO),
    "(2d2!)": added(exploding(2, UP_TO), exploding(2, UP_TO), UP_TO),
    "(1d3! - 1)": {value - 1: chance for value, chance in exploding(3, UP_TO + 1).items()},
}
DICE = {"d2!": exploding(2, UP_TO), "d3!": exploding(3, UP_TO), "d4!p": exploding(4, UP_TO, penetrates=True)}


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("die", DICE)
def test_the_sum_of_any_number_of_endless_dice(number: str, die: str) -> None:
    solved = odds_of(f"{number}{die}")
    expected = summed(NUMBERS[number], DICE[die], UP_TO)
    for value in range(UP_TO + 1):
        assert solved[value] == expected.get(value, 0), value


@pytest.mark.parametrize("number", ["(1d3!)", "(2d2!)"])
@pytest.mark.parametrize("sides", [2, 3])
def test_how_many_of_any_number_of_endless_dice_count(number: str, sides: int) -> None:
    """Each die shows its highest face a geometric number of times, whatever else it shows."""
    solved = odds_of(f"{number}d{sides}! count>={sides}")
    again = {n: Fraction(sides - 1, sides) * Fraction(1, sides) ** n for n in range(UP_TO + 1)}
    # The number is unbounded, so the chance of few is bounded from below by few dice, and from above by what is left.
    found: dict[int, Fraction] = defaultdict(Fraction)
    dice, left = {0: Fraction(1)}, Fraction(1)
    for n in range(UP_TO + 1):
        chance = NUMBERS[number].get(n, Fraction(0))
        left -= chance
        for value, times in dice.items():
            found[value] += chance * times
        dice = added(dice, again, UP_TO)
    for value in range(UP_TO + 1):
        assert found[value] <= solved[value] <= found[value] + left, value
    assert solved[0] > found[0] > 0
