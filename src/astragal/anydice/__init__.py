"""AnyDice programs, read and solved exactly: ``run_program`` gives the odds of every output."""

from __future__ import annotations

import re
import sys
from typing import Any

from astragal.anydice.parser import parse_program
from astragal.anydice.values import MAX_FRAMES, State
from astragal.dice.distribution import Distribution
from astragal.errors import Malformed, Refusal, Unavailable

STATEMENT = re.compile(r"\b(?:output|function|loop|if|set)\b|\b[A-Z_]+\s*:")


def as_program(text: str) -> str:
    """Return a program: an expression alone is output."""
    return text if STATEMENT.search(text) else f"output {text}"


def run_program(text: str) -> list[tuple[str, Distribution[Any]]]:
    """Return the name and the exact odds of each output of an AnyDice program, in order; the empty die has no value.

    A program that cannot be read, or asks for too much, is refused with its line.
    """
    program = parse_program(text)
    # Never lowered again: another thread may be in the middle of a program.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), MAX_FRAMES + 2000))
    state = State()
    try:
        program.run(state)
    except Unavailable:
        raise
    except Refusal as refusal:
        raise type(refusal)(f"Line {state.line}: {refusal.sentence}") from None
    if not state.outputs:
        raise Malformed("The program has no output; write one, such as output 3d6.")
    return list(state.outputs)
