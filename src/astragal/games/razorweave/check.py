"""A Razorweave Check: 4d6 against a DC, with Edge or Burden, in the order of its steps (RW-1 to RW-5)."""

from __future__ import annotations

from astragal.author import (
    Ask,
    Illegal,
    Node,
    Pool,
    Reaches,
    Source,
    Throw,
    flag,
    named,
    sources_of,
    summed,
    whole,
    words,
)
from astragal.games.razorweave import text
from astragal.games.razorweave.outcome import Result, no_roll, settle
from astragal.games.razorweave.pool import (
    CAP,
    CONDITIONS,
    MAX_BONUS,
    MAX_SOURCES,
    THROWS,
    capped,
    clock_input,
    condition,
    dc_input,
    refuse_strangers,
)
from astragal.games.razorweave.rules import TEXTS, cited
from astragal.games.razorweave.tiers import BANDS, moved


class Check(Ask, texts=TEXTS.of("check")):
    """What a Check needs to know. The words of step one and two are for the record, each optional (RW-1)."""

    intent: str | None = words(default=None, rule="RW-1", guided=True, told="{}", advanced=False)
    approach: str | None = words(default=None, rule="RW-1", guided=True, told="{}", advanced=False)
    uncertain: str | None = condition()
    matters: str | None = condition()
    agency: str | None = condition()
    dc: int | None = dc_input(unless=tuple((name, "no") for name in CONDITIONS), reads="options.dc")
    scene: int = summed(-10, 10, default=0, rule="RW-3", told="the scene: {}", dice=False)
    attribute: int = whole(-MAX_BONUS, MAX_BONUS, default=0, rule="RW-5", guided=True, dice=False)
    skill: bool = flag(default=False, rule="RW-5", guided=True, dice=False)
    bonus: int = summed(-MAX_BONUS, MAX_BONUS, default=0, rule="RW-5", guided=True, dice=False)
    modifier: int = summed(-MAX_BONUS, MAX_BONUS, default=0, rule="RW-5", dice=False)
    edge: int = summed(-MAX_SOURCES, MAX_SOURCES, default=0, rule="RW-4", each=(-CAP, CAP), guided=True)
    burden: int = summed(0, MAX_SOURCES, default=0, rule="RW-4", each=(1, CAP), guided=True, told="despite {}")
    assist: int = summed(0, MAX_SOURCES, default=0, rule="RW-12", each=(1, CAP))
    assist_as: tuple[tuple[str, str], ...] = named(("edge", "bonus"), default=(), rule="RW-12", whose="gm")
    prepared: int = summed(0, MAX_SOURCES, default=0, rule="RW-12", each=(1, CAP), whose="sheet")
    strike: bool = flag(default=False, rule="RW-8", guided=True, advanced=False, dice=False)
    down: str | None = words(default=None, rule="RW-9", whose="sheet")
    striker_down: str | None = words(default=None, rule="RW-9", whose="sheet")
    anyway: str | None = words(default=None, rule="RW-9", told="{}")
    set_up: str | None = words(default=None, rule="RW-12", advanced=False)
    group: str | None = words(default=None, rule="RW-12", told="one roll for {}", advanced=False)
    retry: str | None = words(default=None, rule="RW-13", told="what has changed: {}")
    again: str | None = words(default=None, rule="RW-13")
    goal: str | None = clock_input(advanced=False)
    threat: str | None = clock_input()
    resolve: str | None = clock_input(rule="RW-8")

    def check(self) -> None:
        """Refuse a retry without a change, a Strike without a reason at a target who is down, and unknown helpers."""
        if self.again and not self.retry:
            raise Illegal(*cited("RW-13.failed", what=self.again[:60]), "retry")
        if self.strike and (self.down or self.striker_down) and not self.anyway:
            key = "RW-9.strikes_down" if self.striker_down else "RW-9.is_down"
            raise Illegal(*cited(key, name=(self.striker_down or self.down or "")[:60]), "anyway")
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
        return capped(self.uncapped)

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
        return "no" not in (self.uncertain, self.matters, self.agency)


def thrown(ask: Check) -> tuple[Pool, Reaches] | None:
    """4d6, one more for each Edge or Burden, the best or the worst 4 kept (RW-4); nothing if no Check is needed."""
    if not ask.needed:
        return None
    pool, keep = THROWS[ask.net]
    return pool, Reaches(keep, BANDS, ask.target - ask.added)


def check(ask: Check) -> Node[Result]:
    """Throw, unless no Check is needed (RW-1)."""
    dice = thrown(ask)
    if not dice:
        return no_roll(ask)
    throw = Throw(*dice, lambda reach: settle(ask, reach), lambda faces: text.tell_pool(ask, faces))
    return throw._replace(so_far=lambda reach: Result(ask, reach)) if ask.strike else throw
