"""A Narraject roll: a pool of d6s and one Step Die (NJ-1 to NJ-14)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from astragal.author import (
    MAX_DICE,
    Ask,
    Barred,
    Choice,
    Dice,
    Effect,
    Face,
    Faces,
    Illegal,
    Node,
    Option,
    Outcome,
    Pool,
    Throw,
    faces_from,
    lazy,
    named,
    one_of,
    sources_of,
    summed,
    whole,
)
from astragal.games.narraject import text

if TYPE_CHECKING:
    from astragal.author import Distribution

STEP_DICE = {"untrained": 6, "trained": 8, "expert": 10, "master": 12}
PRICES = {"reroll": 1, "add": 2, "partial": 3}
COST = {
    spend: (Effect("ip", "player", -PRICES[spend], rule="NJ-13", when="answer", cause=cause),)
    for spend, cause in (
        ("reroll", "rerolls the Step Die"),
        ("add", "rolls one more d6"),
        ("partial", "buys a partial success"),
    )
}
"""What each spend takes from the player (NJ-13)."""
MAX_IP = 100
BROUGHT = {
    "catastrophic_failure": ("nothing counted at all", "NJ-9"),
    "partial_success": ("a partial success was bought", "NJ-13"),
}
"""The degrees that bring a complication, and by which rule."""
TROUBLE = 2
"""A Step Die that shows this or less brings a complication (NJ-11)."""
COUNTING = {"marks": faces_from(5, 12), "hits": frozenset({5, 6})}
"""The faces that count, on every die, by edition (NJ-4)."""


class Attempt(Ask):
    """What a Narraject roll needs to know."""

    d6: int = summed(
        1,
        MAX_DICE,
        "d6s in the pool, a number or named sources; 2/5 spends 2 of 5 points",
        rule="NJ-2",
        each=(1, MAX_DICE),
        spends="NJ-6",
    )
    step: int | None = one_of(
        tuple(STEP_DICE.values()),
        "sides of the Step Die; without training it is a d6",
        default=None,
        rule="NJ-3",
        prefix="d",
        guided=True,
    )
    difficulty: int = whole(0, MAX_DICE, "Marks needed", default=1, rule="NJ-7", guided=True)
    edition: str = one_of(
        tuple(COUNTING),
        "what counts: 5 or more (marks), or exactly 5 and 6 (hits)",
        default="marks",
        rule="NJ-1",
        guided=True,
    )
    help_dice: int = summed(
        0, 2, "d6s added by helpers, one each, two at the most", default=0, rule="NJ-5", each=(1, 1), spends="NJ-6"
    )
    ip: int = whole(
        0, MAX_IP, "IP that the player holds, to spend after the roll", default=0, rule="NJ-13", guided=True
    )
    trait: tuple[tuple[str, str], ...] = named(
        tuple(STEP_DICE), "a Focus or specialty that fits; the highest gives the Step Die", default=(), rule="NJ-3"
    )

    def check(self) -> None:
        if self.step and self.trait:
            raise Illegal("Both step and trait are given; only one Step Die is rolled, so give one of them.", "NJ-3")
        if self.help_dice > 1:
            self._refuse_twice()

    def _refuse_twice(self) -> None:
        """A helper adds one d6 and no more, so "Bo's Wits" and "Bo's Agility" are one too many (NJ-5)."""
        labels = [source.label for source in sources_of(self.help_dice) if source.label]
        helpers = [label.rpartition("'s ")[0] or label for label in labels]
        for helper in helpers:
            if helpers.count(helper) > 1:
                raise Illegal(f"{helper} helps twice; each helper adds one d6, so nothing is spent.", "NJ-5")

    @property
    def step_die(self) -> int:
        """The Step Die of the best trait that fits (NJ-3)."""
        return max(STEP_DICE[level] for _, level in self.trait) if self.trait else self.step or 6

    @property
    def counting(self) -> frozenset[int]:
        return COUNTING[self.edition]


class PoolSummary(NamedTuple):
    """The d6s' Marks, their lowest and highest face, and the Step Die's face."""

    d6_marks: int
    lowest: int
    highest: int
    step: int

    def marks(self, counting: frozenset[int]) -> int:
        """Marks of all dice, the Step Die included (NJ-4)."""
        return self.d6_marks + (self.step in counting)

    def with_d6(self, face: int, counting: frozenset[int]) -> PoolSummary:
        """The same pool with one more d6 in it."""
        marks = self.d6_marks + (face in counting)
        return PoolSummary(marks, min(self.lowest, face), max(self.highest, face), self.step)

    @property
    def position(self) -> str:
        """Where the Step Die's face stands among the d6s; a tie is neither (NJ-10)."""
        if self.step > self.highest:
            return "highest"
        return "lowest" if self.step < self.lowest else "neither"


