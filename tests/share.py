"""How much of a long test is run: a small share in every run, all of it under `make soak`, which keeps the figures."""

from __future__ import annotations

import json
import os
from pathlib import Path

SOAK = "ASTRAGAL_SOAK"
"""Set, it asks for the full figures; if it names a file of JSON lines, they are added to it."""


def share(full: int, small: int, setting: str = "") -> int:
    """How often to do something; a setting names the variable of the environment that may say another number."""
    if setting and os.environ.get(setting, "").isdigit():
        return int(os.environ[setting])
    return full if os.environ.get(SOAK) else small


def record(what: str, figure: str) -> None:
    """Keep a figure, if there is a file to keep it in."""
    name = os.environ.get(SOAK, "")
    if Path(name).suffix in (".jsonl", ".json") or Path(name).is_file():
        with Path(name).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"what": what, "figure": figure}, ensure_ascii=False) + "\n")
