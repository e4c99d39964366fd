"""Razorweave: 4d6 against a DC, Edge and Burden, Strikes."""

from astragal.author import CoverDie, Decision, Kind, game_in
from astragal.games.razorweave.check import Check, check
from astragal.games.razorweave.check import thrown as check_thrown
from astragal.games.razorweave.oracle import Oracle, oracle, questions
from astragal.games.razorweave.outcome import Result
from astragal.games.razorweave.pool import MAX_SOURCES
from astragal.games.razorweave.race import Race, race
from astragal.games.razorweave.race import thrown as race_thrown
from astragal.games.razorweave.split import MAX_MEMBERS, Split, SplitResult, split

__all__ = ["GAME", "Check", "Oracle", "Race", "Result", "Split", "SplitResult", "check", "oracle", "race", "split"]

GAME = game_in(
    __name__,
    Kind(
        "check",
        ask=Check,
        rule=check,
        decisions=(Decision("consequence", rule="RW-9"), Decision("answer", answers=("yes", "no"), rule="RW-1")),
        short=("dc",),
        example='razorweave --dc 18 --attribute 2 --skill --edge "1 tools, 1 set-up" --burden "1 dim light"',
        helpers=MAX_SOURCES,
        helpers_rule="RW-12",
        target="dc",
        aim="intent",
        thrown=check_thrown,
    ),
    Kind(
        "oracle",
        ask=Oracle,
        rule=oracle,
        decisions=(Decision("judge", written="list", rule="RW-14"),),
        example='razorweave oracle --question "Is the lock old?=helps" --question "Is anyone near?=hinders"',
        questions=questions,
        solo=True,
    ),
    Kind(
        "race",
        ask=Race,
        rule=race,
        short=("dc",),
        example="razorweave race --dc 16 --modifier 2 --goal 6 --threat 4",
        target="dc",
        thrown=race_thrown,
    ),
    Kind(
        "split",
        ask=Split,
        rule=split,
        short=("dc",),
        example='razorweave split --dc 14 --members "3 Kira, 1 Dex"',
        helpers=MAX_MEMBERS - 1,
        helpers_rule="RW-12",
        shared=True,
        target="dc",
        aim="intent",
    ),
    title="Razorweave",
    hue=325,
    icon="M4 4l16 16M20 4L4 20M4 12h5m6 0h5",
    pile=(CoverDie(6, 6), CoverDie(6, 4), CoverDie(6, 3)),
)
