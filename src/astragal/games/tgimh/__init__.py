"""TGIMH: two pools against each other, the highest dice decide."""

from astragal.games.tgimh.contest import Contest, Result, contest
from astragal.games.tgimh.contest import headline as contest_headline
from astragal.games.tgimh.contest import verdict as contest_verdict
from astragal.games.tgimh.recovery import Eased, Recovery, recovery
from astragal.games.tgimh.recovery import headline as recovery_headline
from astragal.games.tgimh.recovery import verdict as recovery_verdict
from astragal.games.tgimh.rules import KEPT, RULES
from astragal.rule.game import Decision, Game, Kind, kinds_of

__all__ = ["GAME", "Contest", "Eased", "Recovery", "Result", "contest", "recovery"]

GAME = Game(
    name="tgimh",
    title="TGIMH",
    blurb="Two pools against each other: Aspects cost Will, losers cross boxes of their Power track.",
    kinds=kinds_of(
        Kind(
            "contest",
            "Oppose somebody",
            Contest,
            contest,
            contest_headline,
            contest_verdict,
            decisions=(
                Decision(
                    "condition",
                    'the Condition that the winner makes of the successes; "none" for none',
                    ("make", "none"),
                    "words",
                    rule="TG-9",
                ),
                Decision("loss", "what the loser bears", ("box", "injury"), rule="TG-10"),
            ),
            short=("ours", "theirs"),
            counted=(("ours", ("gear",)), ("theirs", ("their_gear",))),
            example='tgimh --ours "3 Duelist, 2 High ground" --gear "1 sabre" --theirs 4 --condition "Off balance"',
            odds="astragal.games.tgimh.odds",
        ),
        Kind(
            "recovery",
            "Recover from a Condition",
            Recovery,
            recovery,
            recovery_headline,
            recovery_verdict,
            short=("ours", "dice"),
            counted=(("ours", ("gear",)), ("dice", ())),
            example='tgimh recovery --ours 5 --dice 3 --name "Broken arm"',
            odds="astragal.games.tgimh.odds",
        ),
    ),
    rules=dict(sorted({**RULES, **KEPT}.items(), key=lambda rule: int(rule[0].removeprefix("TG-")))),
    examples=__file__.replace("__init__.py", "examples.toml"),
    table_rules="astragal.games.tgimh.table",
)
