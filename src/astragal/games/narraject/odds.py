"""What is asked of a Narraject roll."""

from __future__ import annotations

from itertools import product
from typing import get_args

from astragal.author import Fact, Wish, fact
from astragal.games.narraject.attempt import Attempt
from astragal.games.narraject.result import Position, Result
from astragal.games.narraject.text import TONES, word

JOINT = ("Dice that count", "Step Die", "its complication")


def _joint_of(result: Result) -> tuple[int, str, bool]:
    """The complication of the Step Die alone, without that of a catastrophe or of a bought success."""
    return result.marks, result.position, result.dice.meaning


def _joint_domain(ask: Attempt) -> tuple[tuple[int, str, bool], ...]:
    return tuple(product(range(ask.dice + 2), get_args(Position), (False, True)))


def _ip_gained(result: Result) -> int:
    """Gained less spent, for the side that rolls; what the other side gains counts against it."""
    gained = result.player_ip - result.gm_ip
    return (gained if result.side == "player" else -gained) - result.ip_spent


FACTS = {
    "attempt": {
        "success": fact("Success", Result.success),
        "degree": fact("Degree", Result.degree, tones=TONES),
        "marks": fact("Dice that count", Result.marks, titled=lambda ask: f"{word(ask.edition)}s"),
        "position": fact("Step Die", Result.position),
        "complications": fact("Complications", Result.complications, domain=lambda ask: (0, 1, 2)),
        "joint": Fact(
            ", ".join(JOINT),
            _joint_of,
            _joint_domain,
            parts=JOINT,
            titled=lambda ask: ", ".join((f"{word(ask.edition)}s", *JOINT[1:])),
            read=("count", "place", "meaning"),
        ),
        "ip_left": Fact("IP left", lambda result: result.ip_left),
    },
}
WISHES = {
    "attempt": {
        "succeed": Wish(
            "succeed", "as many dice that count as the Difficulty asks for", lambda result: int(result.success)
        ),
        "partial": Wish(
            "partial",
            "a success, or at least a partial one",
            lambda result: int(result.success or result.degree == "partial_success"),
        ),
        "spotless": Wish("spotless", "as few complications as can be", lambda result: -result.complications, True),
        "ip": Wish("ip", "IP gained, less IP spent and IP for the other side", _ip_gained, True),
    },
}
