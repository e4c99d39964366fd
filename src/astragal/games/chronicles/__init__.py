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

HELPER_BEAT = Decision(
    "helper-beat",
    "for each helper who fails, in order: a Beat, or the failure as it is",
    ("take", "keep"),
    "list",
    rule="CD-12",
)

CONDITION = Decision(
    "condition",
    "the Condition to gain instead, if an exceptional success brings one that is there already",
    ("another", "none"),
    "words",
    rule="CD-10",
)

GAME = Game(
    name="chronicles",
    title="Chronicles",
    blurb="A pool of d10s: 8 or more succeeds, 10s are rolled again, without end.",
    kinds=kinds_of(
        Kind(
            "attempt",
            "Attempt an action",
            Attempt,
            attempt,
            attempt_headline,
            attempt_verdict,
            decisions=(
                Decision(
                    "beat",
                    "take a Beat if it fails: the failure becomes dramatic",
                    ("take", "keep"),
                    "flag",
                    rule="CD-10",
                ),
                HELPER_BEAT,
                CONDITION,
            ),
            short=("pool",),
            counted=(("pool", ("attribute", "helpers", "helper_pool", "modifier", "equipment", "tries")),),
            example="chronicles --attribute 3 --skill 2 --specialty --modifier '-1 bad light' --again 9",
            does="tries it",
            called="attempt",
            odds="astragal.games.chronicles.odds",
            helpers=MAX_HELPERS,
            helpers_rule="CD-12",
            aim="task",
            dice=dice_of,
            turned=botched_help,
            pool=attempt_words,
        ),
        Kind(
            "extended",
            "Work on a long task",
            Extended,
            extended,
            extended_headline,
            extended_verdict,
            decisions=(
                Decision(
                    "beat",
                    "for each roll that fails, in order: a Beat, or the failure as it is",
                    ("take", "keep"),
                    "list",
                    rule="CD-10",
                ),
                HELPER_BEAT,
                CONDITION,
                Decision(
                    "next", "after each roll, in order: roll on, or give it up", ("roll", "stop"), "list", rule="CD-13"
                ),
            ),
            short=("pool", "target"),
            example="chronicles extended --attribute 3 --skill 2 --target 10",
            does="keeps at it",
            called="roll of a long task",
            odds="astragal.games.chronicles.odds",
            helpers=MAX_HELPERS,
            helpers_rule="CD-12",
            target="target",
            dice=dice_of,
            turned=botched_help,
            pool=extended_words,
            aim="task",
            hopes="to get it done",
            series=LongTask("successes", "target", "rolls_left", rest, in_one_go, begun, ("gathered", "made")),
        ),
        Kind(
            "contested",
            "Contest against somebody",
            Contested,
            contested,
            contested_headline,
            contested_verdict,
            decisions=(
                Decision("beat", "take a Beat if our side has no success", ("take", "keep"), "flag", rule="CD-10"),
                Decision(
                    "their-beat", "their side takes a Beat if it has no success", ("take", "keep"), "flag", rule="CD-10"
                ),
                HELPER_BEAT,
                HELPER_BEAT._replace(name="their-helper-beat", help=f"their side: {HELPER_BEAT.help}"),
                CONDITION,
                CONDITION._replace(name="their-condition", help=f"their side: {CONDITION.help}"),
            ),
            short=("ours", "theirs"),
            example="chronicles contested --ours 6 --theirs 4",
            does="goes up",
            called="contest",
            odds="astragal.games.chronicles.odds",
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
    mood="The dead keep office hours.",
    pile=(CoverDie(10, 10), CoverDie(10, 8), CoverDie(10, 3)),
    minutes=10,
    texts=TEXTS,
)
