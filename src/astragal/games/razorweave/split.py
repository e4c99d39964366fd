"""Split risks: several roll against the same DC, and all results stand side by side (RW-12)."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple, cast

from astragal.author import (
    Ask,
    Fields,
    Illegal,
    Independent,
    Node,
    Outcome,
    Pool,
    Reach,
    Reaches,
    Several,
    Source,
    Throw,
    field,
    lazy,
    sources_of,
    summed,
    words,
)
from astragal.games.razorweave import text
from astragal.games.razorweave.pool import CAP, MAX_BONUS, MAX_SOURCES, THROWS, capped, clock_input, dc_input
from astragal.games.razorweave.rules import TEXTS, cited
from astragal.games.razorweave.strike import narration
from astragal.games.razorweave.tiers import BANDS, FULL, PART, Tier, Together, moved, ticked, used_up

MAX_MEMBERS = 12


class Member(NamedTuple):
    """One who rolls: a name, all that is added to the dice, and the sources of Edge and Burden."""

    name: str
    added: int
    sources: tuple[Source, ...] = ()

    @property
    def uncapped(self) -> int:
        """Edge less Burden."""
        return sum(source.n for source in self.sources)

    @property
    def net(self) -> int:
        """Edge less Burden, capped at 2 either way (RW-4)."""
        return capped(self.uncapped)


class Split(Ask, texts=TEXTS.of("split")):
    """Who rolls, each with their own Attribute, Skill and bonuses, Edge and Burden (RW-12)."""

    dc: int = dc_input(reads="options.dc")
    scene: int = summed(-10, 10, default=0, rule="RW-3", dice=False)
    members: int = summed(
        -MAX_BONUS * MAX_MEMBERS, MAX_BONUS * MAX_MEMBERS, rule="RW-12", each=(-MAX_BONUS, MAX_BONUS), apart=True
    )
    edge: int = summed(-MAX_SOURCES, MAX_SOURCES, default=0, rule="RW-4", each=(-CAP, CAP))
    edges: int = summed(
        -MAX_SOURCES * MAX_MEMBERS, MAX_SOURCES * MAX_MEMBERS, default=0, rule="RW-12", each=(-CAP, CAP), apart=True
    )
    prepared: int = summed(0, MAX_SOURCES, default=0, rule="RW-12", each=(1, CAP), apart=True, whose="sheet")
    goal: str | None = clock_input()
    threat: str | None = clock_input()
    intent: str | None = words(default=None, rule="RW-1", told="{}")
    approach: str | None = words(default=None, rule="RW-1", told="{}")

    def check(self) -> None:
        """Refuse too few or too many members, members without names, and Edge of a character who does not roll."""
        names = [member.name for member in self.rollers]
        if not all(names) or not 2 <= len(names) <= MAX_MEMBERS:
            raise Illegal(*cited("RW-12.members", most=MAX_MEMBERS))
        for source in (*sources_of(self.edges), *sources_of(self.prepared)):
            if name_in(source) not in names:
                raise Illegal(*cited("RW-12.stranger", name=source.label[:60], names=", ".join(names)))

    @property
    def rollers(self) -> tuple[Member, ...]:
        """Everybody by name. "Kira: Might" and "Kira: Stealth" are parts of what Kira rolls with."""
        sums: dict[str, int] = {}
        for source in sources_of(self.members):
            sums[name_in(source)] = sums.get(name_in(source), 0) + source.n
        common, own = sources_of(self.edge, "Edge"), (*sources_of(self.edges), *sources_of(self.prepared))
        return tuple(
            Member(name, n, (*common, *(source for source in own if name_in(source) == name)))
            for name, n in sums.items()
        )

    @property
    def target(self) -> int:
        """The DC, after the scene has moved it along the ladder (RW-3)."""
        return moved(self.dc, self.scene)

    @property
    def net(self) -> int:
        """What all members have in common."""
        return capped(self.edge)

    @property
    def pool(self) -> Pool:
        """The dice of all of them, one after the other."""
        return tuple(dice for member in self.rollers for dice in THROWS[member.net][0])

    @property
    def reading(self) -> Independent:
        """The reading of each member's dice (RW-4, RW-6)."""
        needs = [(THROWS[member.net][1], self.target - member.added) for member in self.rollers]
        return Independent(tuple(Reaches(keep, BANDS, needed) for keep, needed in needs))


def name_in(source: Source) -> str:
    """Whose source it is: "Kira" of "Kira: Might"."""
    return source.label.partition(PART)[0]


class MemberResult(NamedTuple):
    """One member's result."""

    name: str
    result: int
    margin: int
    tier: str
    net: int = 0


class SplitResult(Fields):
    """Everybody's result, in the order they rolled."""

    def __init__(self, ask: Split, dice: Several) -> None:
        self.ask = ask
        self.dice = dice

    @field
    def dc(self) -> int:
        """The DC, after the scene has moved it (RW-3)."""
        return self.ask.target

    @field
    def net(self) -> int:
        """What all members have in common."""
        return self.ask.net

    @field
    def members(self) -> tuple[MemberResult, ...]:
        """The result of each member's dice."""
        return tuple(
            MemberResult(member.name, total := reach.total + member.added, total - self.dc, reach.word, member.net)
            for member, reach in zip(self.ask.rollers, self.dice.each, strict=True)
        )

    @property
    def best(self) -> Tier:
        """The best tier of all."""
        return cast("Tier", self.dice.words[0])

    @property
    def worst(self) -> Tier:
        """The worst tier of all."""
        return cast("Tier", self.dice.words[-1])

    @property
    def full_successes(self) -> int:
        """The number of members who succeed fully, or better."""
        return sum([tier in FULL for tier in self.dice.words])

    @property
    def together(self) -> Together:
        """Whether all, some or none of the group succeed fully (RW-12)."""
        return "all" if self.worst in FULL else "some" if self.best in FULL else "none"


def split(ask: Split) -> Node[SplitResult]:
    """All members roll in turn, and their dice are independent."""
    at_once = Throw(ask.pool, ask.reading, then=partial(settled, ask), so_far=partial(SplitResult, ask))
    return next_member(ask, (), at_once)


def next_member(
    ask: Split, done: tuple[Reach, ...], at_once: Throw[Several, SplitResult] | None = None
) -> Node[SplitResult]:
    """The next roller's throw, with what is theirs; after the last one, all results together."""
    if len(done) == len(ask.rollers):
        return settled(ask, ask.reading.of(done))
    member = ask.rollers[len(done)]
    return Throw(
        THROWS[member.net][0],
        ask.reading.readings[len(done)],
        then=lambda reach: lazy(next_member, ask, (*done, reach)),
        tell=lambda faces: text.tell_member(member, faces),
        title=member.name,
        by=f"helper {len(done)}" if done else "roller",
        together=at_once,
    )


def settled(ask: Split, dice: Several) -> Node[SplitResult]:
    """All results side by side, with what they tick and use up (RW-11, RW-12)."""
    result = SplitResult(ask, dice)
    ticks = tuple(tick for member in result.members for tick in ticked(ask.goal, ask.threat, member.tier))
    effects = (*ticks, *used_up(ask.prepared, several=True))
    return Outcome(result, effects, lambda: text.split_notes(result, ticks), narration())
