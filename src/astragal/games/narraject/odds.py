"""Exact odds of Narraject: the d6s with a Step Die beside them."""

from __future__ import annotations

from typing import Any

from astragal.author import Beside, Dice, Distribution, Fact, Wish, cached
from astragal.games.narraject.attempt import Attempt
from astragal.games.narraject.pool import COUNTING
from astragal.games.narraject.result import BROUGHT, TROUBLE, Result, complications_of, degree_of
from astragal.games.narraject.text import TONES, word

POSITIONS = ("highest", "neither", "lowest")
"""From best to worst: whoever rolls gains IP, nobody does, the other side does (NJ-10)."""

JOINT = ("Dice that count", "Step Die", "its complication")
BEST_FIRST = (
    "triumph",
    "strong",
    "solid",
    "success",
    "partial_success",
    "near_miss",
    "clear_failure",
    "catastrophic_failure",
)


def joint(ask: Attempt, up_to: int) -> Distribution[Any]:
    """Marks, the Step Die's position and its complication together."""
    return joint_odds(ask.dice, ask.step_die, ask.edition, ask.side)


@cached(256)
def joint_odds(n: int, sides: int, edition: str, side: str) -> Distribution[Any]:
    """The same for so many d6s; the GM who rolls owes no complication (NJ-15)."""
    brings = _trouble if side == "player" else _no_trouble
    return Beside(COUNTING[edition], brings).odds((Dice(6, n), Dice(sides, 1)), 0)


def _trouble(face: int) -> bool:
    return face <= TROUBLE


def _no_trouble(face: int) -> bool:
    return False


def marks(ask: Attempt, up_to: int) -> Distribution[int]:
    """The odds of the number of Marks."""
    return joint(ask, up_to).map(lambda value: int(value[0]))


def success(ask: Attempt, up_to: int) -> Distribution[bool]:
    """The odds of success."""
    return joint(ask, up_to).map(lambda value: bool(value[0] >= ask.difficulty))


def degree(ask: Attempt, up_to: int) -> Distribution[str]:
    """The odds of each degree."""
    return joint(ask, up_to).map(lambda value: degree_of(value[0], ask.difficulty))


def position(ask: Attempt, up_to: int) -> Distribution[str]:
    """The odds of each position of the Step Die."""
    return joint(ask, up_to).map(lambda value: str(value[1]))


def complications(ask: Attempt, up_to: int) -> Distribution[int]:
    """A catastrophe's and the Step Die's are two (NJ-12)."""
    return joint(ask, up_to).map(
        lambda value: complications_of(ask.side, degree_of(value[0], ask.difficulty), 1 if value[2] else 3)
    )


def ip_left(ask: Attempt, up_to: int) -> Distribution[int]:
    """Without spending, all of it."""
    return Distribution.certain(ask.ip)


def _joint_of(result: Result) -> tuple[int, str, bool]:
    """The complication of the Step Die alone, without that of a catastrophe or of a bought success."""
    brought = result.degree in BROUGHT and result.cost is None
    return result.marks, result.position, result.complications > brought


def _joint_title(ask: Attempt) -> str:
    return ", ".join((f"{word(ask.edition)}s", *JOINT[1:]))


def _joint_domain(ask: Attempt) -> tuple[tuple[int, str, bool], ...]:
    most = ask.dice + 1
    return tuple((k, place, trouble) for k in range(most + 1) for place in POSITIONS for trouble in (False, True))


def _ip_gained(result: Result) -> int:
    """Gained less spent, for the side that rolls; what the other side gains counts against it."""
    gained = result.player_ip - result.gm_ip
    return (gained if result.side == "player" else -gained) - result.ip_spent


FACTS = {
    "attempt": {
        "success": Fact("Success", lambda result: result.success, lambda ask: (True, False), success),
        "degree": Fact("Degree", lambda result: result.degree, lambda ask: BEST_FIRST, degree, tones=TONES),
        "marks": Fact(
            "Dice that count", lambda result: result.marks, None, marks, titled=lambda ask: f"{word(ask.edition)}s"
        ),
        "position": Fact("Step Die", lambda result: result.position, lambda ask: POSITIONS, position),
        "complications": Fact(
            "Complications", lambda result: result.complications, lambda ask: (0, 1, 2), complications
        ),
        "joint": Fact(", ".join(JOINT), _joint_of, _joint_domain, joint, parts=JOINT, titled=_joint_title),
        "ip_left": Fact("IP left", lambda result: result.ip_left, None, ip_left),
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
