"""The program of a worker: it answers one question after the other, until the server closes the socket.

A slow worker has the lowest priority; a quick one has normal priority and gives up soon. Both have bounded memory. If a
question takes far too long, the system ends the process, even if the server no longer runs.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
import sys
from contextlib import suppress
from contextvars import copy_context
from importlib import import_module
from time import process_time

from astragal.dice.cache import forget
from astragal.errors import Illegal, Unavailable
from astragal.games.outside import fault_of
from astragal.games.registry import all_games, look_again
from astragal.rule.chances.fact import facts_of
from astragal.serve.workers.message import (
    DROPPED,
    LONG,
    QUICK,
    READY,
    STOP,
    encode_answer,
    read_question,
    receive,
    send,
    write_reply,
)

TOO_MUCH_MEMORY = "This takes more memory than one question may have; ask for fewer dice, sides, rolls or values."


class Ended(BaseException):
    """Ends a question anywhere, with this reply; no rule of a game catches it."""

    def __init__(self, reply: bytes) -> None:
        super().__init__()
        self.reply = reply


class AnswerLoop:
    """The questions of one worker."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._answers = False
        """True while a question runs, which a signal may end between two instructions."""
        signal.signal(STOP, lambda *_: self._end(write_reply(Unavailable(DROPPED))))
        signal.signal(signal.SIGPROF, lambda *_: self._end(LONG))

    def _end(self, reply: bytes) -> None:
        if self._answers:
            self._answers = False
            raise Ended(reply)

    def run(self) -> None:
        """Answer questions until the server closes the socket."""
        send(self._channel, READY)
        with suppress(EOFError, OSError):
            while True:
                send(self._channel, self._reply(receive(self._channel)))

    def _reply(self, question: bytes) -> bytes:
        try:
            reply = self._answer(question)
            self._answers = False
        except Ended as ended:
            forget()  # a cached value may be incomplete
            reply = ended.reply
        signal.setitimer(signal.ITIMER_PROF, 0)
        return reply

    def _answer(self, body: bytes) -> bytes:
        try:
            work, args, question = read_question(body)
            _bound_time(question.seconds)
            look_again()
            self._answers = True
            if question.quick:
                signal.setitimer(signal.ITIMER_PROF, question.seconds)
            return write_reply(encode_answer(copy_context().run(work, *args)))
        except MemoryError:
            self._answers = False
            forget()
            return write_reply(Illegal(TOO_MUCH_MEMORY))
        except Exception as error:
            self._answers = False
            return write_reply(fault_of(error) or error)


def _load() -> None:
    """Load the modules of most questions, so the first one is as quick as later ones."""
    for name in ("answers", "roll_answers"):
        import_module(f"astragal.serve.workers.{name}")
    for each in all_games():
        with suppress(Exception):  # a broken game of another package is reported to people who ask for it
            for kind in each.kinds.values():
                facts_of(kind)


def _bound_time(seconds: float) -> None:
    """Let the system end this process if it computes much longer than this."""
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    soft = int(process_time() + seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _yield_to_others() -> None:
    """Take the lowest priority that the system has."""
    with suppress(OSError):
        os.nice(19)
    with suppress(OSError, AttributeError):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _bound_memory(most: int) -> None:
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """Run a worker for the server at the other end of standard input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, which ends its workers
    _bound_memory(int(sys.argv[1]))
    _load()
    if QUICK not in sys.argv[2:]:
        _yield_to_others()
    with socket.socket(fileno=0) as channel:
        AnswerLoop(channel).run()


if __name__ == "__main__":
    main()
