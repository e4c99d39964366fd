"""The questions of the speed table: what we are asked, and how each peer is asked the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from astragal.games import chronicles, narraject, razorweave, tgimh
from astragal.rule.chances.odds import odds
from bench.answers import exact
from bench.peers import with_dyce, with_icepool, with_lea

DCS = range(12, 23, 2)
MODIFIERS = range(-2, 7)
EDGES = range(-2, 3)
PEERS: dict[str, Any] = {"icepool": with_icepool, "dyce": with_dyce, "lea": with_lea}


class Question(NamedTuple):
    """One row: our call, the peers' calls, and how many times as fast as the fastest of them ours has to be."""

    name: str
    wanted: float
    ours: Callable[[], Any]
    peers: dict[str, Callable[[], Any]]
    told: Callable[[Any], Any]
    """A peer's answer in the form of ours."""

    def check(self) -> None:
        """Nothing is timed before all answers are the same, to the last digit."""
        answer = self.ours()
        for name, call in self.peers.items():
            if self.told(call()) != answer:
                raise AssertionError(f"{name} has another answer: {self.name}")


def successes(dice: int, up_to: int, wanted: float, *peers: str) -> Question:
    return Question(
        f"10-again, {dice} dice, successes 0 to {up_to}",
        wanted,
        lambda: odds(chronicles.Attempt(pool=dice), "successes", up_to=up_to),
        {name: partial(PEERS[name].again, dice, up_to) for name in peers},
        lambda answer: exact(answer, up_to),
    )


def joint(d6s: int, wanted: float, *peers: str) -> Question:
    return Question(
        f"Narraject joint, d10 and {d6s}d6",
        wanted,
        lambda: odds(narraject.Attempt(d6=d6s, step=10, difficulty=3), "joint"),
        {name: partial(PEERS[name].joint, d6s, 10) for name in peers},
        exact,
    )


def opposed(dice: int, wanted: float, *peers: str) -> Question:
    return Question(
        f"TGIMH, {dice}:{dice} d10",
        wanted,
        lambda: odds(tgimh.Contest(ours=dice, theirs=dice), "result"),
        {name: partial(PEERS[name].opposed, dice, dice) for name in peers},
        exact,
    )


def tiers(wanted: float, *peers: str) -> Question:
    return Question(
        "Razorweave, 6 DCs × 9 modifiers × 5 Edges",
        wanted,
        lambda: [
            odds(razorweave.Check(dc=dc, bonus=modifier, edge=edge), "tier")
            for edge in EDGES
            for dc in DCS
            for modifier in MODIFIERS
        ],
        {name: partial(_peer_tiers, PEERS[name]) for name in peers},
        lambda answers: [exact(answer) for answer in answers],
    )


def _peer_tiers(peer: Any) -> list[Any]:
    """What is kept is worked out once for each Edge."""
    kept = [peer.kept(edge) for edge in EDGES]
    return [peer.tiers(sums, dc - modifier) for sums in kept for dc in DCS for modifier in MODIFIERS]


def race(wanted: float, *peers: str) -> Question:
    return Question(
        "race of Clocks, DC 16, +2, 6 against 4",
        wanted,
        lambda: odds(razorweave.Race(dc=16, modifier=2, edge=0, goal=6, threat=4), "first"),
        {name: partial(PEERS[name].race, 14, 0, 6, 4) for name in peers},
        exact,
    )


ALL = ("icepool", "dyce", "lea")
BOTH = ("icepool", "dyce")
QUESTIONS = (
    successes(20, 30, 80, *ALL),
    successes(200, 127, 300, *BOTH),
    joint(5, 3, *ALL),
    joint(10, 7, *ALL),
    joint(20, 12, *ALL),
    joint(50, 25, *ALL),
    opposed(8, 40, *BOTH),
    opposed(20, 100, *BOTH),
    opposed(40, 100, "icepool"),
    tiers(4, *ALL),
    race(3, *ALL),
)
