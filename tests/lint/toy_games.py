"""Two toy games for the lint: the Pit has every flaw that it looks for, the Meadow has none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from astragal.dice.dice import Dice, faces_from
from astragal.dice.reading import Face, Tally
from astragal.rule.chances.fact import Fact, Wish
from astragal.rule.game import Kind, kinds_of
from astragal.rule.inputs.ask import Ask, flag, whole
from astragal.rule.tree.effect import Effect
from astragal.rule.tree.node import Choice, Node, Option, Outcome, Throw, lazy
from astragal.rule.tree.note import Telling

COST = (Effect("luck", "player", -1, when="answer"),)


def untold(faces: object) -> Telling:
    return Telling((), ())


class Dare(Ask):
    """Some dice, and a charm that gives one more; under a curse it takes one away instead, which nobody meant."""

    dice: int = whole(1, 20, "d6s", rule="PIT-1")
    charm: int = whole(0, 3, "charms", default=0, rule="PIT-2")
    cursed: bool = flag("a curse lies on the dice", default=False, rule="PIT-3")

    @property
    def thrown(self) -> int:
        return max(0, self.dice - self.charm) if self.cursed else self.dice + self.charm


class Fall(NamedTuple):
    """Where it ended, and what the sky looked like."""

    outcome: str
    omen: str


def dare(ask: Dare) -> Node[Fall]:
    """First the omen, then the dice: a 6 wins. Six more 6s in a row make a legend of it."""
    return Throw((Dice(6, 1, "omen"),), Face(), lambda face: lazy(descend, ask, OMENS[face]), untold)


OMENS = {1: "dark", 2: "dark", 3: "grey", 4: "grey", 5: "bright", 6: "bright"}


def descend(ask: Dare, omen: str) -> Node[Fall]:
    return Throw((Dice(6, ask.thrown, "d6"),), Tally(faces_from(6, 6)), lambda sixes: after(omen, sixes), untold)


def after(omen: str, sixes: int) -> Node[Fall]:
    """A bright omen never loses."""
    if sixes or omen == "bright":
        return Throw((Dice(6, 6, "d6"),), Tally(faces_from(6, 6)), lambda n: ended(omen, n == 6), untold)
    lost = Fall("lose", omen)
    options = {
        "accept": Option("Accept it", lazy(Outcome, lost), "PIT-4"),
        "beg": Option("Beg for one more die", lazy(beg, omen), "PIT-5", effects=COST),
        "sulk": Option("Sulk", lazy(Outcome, lost), "PIT-6", effects=COST),
    }
    return Choice("loss", "player", "Well?", options, lost, "accept")


def ended(omen: str, legend: bool) -> Node[Fall]:
    return Outcome(Fall("legend" if legend else "win", omen))


def beg(omen: str) -> Node[Fall]:
    return Throw((Dice(6, 1, "d6"),), Face(), lambda face: Outcome(Fall("win" if face == 6 else "lose", omen)), untold)


class Stroll(Ask):
    """Some dice of which some must show 4 or more; help is another die."""

    dice: int = whole(1, 20, "d6s", rule="MEADOW-1")
    needed: int = whole(1, 20, "4s or more needed", default=1, rule="MEADOW-2")
    help: int = whole(0, 2, "helpers", default=0, rule="MEADOW-3")


class Walked(NamedTuple):
    """How it went."""

    success: bool


def stroll(ask: Stroll) -> Node[Walked]:
    dice = (Dice(6, ask.dice + ask.help, "d6"),)
    return Throw(dice, Tally(faces_from(4, 6)), lambda n: arrived(ask, n, 1), untold)


def arrived(ask: Stroll, n: int, tries: int) -> Node[Walked]:
    """Who falls short may try one die more, once."""
    so_far = Walked(n >= ask.needed)
    if so_far.success or not tries:
        return Outcome(so_far)
    options = {
        "rest": Option("Rest", lazy(Outcome, so_far), "MEADOW-4"),
        "hurry": Option("Throw one die more", lazy(hurry, ask, n), "MEADOW-4", effects=COST),
    }
    return Choice("short", "player", "Hurry?", options, so_far, "rest")


def hurry(ask: Stroll, n: int) -> Node[Walked]:
    return Throw((Dice(6, 1, "d6"),), Face(), lambda face: arrived(ask, n + (face >= 4), 0), untold)


def titled(result: Any) -> str:
    return str(result)


FACTS = {
    "dare": {
        "outcome": Fact("Outcome", lambda result: result.outcome, lambda ask: ("legend", "win", "lose", "void")),
        "omen": Fact("Omen", lambda result: result.omen, lambda ask: ("bright", "grey", "dark")),
    },
    "stroll": {"success": Fact("Success", lambda result: result.success, lambda ask: (True, False))},
}
WISHES = {
    "dare": {"win": Wish("win", "to come back", lambda result: int(result.outcome != "lose"))},
    "stroll": {"succeed": Wish("succeed", "to arrive", lambda result: int(result.success))},
}


def kinds(*made: Kind) -> Iterable[Kind]:
    return kinds_of(*made).values()


PIT, MEADOW = kinds(
    Kind("dare", "Go down", Dare, dare, titled, titled, short=("dice",), example="pit 3", odds=__name__),
    Kind("stroll", "Take a walk", Stroll, stroll, titled, titled, short=("dice", "needed"), odds=__name__),
)


class Plain(Ask):
    """A roll that names neither tables nor wishes."""

    dice: int = whole(1, 20, "d6s")


(PLAIN,) = kinds(Kind("plain", "Throw", Plain, lambda ask: stroll(Stroll(dice=ask.dice)), titled, titled))
