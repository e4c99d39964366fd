"""One side of a roll: its pool, what that costs in Will, and whether it may roll at all (TG-2, TG-6 to TG-8, TG-12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from astragal.author import (
    MAX_DICE,
    Ask,
    Effect,
    Illegal,
    Role,
    Source,
    capital,
    flag,
    numbers,
    sources_of,
    summed,
    whole,
    words,
)
from astragal.games.tgimh.rules import because, cited, say
from astragal.games.tgimh.text import aspect

MAX_WILL = 1000
MAX_TRACK = 24
ROLES: dict[str, Role] = {"ours": "roller", "theirs": "target"}


def title_of(name: str | None, side: str) -> str:
    """The name of a side, with a default (TG-2)."""
    return name or say(f"side.{side}")


class Contestant(Ask):
    """A side with what it brings. ``against`` are the other's Aspects that it uses, ``used`` its own that are used."""

    pool: int = summed(-MAX_DICE, MAX_DICE, rule="TG-2")
    gear: int = summed(-MAX_DICE, MAX_DICE, default=0, rule="TG-2")
    against: int = summed(0, MAX_DICE, default=0, rule="TG-7", each=(1, MAX_DICE), told="using {}")
    used: int = summed(0, MAX_DICE, default=0, rule="TG-7", each=(1, MAX_DICE))
    name: str | None = words(default=None, rule="TG-2", whose="sheet")
    will: int | None = whole(0, MAX_WILL, default=None, rule="TG-6", whose="gm", dice=False, reads="roller.will")
    will_cap: int | None = whole(0, MAX_WILL, default=None, rule="TG-8", whose="gm", dice=False)
    track: int = whole(1, MAX_TRACK, default=5, rule="TG-12", whose="gm", dice=False, reads="roller.power.length")
    crossed: tuple[int, ...] = numbers(
        1, MAX_TRACK, default=(), rule="TG-11", whose="gm", live="power", dice=False, reads="roller.power"
    )
    out: bool = flag(default=False, rule="TG-12", whose="gm", dice=False, reads="roller.out")

    @property
    def side(self) -> str:
        """Which side it is."""
        return "ours" if self.role == "roller" else "theirs"

    @property
    def title(self) -> str:
        """The name of the side (TG-2)."""
        return title_of(self.name, self.side)

    @property
    def dice(self) -> int:
        """The dice of all sources; a pool of 0 or less rolls none (TG-2)."""
        return self.pool + self.gear + self.against

    @property
    def sources(self) -> list[Source]:
        """The parts of the pool."""
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
    def gained(self) -> int:
        """1 Will for each own Aspect that is used against it, as far as a cap goes (TG-7, TG-8)."""
        return self._gained_after(self.cost)

    def _gained_after(self, cost: int) -> int:
        used = len(self.used_against)
        if self.will_cap is None or self.will is None:
            return used
        return max(0, min(used, self.will_cap - (self.will - cost)))

    @property
    def will_left(self) -> int | None:
        """The Will after the roll; None if it is not known."""
        return None if self.will is None else self.will - self.cost + self.gained

    def check(self) -> None:
        """Refuse a side that is out, has too little Will, too many dice, or a crossed box that its track lacks."""
        if self.out and not self.roll.even_so:
            raise Illegal(*cited("TG-12.refused", name=capital(self.title)))
        if self.will is not None and self.cost > self.will:
            short = "TG-6.short" if self.will else "TG-6.short_none"
            raise Illegal(*cited(short, n=self.cost, name=self.title, will=self.will))
        if self.dice > MAX_DICE:
            raise Illegal(*cited("TG-2.too_many", name=capital(self.title), n=self.dice, most=MAX_DICE))
        if self.crossed and max(self.crossed) > self.track:
            raise Illegal(*cited("TG-12.no_box", name=self.title, box=max(self.crossed), n=self.track))

    def will_effects(self) -> Iterator[Effect]:
        """The Will that the side pays (TG-6) and gains (TG-7); what was typed is settled when the roll ends."""
        for source in self._paid:
            why = because("TG-6.uses", who="{who}", what=source.label or say("TG-6.unnamed"))
            yield Effect("will", self.role, -1, when=_when(source), **why)
        for source in self.used_against[: self.gained]:
            why = because("TG-7.used", who="{who}", what=aspect(source))
            yield Effect("will", self.role, 1, when=_when(source), **why)

    @property
    def _paid(self) -> list[Source]:
        """All that costs Will, but uses of the other's Aspects that give the other none where these are free (TG-8)."""
        priced = self._priced
        if not self.against or not self.roll.will_free:
            return priced
        other: Contestant = self.roll.them if self.role == "roller" else self.roll.us
        free = len(other.used_against) - other._gained_after(len(other._priced))
        return priced[: len(priced) - free]

    @property
    def _priced(self) -> list[Source]:
        return [*(source for source in _positive(self.pool) if source.label), *_positive(self.against)]


def _positive(number: int) -> list[Source]:
    """The sources that give dice."""
    return [source for source in sources_of(number) if source.n > 0]


def _when(source: Source) -> Literal["throw", "end"]:
    return "end" if source.offer == "" else "throw"
