"""Work in counted steps: what is estimated beforehand is what is spent, and nothing goes far above the limit."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from random import Random
from types import FrameType
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice.distribution import Distribution, mix
from astragal.dice.solver import pairs, recurrence, series
from astragal.dice.solver.keep import kept_odds, kept_up_to, listed
from astragal.dice.solver.lattice import best_rerolls
from astragal.dice.solver.packed import common_multiple, digits_of, product_steps, reduced
from astragal.dice.solver.product import vector_odds
from astragal.dice.solver.scan import scan_odds
from astragal.dice.solver.series import Ratio
from astragal.dice.solver.sets import highest_left, pairs_won, widest_match
from astragal.dice.solver.sums import sum_odds
from astragal.dice.work import LIMIT, Work, working
from astragal.errors import Illegal, Refusal, Unavailable
from bench import estimates
from bench.memory import forget_all
from tests.dice.solver.dice import fair

EXPLODING = listed(Ratio((0, *[1] * 5), (6, *[0] * 5, -1)), 40)

QUESTIONS: dict[str, Callable[[int, int, int], Any]] = {
    "sums": lambda n, s, k: sum_odds([(n, fair(s))]),
    "weighted sums": lambda n, s, k: sum_odds([(n, {v: v * v % 7 + 1 for v in range(s)})]),
    "mixed sums": lambda n, s, k: sum_odds([(n, fair(s)), (k, fair(s + 1)), (k, fair(s + 3)), (2, fair(s + 5))]),
    "kept": lambda n, s, k: kept_odds([(n, fair(s))], k),
    "weighted kept": lambda n, s, k: kept_odds([(n, {v: v * v % 7 + 1 for v in range(s)})], k),
    "middle": lambda n, s, k: kept_odds([(n, fair(s))], k, skip=1),
    "mixed kept": lambda n, s, k: kept_odds([(n, fair(s)), (n, fair(s + 2))], k),
    "exploding kept": lambda n, s, k: kept_up_to([(n, EXPLODING)], k, 40),
    "vectors": lambda n, s, k: vector_odds([(n, {(v, v % 3): 1 for v in range(s)})]),
    "scans": lambda n, s, k: widest_match((n, fair(s))),
    "pairs": lambda n, s, k: pairs_won((n, fair(s)), (k, fair(s))),
    "highest left": lambda n, s, k: highest_left((n, fair(s)), (k, fair(s))),
    "rerolls": lambda n, s, k: best_rerolls(n, fair(s), 2, sum),
}


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(sorted(QUESTIONS)), st.integers(1, 12), st.integers(2, 10), st.integers(1, 12))
def test_more_dice_never_take_much_less_work(name: str, n: int, sides: int, k: int) -> None:
    """Estimates grow with the question; a way that is chosen because it is cheaper may cost a little less."""
    few, more = (_steps(QUESTIONS[name], size, sides, min(k, size)) for size in (n, 2 * n))
    assert few <= 3 * more + 300


def _steps(ask: Callable[[int, int, int], Any], n: int, sides: int, k: int) -> int:
    with working(Work(1_000_000)) as work, suppress(Illegal):
        ask(n, sides, k)
    return work.spent


@pytest.mark.parametrize("name", QUESTIONS)
def test_what_is_above_the_limit_is_refused_near_it(name: str) -> None:
    """Double the dice until the question is refused; what was counted by then is at most three times the limit
    where it is counted as it goes, or was said before anything was done."""
    limit = 200_000
    n = 1
    while True:
        with working(Work(limit)) as work:
            try:
                QUESTIONS[name](n, 6, max(n // 2, 1))
            except Illegal as refusal:
                assert "is allowed" in str(refusal)
                break
        assert work.spent <= limit
        n *= 2
        assert n < 10**6


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_stopped_question_is_refused_at_its_next_step(name: str) -> None:
    work = Work()
    work.stop("Nobody waits.")
    with working(work), pytest.raises(Unavailable, match="Nobody waits"):
        QUESTIONS[name](12, 10, 6)


CODES = 9
"""Instructions of the interpreter in the time of one step."""
MOST = 40_000
"""Steps of a question whose instructions are counted, which takes long."""
PLAIN = ("mixed middle", "straights", "rerolls")
"""Questions that work with small numbers: large ones take time that is not in instructions."""


@settings(deadline=None, max_examples=120, derandomize=True)
@given(st.sampled_from(sorted(estimates.QUESTIONS)), st.integers(0, 10**6))
def test_no_question_takes_more_instructions_than_it_spends(name: str, seed: int) -> None:
    """Within a factor of 3, and within as much from below where the numbers are small."""
    ask = estimates.QUESTIONS[name](Random(seed))
    forget_all()
    with working(Work(MOST)) as work, suppress(Refusal):
        ask()
    if not 1_000 <= work.spent <= MOST:
        return
    forget_all()
    made = _instructions(ask) / CODES
    assert made <= 3 * work.spent
    if name in PLAIN:
        assert work.spent <= 3 * made


def test_pairs_spend_what_their_additions_and_cuts_take() -> None:
    """Within a factor of 3 at both ends: long additions and cuts of bytes are counted one by one."""
    asked = 0
    for seed in range(60):
        ask = estimates.QUESTIONS["pairs"](Random(seed))
        with working(Work(MOST)) as work, suppress(Refusal):
            ask()
        if 1_000 <= work.spent <= MOST:
            asked += 1
            made = _instructions(ask) / CODES + _pair_steps(ask)
            assert made / 3 <= work.spent <= 3 * made, seed
    assert asked > 20


def _pair_steps(ask: Callable[[], Any]) -> float:
    """The steps of all additions of lines and of cutting them, which the interpreter does in single instructions."""
    found = 0.0
    turned = pairs._Grid._turned

    def add(left: int, right: int) -> int:
        nonlocal found
        found += 1 + digits_of(max(left, right)) / 40
        return left + right

    def turn(grid: Any, lines: Any, size: int, cuts: Any) -> Any:
        nonlocal found
        found += 1.5 * sum([len(parts(b"")) for parts in cuts]) + len(lines) * size / 20
        return turned(grid, lines, size, cuts)

    with patch.object(pairs, "add", add), patch.object(pairs._Grid, "_turned", turn):
        ask()
    return found


def _instructions(ask: Callable[[], Any]) -> int:
    """How many instructions of the interpreter a question takes."""
    found = 0

    def count(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal found
        found += event == "opcode"
        return count

    def enter(frame: FrameType, event: str, arg: Any) -> Any:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return count

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        ask()
    finally:
        sys.settrace(before)
    return found


def test_a_scan_is_stopped_in_the_middle() -> None:
    work = Work()

    def step(state: int, face: int, counts: tuple[int, ...]) -> int:
        if face == 5:
            work.stop()
        return state + counts[0] * face

    with working(work), pytest.raises(Unavailable):
        scan_odds([(10, fair(10))], 0, step)


def test_products_of_large_numbers_grow_smoothly() -> None:
    """The estimate has no jump where the method of multiplication changes."""
    for digits in range(10, 2000, 10):
        now, then = product_steps(digits, digits), product_steps(digits * 1.1, digits * 1.1)
        assert now <= then <= 1.5 * now + 1


def test_the_limit_is_that_of_one_question() -> None:
    with working() as work, pytest.raises(Illegal, match="for one question"):
        for _ in range(1000):
            kept_odds([(100, fair(20))], 50)
    assert LIMIT < work.spent < 1.1 * LIMIT


def long_polynomial(terms: int, bits: int) -> tuple[int, ...]:
    return tuple((1 << bits) - k for k in range(terms))


@pytest.mark.parametrize(
    ("work", "least"),
    [
        (lambda: series.times(long_polynomial(100, 3000), long_polynomial(100, 3000)), 100 * 100 * 100),
        (lambda: recurrence.times(dict.fromkeys(range(300), 7), dict.fromkeys(range(300), 7)), 300 * 300),
        (lambda: common_multiple((3**9000, 5**9000, 7**9000)), 100_000),
        (lambda: reduced(3**9000, 5**9000), 10_000),
        (lambda: mix([(1, Distribution({0: 1}, 3**9000)), (1, Distribution({0: 1}, 5**9000))], 2), 10_000),
    ],
    ids=["dense product", "sparse product", "common multiple", "fraction", "mixture"],
)
def test_large_numbers_count_by_their_digits(work: Callable[[], Any], least: int) -> None:
    """Each of these was done without a count once, and made a question that took a minute."""
    with working() as counted:
        work()
    assert least <= counted.spent <= 100 * least


def test_what_is_refused_is_refused_before_it_is_done() -> None:
    """The product would take minutes; nothing but its steps is found out."""
    huge = long_polynomial(5000, 300_000)
    with working() as work, pytest.raises(Illegal, match="is allowed"):
        series.times(huge, huge)
    assert work.spent > LIMIT


def test_irregular_dice_are_not_tried_by_a_recurrence_that_takes_longer_to_build() -> None:
    dice = [{value: value * value % 97 + 1 for value in range(800)}, {value: value**3 % 89 + 1 for value in range(800)}]
    with working() as work:
        odds = sum_odds([(1, dice[0]), (1, dice[1])])
    assert sum(odds.weights.values()) == odds.total
    assert work.spent < 800 * 800
