"""Work: what a question costs, counted in steps, with a fixed limit.

A step is about what a plain loop needs for one small addition, 50 nanoseconds on an
ordinary machine. The solver states its steps: ``expect`` before the
start, if they are known, and ``spend`` as they are done. A question above the limit is
refused with a sentence, and so is one that somebody stops from another thread.

    work = Work()
    with working(work):          # in the thread that answers
        odds("100d20kh50")
    work.stop()                  # in any other thread: the next ``spend`` there refuses
"""

from __future__ import annotations

from contextvars import ContextVar, Token
from typing import NoReturn

from astragal.errors import Illegal, Refusal, Unavailable

LIMIT = 10_000_000
"""Steps of one question: half a second's work, and within an error of 2 never more than a second's."""
DROPPED = "The question was dropped, as nobody waits for its answer any more."


class Work:
    """The steps of one question: spent so far, and allowed."""

    __slots__ = ("limit", "spent", "stopped")

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit
        self.spent = 0
        self.stopped: Refusal | None = None

    def spend(self, steps: int) -> None:
        """Count steps that are done now; refuse if the question was stopped or is above its limit."""
        self.spent += steps
        if self.stopped or self.spent > self.limit:
            self._refuse(self.spent)

    def expect(self, steps: int, sentence: str = "") -> None:
        """Refuse what would go above the limit, before anything is done, with a sentence of its own if there is one."""
        if self.stopped or self.spent + steps > self.limit:
            self._refuse(self.spent + steps, sentence)

    def stop(self, sentence: str = DROPPED) -> None:
        """Refuse the question at its next ``spend``; any thread may call this, at any time."""
        self.stopped = Unavailable(sentence)

    def _refuse(self, steps: int, sentence: str = "") -> NoReturn:
        raise self.stopped or Illegal(sentence or too_much(steps, self.limit))


def too_much(steps: int, limit: int = LIMIT) -> str:
    """Return the sentence that refuses so many steps."""
    times = steps // limit
    how = f"about {times:,} times the work that" if 2 <= times < 1_000_000 else "more work than"
    return f"Exact odds of this take {how} is allowed for one question; ask for fewer dice, sides, rolls or values."


_current: ContextVar[Work | None] = ContextVar("work", default=None)


class Working:
    """A ``with`` block in which steps count towards one ``Work``."""

    __slots__ = ("_token", "_work")

    def __init__(self, work: Work | None) -> None:
        self._work = work
        self._token: Token[Work | None] | None = None

    def __enter__(self) -> Work:
        work = self._work or _current.get() or Work()
        self._token = _current.set(work)
        return work

    def __exit__(self, *raised: object) -> None:
        if self._token is not None:
            _current.reset(self._token)


def working(work: Work | None = None) -> Working:
    """Count a block's steps towards ``work``, or else towards the question that is being answered, or a new one."""
    return Working(work)


def current_work() -> Work | None:
    """Return the work of the question that is being answered, if there is one."""
    return _current.get()


def spend(steps: int) -> None:
    """Count steps towards the question that is being answered; outside of one, only refuse more than the limit."""
    work = _current.get()
    if work is not None:
        work.spend(steps)
    elif steps > LIMIT:
        raise Illegal(too_much(steps))


def expect(steps: int, sentence: str = "") -> None:
    """Refuse what would go above the limit of the question that is being answered; nothing is counted."""
    work = _current.get()
    if work is not None:
        work.expect(steps, sentence)
    elif steps > LIMIT:
        raise Illegal(sentence or too_much(steps))
