"""Dice with several readings: the same as the referee's, packed whole or in rows."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice.solver import product
from astragal.dice.solver.product import PackedWeights, VectorDie, vector_odds
from tests.referee import tally_groups

VECTORS = st.tuples(st.integers(-2, 2), st.integers(0, 3), st.integers(-1, 1))
GROUPS = st.lists(
    st.tuples(st.integers(1, 3), st.dictionaries(VECTORS, st.integers(1, 3), min_size=1, max_size=4)),
    min_size=1,
    max_size=2,
)


@settings(deadline=None)
@given(GROUPS, st.booleans())
def test_readings_add_up_together(groups: list[tuple[int, VectorDie]], in_rows: bool) -> None:
    def read(*dice: tuple[Any, ...]) -> Any:
        return tuple(map(sum, zip(*(vector for group in dice for vector in group), strict=True)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(product, "MAX_SLOTS", 0 if in_rows else product.MAX_SLOTS)
        assert vector_odds(groups).to_dict() == tally_groups(groups, read)


def test_successes_and_banes_of_a_pool() -> None:
    die: VectorDie = {(0, 0): 4, (1, 0): 1, (0, 1): 1}
    found = vector_odds([(10, die)])
    assert found[10, 0] == Fraction(1, 6**10)
    assert found.chance(lambda value: value[0] == 0) == Fraction(5, 6) ** 10


def test_no_dice_have_no_readings() -> None:
    assert vector_odds([]).to_dict() == {(): 1}


def test_an_answer_in_rows_is_packed_until_it_is_looked_at() -> None:
    die: VectorDie = {(0, 0, 0): 3, (1, 0, 0): 1, (1, 40, 1): 1, (0, -1, -1): 2}
    packed = vector_odds([(20, die)])
    weights = packed.weights
    assert isinstance(weights, PackedWeights)
    assert packed[20, 800, 20] == Fraction(1, 7**20)
    for vector in ((20, 800, 19), (0, 900, 0), (0, 0), "no vector"):
        assert packed.get(vector) == 0
    assert "listed" not in vars(weights)
    assert {vector: weights[vector] for vector in weights} == weights.listed == dict(weights.items())
    assert sum(weights.values()) == packed.total
    assert packed == pickle.loads(pickle.dumps(packed))
