"""Chronicles: a pool of d10s, 8 or more succeeds, tens go again."""

from typing import Any

from astragal.author import CoverDie, Decision, Kind, LongTask, game_in
from astragal.games.chronicles.attempt import Attempt, Result, attempt, dice_of
from astragal.games.chronicles.contested import Contested, contested
from astragal.games.chronicles.contested import dice_of as dice_of_both
from astragal.games.chronicles.extended import Extended, begun, extended, in_one_go, rest
from astragal.games.chronicles.team import MAX_HELPERS
from astragal.games.chronicles.text import botched_help

__all__ = ["GAME", "Attempt", "Contested", "Extended", "Result", "attempt", "contested", "extended"]

BEAT = Decision("beat", answers=("take", "keep"), written="flag", rule="CD-10")
HELPER_BEAT = Decision("helper-beat", answers=("take", "keep"), written="list", rule="CD-12")
CONDITION = Decision("condition", answers=("another", "none"), written="words", rule="CD-10")
NEXT = Decision("next", answers=("roll", "stop"), written="list", rule="CD-13")
EVERY_SIDE = [each._replace(name=who + each.name) for each in (BEAT, HELPER_BEAT, CONDITION) for who in ("", "their-")]
TEAM: dict[str, Any] = {"helpers": MAX_HELPERS, "helpers_rule": "CD-12", "turned": botched_help}

GAME = game_in(
    __name__,
    Kind(
        "attempt",
        ask=Attempt,
        rule=attempt,
        decisions=(BEAT, HELPER_BEAT, CONDITION),
        short=("pool",),
        counted=(("pool", ("attribute", "helpers", "helper_pool", "modifier", "equipment", "tries")),),
        example="chronicles --attribute 3 --skill 2 --specialty --modifier '-1 bad light' --again 9",
        aim="task",
        dice=dice_of,
        **TEAM,
    ),
    Kind(
        "extended",
        ask=Extended,
        rule=extended,
        decisions=(BEAT._replace(written="list"), HELPER_BEAT, CONDITION, NEXT),
        short=("pool", "target"),
        example="chronicles extended --attribute 3 --skill 2 --target 10",
        target="target",
        aim="task",
        dice=dice_of,
        series=LongTask("successes", "target", "rolls_left", rest, in_one_go, begun, ("gathered", "made")),
        **TEAM,
    ),
    Kind(
        "contested",
        ask=Contested,
        rule=contested,
        decisions=tuple(EVERY_SIDE),
        short=("ours", "theirs"),
        example="chronicles contested --ours 6 --theirs 4",
        their_helpers=MAX_HELPERS,
        dice=dice_of_both,
        opposed="count",
        **TEAM,
    ),
    title="Chronicles",
    hue=268,
    icon="M19 14.5A8 8 0 1 1 10 4.6a6.4 6.4 0 0 0 9 9.9z",
    pile=(CoverDie(10, 10), CoverDie(10, 8), CoverDie(10, 3)),
)
