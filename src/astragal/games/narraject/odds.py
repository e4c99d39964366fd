"""Questions about a Narraject roll."""

from __future__ import annotations

from itertools import product
from typing import get_args

from astragal.author import Fact, Wish, facts
from astragal.games.narraject.result import Position, Result
from astragal.games.narraject.rules import say
from astragal.games.narraject.text import TONES


def _ip_gained(result: Result) -> int:
    """Gained less spent, for the side that rolls; what the other side gains counts against it."""
    gained = result.player_ip - result.gm_ip
    return (gained if result.side == "player" else -gained) - result.ip_spent


JOINT = Fact(
    of=lambda result: (result.marks, result.position, result.dice.meaning),  # the Step Die's own complication alone
    domain=lambda ask: tuple(product(range(ask.dice + 2), get_args(Position), (False, True))),
    parts=("marks", "position", "trouble"),
    titled=lambda ask: say(f"{ask.edition}.joint"),
    read=("count", "place", "meaning"),
)
FACTS = {
    "attempt": {
        **facts(Result, "success"),
        **facts(Result, "degree", tones=TONES),
        **facts(Result, "marks", titled=lambda ask: say(f"{ask.edition}.many")),
        **facts(Result, "position"),
        **facts(Result, "complications", domain=lambda ask: (0, 1, 2)),
        "joint": JOINT,
        **facts(Result, "ip_left"),
    },
}
WISHES = {
    "attempt": {
        "succeed": Wish("succeed", worth=lambda result: int(result.success)),
        "partial": Wish("partial", worth=lambda result: int(result.success or result.degree == "partial_success")),
        "spotless": Wish("spotless", worth=lambda result: -result.complications, counts=True),
        "ip": Wish("ip", worth=_ip_gained, counts=True),
    },
}
