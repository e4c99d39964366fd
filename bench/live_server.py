"""The live table's server without limits, to be measured: ``python -m bench.live_server FILE PORT``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from astragal.serve.app import app
from astragal.serve.request_log import RequestLog
from astragal.serve.server import bound, server_of
from astragal.serve.settings import UNLIMITED, Settings


def main() -> None:
    """The log is written as always, to a place where it takes no room."""
    settings = Settings(
        actions=UNLIMITED, reads=UNLIMITED, questions=UNLIMITED, foundings=UNLIMITED, sittings=UNLIMITED
    )
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        server = server_of(app(Path(sys.argv[1]), settings, RequestLog(nowhere)))
        server.run(sockets=[bound("127.0.0.1", int(sys.argv[2]))])


if __name__ == "__main__":
    main()
