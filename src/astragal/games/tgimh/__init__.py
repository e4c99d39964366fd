"""TGIMH: two pools against each other, the highest dice decide."""

from astragal.author import Against, CoverDie, Decision, Kind, game_in
from astragal.games.tgimh.aftermath import Result
from astragal.games.tgimh.contest import Contest, contest, dice_of
from astragal.games.tgimh.recovery import Recovery, RecoveryResult, recovery

__all__ = ["GAME", "Contest", "Recovery", "RecoveryResult", "Result", "contest", "recovery"]

GAME = game_in(
    __name__,
    Kind(
        "contest",
        ask=Contest,
        rule=contest,
        decisions=(
            Decision("condition", answers=("make", "none"), written="words", rule="TG-9"),
            Decision("loss", answers=("box", "injury"), rule="TG-10"),
        ),
        short=("ours", "theirs"),
        counted=(("ours", ("gear",)), ("theirs", ("their_gear",))),
        example='tgimh --ours "3 Duelist, 2 High ground" --gear "1 sabre" --theirs 4 --condition "Off balance"',
        aim="stakes",
        dice=lambda ask: tuple((dice,) for dice in dice_of(ask)),
        opposed="pairs",
        against=Against("aspects"),
    ),
    Kind(
        "recovery",
        ask=Recovery,
        rule=recovery,
        short=("ours", "dice"),
        counted=(("ours", ("gear",)), ("dice", ())),
        example='tgimh recovery --ours 5 --dice 3 --name "Broken arm"',
        aim="stakes",
        opposed="pairs",
        helps_target=True,
    ),
    title="TGIMH",
    hue=48,
    icon="M8 5L3 10l5 5M16 9l5 5-5 5M3 10h18M3 14h18",
    pile=(CoverDie(10, 9), CoverDie(10, 4), CoverDie(10, 7, "special")),
)
