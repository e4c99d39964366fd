"""Split risks: several roll against the same DC, and all results stand side by side (RW-12)."""

from __future__ import annotations

from typing import NamedTuple

from astragal.author import Ask, Illegal, Kept, Node, Outcome, Source, Throw, lazy, sources_of, summed, words
from astragal.games.razorweave import text
from astragal.games.razorweave.edge import CAP, MAX_SOURCES, THROWS, capped
from astragal.games.razorweave.inputs import MAX_BONUS, clock_input, dc_input
from astragal.games.razorweave.rules import TEXTS, cited
from astragal.games.razorweave.strike import narration
from astragal.games.razorweave.tiers import PART, moved, ticked, tier_of, used_up

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

    dc: int = dc_input()
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
        """Refuse too few or too many members, members without names, and Edge of somebody who does not roll."""
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
        return moved(self.dc, self.scene) if self.scene else self.dc

    @property
    def net(self) -> int:
        """What everybody has in common."""
        return capped(self.edge)


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


class SplitResult(NamedTuple):
    """Everybody's result, in the order they rolled."""

    dc: int
    net: int
    members: tuple[MemberResult, ...]


def split(ask: Split) -> Node[SplitResult]:
    """Everybody rolls in turn."""
    return next_member(ask, ())


def next_member(ask: Split, done: tuple[MemberResult, ...]) -> Node[SplitResult]:
    """The next roller's throw, with what is theirs; after the last one, all results together."""
    rollers = ask.rollers
    if len(done) == len(rollers):
        result = SplitResult(ask.target, ask.net, done)
        ticks = tuple(tick for member in done for tick in ticked(ask.goal, ask.threat, member.tier))
        effects = (*ticks, *used_up(ask.prepared, several=True))
        return Outcome(result, effects, lambda: text.split_notes(result, ticks), narration())
    member = rollers[len(done)]
    return Throw(
        *THROWS[member.net],
        then=lambda kept: lazy(next_member, ask, (*done, member_of(ask, member, kept))),
        tell=lambda faces: text.tell_member(member, faces),
        title=member.name,
        by=f"helper {len(done)}" if done else "roller",
    )


def member_of(ask: Split, member: Member, kept: Kept) -> MemberResult:
    """What one member's dice came to."""
    total = kept.total + member.added
    return MemberResult(member.name, total, total - ask.target, tier_of(total - ask.target, kept.every), member.net)
