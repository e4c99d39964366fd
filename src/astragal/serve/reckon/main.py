"""What a reckoner runs: it answers one question after the other, until the server closes the socket.

It goes behind everything else that wants the processor, has bounded memory, and is ended by the system if a
question takes far longer than it may, whether the server still lives or not.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
import sys
from contextlib import suppress
from time import process_time
from typing import Any

from astragal.dice.cache import forget
from astragal.dice.work import Work, working
from astragal.errors import Illegal
from astragal.games.outside import fault_of
from astragal.games.registry import look_again
from astragal.serve.reckon.message import READY, STOP, encode_answer, read_question, receive, send, write_reply

TOO_MUCH_MEMORY = "This takes more memory than one question may have; ask for fewer dice, sides, rolls or values."


class Reckoning:
    """The questions of one reckoner, and the work of the one that it answers now."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._work = Work()
        signal.signal(STOP, self._stop)

    def _stop(self, *_: Any) -> None:
        self._work.stop()

    def run(self) -> None:
        """Answer questions until the server is gone."""
        send(self._channel, READY)
        with suppress(EOFError, OSError):
            while True:
                send(self._channel, self._reply(receive(self._channel)))

    def _reply(self, question: bytes) -> bytes:
        self._work = Work()
        try:
            work, args, seconds = read_question(question)
            _bound_time(seconds)
            look_again()
            with working(self._work):
                return write_reply(encode_answer(work(*args)))
        except MemoryError:
            forget()
            return write_reply(Illegal(TOO_MUCH_MEMORY))
        except Exception as error:
            return write_reply(fault_of(error) or error)


def _bound_time(seconds: float) -> None:
    """Let the system end this process if it computes much longer than this from now on."""
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    soft = int(process_time() + seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _yield_to_others() -> None:
    """Go behind every other process, where the system knows such an order."""
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
    """Be a reckoner for the server at the other end of standard input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, which ends its reckoners
    _yield_to_others()
    _bound_memory(int(sys.argv[1]))
    with socket.socket(fileno=0) as channel:
        Reckoning(channel).run()


if __name__ == "__main__":
    main()
