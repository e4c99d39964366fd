"""What TGIMH adds for tables."""

from __future__ import annotations

from typing import Any

from astragal.author import Role, TableRules
from astragal.games.tgimh.effects import apply, follows, luck
from astragal.games.tgimh.moves import MOVES, begins, closes, opens
from astragal.games.tgimh.offers import offers, reads
from astragal.games.tgimh.sheet import CHARACTER, SCENE_SHEET, TABLE_SHEET, Settings


def decides(kind: str, by: str, result: Any) -> Role:
    """The winner makes a Condition (TG-9) and the loser bears the loss (TG-10), whichever side that is."""
    return "roller" if (result.winner == "ours") == (by == "winner") else "target"


TABLE_RULES = TableRules(
    character=CHARACTER,
    table=TABLE_SHEET,
    scene=SCENE_SHEET,
    options=Settings,
    offers=offers,
    reads=reads,
    apply=apply,
    follows=follows,
    decides=decides,
    moves=MOVES,
    begins=begins,
    closes=closes,
    opens=opens,
    luck=luck,
    templates=__file__.replace("table.py", "templates.toml"),
    sample=__file__.replace("table.py", "sample.toml"),
)
