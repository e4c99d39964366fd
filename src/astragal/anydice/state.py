"""What a program knows while it runs: variables, functions, settings, outputs, and where it is."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, TypeAlias

from astragal.anydice.values import Pool, Value
from astragal.dice.distribution import Distribution
from astragal.errors import Illegal

if TYPE_CHECKING:
    from astragal.anydice.functions import Function

Name: TypeAlias = tuple[str, ...]
"""A function's name: its words in order, with an empty one in place of each parameter."""
MAX_OUTPUTS = 1000
UNNAMED = "output 1"
"""What the first output without a name is called."""
MAX_FRAMES = 4000
"""Python's frames of nested calls; more than usual, so that a program may set a great function depth."""


class State:
    """The state of one program."""

    def __init__(self) -> None:
        self.variables: dict[str, Value] = {}
        self.functions: dict[Name, Function] = {}
        self.results: dict[Hashable, Pool] = {}
        self.free: dict[Name, tuple[str, ...]] = {}
        self.outputs: list[tuple[str, Distribution[int]]] = []
        self.highest_first = True
        self.max_depth = 10
        self.explode_depth = 2
        self.depth = 0
        self.frames = 0
        self.line = 1

    def output(self, name: str, odds: Distribution[int]) -> None:
        """Add an output; without a name it is numbered."""
        if len(self.outputs) == MAX_OUTPUTS:
            raise Illegal(f"there are more than {MAX_OUTPUTS:,} outputs.")
        self.outputs.append((name or f"output {len(self.outputs) + 1}", odds))

    def changed(self) -> None:
        """Forget results of calls: a function or a setting is another from now on."""
        self.results.clear()
        self.free.clear()

    def enter(self, frames: int) -> None:
        """Go into a function's call, so many frames deeper than its caller."""
        self.depth += 1
        self.frames += frames
        if self.frames > MAX_FRAMES:
            raise Illegal("calls are nested too deep; set a smaller maximum function depth.")

    def leave(self, frames: int) -> None:
        """Come back from a call."""
        self.depth -= 1
        self.frames -= frames
