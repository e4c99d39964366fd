"""Opens a store as a user without permission, and prints the refusal."""

from __future__ import annotations

import os
import sys

from astragal.errors import Refusal
from astragal.storage import open_store

NOBODY = 65534


def main(path: str) -> None:
    if os.geteuid() == 0:  # root may do everything, whatever the permissions say
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    try:
        open_store(path).close()
    except Refusal as refusal:
        sys.stdout.write(f"{refusal.kind}: {refusal}")


if __name__ == "__main__":
    main(sys.argv[1])
