"""Estimates: all questions that are refused or left out by their size, and not by a deadline.

Algorithms count nothing. Time is bounded around them: by the deadline of a server's worker, by ``--timeout`` on the
command line, or by Ctrl+C. A size is foreseen here only, for one of two reasons:

- a sentence at the entry of a solver helps more than a deadline: `refuse_throws`, `refuse_bytes`, `refuse_unknowns`;
- a result must not depend on the machine, so what is larger than a limit is left out everywhere: in checks, lint,
  luck, the chances with each help, and a look ahead for cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from astragal.errors import Illegal

MOST_THROWS = 1_000_000
"""Different throws that are looked at one by one; more would take gigabytes."""
MOST_BYTES = 1 << 27
"""Bytes of the largest table that a solver may fill: half the memory of a server's worker."""
MOST_UNKNOWNS = 400
"""Linear equations of a comparison of dice without end; their numbers grow with the cube."""

CHECK_TREE = 100_000
"""Nodes of a tree whose odds a check of a game compares with a closed form; a larger one is left out."""
LINT_TREE = 50_000
"""Nodes of a tree whose odds lint computes; a larger one counts as missing."""
HELP_TREE = 5_000
"""Nodes of a tree for the chance with one thing of a helper; a tray may have a dozen such things."""
SPENDING_TREE = 50_000
"""Nodes of a tree for the chance when points are spent as well as they can be."""
AHEAD_NODES = 1_000
"""Nodes that a move looks ahead in the event loop, for cards that cannot be drawn."""
AHEAD_THROWS = 1_000
"""Different throws of dice beyond which a move does not look."""
LUCK_STEPS = 10_000_000
"""Products of small numbers that the luck of all members may take together; older throws are left out."""
LUCK_FACES = 5_000
"""Faces of all dice of a throw, beyond which luck leaves the throw out unless its dice are counted one by one."""


class TooMuch(Illegal):
    """A question is larger than its limit."""


def refuse_throws(n: int, what: str = "throws") -> None:
    """Refuse to look at more than ``MOST_THROWS`` different throws one by one, or than a tree may have nodes."""
    most = min(MOST_THROWS, _tree.get() or MOST_THROWS)
    if n > most:
        number = f"{n:,}" if n < 10**15 else "very many"
        raise TooMuch(
            f"This takes {number} different {what} one by one, and at most {most:,} are looked at; "
            "ask for fewer dice or sides."
        )


def refuse_bytes(n: float) -> None:
    """Refuse to fill a table of more than ``MOST_BYTES``, before memory is taken for it."""
    if n > MOST_BYTES:
        raise TooMuch(
            f"Exact odds of this take more than {MOST_BYTES >> 20} MB of memory; ask for fewer dice, sides or values."
        )


def refuse_unknowns(n: int) -> None:
    """Refuse to solve more than ``MOST_UNKNOWNS`` linear equations exactly."""
    if n > MOST_UNKNOWNS:
        raise TooMuch(
            f"Comparing these dice without end takes {n:,} equations, and at most {MOST_UNKNOWNS} are solved; "
            "ask for fewer dice or sides."
        )


_tree: ContextVar[int | None] = ContextVar("tree", default=None)


@contextmanager
def trees_up_to(nodes: int) -> Iterator[None]:
    """A ``with`` block in which odds of a tree with more nodes than this are refused with ``TooMuch``."""
    token = _tree.set(nodes)
    try:
        yield
    finally:
        _tree.reset(token)


def most_nodes() -> int | None:
    """The most nodes that a tree may have here; None without a limit."""
    return _tree.get()


def tree_too_large(nodes: int) -> TooMuch:
    """The refusal of a tree with more nodes than these."""
    return TooMuch(f"The tree of this roll has more than {nodes:,} nodes; ask for fewer dice, points or rolls.")
