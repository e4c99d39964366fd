"""The claim on a store: one server for each file, as long as it runs."""

from __future__ import annotations

import os
from pathlib import Path

from astragal.errors import Unavailable

TAKEN = (
    'Another server is running on "{path}". One server serves a data folder. To run several servers for the same '
    "tables, keep these in PostgreSQL, with --database postgresql://…; docs/cluster.md tells more."
)


class Claim:
    """An open file with the system's lock on it. It ends when it is closed, and with the process in any case."""

    def __init__(self, file: int) -> None:
        self._file: int | None = file

    def close(self) -> None:
        """End the claim; a second time does nothing."""
        file, self._file = self._file, None
        if file is not None:
            os.close(file)

    __del__ = close


def claim_store(path: Path) -> Claim:
    """Claim a store for a server; Unavailable if another has."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        claim = Claim(file := os.open(path.with_name(f"{path.name}.server"), os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise Unavailable(f'The folder of "{path.as_posix()}" cannot be used: {error.strerror}.') from None
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # a system without such locks
        return claim
    except OSError:
        claim.close()
        raise Unavailable(TAKEN.format(path=path.as_posix())) from None
    return claim
