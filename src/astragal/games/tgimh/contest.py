"""A TGIMH roll: two pools, and what winner and loser make of it (TG-1 to TG-6, TG-9 to TG-12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from astragal.author import (
    MAX_DICE,
    Ask,
    Choice,
    Effect,
    Illegal,
    Node,
    Option,
    Outcome,
    Role,
    Source,
    Throw,
    Total,
    lazy,
    numbers,
    sources_of,
    summed,
    whole,
)
from astragal.games.tgimh import text
from astragal.games.tgimh.opposed import OPPOSED, SIDES, Lead, pools

MAX_DIE = 100
MAX_WILL = 1000
MAX_TRACK = 24
ROLES: dict[str, Role] = {"ours": "roller", "theirs": "target"}


class Contest(Ask):
    """Two sides against each other. A named source in a pool is an Aspect or Condition and costs 1 Will."""

    ours: int = summed(
        -MAX_DICE, MAX_DICE, "dice of our side: a number, or Aspects and Conditions by name", rule="TG-2"
    )
    theirs: int = summed(-MAX_DICE, MAX_DICE, "dice of their side", rule="TG-2", told="against {}")
    die: int = whole(2, MAX_DIE, "sides of every die", default=10, rule="TG-1", guided=True)
    gear: int = summed(-MAX_DICE, MAX_DICE, "dice of our Gear and Abilities, free of Will", default=0, rule="TG-2")
    their_gear: int = summed(
        -MAX_DICE, MAX_DICE, "dice of their Gear and Abilities", default=0, rule="TG-2", told="against {}"
    )
    will: int | None = whole(0, MAX_WILL, "Will that our side holds", default=None, rule="TG-6")
    their_will: int | None = whole(0, MAX_WILL, "Will that their side holds", default=None, rule="TG-6")
    track: int = whole(1, MAX_TRACK, "boxes of our Power track", default=5, rule="TG-12")
    crossed: tuple[int, ...] = numbers(1, MAX_TRACK, "boxes of our track that are crossed", default=(), rule="TG-11")
    their_track: int = whole(1, MAX_TRACK, "boxes of their Power track", default=5, rule="TG-12")
    their_crossed: tuple[int, ...] = numbers(
        1, MAX_TRACK, "boxes of their track that are crossed", default=(), rule="TG-11"
    )

    def check(self) -> None:
        """Refuse a side with too little Will, too many dice, or a crossed box that its track lacks."""
        for side in SIDES:
            self._check_side(side)

    def _check_side(self, side: str) -> None:
        will, cost = self.will_of(side), self.cost_of(side)
        if will is not None and cost > will:
            whose = "our" if side == "ours" else "their"
            raise Illegal(
                f"{cost} Aspects and Conditions cost {cost} Will and {whose} side holds {will}; nothing is spent.",
                "TG-6",
            )
        track, crossed = self.track_of(side)
        if crossed and max(crossed) > track:
            raise Illegal(f"Box {max(crossed)} is crossed on a track of {track} boxes ({side}).", "TG-12")
        if self.dice_of(side) > MAX_DICE:
            raise Illegal(f"The pool of {side} comes to {self.dice_of(side):,} dice; at most {MAX_DICE:,} are rolled.")

    def sources_of(self, side: str) -> list[Source]:
        """What a side's pool is made of."""
        pool, gear = (self.ours, self.gear) if side == "ours" else (self.theirs, self.their_gear)
        return [*sources_of(pool), *sources_of(gear, "Gear")]

    def dice_of(self, side: str) -> int:
        """The number of a side's dice."""
        return self.ours + self.gear if side == "ours" else self.theirs + self.their_gear

    def will_of(self, side: str) -> int | None:
        """A side's Will; None if it is not known."""
        return self.will if side == "ours" else self.their_will

    def cost_of(self, side: str) -> int:
        """1 Will for each named Aspect or Condition that gives dice (TG-6)."""
        pool = self.ours if side == "ours" else self.theirs
        return sum([source.n > 0 and bool(source.label) for source in pool.sources]) if isinstance(pool, Total) else 0

    def will_left(self, side: str) -> int | None:
        """A side's Will after the contest's costs; None if it is not known."""
        will = self.will_of(side)
        return None if will is None else will - self.cost_of(side)

    def track_of(self, side: str) -> tuple[int, tuple[int, ...]]:
        """The length of a side's Power track, and its crossed boxes."""
        return (self.track, self.crossed) if side == "ours" else (self.their_track, self.their_crossed)


class Result(NamedTuple):
    """Who won, by how much, and what it led to."""

    winner: str
    successes: int
    stalemate: bool
    condition: str | None = None
    box: int | None = None
    injury: int = 0
    out: bool = False
    will_left: int | None = None
    their_will_left: int | None = None


