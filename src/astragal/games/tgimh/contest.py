"""A TGIMH roll: two pools against each other (TG-1 to TG-8)."""

from __future__ import annotations

from astragal.author import MAX_DICE, Ask, Node, Pool, Shown, Throw, flag, side, summed, whole, words
from astragal.games.tgimh import text
from astragal.games.tgimh.aftermath import Result, aftermath, before
from astragal.games.tgimh.contestant import Contestant
from astragal.games.tgimh.opposed import OPPOSED, Lead, met, pools
from astragal.games.tgimh.rules import TEXTS

MAX_DIE = 100


class Contest(Ask, texts=TEXTS.of("contest"), init=False):
    """Two sides against each other. A named source in a pool is an Aspect or Condition and costs 1 Will."""

    ours: int = summed(-MAX_DICE, MAX_DICE, rule="TG-2", advanced=True)
    us: Contestant = side(
        Contestant, "roller", "{}", pool="ours", against="against_them", used="against_us", name="our_name"
    )
    them: Contestant = side(Contestant, "target", "their_{}", pool="theirs", against="against_us", used="against_them")
    against_us: int = summed(0, MAX_DICE, default=0, rule="TG-7", each=(1, MAX_DICE), told="facing {}", whose="target")
    die: int = whole(2, MAX_DIE, default=10, rule="TG-1", guided=True, whose="sheet", reads="options.die")
    apart: bool = flag(default=False, rule="TG-1", whose="either")
    stakes: str | None = words(default=None, rule="TG-2", told="at stake: {}")

    will_free: bool = flag(default=False, rule="TG-8", whose="sheet", reads="options.will_free")
    even_so: bool = flag(default=False, rule="TG-12", whose="gm", dice=False)

    def check(self) -> None:
        self.us.check()
        self.them.check()

    def side(self, side: str) -> Contestant:
        """One side with what it brings."""
        return self.us if side == "ours" else self.them


def contest(ask: Contest) -> Node[Result]:
    """Both sides roll and are compared from the highest die down (TG-1, TG-3)."""
    known = before(ask)
    both = Throw(
        dice_of(ask),
        OPPOSED,
        then=lambda lead: aftermath(ask, known.judged(lead)),
        tell=lambda faces: text.tell_contest(ask, faces),
        so_far=known.judged,
    )
    return our_throw(ask, both) if ask.apart and all(dice.n for dice in both.pool) else both


def dice_of(ask: Contest) -> Pool:
    """Both sides' dice."""
    return pools(ask.us.dice, ask.them.dice, ask.die)


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
    known = before(ask)
    return Throw(
        dice_of(ask)[1:],
        OPPOSED.given(ours, met),
        then=lambda met: aftermath(ask, known.judged(met.lead)),
        tell=lambda faces: text.tell_theirs(ask, ((ours,), faces[0])),
        title=text.opponents(ask),
        by="target",
        so_far=lambda met: known.judged(met.lead),
    )