class StepReading(NamedTuple):
    """The d6s' Marks, lowest and highest face, and the Step Die's face: all that the rules look at."""

    counting: frozenset[int]

    def read(self, faces: Faces) -> PoolSummary:
        d6s, step = faces[0][0], faces[1][0][0]
        return PoolSummary(sum(face in self.counting for face in d6s), min(d6s), max(d6s), step)

    def odds(self, pool: Pool, up_to: int) -> Distribution[PoolSummary]:
        from astragal.games.narraject.odds import summary_odds

        return summary_odds(self.counting, pool)


class Result(NamedTuple):
    """What a roll gave; the IP are those gained, ``ip_left`` what is left of those held."""

    marks: int
    difficulty: int
    margin: int
    success: bool
    degree: str
    position: str
    player_ip: int
    gm_ip: int
    complications: int
    ip_spent: int
    ip_left: int


def settle(ask: Attempt, summary: PoolSummary, ip: int, partial: bool = False) -> Result:
    """Degree, position, IP and complications of these dice."""
    marks = summary.marks(ask.counting)
    margin = marks - ask.difficulty
    degree = "partial_success" if partial else degree_of(marks, ask.difficulty)
    position = summary.position
    return Result(
        marks=marks,
        difficulty=ask.difficulty,
        margin=margin,
        success=margin >= 0,
        degree=degree,
        position=position,
        player_ip=int(position == "highest"),
        gm_ip=int(position == "lowest"),
        complications=complications_of(degree, summary.step),
        ip_spent=ask.ip - ip,
        ip_left=ip,
    )


def degree_of(marks: int, difficulty: int) -> str:
    """How well it went (NJ-8) or how badly (NJ-9)."""
    margin = marks - difficulty
    if margin >= 0:
        return "triumph" if margin >= 5 else "strong" if margin >= 3 else "solid" if margin >= 1 else "success"
    if marks == 0:
        return "catastrophic_failure"
    return "near_miss" if margin >= -2 else "clear_failure"


def complications_of(degree: str, step: int) -> int:
    """One for a catastrophe (NJ-9) or a bought partial success (NJ-13), one for a Step Die of 1 or 2 (NJ-11)."""
    return (degree in BROUGHT) + (step <= TROUBLE)


def attempt(ask: Attempt) -> Node[Result]:
    """A roll (NJ-2): read the pool, then leave the after-roll spends to the player (NJ-13)."""
    return Throw(
        (Dice(6, ask.d6 + ask.help_dice, "d6"), _step_die(ask)),
        StepReading(ask.counting),
        then=lambda summary: after_roll(ask, summary, ask.ip),
        tell=lambda faces: text.tell_pool(ask, faces),
    )


