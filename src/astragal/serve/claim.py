"""The claim on a store: one server for each file, as long as it runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

from astragal.errors import Unavailable

TAKEN = (
    'Another server is running on "{path}". One server serves a data folder: people at one table must meet in '
    "one process. To run several, give each a folder of its own with --data; docs/serve.md tells more."
)


def claim_store(path: Path) -> IO[bytes]:
    """Claim a store for a server; Unavailable if another has. The claim ends when the file returned is closed.

    The system ends it too when the process ends, however that happens.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.fdopen(os.open(path.with_name(f"{path.name}.server"), os.O_CREAT | os.O_RDWR, 0o600), "rb+")
    except OSError as error:
        raise Unavailable(f'The folder of "{path.as_posix()}" cannot be used: {error.strerror}.') from None
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # a system without such locks
        return file
    except OSError:
        file.close()
        raise Unavailable(TAKEN.format(path=path.as_posix())) from None
    return file
