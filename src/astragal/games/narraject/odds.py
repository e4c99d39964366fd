"""Exact odds of Narraject.

For each face of the Step Die, the d6s all lie below it, all lie above it, or neither;
how many of them count is a binomial row over the faces that are left to them.
"""

from __future__ import annotations

from operator import add
from typing import Any

from astragal.author import Distribution, Fact, Pool, Wish, cached, expect
from astragal.games.narraject.attempt import Attempt
from astragal.games.narraject.pool import COUNTING, PoolSummary
from astragal.games.narraject.result import BROUGHT, TROUBLE, Result, complications_of, degree_of
from astragal.games.narraject.text import TONES, WORD

POSITIONS = ("highest", "lowest", "neither")
JOINT_STEPS = 200
"""Steps for each d6, until all facts are made of what is found."""
JOINT = ("Dice that count", "Step Die", "its complication")
FACES = range(1, 7)
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


def row(choose: list[int], plain: int, counting: int) -> list[int]:
    """Throws of d6s restricted to so many faces that count and so many that do not, by how many dice count."""
    n = len(choose) - 1
    if not plain or not counting:
        only = [0] * (n + 1)
        only[n if counting else 0] = (plain or counting) ** n
        return only
    powers = [1]
    for _ in range(n):
        powers.append(powers[-1] * plain)
    found, ways = [], 1
    for k, power in enumerate(reversed(powers)):
        found.append(choose[k] * power * ways)
        ways *= counting
    return found


def between(choose: list[int], lowest: int, highest: int) -> list[int]:
    """Throws of d6s that all show ``lowest`` to ``highest``, by how many of them show 5 or 6."""
    return row(choose, max(0, min(highest, 4) - lowest + 1), max(0, highest - max(lowest, 5) + 1))


def binomials(n: int) -> list[int]:
    """Row ``n`` of Pascal's triangle."""
    found = [1]
    for k in range(n):
        found.append(found[k] * (n - k) // (k + 1))
    return found


def joint(ask: Attempt, up_to: int) -> Distribution[Any]:
    """Marks, the Step Die's position and its complication together."""
    found = joint_odds(ask.dice, ask.step_die, ask.edition)
    return found if ask.side == "player" else found.map(lambda value: (value[0], value[1], False))


@cached(256)
def joint_odds(n: int, sides: int, edition: str) -> Distribution[Any]:
    """Faces of the Step Die that count alike and bring the same trouble are taken together, two by two."""
    if not n:
        return _step_alone(sides, edition)
    expect(JOINT_STEPS * n)
    choose = binomials(n)
    every = between(choose, 1, 6)
    above_six = [ways * (sides - 6) for ways in every]
    weights: dict[Any, int] = {}
    found = {(place, trouble): [0] * (n + 2) for place in POSITIONS for trouble in (False, True)}
    for low, high in ((1, 2), (3, 4), (5, 6)):
        below = list(map(add, between(choose, 1, low - 1), between(choose, 1, high - 1)))
        above = list(map(add, between(choose, low + 1, 6), between(choose, high + 1, 6)))
        other = [2 * all - less - more for all, less, more in zip(every, below, above, strict=True)]
        for place, ways in zip(POSITIONS, (below, above, other), strict=True):
            _add(found[place, high == 2], ways, high == 6)
    _add(found["highest", False], above_six, 7 in COUNTING[edition])
    for (place, trouble), counts in found.items():
        weights.update({(k, place, trouble): ways for k, ways in enumerate(counts)})
    return Distribution(weights, 6**n * sides)


def _step_alone(sides: int, edition: str) -> Distribution[Any]:
    """With no d6 to compare, a Step Die is neither highest nor lowest (NJ-2)."""
    weights = {(marks, "neither", trouble): 0 for marks in (0, 1) for trouble in (False, True)}
    for face in range(1, sides + 1):
        weights[int(face in COUNTING[edition]), "neither", face <= TROUBLE] += 1
    return Distribution(weights, sides)


def _add(counts: list[int], ways: list[int], shift: bool) -> None:
    """Add these throws, one Mark further if the Step Die counts."""
    end = len(ways) + shift
    counts[shift:end] = map(add, counts[shift:end], ways)


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


SUMMARY = 6
"""Steps for one summary; there are 21 pairs of a lowest and a highest face."""


def summary_odds(counting: frozenset[int], pool: Pool) -> Distribution[PoolSummary]:
    """All that a throw shows: the d6s' Marks, lowest and highest, by inclusion and exclusion, and the Step Die."""
    d6s, step = pool
    if not d6s.n:
        return Distribution({PoolSummary(0, 7, 0, face): 1 for face in range(1, step.sides + 1)}, step.sides)
    expect(SUMMARY * 21 * d6s.n * step.sides)
    choose = binomials(d6s.n)
    rows = {(low, high): between(choose, low, high) for low in range(1, 8) for high in range(7)}
    weights: dict[PoolSummary, int] = {}
    for low in FACES:
        for high in range(low, 7):
            inner = zip(rows[low, high], rows[low + 1, high], rows[low, high - 1], rows[low + 1, high - 1], strict=True)
            for k, (all, above, below, inside) in enumerate(inner):
                ways = all - above - below + inside
                for face in range(1, step.sides + 1) if ways else ():
                    weights[PoolSummary(k, low, high, face)] = ways
    return Distribution(weights, 6**d6s.n * step.sides)


def _joint_of(result: Result) -> tuple[int, str, bool]:
    """The complication of the Step Die alone, without that of a catastrophe or of a bought success."""
    brought = result.degree in BROUGHT and result.cost is None
    return result.marks, result.position, result.complications > brought


def _joint_title(ask: Attempt) -> str:
    return ", ".join((f"{WORD[ask.edition]}s", *JOINT[1:]))


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
            "Dice that count", lambda result: result.marks, None, marks, titled=lambda ask: f"{WORD[ask.edition]}s"
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