def after_roll(ask: Attempt, summary: PoolSummary, ip: int) -> Node[Result]:
    """The roll stays open while the player may spend IP (NJ-13); without IP only settling is left."""
    now = settle(ask, summary, ip)
    open_to = {"settle": Option("Settle the roll", lazy(settled, ask, summary, ip), "NJ-13")}
    spends = {
        "reroll": Option(
            "Reroll the Step Die", lazy(reroll, ask, summary._replace(step=0), ip - 1), "NJ-13", COST["reroll"]
        ),
        "add": Option("Roll one more d6 into the pool", lazy(add, ask, summary, ip - 2), "NJ-13", COST["add"]),
        "partial": Option(
            "Turn the failure into a partial success",
            lazy(settled, ask, summary, ip - 3, True),
            "NJ-13",
            COST["partial"],
        ),
    }
    barred = {name: why for name in spends if (why := _barred(name, ip, now))}
    open_to.update({name: option for name, option in spends.items() if name not in barred})
    return Choice("spend", "player", f"Spend IP? You hold {ip}.", open_to, now, "settle", barred)


def _barred(spend: str, ip: int, now: Result) -> Barred | None:
    if spend == "partial" and now.success:
        return Barred("A partial success can be bought on a failure only, and this roll succeeds.", "NJ-13")
    if ip < PRICES[spend]:
        return Barred(f'"{spend}" costs {PRICES[spend]} IP and {ip} are held; nothing is spent.', "NJ-14")
    return None


def reroll(ask: Attempt, summary: PoolSummary, ip: int) -> Node[Result]:
    """The Step Die is rolled again and the new face kept, for better or worse (NJ-13)."""
    return Throw(
        (_step_die(ask),),
        Face(),
        then=lambda face: lazy(after_roll, ask, summary._replace(step=face), ip),
        tell=lambda faces: text.tell_reroll(ask, faces),
        title="Step Die again",
    )


def add(ask: Attempt, summary: PoolSummary, ip: int) -> Node[Result]:
    """One more d6 joins the pool, for Marks and for highest and lowest (NJ-13)."""
    return Throw(
        (Dice(6, 1, "d6"),),
        Face(),
        then=lambda face: lazy(after_roll, ask, summary.with_d6(face, ask.counting), ip),
        tell=lambda faces: text.tell_added(ask, faces),
        title="one more d6",
    )


def settled(ask: Attempt, summary: PoolSummary, ip: int, partial: bool = False) -> Node[Result]:
    """IP and complications are settled once, on the final dice (NJ-13)."""
    result = settle(ask, summary, ip, partial)
    effects = (*_spent(ask), *_gained(result), *_complications(result.degree, summary.step))
    return Outcome(result, effects, lambda: text.tell_result(ask, summary, result), tuple(text.prompts(result)))


def _spent(ask: Attempt) -> Iterator[Effect]:
    """Points of the roller's Reserves (NJ-6), and one of each helper's (NJ-5)."""
    for source in sources_of(ask.d6):
        if source.held is not None:
            yield Effect("reserve", "roller", -source.n, source.label, "NJ-6", "throw")
    for place, source in enumerate(sources_of(ask.help_dice), 1):
        if source.label:
            yield Effect("reserve", f"helper {place}", -source.n, source.label, "NJ-5", "throw")


def _gained(result: Result) -> Iterator[Effect]:
    """A Step Die above all d6s is the player's gain, one below all of them the GM's (NJ-10)."""
    if result.player_ip:
        yield Effect("ip", "player", result.player_ip, rule="NJ-10", cause="Step Die was highest")
    if result.gm_ip:
        yield Effect("ip", "gm", result.gm_ip, rule="NJ-10", cause="Step Die was lowest")


def _complications(degree: str, step: int) -> Iterator[Effect]:
    """A catastrophe's or a bought success's, and the Step Die's: they stand side by side (NJ-12)."""
    if degree in BROUGHT:
        why, rule = BROUGHT[degree]
        yield Effect("complication", "gm", 1, rule=rule, cause=why)
    if step <= TROUBLE:
        yield Effect("complication", "gm", 1, rule="NJ-11", cause="the Step Die showed 1 or 2")


def _step_die(ask: Attempt) -> Dice:
    return Dice(ask.step_die, 1, "Step Die")
