"""The writer: one thread that takes all jobs that are waiting and commits them as one transaction."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from logging import getLogger
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, ParamSpec, TypeAlias, TypeVar

from astragal.errors import Refusal
from astragal.store.failures import FAILURES, failure
from astragal.store.file import closed
from astragal.store.log import Log
from astragal.store.record import Answered

MOST = 512
"""So many jobs share a transaction, at most."""

P = ParamSpec("P")
T = TypeVar("T")
Job: TypeAlias = tuple[Answered[Any], Callable[..., Any], tuple[Any, ...]]
"""Who is to be answered, what to do, and with what."""


class Promise(Future[T]):
    """An answer that comes after the commit. What was handed in cannot be called back."""

    def cancel(self) -> bool:
        """It stays as it is: whoever lost interest need not listen."""
        return False

    def answer(self, answer: T | Exception) -> None:
        """It has come."""
        if isinstance(answer, Exception):
            self.set_exception(answer)
        else:
            self.set_result(answer)


class Writer:
    """Jobs are done in the order in which they were handed in; each is answered when it is on the disk."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._lock = Lock()
        self._closed = False
        self._thread = Thread(target=self._write, name=f"astragal writer {log.path.name}", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[P, T], *values: P.args, **named: P.kwargs) -> Future[T]:
        """Hand in a job, and be promised its answer."""
        promise: Promise[T] = Promise()
        self.hand_in(promise.answer, work, *values, **named)
        return promise

    def hand_in(
        self, answered: Answered[T], work: Callable[P, T | Exception], *values: P.args, **named: P.kwargs
    ) -> None:
        """Hand in a job: a method of the log and what it takes; the answer is told on the writer's thread."""
        with self._lock:  # nothing may come after the end
            if self._closed:
                raise closed(self._log.path)
            self._jobs.put((answered, work, values))

    def close(self) -> None:
        """Do what was handed in, and end."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._jobs.put(None)
        self._thread.join()

    def _write(self) -> None:
        more = True
        while more:
            group, more = self._gather()
            if group:
                self._answer(group, self._commit(group))

    def _gather(self) -> tuple[list[Job], bool]:
        """Wait for one job and take what else is there; the second part is false at the end."""
        group: list[Job] = []
        job = self._jobs.get()
        try:
            while job:
                group.append(job)
                if len(group) == MOST:
                    return group, True
                job = self._jobs.get_nowait()
        except Empty:
            return group, True
        return group, False

    def _commit(self, group: list[Job]) -> list[Any]:
        """The answers of all jobs. If the transaction fails as a whole, that is the answer to each."""
        try:
            return self._append(group) or self._work(group)
        except FAILURES as error:
            self._log.rollback()
            return [failure(error, self._log.path) for _ in group]
        except Exception as error:  # a mistake of ours must not end the thread, or all who wait would wait for ever
            self._log.rollback()
            return [error] * len(group)

    def _append(self, group: list[Job]) -> list[Any] | None:
        """Nothing but rows to append, each to be written: that is how it mostly is."""
        append = self._log.append
        if all(work == append for _, work, _ in group):
            return self._log.append_at_once([values for _, _, values in group])
        return None

    def _work(self, group: list[Job]) -> list[Any]:
        """Each job in its turn."""
        self._log.begin()
        answers = [_do(work, values) for _, work, values in group]
        self._log.commit()
        return answers

    @staticmethod
    def _answer(group: list[Job], answers: list[Any]) -> None:
        for (answered, _, _), answer in zip(group, answers, strict=True):
            try:
                answered(answer)
            except Exception:  # whoever fails to listen must not keep the others waiting for ever
                getLogger("astragal").exception("Somebody could not take the store's answer; the others go on.")


def _do(work: Callable[..., Any], values: tuple[Any, ...]) -> Any:
    """What the job answers; a refusal is an answer too, and the others of the group go on."""
    try:
        return work(*values)
    except Refusal as refusal:
        return refusal
