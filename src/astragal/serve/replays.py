"""Replays: the answers to the latest requests of a kind that may arrive twice, by id."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

MAX_KEPT = 1000
"""Answers that are kept, of a few thousand bytes each. An older request also acts only once, by its key."""


class Replays:
    """Gives the same id the same answer, computed once. Used in the event loop only."""

    def __init__(self) -> None:
        self._answers: dict[str, asyncio.Task[bytes]] = {}

    async def answer(self, id: str, work: Callable[[], Coroutine[Any, Any, bytes]]) -> bytes:
        """The answer to an id; a failed one is computed again."""
        task = self._answers.get(id)
        if task is None:
            task = self._answers[id] = asyncio.create_task(work())
            if len(self._answers) > MAX_KEPT:
                self._answers.pop(next(iter(self._answers)))
        try:
            return await asyncio.shield(task)
        except BaseException:
            if task.done() and self._answers.get(id) is task:
                del self._answers[id]
            raise
