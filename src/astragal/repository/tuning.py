"""Pace: how a program that serves tables shares its time between deciding, writing and tidying up."""

from __future__ import annotations

import gc
import sys

TURN = 0.001
"""Seconds that a thread may keep Python to itself while the writer waits; Python's own 5 ms are ten commits."""
TIDY = 5_000
"""New objects before Python looks for rings of them; states and events never form any, so it finds little."""


def tune_interpreter() -> None:
    """For a whole program: commits begin while others decide, and answers go out sooner."""
    sys.setswitchinterval(min(TURN, sys.getswitchinterval()))
    gc.set_threshold(TIDY, *gc.get_threshold()[1:])
