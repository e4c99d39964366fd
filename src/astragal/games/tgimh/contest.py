"""A TGIMH roll: two pools, and what winner and loser make of it (TG-1 to TG-12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from astragal.author import (
    MAX_DICE,
    Ask,
    Barred,
    Choice,
    Effect,
    Illegal,
    Node,
    Option,
    Outcome,
    Prompt,
    Throw,
    counted,
    flag,
    lazy,
    numbers,
    summed,
    whole,
    words,
)
from astragal.games.tgimh import text
from astragal.games.tgimh.contestant import ROLES, TITLES, Contestant
from astragal.games.tgimh.loss import INJURY, Loss, losses
from astragal.games.tgimh.opposed import OPPOSED, SIDES, Lead, pools

MAX_DIE = 100
MAX_WILL = 1000
MAX_TRACK = 24


class Contest(Ask):
    """Two sides against each other. A named source in a pool is an Aspect or Condition and costs 1 Will."""

    ours: int = summed(
        -MAX_DICE,
        MAX_DICE,
        "dice of our side: a number, or Aspects and Conditions by name",
        rule="TG-2",
        title="More dice",
        advanced=True,
    )
    theirs: int = summed(
        -MAX_DICE,
        MAX_DICE,
        "dice of their side",
        rule="TG-2",
        told="against {}",
        whose="target",
        title="Their dice",
        asks="Choose who is against you, or their dice",
    )
    die: int = whole(2, MAX_DIE, "sides of every die", default=10, rule="TG-1", guided=True, whose="sheet")
    gear: int = summed(-MAX_DICE, MAX_DICE, "dice of our Gear and Abilities, free of Will", default=0, rule="TG-2")
    their_gear: int = summed(
        -MAX_DICE,
        MAX_DICE,
        "dice of their Gear and Abilities",
        default=0,
        rule="TG-2",
        told="against {}",
        whose="target",
    )
    against_them: int = summed(
        0,
        MAX_DICE,
        "dice of their Aspects that we use against them",
        default=0,
        rule="TG-7",
        each=(1, MAX_DICE),
        told="using {}",
    )
    against_us: int = summed(
        0,
        MAX_DICE,
        "dice of our Aspects that they use against us",
        default=0,
        rule="TG-7",
        each=(1, MAX_DICE),
        told="facing {}",
        whose="target",
    )
    stakes: str | None = words(
        "what is at stake", default=None, rule="TG-2", told="at stake: {}", title="What is at stake?"
    )
    our_name: str | None = words("who we are", default=None, rule="TG-2", whose="gm")
    their_name: str | None = words("who they are", default=None, rule="TG-2", whose="target")
    will: int | None = whole(0, MAX_WILL, "Will that our side holds", default=None, rule="TG-6", whose="gm")
    their_will: int | None = whole(0, MAX_WILL, "Will that their side holds", default=None, rule="TG-6", whose="gm")
    will_cap: int | None = whole(0, MAX_WILL, "Will that ours never rises above", default=None, rule="TG-8", whose="gm")
    their_will_cap: int | None = whole(
        0, MAX_WILL, "Will that theirs never rises above", default=None, rule="TG-8", whose="gm"
    )
    track: int = whole(1, MAX_TRACK, "boxes of our Power track", default=5, rule="TG-12", whose="gm")
    crossed: tuple[int, ...] = numbers(
        1, MAX_TRACK, "boxes of our track that are crossed", default=(), rule="TG-11", whose="gm", live="power"
    )
    their_track: int = whole(1, MAX_TRACK, "boxes of their Power track", default=5, rule="TG-12", whose="gm")
    their_crossed: tuple[int, ...] = numbers(
        1, MAX_TRACK, "boxes of their track that are crossed", default=(), rule="TG-11", whose="gm", live="power"
    )
    out: bool = flag("our side is out of the scene", default=False, rule="TG-12", whose="gm")
    their_out: bool = flag("their side is out of the scene", default=False, rule="TG-12", whose="gm")
    even_so: bool = flag("the GM lets somebody roll who is out", default=False, rule="TG-12", whose="gm")

    def check(self) -> None:
        """Refuse a side with too little Will, too many dice, or a crossed box that its track lacks."""
        for side in SIDES:
            self.side(side).check(self.even_so)
            track, crossed = self.track_of(side)
            if crossed and max(crossed) > track:
                boxes = counted(track, "box", "boxes")
                raise Illegal(f"Box {max(crossed)} is crossed on a track of {boxes} ({side}).", "TG-12")

    def side(self, side: str) -> Contestant:
        """One side with what it brings."""
        if side == "ours":
            return Contestant(
                side,
                self.our_name,
                self.ours,
                self.gear,
                self.against_them,
                self.against_us,
                self.will,
                self.will_cap,
                self.out,
            )
        return Contestant(
            side,
            self.their_name,
            self.theirs,
            self.their_gear,
            self.against_us,
            self.against_them,
            self.their_will,
            self.their_will_cap,
            self.their_out,
        )

    def dice_of(self, side: str) -> int:
        """The number of a side's dice."""
        return self.side(side).dice

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
    injury_name: str | None = None
    will_gained: int = 0
    their_will_gained: int = 0
    our_name: str | None = None
    their_name: str | None = None

    def title(self, side: str) -> str:
        """What a side is called (TG-2)."""
        return (self.our_name if side == "ours" else self.their_name) or TITLES[side]

    @property
    def loser(self) -> str:
        """The side that did not win."""
        return other(self.winner)


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
    ours, theirs = map(ask.side, SIDES)
    result = Result(
        lead.winner,
        lead.successes,
        lead.winner == "none",
        will_left=ours.will_left,
        their_will_left=theirs.will_left,
        will_gained=ours.gained,
        their_will_gained=theirs.gained,
        our_name=ask.our_name,
        their_name=ask.their_name,
    )
    if result.stalemate:
        return settled(ask, result)
    options = {
        "none": Option("No Condition", lazy(suffer, ask, result), "TG-9"),
        "make": Option(
            "Make it",
            lazy(made, ask, result),
            "TG-9",
            words="the Condition's name",
            detail=f"{text.dice_count(result.successes)} for anyone who uses it, at 1 Will",
        ),
    }
    question = f"{text.start(result.title(result.winner))} wins. Make a Condition of it?"
    return Choice("condition", "winner", question, options, result, "none")


