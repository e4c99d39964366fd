"""Chronicles: a pool of d10s, 8 or more succeeds, tens go again."""

from astragal.author import CoverDie, Decision, Game, Kind, LongTask, kinds_of
from astragal.games.chronicles.attempt import Attempt, Result, attempt, dice_of
from astragal.games.chronicles.contested import Contested, ContestedResult, contested
from astragal.games.chronicles.contested import dice_of as dice_of_both
from astragal.games.chronicles.extended import Extended, ExtendedResult, begun, extended, in_one_go, rest
from astragal.games.chronicles.rules import TEXTS
from astragal.games.chronicles.team import MAX_HELPERS
from astragal.games.chronicles.text import (
    attempt_headline,
    attempt_verdict,
    attempt_words,
    botched_help,
    contested_headline,
    contested_verdict,
    contested_words,
    extended_headline,
    extended_verdict,
    extended_words,
)

__all__ = [
    "GAME",
    "Attempt",
    "Contested",
    "ContestedResult",
    "Extended",
    "ExtendedResult",
    "Result",
    "attempt",
    "contested",
    "extended",
]

ODDS = "astragal.games.chronicles.odds"
BEAT = Decision("beat", answers=("take", "keep"), written="flag", rule="CD-10")
HELPER_BEAT = Decision("helper-beat", answers=("take", "keep"), written="list", rule="CD-12")
CONDITION = Decision("condition", answers=("another", "none"), written="words", rule="CD-10")
NEXT = Decision("next", answers=("roll", "stop"), written="list", rule="CD-13")

GAME = Game(
    name="chronicles",
    title="Chronicles",
    kinds=kinds_of(
        Kind(
            "attempt",
            ask=Attempt,
            rule=attempt,
            headline=attempt_headline,
            verdict=attempt_verdict,
            decisions=(BEAT, HELPER_BEAT, CONDITION),
            short=("pool",),
            counted=(("pool", ("attribute", "helpers", "helper_pool", "modifier", "equipment", "tries")),),
            example="chronicles --attribute 3 --skill 2 --specialty --modifier '-1 bad light' --again 9",
            odds=ODDS,
            helpers=MAX_HELPERS,
            helpers_rule="CD-12",
            aim="task",
            dice=dice_of,
            turned=botched_help,
            pool=attempt_words,
        ),
        Kind(
            "extended",
            ask=Extended,
            rule=extended,
            headline=extended_headline,
            verdict=extended_verdict,
            decisions=(BEAT._replace(written="list"), HELPER_BEAT, CONDITION, NEXT),
            short=("pool", "target"),
            example="chronicles extended --attribute 3 --skill 2 --target 10",
            odds=ODDS,
            helpers=MAX_HELPERS,
            helpers_rule="CD-12",
            target="target",
            dice=dice_of,
            turned=botched_help,
            pool=extended_words,
            aim="task",
            series=LongTask("successes", "target", "rolls_left", rest, in_one_go, begun, ("gathered", "made")),
        ),
        Kind(
            "contested",
            ask=Contested,
            rule=contested,
            headline=contested_headline,
            verdict=contested_verdict,
            decisions=(
                BEAT,
                BEAT._replace(name="their-beat"),
                HELPER_BEAT,
                HELPER_BEAT._replace(name="their-helper-beat"),
                CONDITION,
                CONDITION._replace(name="their-condition"),
            ),
            short=("ours", "theirs"),
            example="chronicles contested --ours 6 --theirs 4",
            odds=ODDS,
            helpers=MAX_HELPERS,
            their_helpers=MAX_HELPERS,
            helpers_rule="CD-12",
            dice=dice_of_both,
            turned=botched_help,
            pool=contested_words,
            opposed="count",
        ),
    ),
    rules=TEXTS.rules,
    examples=__file__.replace("__init__.py", "examples.toml"),
    table_rules="astragal.games.chronicles.table",
    hue=268,
    icon="M19 14.5A8 8 0 1 1 10 4.6a6.4 6.4 0 0 0 9 9.9z",
    pile=(CoverDie(10, 10), CoverDie(10, 8), CoverDie(10, 3)),
    minutes=10,
    texts=TEXTS,
)
