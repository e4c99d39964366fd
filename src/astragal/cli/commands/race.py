"""``astragal race GAME …``: two Clocks, which fills first and when; the same as ``astragal odds GAME race``."""

from __future__ import annotations

from astragal.cli.commands.odds import answer
from astragal.cli.parser import Finished
from astragal.cli.read_question import example_of
from astragal.errors import Malformed, Unknown
from astragal.games.registry import all_games, game
from astragal.rule.game import Game

RACE = "race"


def run(words: list[str]) -> int:
    """The odds of a race, for a game that has one."""
    if words[:1] in (["-h"], ["--help"]):
        _help()
    if not words or words[0].startswith("-"):
        raise Malformed(f"Say which game: {_racing()}; for example astragal race razorweave --dc 16.")
    found = game(words[0])
    if RACE not in found.kinds:
        raise Unknown(f"{found.title} has no race; {_racing()} has one.")
    rest = words[2:] if words[1:2] == [RACE] else words[1:]
    return answer([found.name, RACE, *rest], RACE)


def _with_race() -> list[Game]:
    return [found for found in all_games() if RACE in found.kinds]


def _racing() -> str:
    return ", ".join(found.name for found in _with_race())


def _help() -> None:
    print("usage: astragal race GAME …\n\nTwo Clocks: which fills first, and after how many rounds.\n\nexamples:")
    for found in _with_race():
        print(f"  {example_of(found.kinds[RACE], RACE)}")
    print("\nastragal race GAME --help lists the options.")
    raise Finished
