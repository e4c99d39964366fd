"""What Narraject adds for tables."""

from __future__ import annotations

from typing import Any

from astragal.games.narraject import sheet
from astragal.games.narraject.attempt import Seen
from astragal.games.narraject.effects import apply
from astragal.games.narraject.moves import MOVES, joins
from astragal.games.narraject.offers import offers, reads
from astragal.rule.table_rules import TableRules


def luck(kind: str, value: Any) -> int | None:
    """The d6s' Marks: they are the same in both editions, and a Step Die's face depends on the edition."""
    return value.d6_marks if isinstance(value, Seen) else None


TABLE_RULES = TableRules(
    character=sheet.CHARACTER,
    player=sheet.PLAYER,
    table=sheet.TABLE,
    scene=sheet.SCENE,
    options=sheet.Settings,
    offers=offers,
    reads=reads,
    apply=apply,
    moves=MOVES,
    joins=joins,
    luck=luck,
    templates=__file__.replace("table.py", "templates.toml"),
    sample=__file__.replace("table.py", "sample.toml"),
)
