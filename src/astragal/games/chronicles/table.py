"""What Chronicles adds for tables."""

from __future__ import annotations

from astragal.author import TableRules
from astragal.games.chronicles import sheet
from astragal.games.chronicles.effects import apply, luck
from astragal.games.chronicles.helping import completes
from astragal.games.chronicles.moves import MOVES
from astragal.games.chronicles.offers import offers, reads

TABLE_RULES = TableRules(
    character=sheet.CHARACTER,
    table=sheet.TABLE,
    scene=sheet.SCENE,
    options=sheet.Settings,
    offers=offers,
    reads=reads,
    completes=completes,
    apply=apply,
    moves=MOVES,
    luck=luck,
    templates=__file__.replace("table.py", "templates.toml"),
    sample=__file__.replace("table.py", "sample.toml"),
)