class Loss(NamedTuple):
    """What the loser bears: a box, an Injury of so many dice, and whether it is out."""

    label: str
    rule: str
    box: int | None = None
    injury: int = 0
    out: bool = False


def losses(successes: int, track: int, crossed: tuple[int, ...]) -> dict[str, Loss]:
    """The loser's two ways: cross a box, or take an Injury instead (TG-10)."""
    injury = Loss(
        f"Take an Injury with {successes} {'die' if successes == 1 else 'dice'} instead", "TG-10", injury=successes
    )
    return {"box": cross(successes, track, crossed), "injury": injury}


def cross(successes: int, track: int, crossed: tuple[int, ...]) -> Loss:
    """Cross the box of that number; if it is crossed, the next free one above, with an Injury besides (TG-11)."""
    wanted = min(successes, track)
    free = [box for box in range(wanted, track + 1) if box not in crossed]
    if not free:
        return Loss("Every box from there up is crossed: out of the scene", "TG-11", out=True)
    box = free[0]
    if box == wanted:
        return Loss(f"Cross box {box}", "TG-10", box, out=box == track)
    label = f"Cross box {box}, as {wanted} is crossed, and take an Injury with {box} dice"
    return Loss(label, "TG-11", box, injury=box, out=box == track)


def contest(ask: Contest) -> Node[Result]:
    """Both sides roll and are compared from the highest die down (TG-1, TG-3)."""
    return Throw(
        pools(ask.dice_of("ours"), ask.dice_of("theirs"), ask.die),
        OPPOSED,
        then=lambda lead: aftermath(ask, lead),
        tell=lambda faces: text.tell_contest(ask, faces),
    )


def aftermath(ask: Contest, lead: Lead) -> Node[Result]:
    """The winner may make a Condition of the successes (TG-9); then the loser bears the loss (TG-10)."""
    result = Result(
        lead.winner,
        lead.successes,
        lead.winner == "none",
        will_left=ask.will_left("ours"),
        their_will_left=ask.will_left("theirs"),
    )
    if result.stalemate:
        return settled(ask, result)
    options = {
        "none": Option("Make no Condition", lazy(suffer, ask, result), "TG-9"),
        "make": Option(
            f"Make a Condition with {text.dice_count(result.successes)}",
            lazy(made, ask, result),
            "TG-9",
            words="the Condition's name",
        ),
    }
    return Choice("condition", "winner", "Turn the successes into a Condition?", options, result, "none")


def made(ask: Contest, result: Result, name: str) -> Node[Result]:
    """The contest goes on with a new Condition in the scene."""
    return suffer(ask, result._replace(condition=name))


def suffer(ask: Contest, result: Result) -> Node[Result]:
    """The loser crosses the box of that number, or takes an Injury instead (TG-10, TG-11)."""
    loser = other(result.winner)
    options = {
        name: Option(loss.label, lazy(settled, ask, with_loss(result, loss)), loss.rule)
        for name, loss in losses(result.successes, *ask.track_of(loser)).items()
    }
    return Choice("loss", "loser", f"What does the loser ({loser}) bear?", options, result)


def with_loss(result: Result, loss: Loss) -> Result:
    """The result with what the loser suffers."""
    winner, successes, stalemate, condition, *_, will, theirs = result
    return Result(winner, successes, stalemate, condition, loss.box, loss.injury, loss.out, will, theirs)


def other(side: str) -> str:
    """The other side."""
    return "theirs" if side == "ours" else "ours"


def settled(ask: Contest, result: Result) -> Node[Result]:
    """The outcome, with its effects and notes."""
    return Outcome(result, tuple(effects(ask, result)), tell=lambda: text.contest_notes(result))


def effects(ask: Contest, result: Result) -> Iterator[Effect]:
    """Will spent, the winner's Condition (TG-9), and what the loser bears (TG-10 to TG-12)."""
    yield from will_spent(ask.ours, "roller")
    yield from will_spent(ask.theirs, "target")
    if result.condition:
        yield Effect("condition", "scene", result.successes, result.condition, "TG-9")
    loser = ROLES[other(result.winner)]
    rule = "TG-11" if result.box and result.injury else "TG-10"
    if result.box:
        yield Effect("power", loser, result.box, rule=rule)
    if result.injury:
        yield Effect("condition", loser, result.injury, "Injury", rule)
    if result.out:
        yield Effect("out", loser, 1, rule="TG-12")


def will_spent(pool: int, role: Role) -> Iterator[Effect]:
    """1 Will for each Aspect or Condition that gives dice (TG-6); one that was typed is paid for in the end."""
    for source in sources_of(pool):
        if source.label and source.n > 0:
            yield Effect("will", role, -1, source.label, "TG-6", "end" if source.offer == "" else "throw")
