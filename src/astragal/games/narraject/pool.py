"""The dice of a Narraject roll: some d6s and one Step Die (NJ-3, NJ-4, NJ-11)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from astragal.author import Beside, Handful, faces_from

STEP_DICE = {"untrained": 6, "trained": 8, "expert": 10, "master": 12}
COUNTING = {"marks": faces_from(5, 12), "hits": frozenset({5, 6})}
"""The faces that count, on every die, by edition (NJ-4)."""
DIFFICULTIES = (1, 2, 3, 4, 5)
"""The usual Difficulties (NJ-7)."""
TROUBLE = 2
"""A Step Die that shows this or less brings a complication (NJ-11)."""

PoolSummary: TypeAlias = Handful[bool]
"""The d6s with the Step Die beside them; it means trouble or not."""


BRINGS: dict[str, Callable[[int], bool]] = {"player": lambda face: face <= TROUBLE, "gm": lambda face: False}
"""Whether a Step Die that shows this brings a complication, by who rolls: a GM owes none (NJ-11, NJ-15)."""
READINGS = {
    (edition, side): Beside(counting, brings)
    for edition, counting in COUNTING.items()
    for side, brings in BRINGS.items()
}
"""The reading of the dice, by edition and by the side that rolls."""
