"""Parse and roll "5d6kh4+2": beside the d20 package and xdice; and the audit of a book of a thousand figures."""

from __future__ import annotations

import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import d20  # type: ignore[import-untyped]
import xdice  # type: ignore[import-untyped]

from astragal.questions.calls import roll_notation as roll
from bench.timing import best_seconds

WANTED = 4.0
WANTED_SECONDS = 2.0


class Rolled(NamedTuple):
    """Seconds of one roll, ours and theirs."""

    ours: float
    d20: float
    xdice: float

    @property
    def ratio(self) -> float:
        return self.d20 / self.ours


def measure() -> Rolled:
    """All three keep what they have read, so that each is asked the same text again and again."""
    return Rolled(
        *best_seconds(lambda: roll("5d6kh4+2"), lambda: d20.roll("5d6kh4+2"), lambda: xdice.roll("5d6l1+2"), times=300)
    )


def audit_seconds(figures: int = 1000) -> float:
    """How long the audit of a book with so many figures takes, from its text to its findings."""
    from astragal.cli.main import main

    rows = "\n".join(f"| {total % 21 + 4} | {total / 100:.2f}% |" for total in range(figures))
    ruleset = f"<!-- astragal\nChance = 4d6 >= {{Total}}\n-->\n| Total | Chance |\n|---|---|\n{rows}\n"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "book.md")
        file.write_text(ruleset, "utf-8")
        start = perf_counter()
        with redirect_stdout(StringIO()):
            main(["audit", str(file), "--json"])
        return perf_counter() - start


def main() -> None:
    timed = measure()
    print(f'"5d6kh4+2": ours {timed.ours * 1e6:.2f} µs, d20 {timed.d20 * 1e6:.2f} µs, xdice {timed.xdice * 1e6:.2f} µs')
    print(f"audit of 1,000 figures: {audit_seconds():.2f} s (wanted: under {WANTED_SECONDS:g} s)")
    print(f"ratio to d20 {timed.ratio:.2f} × (wanted: at least {WANTED:g} ×)")


if __name__ == "__main__":
    main()
