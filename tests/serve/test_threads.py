"""Threads beside the event loop: the interpreter changes hands more often while they work, and only then."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from threading import Barrier, Event

import pytest

from astragal.serve.limits.threads import BRISK, Threads

CALM = 0.004


@pytest.fixture(autouse=True)
def calm() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(CALM)
    yield
    sys.setswitchinterval(before)


def test_the_interpreter_changes_hands_more_often_until_the_last_one_is_done() -> None:
    begun, first, second = Barrier(3), Event(), Event()

    def work(until: Event) -> bool:
        begun.wait(10)
        return until.wait(10)

    with Threads(2) as threads:
        one, two = threads.submit(work, first), threads.submit(work, second)
        begun.wait(10)
        first.set()
        assert one.result(10)
        assert sys.getswitchinterval() == pytest.approx(BRISK)
        second.set()
        assert two.result(10)
    assert sys.getswitchinterval() == pytest.approx(CALM)


def test_work_that_fails_leaves_the_pace_as_it_was() -> None:
    with Threads(1) as threads:
        failed = threads.submit(int, "x")
    with pytest.raises(ValueError, match="invalid literal"):
        failed.result()
    assert sys.getswitchinterval() == pytest.approx(CALM)
