"""What Razorweave adds for tables."""

from __future__ import annotations

from astragal.author import TableRules
from astragal.games.razorweave.effects import apply, follows, luck, uses_up
from astragal.games.razorweave.moves import MOVES, begins
from astragal.games.razorweave.offers import completes, offers, reads
from astragal.games.razorweave.sheet import CHARACTER, SCENE_SHEET, TABLE_SHEET, Settings

TABLE_RULES = TableRules(
    character=CHARACTER,
    table=TABLE_SHEET,
    scene=SCENE_SHEET,
    options=Settings,
    offers=offers,
    reads=reads,
    completes=completes,
    apply=apply,
    follows=follows,
    uses_up=uses_up,
    moves=MOVES,
    begins=begins,
    luck=luck,
    templates=__file__.replace("table.py", "templates.toml"),
    sample=__file__.replace("table.py", "sample.toml"),
)
