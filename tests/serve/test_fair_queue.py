"""The fair queue: one question of an asker at a time, and askers one after the other, whatever one of them asks."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from astragal.serve.workers.queue import FairQueue

T = TypeVar("T")


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


class Asking:
    """Questions that wait for a turn, by name; each asker's name is its first letter."""

    def __init__(self, places: int) -> None:
        self.turns = FairQueue(places)
        self.begun: list[str] = []
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def ask(self, *names: str) -> None:
        for name in names:
            self.tasks[name] = asyncio.create_task(self._one(name))
            await settle()

    async def _one(self, name: str) -> None:
        await self.turns.take(name[0])
        self.begun.append(name)

    async def end(self, name: str) -> None:
        self.turns.give(name[0])
        await settle()


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, 10))


def test_one_asker_has_one_place_however_many_there_are() -> None:
    async def work() -> None:
        asking = Asking(3)
        await asking.ask("a1", "a2", "a3", "b1")
        assert asking.begun == ["a1", "b1"]
        await asking.end("a1")
        assert asking.begun == ["a1", "b1", "a2"]

    run(work())


def test_askers_take_turns_whoever_came_first() -> None:
    async def work() -> None:
        asking = Asking(1)
        await asking.ask("a1", "a2", "a3", "b1", "c1", "b2")
        for name in ("a1", "b1", "c1", "a2", "b2"):
            await asking.end(name)
        assert asking.begun == ["a1", "b1", "c1", "a2", "b2", "a3"]

    run(work())


@pytest.mark.parametrize("when", ["waiting", "called"])
def test_a_question_that_nobody_waits_for_takes_no_turn(when: str) -> None:
    async def work() -> None:
        asking = Asking(1)
        await asking.ask("a1", "b1", "c1")
        if when == "called":
            asking.turns.give("a")
            asking.tasks["b1"].cancel()
            await settle()
        else:
            asking.tasks["b1"].cancel()
            await settle()
            await asking.end("a1")
        assert asking.begun == ["a1", "c1"]

    run(work())
