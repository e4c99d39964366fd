"""How long ``astragal roll … --json`` takes from start to end, beside ``python -c "import json, argparse"``."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

from bench.timing import best_seconds

WANTED = 2.5
ASTRAGAL = str(Path(sys.executable).with_name("astragal"))
ROLLS = (
    ("razorweave", "--dc", "16", "--edge", "1"),
    ("narraject", "--d6", "5", "--step", "10"),
    ("chronicles", "--pool", "7"),
    ("tgimh", "--ours", "6", "--theirs", "4"),
)


def run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def measure() -> tuple[float, dict[str, float]]:
    """Seconds of the bare start, and of a roll in each game."""
    bare = partial(run, sys.executable, "-c", "import json, argparse")
    rolls = [partial(run, ASTRAGAL, "roll", *words, "--json") for words in ROLLS]
    first, *others = best_seconds(bare, *rolls, times=3, rounds=12)
    return first, {words[0]: seconds for words, seconds in zip(ROLLS, others, strict=True)}


def main() -> None:
    first, rolls = measure()
    print(f"import json, argparse      {first * 1e3:6.1f} ms")
    for game, seconds in rolls.items():
        ratio = f"{seconds / first:5.2f} × (wanted: at most {WANTED} ×)"
        print(f"roll {game:<12} --json  {seconds * 1e3:6.1f} ms   {ratio}")


if __name__ == "__main__":
    main()
