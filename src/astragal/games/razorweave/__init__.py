"""Razorweave: 4d6 against a DC, Edge and Burden, Strikes."""

from astragal.author import CoverDie, Decision, Game, Kind, kinds_of
from astragal.games.razorweave.check import Check, check
from astragal.games.razorweave.check import thrown as check_thrown
from astragal.games.razorweave.edge import MAX_SOURCES
from astragal.games.razorweave.oracle import Oracle, OracleResult, oracle, questions
from astragal.games.razorweave.outcome import Result
from astragal.games.razorweave.race import Race, RaceResult, race
from astragal.games.razorweave.race import thrown as race_thrown
from astragal.games.razorweave.rules import TEXTS
from astragal.games.razorweave.split import MAX_MEMBERS, Split, SplitResult, split
from astragal.games.razorweave.text import (
    check_begins,
    check_called,
    check_headline,
    check_verdict,
    check_words,
    oracle_headline,
    oracle_verdict,
    oracle_words,
    race_headline,
    race_verdict,
    race_words,
    split_headline,
    split_verdict,
)

__all__ = [
    "GAME",
    "Check",
    "Oracle",
    "OracleResult",
    "Race",
    "RaceResult",
    "Result",
    "Split",
    "SplitResult",
    "check",
    "oracle",
    "race",
    "split",
]

ODDS = "astragal.games.razorweave.odds"

GAME = Game(
    name="razorweave",
    title="Razorweave",
    kinds=kinds_of(
        Kind(
            "check",
            ask=Check,
            rule=check,
            headline=check_headline,
            verdict=check_verdict,
            decisions=(Decision("consequence", rule="RW-9"), Decision("answer", answers=("yes", "no"), rule="RW-1")),
            short=("dc",),
            example='razorweave --dc 18 --attribute 2 --skill --edge "1 tools, 1 set-up" --burden "1 dim light"',
            begins=check_begins,
            called=check_called,
            odds=ODDS,
            helpers=MAX_SOURCES,
            helpers_rule="RW-12",
            target="dc",
            aim="intent",
            pool=check_words,
            thrown=check_thrown,
        ),
        Kind(
            "oracle",
            ask=Oracle,
            rule=oracle,
            headline=oracle_headline,
            verdict=oracle_verdict,
            decisions=(Decision("judge", written="list", rule="RW-14"),),
            example='razorweave oracle --question "Is the lock old?=helps" --question "Is anyone near?=hinders"',
            odds=ODDS,
            pool=oracle_words,
            questions=questions,
            solo=True,
        ),
        Kind(
            "race",
            ask=Race,
            rule=race,
            headline=race_headline,
            verdict=race_verdict,
            short=("dc",),
            example="razorweave race --dc 16 --modifier 2 --goal 6 --threat 4",
            odds=ODDS,
            target="dc",
            pool=race_words,
            thrown=race_thrown,
        ),
        Kind(
            "split",
            ask=Split,
            rule=split,
            headline=split_headline,
            verdict=split_verdict,
            short=("dc",),
            example='razorweave split --dc 14 --members "3 Kira, 1 Dex"',
            odds=ODDS,
            helpers=MAX_MEMBERS - 1,
            helpers_rule="RW-12",
            shared=True,
            target="dc",
            aim="intent",
        ),
    ),
    rules=TEXTS.rules,
    examples=__file__.replace("__init__.py", "examples.toml"),
    table_rules="astragal.games.razorweave.table",
    hue=325,
    icon="M4 4l16 16M20 4L4 20M4 12h5m6 0h5",
    pile=(CoverDie(6, 6), CoverDie(6, 4), CoverDie(6, 3)),
    minutes=10,
    texts=TEXTS,
)
