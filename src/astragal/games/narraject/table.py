"""What Narraject adds for tables."""

from __future__ import annotations

from astragal.author import TableRules
from astragal.games.narraject import sheet
from astragal.games.narraject.effects import apply, luck
from astragal.games.narraject.moves import MOVES, joins
from astragal.games.narraject.offers import offers, reads

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
