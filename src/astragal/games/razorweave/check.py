"""A Razorweave Check: 4d6 against a DC, with Edge or Burden, in the order of its steps (RW-1 to RW-5)."""

from __future__ import annotations

from astragal.author import Ask, Illegal, Node, Source, Throw, flag, named, sources_of, summed, whole, words
from astragal.games.razorweave import text
from astragal.games.razorweave.edge import CAP, MAX_SOURCES, THROWS, refuse_strangers
from astragal.games.razorweave.inputs import CONDITIONS, MAX_BONUS, clock_input, condition, dc_input
from astragal.games.razorweave.outcome import no_roll, settle
from astragal.games.razorweave.result import Result
from astragal.games.razorweave.tiers import moved


class Check(Ask):
    """What a Check needs to know. The words of step one and two are for the record, each optional (RW-1)."""

    intent: str | None = words(
        "what is to be achieved",
        default=None,
        rule="RW-1",
        guided=True,
        told="{}",
        title="What is it about?",
        advanced=False,
    )
    approach: str | None = words(
        "how they go about it", default=None, rule="RW-1", guided=True, told="{}", title="How?", advanced=False
    )
    uncertain: str | None = condition("if it is certain, nobody rolls", "Could it go either way?")
    matters: str | None = condition("if nothing comes of failing, nobody rolls", "Would failing matter?")
    agency: str | None = condition("if they cannot, nobody rolls", "Can they do anything about it?")
    dc: int | None = dc_input(
        "the DC: 12 Easy, 14 Routine, 16 Tough, 18 Hard, 20 Heroic, 22 Legendary",
        unless=tuple((name, "no") for name in CONDITIONS),
    )
    scene: int = summed(
        -10,
        10,
        "scene factors: steps up (harder) or down the ladder",
        default=0,
        rule="RW-3",
        told="the scene: {}",
        title="The scene makes it harder",
        dice=False,
    )
    attribute: int = whole(
        -MAX_BONUS,
        MAX_BONUS,
        "the Attribute's rating",
        default=0,
        rule="RW-5",
        guided=True,
        title="Attribute",
        dice=False,
    )
    skill: bool = flag(
        "a Skill fits: +1, and never more", default=False, rule="RW-5", guided=True, title="A Skill fits", dice=False
    )
    bonus: int = summed(
        -MAX_BONUS,
        MAX_BONUS,
        "other temporary bonuses",
        default=0,
        rule="RW-5",
        guided=True,
        title="Other bonuses",
        granted="a bonus of {}",
        dice=False,
    )
    modifier: int = summed(
        -MAX_BONUS,
        MAX_BONUS,
        "all that is added, as one number, instead of or besides its parts",
        default=0,
        rule="RW-5",
        title="All bonuses as one number",
        dice=False,
        granted="{} added",
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
        granted="Edge {}",
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
        granted="Burden {}",
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
        title="Edge",
    )
    strike: bool = flag(
        "the Check is a Strike", default=False, rule="RW-8", guided=True, title="Strike", advanced=False, dice=False
    )
    down: str | None = words(
        "whose Resolve is full already, if the Strike is at them", default=None, rule="RW-9", whose="sheet"
    )
    striker_down: str | None = words(
        "who strikes although their own Resolve is full", default=None, rule="RW-9", whose="sheet"
    )
    anyway: str | None = words(
        "why somebody strikes or is struck who is down",
        default=None,
        rule="RW-9",
        told="{}",
        title="Somebody is down already. Why all the same?",
        asks="Say why, although somebody is down",
    )
    set_up: str | None = words(
        "who gets Edge on their next action if this succeeds, by name",
        default=None,
        rule="RW-12",
        title="Set Up for whom?",
        advanced=False,
    )
    group: str | None = words(
        "the group that this one roll stands for",
        default=None,
        rule="RW-12",
        told="one roll for {}",
        title="One roll for a group",
        advanced=False,
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
    goal: str | None = clock_input("the goal Clock that a success ticks", "Goal Clock", advanced=False)
    threat: str | None = clock_input("the threat Clock that less than a full success ticks", "Threat Clock")
    resolve: str | None = clock_input(
        "the Clock of a Strike's target that has no sheet", "Clock that a Strike fills", "RW-8"
    )

    def check(self) -> None:
        """Refuse a retry without a change, a Strike at somebody who is down without a reason, and help of nobody."""
        if self.again and not self.retry:
            raise Illegal(
                f'"{self.again[:60]}" failed before; say with retry, in words, what has changed since then.',
                "RW-13",
                "retry",
            )
        if self.strike and (self.down or self.striker_down) and not self.anyway:
            raise Illegal(self._downed, "RW-9", "anyway")
        if self.assist_as:
            refuse_strangers(self.assist_as, self.assist)

    @property
    def _downed(self) -> str:
        if self.striker_down:
            return (
                f"{self.striker_down[:60]} is down: the Resolve Clock is full. If they strike all the same, say with "
                "anyway, in words, why."
            )
        return (
            f"{(self.down or '')[:60]} is down: the Resolve Clock is full. If they are struck all the same, say with "
            "anyway, in words, why."
        )

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
        """The DC, after the scene has moved it along the ladder (RW-3); a Check that is not needed has none."""
        dc = self.dc or 0
        return moved(dc, self.scene) if self.scene else dc

    @property
    def added(self) -> int:
        """All that is added to the dice (RW-5)."""
        helped = len(self.bonus_helpers) if self.assist_as else 0
        return self.attribute + self.skill + self.bonus + self.modifier + helped

    @property
    def needed(self) -> bool:
        """A Check is needed unless one of the three conditions is denied (RW-1)."""
        return "no" not in [getattr(self, name) for name in CONDITIONS]


def check(ask: Check) -> Node[Result]:
    """Throw 4d6 and one more for each Edge or Burden, keep the best or the worst 4 (RW-4)."""
    if not ask.needed:
        return no_roll(ask)
    net = ask.net
    pool, keep = THROWS[net]
    return Throw(pool, keep, lambda kept: settle(ask, net, kept), lambda faces: text.tell_pool(ask, faces))
