"""How many plays a second: Razorweave's "5d6 keep 4 + 2 against a DC" beside d20's "5d6kh4+2"."""

from __future__ import annotations

import d20  # type: ignore[import-untyped]

from astragal import play
from astragal.games.razorweave import Check, check
from bench.timing import best_seconds

WANTED = 4.0


def one_play() -> object:
    """From the ask to the outcome: bounds checked, tree built, dice thrown, tier found."""
    return play(check(Check(dc=16, bonus=2, edge=1))).result


def measure() -> tuple[float, float]:
    """Seconds of one play, ours and d20's."""
    ours, theirs = best_seconds(one_play, lambda: d20.roll("5d6kh4+2"))
    return ours, theirs


def main() -> None:
    ours, theirs = measure()
    print(f"one full play    {ours * 1e6:8.2f} µs")
    print(f'd20 "5d6kh4+2"   {theirs * 1e6:8.2f} µs')
    print(f"ratio            {theirs / ours:8.2f} × (wanted: at least {WANTED:g} ×)")


if __name__ == "__main__":
    main()
