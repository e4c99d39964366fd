"""A Razorweave Check: 4d6 against a DC, with Edge or Burden (RW-1 to RW-7, RW-11 to RW-13)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from astragal.author import (
    Ask,
    Choice,
    Effect,
    Illegal,
    Kept,
    Node,
    Option,
    Outcome,
    Prompt,
    Source,
    Throw,
    flag,
    lazy,
    named,
    one_of,
    sources_of,
    summed,
    whole,
    words,
)
from astragal.games.razorweave import text
from astragal.games.razorweave.edge import CAP, MAX_SOURCES, THROWS, refuse_strangers
from astragal.games.razorweave.result import Result
from astragal.games.razorweave.strike import strike
from astragal.games.razorweave.tiers import FAILED, LADDER, moved, name_of, ticked, tier_of, used_up

MAX_DC = 99
MAX_BONUS = 50
SET_UP = {"critical_success": 2, "full_success": 1}
"""The Edge that a Set Up gives by tier (RW-4, RW-12)."""
NARRATION = Prompt("gm", "What happens?", "RW-1")


def dc_input(help: str) -> Any:
    """The input of a DC, with its ladder (RW-2)."""
    steps, asks = tuple(LADDER.items()), "Choose a difficulty"
    return whole(1, MAX_DC, help, rule="RW-2", title="How hard?", steps=steps, asks=asks)


class Check(Ask):
    """What a Check needs to know. The words of step one and two are for the record, each optional (RW-1)."""

    dc: int = dc_input("the DC: 12 Easy, 14 Routine, 16 Tough, 18 Hard, 20 Heroic, 22 Legendary")
    attribute: int = whole(
        -MAX_BONUS, MAX_BONUS, "the Attribute's rating", default=0, rule="RW-5", guided=True, title="Attribute"
    )
    skill: bool = flag(
        "a Skill fits: +1, and never more", default=False, rule="RW-5", guided=True, title="A Skill fits"
    )
    bonus: int = summed(
        -MAX_BONUS, MAX_BONUS, "other temporary bonuses", default=0, rule="RW-5", guided=True, title="Other bonuses"
    )
    modifier: int = summed(
        -MAX_BONUS,
        MAX_BONUS,
        "all that is added, as one number, instead of or besides its parts",
        default=0,
        rule="RW-5",
        title="All bonuses as one number",
    )
    edge: int = summed(
        -MAX_SOURCES,
        MAX_SOURCES,
        "sources of Edge, a number or each by name: 1, or 2 for a great one",
        default=0,
        rule="RW-4",
        each=(-CAP, CAP),
        guided=True,
        title="Edge",
    )
    burden: int = summed(
        0,
        MAX_SOURCES,
        "sources of Burden, a number or each by name: 1, or 2 for a great one",
        default=0,
        rule="RW-4",
        each=(1, CAP),
        guided=True,
        told="despite {}",
        title="Burden",
    )
    assist: int = summed(
        0, MAX_SOURCES, "helpers, each one more source of Edge", default=0, rule="RW-12", each=(1, CAP), title="Helpers"
    )
    assist_as: tuple[tuple[str, str], ...] = named(
        ("edge", "bonus"),
        "a helper by name, and whether the help is Edge or +1",
        default=(),
        rule="RW-12",
        whose="gm",
        title="What a helper gives",
    )
    prepared: int = summed(
        0,
        MAX_SOURCES,
        "what others have set up for this action, each Edge",
        default=0,
        rule="RW-12",
        each=(1, CAP),
        whose="sheet",
    )
    scene: int = summed(
        -10,
        10,
        "scene factors: steps up (harder) or down the ladder",
        default=0,
        rule="RW-3",
        told="the scene: {}",
        title="The scene makes it harder",
    )
    strike: bool = flag(
        "the Check is a Strike", default=False, rule="RW-8", guided=True, title="Strike", advanced=False
    )
    down: str | None = words(
        "whose Resolve is full already, if the Strike is at them", default=None, rule="RW-9", whose="sheet"
    )
    anyway: str | None = words(
        "why somebody is struck who is down",
        default=None,
        rule="RW-9",
        told="{}",
        title="They are down already. Why strike them?",
        asks="Say why they are struck",
    )
    set_up: str | None = words(
        "who gets Edge on their next action if this succeeds, by name",
        default=None,
        rule="RW-12",
        title="Set Up for whom?",
    )
    intent: str | None = words(
        "what is to be achieved", default=None, rule="RW-1", told="{}", title="What is it about?"
    )
    approach: str | None = words("how they go about it", default=None, rule="RW-1", told="{}", title="How?")
    uncertain: str | None = one_of(
        ("yes", "no"), "if it is certain, nobody rolls", default=None, rule="RW-1", title="Could it go either way?"
    )
    matters: str | None = one_of(
        ("yes", "no"),
        "if nothing comes of failing, nobody rolls",
        default=None,
        rule="RW-1",
        title="Would failing matter?",
    )
    agency: str | None = one_of(
        ("yes", "no"), "if they cannot, nobody rolls", default=None, rule="RW-1", title="Can they do anything about it?"
    )
    retry: str | None = words(
        "for a retry: what has changed since the last try",
        default=None,
        rule="RW-13",
        told="what has changed: {}",
        title="This failed before. What has changed?",
        asks="Say what has changed",
    )
    again: str | None = words(
        "what was tried before and failed, if it is tried again", default=None, rule="RW-13", title="What failed before"
    )
    group: str | None = words(
        "the group that this one roll stands for", default=None, rule="RW-12", title="One roll for a group"
    )
    goal: str | None = words("the goal Clock that a success ticks", default=None, rule="RW-11", title="Goal Clock")
    threat: str | None = words(
        "the threat Clock that less than a full success ticks", default=None, rule="RW-11", title="Threat Clock"
    )
    resolve: str | None = words(
        "the Clock of a Strike's target that has no sheet", default=None, rule="RW-8", title="Clock that a Strike fills"
    )

    def check(self) -> None:
        """Refuse a retry without a change, a Strike at somebody who is down without a reason, and help of nobody."""
        if self.again and not self.retry:
            raise Illegal(
                f'"{self.again[:60]}" failed before; say with retry, in words, what has changed since then.',
                "RW-13",
                "retry",
            )
        if self.strike and self.down and not self.anyway:
            raise Illegal(
                f"{self.down[:60]} is down: the Resolve Clock is full. If they are struck all the same, say with "
                "anyway, in words, why.",
                "RW-9",
                "anyway",
            )
        if self.assist_as:
            refuse_strangers(self.assist_as, self.assist)

    @property
    def sources(self) -> list[Source]:
        """All sources of Edge and Burden, the latter as penalties (RW-4, RW-12)."""
        burdens = [Source(source.label, -source.n) for source in sources_of(self.burden, "Burden")]
        edges = (*sources_of(self.edge, "Edge"), *sources_of(self.prepared, "set up"))
        return [*edges, *self.edge_helpers, *burdens]

    @property
    def edge_helpers(self) -> list[Source]:
        """The helpers who give Edge."""
        bonus = {name.lower() for name, word in self.assist_as if word == "bonus"}
        return [source for source in sources_of(self.assist, "assistance") if source.label.lower() not in bonus]

    @property
    def bonus_helpers(self) -> list[Source]:
        """The helpers who give +1 each instead, as the GM says (RW-12)."""
        edge = self.edge_helpers
        return [Source(source.label, 1) for source in sources_of(self.assist, "assistance") if source not in edge]

    @property
    def uncapped(self) -> int:
        """Edge less Burden."""
        assist = sum(source.n for source in self.edge_helpers) if self.assist_as else self.assist
        return self.edge + self.prepared + assist - self.burden

    @property
    def net(self) -> int:
        """Edge less Burden, capped at 2 either way (RW-4)."""
        uncapped = self.uncapped
        return uncapped if -CAP <= uncapped <= CAP else CAP if uncapped > 0 else -CAP

    @property
    def target(self) -> int:
        """The DC, after the scene has moved it along the ladder (RW-3)."""
        return moved(self.dc, self.scene) if self.scene else self.dc

    @property
    def added(self) -> int:
        """All that is added to the dice (RW-5)."""
        helped = len(self.bonus_helpers) if self.assist_as else 0
        return self.attribute + self.skill + self.bonus + self.modifier + helped

    @property
    def needed(self) -> bool:
        """A Check is needed unless one of the three conditions is denied (RW-1)."""
        return "no" not in (self.uncertain, self.matters, self.agency)


def check(ask: Check) -> Node[Result]:
    """Throw 4d6 and one more for each Edge or Burden, keep the best or the worst 4 (RW-4)."""
    if not ask.needed:
        return no_roll(ask)
    net = ask.net
    pool, keep = THROWS[net]
    return Throw(pool, keep, lambda kept: settle(ask, net, kept), lambda faces: text.tell_pool(ask, faces))


def settle(ask: Check, net: int, kept: Kept) -> Node[Result]:
    """Result, margin and tier (RW-5 to RW-7); a Strike goes on from there (RW-8)."""
    total = kept.total + ask.added
    dc = ask.target
    margin = total - dc
    result = Result(net, dc, name_of(dc), kept.total, total, margin, tier_of(margin, kept.every))
    if net in (CAP, -CAP) and ask.uncapped != net:
        result = result._replace(cut=ask.uncapped - net)
    if ask.strike:
        return strike(ask, result)
    ticks = ticked(ask.goal, ask.threat, result.tier) if ask.goal or ask.threat else ()
    effects: tuple[Effect, ...] = ticks
    if ask.intent or ask.again or ask.prepared or ask.set_up:
        effects = (*ticks, *tried(ask, result.tier), *setting_up(ask, result.tier))
    return Outcome(result, effects, lambda: text.check_notes(ask, result, ticks), (NARRATION,))


def setting_up(ask: Check, tier: str | None) -> Iterator[Effect]:
    """What was set up is used up; a success sets up the one who is named, a critical one greatly (RW-12)."""
    yield from used_up(ask.prepared)
    if ask.set_up and tier in SET_UP:
        yield Effect("set_up", "scene", SET_UP[tier], ask.set_up, "RW-12")


def tried(ask: Check, tier: str | None) -> Iterator[Effect]:
    """What fails is remembered for a retry, and forgotten once it succeeds (RW-13)."""
    intent = ask.intent or ask.again
    if intent:
        yield Effect("tried", "roller", 1 if tier in FAILED else -1, intent, "RW-13")


def no_roll(ask: Check) -> Node[Result]:
    """Nothing is rolled, and the GM answers yes or no (RW-1)."""
    result = Result(ask.net, ask.target, name_of(ask.target), None, None, None, None)
    options = {
        "yes": Option("Yes, it works", lazy(answered, ask, result._replace(answer="yes")), "RW-1"),
        "no": Option("No, it cannot be done", lazy(answered, ask, result._replace(answer="no")), "RW-1"),
    }
    return Choice("answer", "gm", "No Check is needed. What is the answer?", options, result)


def answered(ask: Check, result: Result) -> Node[Result]:
    """The outcome of a Check that needs no roll."""
    return Outcome(result, tell=lambda: text.check_notes(ask, result))
