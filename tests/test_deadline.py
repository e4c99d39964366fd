"""Deadlines: work ends when its time is up, wherever it is, and nothing after the block does."""

from __future__ import annotations

import gc
import signal
import sys
import time
from _thread import interrupt_main
from threading import Thread

import pytest

from astragal.deadline import SIGNAL, Deadline, time_is_up
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


def test_a_late_alarm_of_a_block_that_has_ended_does_nothing_to_the_next_one() -> None:
    with Deadline(60):
        interrupt_main(SIGNAL)
        assert not time_is_up()


def test_work_in_a_block_inside_ends_with_the_sentence_of_the_one_around_it() -> None:
    with pytest.raises(Unavailable, match="Only a moment"), Deadline(0.05, "Only a moment."), Deadline(60):
        while True:
            pass


def test_a_refusal_is_not_raised_in_a_finalizer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python would print it and drop it."""
    dropped: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", dropped.append)
    ends = time.monotonic() + 0.3

    class Slow:
        def __del__(self) -> None:
            while time.monotonic() < ends:
                pass

    with pytest.raises(Unavailable), Deadline(0.1):
        Slow()
        assert time.monotonic() >= ends
        endless()
    assert not dropped


def test_a_refusal_is_not_raised_in_a_callback_of_the_garbage_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    dropped: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", dropped.append)
    ends = time.monotonic() + 0.3

    def slow(*_: object) -> None:
        while time.monotonic() < ends:
            pass

    gc.callbacks.append(slow)
    try:
        with pytest.raises(Unavailable), Deadline(0.1):
            gc.collect()
            assert time.monotonic() >= ends
            endless()
    finally:
        gc.callbacks.remove(slow)
    assert not dropped
