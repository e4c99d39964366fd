"""Measures, simulates, and writes docs/scale.md: ``make scale``."""

from __future__ import annotations

import sys
from pathlib import Path

from bench.scale.measure import measure
from bench.scale.page import page
from bench.scale.plan import plan
from bench.scale.week import Assumptions, simulate

PAGE = Path(__file__).parents[2] / "docs" / "scale.md"


def main() -> int:
    """Everything, in about a minute."""
    about = Assumptions()
    found, week = measure(), simulate(about)
    PAGE.write_text("\n".join(page(about, week, found, plan(week, about, found))) + "\n", "utf-8")
    sys.stdout.write(f"Wrote docs/{PAGE.name}.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