def made(ask: Contest, result: Result, name: str) -> Node[Result]:
    """The contest goes on with a new Condition in the scene."""
    return suffer(ask, result._replace(condition=name))


def suffer(ask: Contest, result: Result) -> Node[Result]:
    """The loser crosses the box of that number, or takes an Injury instead (TG-10), if there is a choice (TG-11)."""
    ways = losses(result.successes, *ask.track_of(result.loser))
    options = {name: _bear(ask, result, loss) for name, loss in ways.items()}
    barred = {} if len(ways) > 1 else {"injury": Barred(f"There is no choice: {_low(ways['box'].label)}.", "TG-11")}
    question = f"What does {result.title(result.loser)} bear?"
    return Choice("loss", "loser", question, options, result, "" if len(ways) > 1 else "box", barred)


def _low(label: str) -> str:
    return label[0].lower() + label[1:]


def _bear(ask: Contest, result: Result, loss: Loss) -> Option[Result]:
    """One way to lose; an Injury is named by the loser (TG-10)."""
    borne = result._replace(box=loss.box, injury=loss.injury, out=loss.out)
    if not loss.injury:
        return Option(loss.label, lazy(settled, ask, borne), loss.rule, detail=loss.detail)
    words, then = "the Injury's name", lazy(injured, ask, borne)
    return Option(loss.label, then, loss.rule, words=words, needs=False, detail=loss.detail)


def injured(ask: Contest, result: Result, name: str) -> Node[Result]:
    """The contest ends with an Injury of this name."""
    return settled(ask, result._replace(injury_name=name or INJURY))


def other(side: str) -> str:
    """The other side."""
    return "theirs" if side == "ours" else "ours"


def settled(ask: Contest, result: Result) -> Node[Result]:
    """The outcome, with its effects and notes."""
    done = tuple(effects(ask, result))
    return Outcome(result, done, lambda: text.contest_notes(ask, result), tuple(prompts(result)))


def prompts(result: Result) -> Iterator[Prompt]:
    """The roll decides the fiction first of all: the winner tells it (TG-2); after a stalemate the GM (TG-5)."""
    if result.stalemate:
        yield Prompt("gm", "How does the situation shift?", "TG-5")
    else:
        yield Prompt(ROLES[result.winner], "What does it look like when you win?", "TG-2")
    if result.out:
        yield Prompt(ROLES[result.loser], "How do you leave the scene?", "TG-12")


def effects(ask: Contest, result: Result) -> Iterator[Effect]:
    """Will paid and gained, the winner's Condition (TG-9), and what the loser bears (TG-10 to TG-12)."""
    for side in SIDES:
        yield from ask.side(side).will_effects()
    if result.condition:
        cause = f"{result.title(result.winner)} makes it of the successes"
        yield Effect("condition", "scene", result.successes, result.condition, "TG-9", cause=cause)
    loser = ROLES[result.loser]
    rule = "TG-11" if result.box and result.injury else "TG-10"
    if result.box:
        yield Effect("power", loser, result.box, rule=rule)
    if result.injury:
        yield Effect("condition", loser, result.injury, result.injury_name or INJURY, rule)
    if result.out:
        yield Effect("out", loser, 1, rule="TG-12")
