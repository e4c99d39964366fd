"""A TGIMH roll: two pools against each other (TG-1 to TG-8)."""

from __future__ import annotations

from astragal.author import MAX_DICE, Ask, Illegal, Node, Pool, Throw, flag, numbers, summed, whole, words
from astragal.games.tgimh import text
from astragal.games.tgimh.aftermath import Result, aftermath, result_of
from astragal.games.tgimh.contestant import Contestant
from astragal.games.tgimh.opposed import OPPOSED, SIDES, Lead, Shown, meeting, pools
from astragal.games.tgimh.rules import TEXTS, cited

MAX_DIE = 100
MAX_WILL = 1000
MAX_TRACK = 24


class Contest(Ask, texts=TEXTS.of("contest")):
    """Two sides against each other. A named source in a pool is an Aspect or Condition and costs 1 Will."""

    ours: int = summed(-MAX_DICE, MAX_DICE, rule="TG-2", advanced=True)
    theirs: int = summed(-MAX_DICE, MAX_DICE, rule="TG-2", told="against {}", whose="target")
    die: int = whole(2, MAX_DIE, default=10, rule="TG-1", guided=True, whose="sheet")
    gear: int = summed(-MAX_DICE, MAX_DICE, default=0, rule="TG-2")
    their_gear: int = summed(-MAX_DICE, MAX_DICE, default=0, rule="TG-2", told="against {}", whose="target")
    against_them: int = summed(0, MAX_DICE, default=0, rule="TG-7", each=(1, MAX_DICE), told="using {}")
    against_us: int = summed(0, MAX_DICE, default=0, rule="TG-7", each=(1, MAX_DICE), told="facing {}", whose="target")
    apart: bool = flag(default=False, rule="TG-1", whose="either")
    stakes: str | None = words(default=None, rule="TG-2", told="at stake: {}")
    our_name: str | None = words(default=None, rule="TG-2", whose="sheet")
    their_name: str | None = words(default=None, rule="TG-2", whose="sheet")
    will: int | None = whole(0, MAX_WILL, default=None, rule="TG-6", whose="gm", dice=False)
    their_will: int | None = whole(0, MAX_WILL, default=None, rule="TG-6", whose="gm", dice=False)
    will_cap: int | None = whole(0, MAX_WILL, default=None, rule="TG-8", whose="gm", dice=False)
    their_will_cap: int | None = whole(0, MAX_WILL, default=None, rule="TG-8", whose="gm", dice=False)
    will_free: bool = flag(default=False, rule="TG-8", whose="sheet")
    track: int = whole(1, MAX_TRACK, default=5, rule="TG-12", whose="gm", dice=False)
    crossed: tuple[int, ...] = numbers(1, MAX_TRACK, default=(), rule="TG-11", whose="gm", live="power", dice=False)
    their_track: int = whole(1, MAX_TRACK, default=5, rule="TG-12", whose="gm", dice=False)
    their_crossed: tuple[int, ...] = numbers(
        1, MAX_TRACK, default=(), rule="TG-11", whose="gm", live="power", dice=False
    )
    out: bool = flag(default=False, rule="TG-12", whose="gm", dice=False)
    their_out: bool = flag(default=False, rule="TG-12", whose="gm", dice=False)
    even_so: bool = flag(default=False, rule="TG-12", whose="gm", dice=False)

    def check(self) -> None:
        """Refuse a side with too little Will, too many dice, or a crossed box that its track lacks."""
        for side in SIDES:
            self.side(side).check(self.even_so)
            track, crossed = self.track_of(side)
            if crossed and max(crossed) > track:
                raise Illegal(*cited("TG-12.no_box", name=self.side(side).title, box=max(crossed), n=track))

    def side(self, side: str) -> Contestant:
        """One side with what it brings; uses that give the other no Will may be free (TG-8)."""
        mine = self._side(side)
        if not self.will_free:
            return mine
        other = self._side(SIDES[1 - SIDES.index(side)])
        return mine._replace(free=other.uses - other.gained)

    def _side(self, side: str) -> Contestant:
        if side == "ours":
            return Contestant(
                side,
                self.our_name,
                self.ours,
                self.gear,
                self.against_them,
                self.against_us,
                self.will,
                self.will_cap,
                self.out,
            )
        return Contestant(
            side,
            self.their_name,
            self.theirs,
            self.their_gear,
            self.against_us,
            self.against_them,
            self.their_will,
            self.their_will_cap,
            self.their_out,
        )

    def dice_of(self, side: str) -> int:
        """The number of a side's dice."""
        return self.side(side).dice

    def track_of(self, side: str) -> tuple[int, tuple[int, ...]]:
        """The length of a side's Power track, and its crossed boxes."""
        return (self.track, self.crossed) if side == "ours" else (self.their_track, self.their_crossed)


def contest(ask: Contest) -> Node[Result]:
    """Both sides roll and are compared from the highest die down (TG-1, TG-3)."""
    both = Throw(
        dice_of(ask),
        OPPOSED,
        then=lambda lead: aftermath(ask, lead),
        tell=lambda faces: text.tell_contest(ask, faces),
        so_far=lambda lead: result_of(ask, lead),
    )
    return our_throw(ask, both) if ask.apart and all(dice.n for dice in both.pool) else both


def dice_of(ask: Contest) -> Pool:
    """Both sides' dice."""
    return pools(ask.dice_of("ours"), ask.dice_of("theirs"), ask.die)


def our_throw(ask: Contest, both: Throw[Lead, Result]) -> Node[Result]:
    """Our side throws its own dice; then it waits for theirs."""
    return Throw(
        both.pool[:1],
        Shown(),
        then=lambda ours: their_throw(ask, ours),
        tell=lambda faces: text.tell_ours(ask, faces),
        title=text.opponents(ask),
        together=both,
    )


def their_throw(ask: Contest, ours: tuple[int, ...]) -> Node[Result]:
    """Their side throws its own dice against those that lie there."""
    return Throw(
        dice_of(ask)[1:],
        meeting(ours),
        then=lambda met: aftermath(ask, met.lead),
        tell=lambda faces: text.tell_theirs(ask, ((ours,), faces[0])),
        title=text.opponents(ask),
        by="target",
        so_far=lambda met: result_of(ask, met.lead),
    )
