"""A server whose clock stands still and whose dice are known beforehand, so that two clusters can be compared.

``python -m tests.cluster.fixed_server PORT DATABASE [other]``; with ``other``, blind rolls fall differently.
"""

from __future__ import annotations

import sys

from astragal.repository.head_key import HeadKey
from astragal.serve.app import app
from astragal.serve.server import listen, make_server
from astragal.serve.telemetry import NoRequestLog
from tests.serve.hidden import NOON
from tests.serve.running import FREE
from tests.serve.test_secrecy import KnownTickets, OtherTickets


def main(port: int, database: str, other: bool) -> None:
    # Time must not tell the servers apart on a busy machine: of two same questions, one could be stopped.
    patient = FREE._replace(question_timeout=120, receive_timeout=600, send_timeout=600, keep_idle=1)
    settings = patient._replace(
        clock=lambda: NOON, tickets=OtherTickets if other else KnownTickets, head_key=HeadKey(b"k" * 32)
    )
    make_server(app(database, settings, NoRequestLog())).run(sockets=[listen("127.0.0.1", port)])


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], len(sys.argv) > 3)
