"""What TGIMH keeps at a table."""

from __future__ import annotations

from typing import Any

from astragal.games.tgimh import growth
from astragal.games.tgimh import moves as refreshment
from astragal.games.tgimh.effects import writes
from astragal.games.tgimh.moves import closes
from astragal.games.tgimh.offers import offers, reads
from astragal.games.tgimh.opposed_lead import Lead
from astragal.games.tgimh.sheet import CHARACTER, SCENE_SHEET, TABLE_SHEET, Settings
from astragal.rule.table_rules import Move, NoInputs, TableRules

MOVES = (
    Move(
        "refresh",
        "Have a Refreshment scene",
        refreshment.Refresh,
        refreshment.refresh,
        against=True,
        rule="TG-15",
    ),
    Move("score", "Score a Key", growth.Score, growth.score, rule="TG-17"),
    Move("buy_off", "Buy off a Key", growth.BuyOff, growth.buy_off, rule="TG-17"),
    Move("advance", "Turn XP into Advances", NoInputs, growth.advance, rule="TG-18"),
    Move("step", "Raise or lower an Aspect or Ability", growth.Step, growth.step, rule="TG-19"),
    Move("new_aspect", "Buy a new Aspect", growth.NewAspect, growth.new_aspect, rule="TG-19"),
    Move("new_key", "Buy a new Key", growth.NewKey, growth.new_key, rule="TG-19"),
    Move("shift", "Move an Aspect to Background, or back", growth.Shift, growth.shift, rule="TG-19"),
    Move("buy", "Buy an Ability or Gear", growth.Buy, growth.buy, rule="TG-20"),
    Move("keep", "House rule: make a Condition an Aspect", growth.Keep, growth.keep, rule="TG-16"),
    Move("use_opening", "Use an opening", refreshment.Use, refreshment.use, by="gm", rule="TG-15"),
    Move("begin", "Begin with the table's Will and track", NoInputs, refreshment.begin, by="gm", rule="TG-8"),
)


def luck(kind: str, value: Any) -> int | None:
    """The roller's successes, below 0 where the other side has them."""
    return value.side * value.successes if isinstance(value, Lead) else None


TABLE_RULES = TableRules(
    character=CHARACTER,
    table=TABLE_SHEET,
    scene=SCENE_SHEET,
    options=Settings,
    offers=offers,
    reads=reads,
    writes=writes,
    moves=MOVES,
    begins=refreshment.begins,
    closes=closes,
    luck=luck,
    templates=__file__.replace("table.py", "templates.toml"),
    sample=__file__.replace("table.py", "sample.toml"),
)
