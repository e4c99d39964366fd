"""Work, counted: how many functions are called, so that a test can say what time depends on without a clock."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeAlias

Work: TypeAlias = Counter[str]
"""How often each function was called, by file and name."""


def name_of(frame: FrameType, event: str, called: Any) -> str:
    """What was called: one of our functions, or one that is built in."""
    code = frame.f_code
    return f"{code.co_filename}:{code.co_qualname}" if event == "call" else f"{getattr(called, '__name__', called)}"


def work_of(do: Callable[[], object]) -> Work:
    """The work of this, in this thread. It is done once before, so that what is remembered is remembered."""
    found: Work = Counter()

    def count(frame: FrameType, event: str, called: Any) -> None:
        if event in ("call", "c_call"):
            found[name_of(frame, event, called)] += 1

    do()
    gc.disable()  # whoever listens to it would be counted
    sys.setprofile(count)
    try:
        do()
    finally:
        sys.setprofile(None)
        gc.enable()
    return found
