"""Trees with a limit of nodes: the same are left out on every machine, and without a limit none."""

from __future__ import annotations

import pytest

from astragal import odds
from astragal.dice.cache import forget
from astragal.dice.estimates import MOST_THROWS, TooMuch, refuse_throws, trees_up_to
from astragal.games.registry import game


def test_a_tree_above_the_limit_is_refused_and_one_below_is_solved_as_ever() -> None:
    ask = game("narraject").main.ask.read({"d6": 3, "step": 8, "difficulty": 2})
    forget()
    whole = odds(ask)
    forget()
    with trees_up_to(5), pytest.raises(TooMuch, match="more than 5 nodes; ask for fewer"):
        odds(ask)
    with trees_up_to(100_000):
        assert odds(ask) == whole


def test_throws_that_are_listed_count_like_nodes() -> None:
    refuse_throws(MOST_THROWS)
    with pytest.raises(TooMuch, match="1,000,001 different throws one by one"):
        refuse_throws(MOST_THROWS + 1)
    with trees_up_to(10), pytest.raises(TooMuch, match="at most 10 are looked at"):
        refuse_throws(11)


def test_a_number_that_nobody_reads_is_not_written() -> None:
    with pytest.raises(TooMuch, match="very many different sets"):
        refuse_throws(10**300, "sets")
