"""An event loop without a clock or threads: what happens follows from a seed alone."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar, copy_context
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")


class NoWaiting(selectors.DefaultSelector):
    """Time is virtual, so a loop that would sleep until a timer is due goes on at once."""

    def select(self, timeout: float | None = None) -> Any:
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """Its time jumps to the next timer. Work for threads is done between two pauses of random length."""

    def __init__(self, seed: object) -> None:
        self._now = 0.0
        self.random = Random(str(seed))
        self.broken: list[object] = []
        """Errors of callbacks, which nobody else would see."""
        self.processes: list[Process] = []
        super().__init__(NoWaiting())
        self.set_exception_handler(self._on_error)

    def _on_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if "handle" in context:
            self.broken.append(context.get("exception"))

    def end(self) -> None:
        """End everything that still runs."""
        for process in self.processes:
            process.go_on()
        tasks = asyncio.all_tasks(self)
        for task in tasks:
            task.cancel()
        self.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))

    def time(self) -> float:
        return self._now

    def _run_once(self) -> None:
        if not self._ready:  # type: ignore[attr-defined]
            if not self._scheduled:  # type: ignore[attr-defined]
                raise RuntimeError("Deadlock: somebody waits, and nobody has anything to do.")
            self._now = max(self._now, self._scheduled[0]._when)  # type: ignore[attr-defined]
        super()._run_once()  # type: ignore[misc]

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> Any:  # type: ignore[override]
        async def run() -> Any:
            await asyncio.sleep(self.random.expovariate(200))
            done = func(*args)
            await asyncio.sleep(self.random.expovariate(200))
            return done

        return self.create_task(run())

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        context = copy_context() if context is None else context
        if (process := context.get(PROCESS)) is None:
            return super().call_soon(callback, *args, context=context)
        turn = Turn(process, callback, args)
        turn.handle = super().call_soon(turn, context=context)
        return turn.handle

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        context = copy_context() if context is None else context
        if (process := context.get(PROCESS)) is None:
            return super().call_at(when, callback, *args, context=context)
        turn = Turn(process, callback, args)
        turn.handle = timer = super().call_at(when, turn, context=context)
        return timer


class Process:
    """A program among several. While it is stopped, as by SIGSTOP, nothing of it runs; what is due waits."""

    def __init__(self, loop: VirtualLoop) -> None:
        self.stopped = False
        self._loop = loop
        loop.processes.append(self)
        self._held: list[tuple[Turn, Context]] = []

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Do something in this program."""
        context = copy_context()
        context.run(PROCESS.set, self)
        return self._loop.create_task(work, context=context)

    def hold(self, turn: Turn) -> None:
        self._held.append((turn, copy_context()))

    def go_on(self) -> None:
        """Continue with what was due meanwhile."""
        self.stopped = False
        held, self._held = self._held, []
        for turn, context in held:
            asyncio.SelectorEventLoop.call_soon(self._loop, turn, context=context)


PROCESS: ContextVar[Process | None] = ContextVar("PROCESS", default=None)
"""The program that runs now; None outside of all, as in a browser or the database."""


class Turn:
    """A callback of a program, which waits while that is stopped."""

    handle: asyncio.Handle

    def __init__(self, process: Process, callback: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self._process, self._callback, self._args = process, callback, args

    def __call__(self) -> None:
        if self._process.stopped:
            self._process.hold(self)
        elif not self.handle.cancelled():
            self._callback(*self._args)
