"""A table that an event loop listens to: the loop takes in what the store's writer answers, and never waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from threading import current_thread, main_thread

import pytest

from astragal.repository.stored_table import StoredTable
from astragal.store import open_store
from astragal.table import action as a
from tests.repository.repositories import Recorder, Seats, assert_sound, spend

NOTE = a.NoteAction(text="Rain.")


def refuse(work: Callable[[], None]) -> None:
    raise RuntimeError("Event loop is closed")


def at_once(work: Callable[[], None]) -> None:
    """A loop that is there before the writer has gone on."""
    work()


@pytest.mark.parametrize("call_soon", [at_once, refuse])
def test_every_answer_arrives_however_quick_the_loop_is_and_if_it_has_ended(
    seats: Seats, call_soon: Callable[[Callable[[], None]], None]
) -> None:
    recorder = Recorder()
    seats.stored_table.subscribe(recorder, call_soon)
    versions = [seats.act(seats.gm, NOTE).entry.version for _ in range(20)]
    assert recorder.versions == versions


def test_answers_that_a_loop_has_not_taken_in_are_taken_in_when_it_stops_listening(seats: Seats) -> None:
    recorder = Recorder()
    waiting: list[Callable[[], None]] = []
    end = seats.stored_table.subscribe(recorder, waiting.append)
    future = seats.submit(seats.gm, NOTE)
    while not waiting:
        assert not future.done()
    end()
    assert future.result(60).entry.version == seats.stored_table.state.version
    seats.act(seats.gm, NOTE)
    assert_sound(seats.stored_table)


def test_a_loop_reads_nothing_back_when_another_program_was_faster(seats: Seats, path: Path) -> None:
    readers: list[str] = []
    read = seats.stored_table._log.read_sizes

    async def go() -> None:
        loop = asyncio.get_running_loop()
        end = seats.stored_table.subscribe(Recorder(), loop.call_soon_threadsafe)
        await asyncio.to_thread(other.act, seats.player, spend(), "theirs", 1)
        ours = seats.submit(seats.player, spend())
        assert (await asyncio.wrap_future(ours)).entry.version == other.state.version + 1
        end()

    def noted(since: int) -> object:
        readers.append(current_thread().name)
        return read(since)

    with open_store(path) as store:
        other = StoredTable(store, seats.stored_table.id)
        seats.stored_table._log.read_sizes = noted  # type: ignore[method-assign, assignment]
        asyncio.run(go())
    assert readers and main_thread().name not in readers
    assert_sound(seats.stored_table)
