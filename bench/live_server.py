"""The live table's server without limits, to be measured: ``python -m bench.live_server FILE-OR-URL PORT``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from astragal.serve.app import app
from astragal.serve.server import let_others_finish, listen, make_server
from astragal.serve.settings import UNLIMITED, ServerSettings
from astragal.serve.telemetry import RequestLog


def main() -> None:
    """The log is written as always, to a place where it takes no room."""
    if "://" in sys.argv[1]:  # as the command does
        let_others_finish()
    settings = ServerSettings(
        actions=UNLIMITED,
        reads=UNLIMITED,
        questions=UNLIMITED,
        new_tables=UNLIMITED,
        joins=UNLIMITED,
        strangers=UNLIMITED,
        table_work=UNLIMITED,
        all_work=UNLIMITED,
        all_new_tables=UNLIMITED,
    )
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        server = make_server(app(sys.argv[1], settings, RequestLog(nowhere)))
        server.run(sockets=[listen("127.0.0.1", int(sys.argv[2]))])


if __name__ == "__main__":
    main()
