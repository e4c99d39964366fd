"""Deadlines: work ends when its time is up, wherever it is, and nothing after the block does."""

from __future__ import annotations

import signal
import time
from threading import Thread

import pytest

from astragal.deadline import Deadline, time_is_up
from astragal.errors import Refusal, Unavailable


def endless() -> None:
    while True:
        pass


def test_work_that_never_ends_is_refused_with_the_sentence() -> None:
    started = time.monotonic()
    with pytest.raises(Unavailable, match="Enough"), Deadline(0.1, "Enough."):
        endless()
    assert time.monotonic() - started < 30
    assert not time_is_up()


def test_work_that_catches_refusals_is_refused_again() -> None:
    caught = 0
    with pytest.raises(ZeroDivisionError), Deadline(0.1):
        while True:
            try:
                endless()
            except Refusal:
                caught += 1
                if caught == 3:
                    raise ZeroDivisionError from None
    assert caught == 3


def test_work_that_asks_whether_its_time_is_up_ends_by_itself() -> None:
    with Deadline(0.1):
        try:
            endless()
        except Unavailable:
            assert time_is_up()
        time.sleep(0.2)  # nobody who knows is interrupted
    assert not time_is_up()


def test_work_in_portions_is_not_interrupted() -> None:
    portions = 0
    with Deadline(0.2, interrupts=False):
        while not time_is_up():
            time.sleep(0.01)
            portions += 1
    assert portions


def test_a_block_inside_ends_with_the_one_around_it() -> None:
    with Deadline(0.05, interrupts=False), Deadline(None):
        while not time_is_up():
            time.sleep(0.01)


def test_ctrl_c_is_still_ctrl_c() -> None:
    with pytest.raises(KeyboardInterrupt), Deadline(60):
        signal.raise_signal(signal.SIGINT)


def test_handlers_of_others_are_put_back() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with Deadline(60):
        pass
    assert signal.getsignal(signal.SIGALRM) is before


def test_in_another_thread_nothing_is_interrupted_and_time_is_told() -> None:
    told: list[bool] = []

    def work() -> None:
        with Deadline(0.05):
            time.sleep(0.2)
            told.append(time_is_up())

    thread = Thread(target=work)
    thread.start()
    thread.join(30)
    assert told == [True]
