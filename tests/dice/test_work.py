"""Work: steps are counted towards the question that is being answered, and refused above the limit."""

from __future__ import annotations

from threading import Event, Thread

import pytest

from astragal.dice.work import LIMIT, Work, expect, spend, too_much, working
from astragal.errors import Illegal, Refusal, Unavailable


def test_steps_add_up_in_a_block_and_in_blocks_inside() -> None:
    with working() as work:
        spend(3)
        with working() as inner:
            spend(4)
        assert inner is work
        assert work.spent == 7


def test_a_question_above_the_limit_is_refused_with_a_sentence() -> None:
    with working(Work(10)), pytest.raises(Illegal, match="more work than is allowed"):
        spend(11)
    with working(Work(10)) as work:
        spend(6)
        with pytest.raises(Illegal):
            expect(5)
        with pytest.raises(Illegal, match="Ask for less"):
            expect(5, "Ask for less.")
        assert work.spent == 6


def test_outside_of_a_question_only_a_single_portion_is_limited() -> None:
    spend(LIMIT)
    spend(LIMIT)
    expect(LIMIT)
    for count in (spend, expect):
        with pytest.raises(Illegal, match="about 3 times the work"):
            count(3 * LIMIT)


def test_the_sentence_names_no_absurd_number() -> None:
    assert "times" not in too_much(10**30)
    assert "about 250 times" in too_much(250 * LIMIT)


def test_each_question_has_its_own_limit() -> None:
    for _ in range(3):
        with working() as work:
            spend(LIMIT)
        assert work.spent == LIMIT


def test_a_question_is_stopped_from_another_thread() -> None:
    work, started, found = Work(10**12), Event(), []

    def answer() -> None:
        with working(work):
            started.set()
            try:
                while True:
                    spend(1)
            except Refusal as refusal:
                found.append(refusal)

    thread = Thread(target=answer)
    thread.start()
    started.wait()
    work.stop("Nobody waits.")
    thread.join(10)
    assert not thread.is_alive()
    assert isinstance(found[0], Unavailable)
    assert str(found[0]) == "Nobody waits."
