"""Cold March: a push-your-luck pool with gear, as a model to copy."""

from pathlib import Path

from astragal.author import Decision, Game, Kind, kinds_of
from coldmarch.march import March, Result, march
from coldmarch.rules import RULES
from coldmarch.text import headline, verdict

__all__ = ["GAME", "March", "Result", "march"]

GAME = Game(
    name="coldmarch",
    title="Cold March",
    blurb="Over the ice with what is left: roll, count the sixes, and push if you dare.",
    mood="bleak, brave and one roll too far",
    hue=212,
    kinds=kinds_of(
        Kind(
            "march",
            "Try something on the ice",
            March,
            march,
            headline,
            verdict,
            decisions=(Decision("push", "roll everything but 1s and 6s again", ("push", "keep"), "flag", rule="CM-3"),),
            short=("attribute", "skill", "gear"),
            example="coldmarch --attribute 3 --skill 2 --gear 1",
            odds="coldmarch.odds",
            target="needed",
            aim="about",
        ),
    ),
    rules=RULES,
    examples=str(Path(__file__).with_name("examples.toml")),
    hints=str(Path(__file__).with_name("hints.toml")),
    table_rules="coldmarch.table",
)
