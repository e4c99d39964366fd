"""Split risks: several roll against the same DC, and all results stand side by side (RW-12)."""

from __future__ import annotations

from typing import NamedTuple

from astragal.author import Ask, Illegal, Kept, Node, Outcome, Source, Throw, lazy, sources_of, summed, whole, words
from astragal.games.razorweave import text
from astragal.games.razorweave.check import MAX_BONUS, MAX_DC, MAX_SOURCES, THROWS
from astragal.games.razorweave.tiers import ticked, tier_of

MAX_MEMBERS = 12
PART = ": "


class Split(Ask):
    """Who rolls, each with the total of Attribute, Skill and bonuses."""

    dc: int = whole(1, MAX_DC, "the DC that everybody faces", rule="RW-2")
    members: int = summed(
        -MAX_BONUS * MAX_MEMBERS,
        MAX_BONUS * MAX_MEMBERS,
        'who rolls, each with a modifier: "3 Kira, 1 Dex"',
        rule="RW-12",
        each=(-MAX_BONUS, MAX_BONUS),
    )
    edge: int = summed(
        -MAX_SOURCES,
        MAX_SOURCES,
        "Edge less Burden, the same for everybody",
        default=0,
        rule="RW-4",
        each=(-1, 1),
    )
    goal: str | None = words("the goal Clock that successes tick", default=None, rule="RW-11")
    threat: str | None = words("the threat Clock that all else ticks", default=None, rule="RW-11")

    def check(self) -> None:
        """Refuse fewer than two members, too many, or one without a name."""
        if not all(member.label for member in self.rollers) or not 2 <= len(self.rollers) <= MAX_MEMBERS:
            raise Illegal(f'Split risks need 2 to {MAX_MEMBERS} members, each with a name: "3 Kira, 1 Dex".', "RW-12")

    @property
    def rollers(self) -> tuple[Source, ...]:
        """Everybody by name. "Kira: Might" and "Kira: Skill" are parts of what Kira rolls with."""
        sources = sources_of(self.members)
        if not any(PART in source.label for source in sources):
            return sources
        sums: dict[str, int] = {}
        for source in sources:
            name = source.label.partition(PART)[0]
            sums[name] = sums.get(name, 0) + source.n
        return tuple(Source(name, n) for name, n in sums.items())

    @property
    def net(self) -> int:
        """The net Edge, at most 2 either way (RW-4)."""
        return max(-2, min(2, self.edge))


class MemberResult(NamedTuple):
    """One member's result."""

    name: str
    result: int
    margin: int
    tier: str


class SplitResult(NamedTuple):
    """Everybody's result, in the order they rolled."""

    dc: int
    net: int
    members: tuple[MemberResult, ...]


def split(ask: Split) -> Node[SplitResult]:
    """Everybody rolls in turn."""
    return next_member(ask, ())


def next_member(ask: Split, done: tuple[MemberResult, ...]) -> Node[SplitResult]:
    """The next member's throw; after the last, the outcome."""
    if len(done) == len(ask.rollers):
        result = SplitResult(ask.dc, ask.net, done)
        ticks = tuple(tick for member in done for tick in ticked(ask.goal, ask.threat, member.tier))
        return Outcome(result, ticks, lambda: text.split_notes(result, ticks))
    roller = ask.rollers[len(done)]
    return Throw(
        *THROWS[ask.net],
        then=lambda kept: lazy(next_member, ask, (*done, member_of(ask, roller, kept))),
        tell=lambda faces: text.tell_member(roller.label, faces, ask.net),
        title=roller.label,
        by=f"helper {len(done)}" if done else "roller",
    )


def member_of(ask: Split, roller: Source, kept: Kept) -> MemberResult:
    """What a member's dice come to."""
    total = kept.total + roller.n
    return MemberResult(roller.label, total, total - ask.dc, tier_of(total - ask.dc, kept.every))
