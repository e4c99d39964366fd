"""Turns: how long a thread that computes may keep Python to itself while the writer waits for it."""

from __future__ import annotations

import sys

TURN = 0.001
"""Seconds; Python's own 5 ms are ten times what a commit takes."""


def take_turns() -> None:
    """For a whole program that serves tables: commits begin while others decide, and answers go out sooner."""
    sys.setswitchinterval(min(TURN, sys.getswitchinterval()))
