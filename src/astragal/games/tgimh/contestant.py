"""One side of a roll: its pool, what that costs in Will, and whether it may roll at all (TG-2, TG-6 to TG-8, TG-12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from astragal.author import MAX_DICE, Effect, Illegal, Role, Source, sources_of
from astragal.games.tgimh.text import start

ROLES: dict[str, Role] = {"ours": "roller", "theirs": "target"}
TITLES = {"ours": "our side", "theirs": "their side"}
"""What a side is called that nobody named."""


class Contestant(NamedTuple):
    """A side with what it brings. ``against`` are the other's Aspects that it uses, ``used`` its own that are used."""

    side: str
    name: str | None
    pool: int
    gear: int = 0
    against: int = 0
    used: int = 0
    will: int | None = None
    cap: int | None = None
    out: bool = False
    free: int = 0
    """How many of the other's Aspects cost it nothing, since they give the other no Will (TG-8)."""

    @property
    def title(self) -> str:
        """What the side is called (TG-2)."""
        return self.name or TITLES[self.side]

    @property
    def dice(self) -> int:
        """The dice of all sources; a pool of 0 or less rolls none (TG-2)."""
        return self.pool + self.gear + self.against

    @property
    def sources(self) -> list[Source]:
        """What the pool is made of."""
        gear = sources_of(self.gear, "Gear and Abilities")
        return [*sources_of(self.pool), *_positive(self.against), *gear]

    @property
    def cost(self) -> int:
        """1 Will for each named Aspect or Condition that gives dice, and for each of the other's Aspects (TG-6)."""
        return len(self._paid)

    @property
    def uses(self) -> int:
        """How many of its own Aspects are used against it."""
        return len(_positive(self.used))

    @property
    def gained(self) -> int:
        """1 Will for each own Aspect that is used against it, as far as a cap goes (TG-7, TG-8)."""
        gain = len(_positive(self.used))
        if self.cap is None or self.will is None:
            return gain
        return max(0, min(gain, self.cap - (self.will - self.cost)))

    @property
    def will_left(self) -> int | None:
        """The Will after the roll; None if it is not known."""
        return None if self.will is None else self.will - self.cost + self.gained

    def check(self, even_so: bool) -> None:
        """Refuse a side that is out of the scene, has too little Will or too many dice."""
        if self.out and not even_so:
            raise Illegal(
                f"{start(self.title)} is out of the scene and does not roll in it, unless the GM says so.", "TG-12"
            )
        if self.will is not None and self.cost > self.will:
            raise Illegal(f"That costs {self.cost} Will, and {self.title} has {self.will or 'none'}.", "TG-6")
        if self.dice > MAX_DICE:
            raise Illegal(
                f"{start(self.title)} would roll {self.dice:,} dice; at most {MAX_DICE:,} are rolled.", "TG-2"
            )

    def will_effects(self) -> Iterator[Effect]:
        """The Will that the side pays (TG-6) and gains (TG-7); what was typed is settled when the roll ends."""
        role = ROLES[self.side]
        for source in self._paid:
            used = source.label or "an Aspect of theirs"
            yield Effect("will", role, -1, rule="TG-6", when=_when(source), cause=f"{{who}} uses {used}")
        for source in _positive(self.used)[: self.gained]:
            used = source.label or "an Aspect"
            yield Effect("will", role, 1, rule="TG-7", when=_when(source), cause=f"{used} is used against {{who}}")

    @property
    def _paid(self) -> list[Source]:
        against = _positive(self.against)
        return [*(source for source in _positive(self.pool) if source.label), *against[: len(against) - self.free]]


def _positive(number: int) -> list[Source]:
    """The sources that give dice."""
    return [source for source in sources_of(number) if source.n > 0]


def _when(source: Source) -> Literal["throw", "end"]:
    return "end" if source.offer == "" else "throw"
