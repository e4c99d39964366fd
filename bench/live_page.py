"""What is measured of the live table, what is wanted of it, and the page that says what was found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench.fleet import FleetMeasured

WATCHERS = 20
POSTERS = 32
PACE = 200
ROUNDS = 3
WANTED_RATE = 0.4
WANTED_P99 = 5.0
PAGE = Path(__file__).parent.parent / "docs" / "benchmarks-live.md"

TEXT = f"""# Benchmarks of the live table

Written by `make bench-live`; do not edit. Figures are ratios to a bare app in the same run: Starlette on uvicorn that
appends each post to the same store, waits for the disk, and sends one frame to each of {WATCHERS} sockets.
{POSTERS} connections post rolls, sheet edits and notes; medians of {ROUNDS} rounds. In every round every watcher got
every entry, once and in order.

| | ratio | goal | reached |
|---|---|---|---|
"""


def write_page(rate: float, late: float, effort: float, on_sqlite: float, fleets: list[FleetMeasured]) -> None:
    """Ratios of one server on SQLite, and of several on PostgreSQL."""
    from bench.fleet_page import fleet_text

    rows = (
        ("actions a second to every watcher", rate, f"at least {WANTED_RATE:g}", _yes(rate >= WANTED_RATE)),
        (f"p99 from post to watcher, at {PACE} a second", late, f"at most {WANTED_P99:g}", _yes(late <= WANTED_P99)),
        ("processor time for an action", effort, "", ""),
    )
    lines = [f"| {what} | {ratio:.2f} | {wanted} | {reached} |\n" for what, ratio, wanted, reached in rows]
    PAGE.write_text(TEXT + "".join(lines) + fleet_text(on_sqlite, fleets), encoding="utf-8")


def _yes(reached: bool) -> str:
    return "yes" if reached else "no"
