"""One side of a roll: its pool, what that costs in Will, and whether it may roll at all (TG-2, TG-6 to TG-8, TG-12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from astragal.author import MAX_DICE, Effect, Illegal, Role, Source, sources_of
from astragal.games.tgimh.rules import cited, say
from astragal.games.tgimh.text import aspect, start

ROLES: dict[str, Role] = {"ours": "roller", "theirs": "target"}


def title_of(name: str | None, side: str) -> str:
    """What a side is called, also where nobody named it (TG-2)."""
    return name or say(f"side.{side}")


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
        return title_of(self.name, self.side)

    @property
    def dice(self) -> int:
        """The dice of all sources; a pool of 0 or less rolls none (TG-2)."""
        return self.pool + self.gear + self.against

    @property
    def sources(self) -> list[Source]:
        """What the pool is made of."""
        gear = sources_of(self.gear, say("TG-2.gear"))
        return [*sources_of(self.pool), *_positive(self.against), *gear]

    @property
    def cost(self) -> int:
        """1 Will for each named Aspect or Condition that gives dice, and for each of the other's Aspects (TG-6)."""
        return len(self._paid)

    @property
    def used_against(self) -> list[Source]:
        """Its own Aspects that are used against it."""
        return _positive(self.used)

    @property
    def uses(self) -> int:
        """How many of its own Aspects are used against it."""
        return len(self.used_against)

    @property
    def gained(self) -> int:
        """1 Will for each own Aspect that is used against it, as far as a cap goes (TG-7, TG-8)."""
        if self.cap is None or self.will is None:
            return self.uses
        return max(0, min(self.uses, self.cap - (self.will - self.cost)))

    @property
    def will_left(self) -> int | None:
        """The Will after the roll; None if it is not known."""
        return None if self.will is None else self.will - self.cost + self.gained

    def check(self, even_so: bool) -> None:
        """Refuse a side that is out of the scene, has too little Will or too many dice."""
        if self.out and not even_so:
            raise Illegal(*cited("TG-12.refused", name=start(self.title)))
        if self.will is not None and self.cost > self.will:
            short = "TG-6.short" if self.will else "TG-6.short_none"
            raise Illegal(*cited(short, n=self.cost, name=self.title, will=self.will))
        if self.dice > MAX_DICE:
            raise Illegal(*cited("TG-2.too_many", name=start(self.title), n=self.dice, most=MAX_DICE))

    def will_effects(self) -> Iterator[Effect]:
        """The Will that the side pays (TG-6) and gains (TG-7); what was typed is settled when the roll ends."""
        role = ROLES[self.side]
        for source in self._paid:
            cause, rule = cited("TG-6.uses", who="{who}", what=source.label or say("TG-6.unnamed"))
            yield Effect("will", role, -1, rule=rule, when=_when(source), cause=cause)
        for source in self.used_against[: self.gained]:
            cause, rule = cited("TG-7.used", who="{who}", what=aspect(source))
            yield Effect("will", role, 1, rule=rule, when=_when(source), cause=cause)

    @property
    def _paid(self) -> list[Source]:
        against = _positive(self.against)
        return [*(source for source in _positive(self.pool) if source.label), *against[: len(against) - self.free]]


def _positive(number: int) -> list[Source]:
    """The sources that give dice."""
    return [source for source in sources_of(number) if source.n > 0]


def _when(source: Source) -> Literal["throw", "end"]:
    return "end" if source.offer == "" else "throw"
