"""Scrounge, an outside game of the tests: a pool of mixed dice, a reading without odds, a choice without a decision."""

from __future__ import annotations

import sys
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from astragal.author import (
    Ask,
    Choice,
    Dice,
    Die,
    Faces,
    Fact,
    Game,
    Illegal,
    Kind,
    Node,
    Note,
    Option,
    Outcome,
    TableRules,
    Telling,
    Throw,
    Verdict,
    Wish,
    kinds_of,
    lazy,
    summed,
    whole,
)

SIZES = (4, 6, 8, 10, 12)


class Pool(Ask):
    """What a search needs to know."""

    d4: int = summed(0, 4, "d4s in the pool", default=0, rule="S-1")
    d6: int = summed(0, 4, "d6s in the pool", default=0, rule="S-1")
    d8: int = summed(0, 4, "d8s in the pool", default=0, rule="S-1")
    d10: int = summed(0, 4, "d10s in the pool", default=0, rule="S-1")
    d12: int = summed(0, 4, "d12s in the pool", default=0, rule="S-1")
    risk: int = whole(2, 30, "the number to beat", default=9, rule="S-2")

    def check(self) -> None:
        if sum(self.counts) < 2:
            raise Illegal("A pool has at least two dice.", "S-1")

    @property
    def counts(self) -> tuple[int, ...]:
        return tuple(int(n) for n in (self.d4, self.d6, self.d8, self.d10, self.d12))


class Result(NamedTuple):
    """What was found, and whether it was safe."""

    safe: bool
    haul: int


class Shown(NamedTuple):
    """Every die as its face and its sides. It has no odds of its own, so every throw is read."""

    sizes: tuple[int, ...]

    def read(self, faces: Faces) -> tuple[tuple[int, int], ...]:
        dice = [(face, sides) for sides, waves in zip(self.sizes, faces, strict=True) for face in waves[0]]
        return tuple(sorted(dice, reverse=True))


def search(ask: Pool) -> Node[Result]:
    used = [(sides, n) for sides, n in zip(SIZES, ask.counts, strict=True) if n]
    pool = tuple(Dice(sides, n, f"d{sides}") for sides, n in used)

    def tell(faces: Faces) -> Telling:
        dice = [Die(f"d{s}", s, face) for (s, _), waves in zip(used, faces, strict=True) for face in waves[0]]
        return Telling(tuple(dice))

    return Throw(pool, Shown(tuple(sides for sides, _ in used)), lambda shown: choose(ask.risk, shown), tell)


def choose(risk: int, shown: tuple[tuple[int, int], ...]) -> Node[Result]:
    """Two dice for safety; the largest of the others is the haul (S-3)."""
    found = {}
    for one, two in combinations(range(len(shown)), 2):
        haul = max([shown[i][1] for i in range(len(shown)) if i not in (one, two)], default=0)
        total = shown[one][0] + shown[two][0]
        found[f"{total}-d{haul}"] = Result(total > risk, haul)
    options = {name: Option(f"Keep {name}", lazy(Outcome, result, (), _tell), "S-3") for name, result in found.items()}
    return Choice("dice", "player", "Which two dice keep you safe?", options, list(found.values())[-1])


def _tell() -> list[Note]:
    return [Note("Dice were chosen.", "S-3")]


FACTS = {
    "search": {
        "safe": Fact("Safe", lambda result: result.safe, lambda ask: (True, False)),
        "haul": Fact("Haul", lambda result: result.haul, lambda ask: (0, *SIZES)),
    }
}
WISHES = {
    "search": {
        "safe": Wish("safe", "to be safe", lambda result: int(result.safe)),
        "haul": Wish("haul", "a large haul", lambda result: result.haul, counts=True),
    }
}
TABLE_RULES = TableRules()
GAME = Game(
    name="scrounge",
    title="Scrounge",
    blurb="Mixed dice in the ruins.",
    kinds=kinds_of(
        Kind(
            "search",
            "Search the ruins",
            Pool,
            search,
            lambda ask: f"Scrounge: {sum(ask.counts)} dice against {ask.risk}",
            lambda result: Verdict("good" if result.safe else "bad", "Safe" if result.safe else "Caught"),
            short=("risk",),
            example="scrounge --d6 2 --d8 1 --risk 9",
            odds=sys.modules[__name__],
        )
    ),
    rules={
        "S-1": "Build a pool of dice.",
        "S-2": "Beat the risk with two.",
        "S-3": "The largest other is the haul.",
    },
    examples=str(Path(__file__).with_name("scrounge.toml")),
    table_rules=sys.modules[__name__],
)
