"""The place where tables are kept, the same for the command line and for the server."""

from __future__ import annotations

import os
from pathlib import Path

from astragal.errors import Unavailable

FILE = "tables.db"


def default_folder() -> Path:
    """The folder that ASTRAGAL_DATA names; without it, ``astragal`` in the data home of the XDG standard."""
    if named := os.environ.get("ASTRAGAL_DATA"):
        return Path(named)
    shared = Path(os.environ.get("XDG_DATA_HOME", ""))
    # The standard says that a relative path there is to be ignored.
    return (shared if shared.is_absolute() else _home() / ".local" / "share") / "astragal"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        raise Unavailable("There is no home folder to keep tables in; name a folder with ASTRAGAL_DATA.") from None


def store_path(folder: Path | None = None) -> Path:
    """The file of the store in this folder, or in the default one."""
    return (default_folder() if folder is None else folder) / FILE
