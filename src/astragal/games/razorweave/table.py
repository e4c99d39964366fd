"""What Razorweave adds for tables."""

from __future__ import annotations

from typing import Any

from astragal.dice.reading import Kept
from astragal.games.razorweave.effects import apply
from astragal.games.razorweave.moves import MOVES, begins
from astragal.games.razorweave.offers import offers, reads
from astragal.games.razorweave.sheet import CHARACTER, SCENE_SHEET, TABLE_SHEET, Settings
from astragal.rule.table_rules import TableRules


def luck(kind: str, value: Any) -> int | None:
    """The sum of the kept dice; the oracle's answers are no matter of luck."""
    return value.total if isinstance(value, Kept) else None


TABLE_RULES = TableRules(
    character=CHARACTER,
    table=TABLE_SHEET,
    scene=SCENE_SHEET,
    options=Settings,
    offers=offers,
    reads=reads,
    apply=apply,
    moves=MOVES,
    begins=begins,
    luck=luck,
    templates=__file__.replace("table.py", "templates.toml"),
    sample=__file__.replace("table.py", "sample.toml"),
)
