"""A leader and those who help: helpers roll first, each success a die for the leader (CD-10, CD-12)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple

from astragal.author import (
    MAX_DICE,
    Choice,
    Lazy,
    Node,
    Note,
    Option,
    Role,
    Total,
    flag,
    lazy,
    summed,
    whole,
    words,
)
from astragal.games.chronicles.after import beat_for, beat_options
from astragal.games.chronicles.dice import Count, Quality, throw_pool
from astragal.games.chronicles.pool import PoolAsk
from astragal.games.chronicles.rules import TEXTS, cited, say

MAX_HELPERS = 50
EXCEPTIONAL = 5
DRAMATIC_HELPER = -4
PART = ": "
"""Between a helper's name and a part of their pool, as in "Ben: Wits"."""


OutcomeName = Literal["exceptional_success", "success", "failure", "dramatic_failure"]
"""The outcomes of a roll, from best to worst (CD-10)."""


class Helper(NamedTuple):
    """A helper: a name, the dice of their own pool, and the role that they have in the roll."""

    name: str
    dice: int
    role: Role


class TeamAsk(PoolAsk, texts=TEXTS.of("team")):
    """The inputs of a roll that others may help with."""

    helpers: int = whole(0, MAX_HELPERS, default=0, rule="CD-12")
    helper_pool: int | None = summed(
        -MAX_DICE, MAX_DICE, default=None, rule="CD-12", apart=True, told="", whose="helper"
    )
    boon: str = words(default="Inspired", rule="CD-10", reads="options.boon")
    has_boon: bool = flag(default=False, rule="CD-10", whose="sheet", dice=False)

    @property
    def helps(self) -> Role:
        """The role of those who help."""
        return "helper"

    @property
    def decides(self) -> Role:
        """The role that answers a roll's choices."""
        return "player"

    @property
    def every_helper(self) -> tuple[Helper, ...]:
        """Everybody who helps, on either side."""
        return self.team

    @property
    def team(self) -> tuple[Helper, ...]:
        """The helpers in the order in which they roll: each by name, or all with one number or the action's pool."""
        if isinstance(self.helper_pool, Total):
            pools = self._named_pools(self.helper_pool)
            return tuple(Helper(name, n, f"{self.helps} {k}") for k, (name, n) in enumerate(pools.items(), 1))
        if not self.helpers:
            return ()
        each, called = self.dice if self.helper_pool is None else self.helper_pool, self.helps.replace(" ", "_")
        names = [(k, say(f"side.{called}", n=k)) for k in range(1, self.helpers + 1)]
        return tuple([Helper(name, each, f"{self.helps} {k}") for k, name in names])

    def _named_pools(self, pools: Total) -> dict[str, int]:
        """Every helper's dice by name; "Ben: Wits" and "Ben: Stealth" are parts of what Ben rolls."""
        found: dict[str, int] = {}
        for place, source in enumerate(pools.sources, 1):
            name = source.label.partition(PART)[0] or say("side.helper", n=place)
            found[name] = found.get(name, 0) + source.n
        return found

    def check(self) -> None:
        """Refuse pools without helpers, helpers without pools, and more dice than are rolled."""
        super().check()
        if not self.helpers and self.helper_pool is None:
            return
        team = self.team
        wrong = {
            "CD-12.no_helpers": not team and self.helper_pool is not None,
            "CD-12.each": self.helpers and self.helpers != len(team),
        }
        self.refuse(wrong, n=self.helpers, pools=len(team))
        self.refuse({"CD-12.too_many": len(team) > MAX_HELPERS}, n=len(team), most=MAX_HELPERS)
        thrown = max(self.dice, 1) + sum([max(helper.dice, 1) for helper in team])
        self.refuse({"refused.crowd": thrown > MAX_DICE}, n=thrown, most=MAX_DICE)


class Help(NamedTuple):
    """The help so far: dice for the leader, Beats taken, and dramatic failures, also those for a Beat."""

    dice: int = 0
    beats: int = 0
    dramatic: int = 0

    def and_(self, dice: int, beats: int = 0, dramatic: int = 0) -> Help:
        """This help and what one more helper gave."""
        return Help(self.dice + dice, self.beats + beats, self.dramatic + dramatic)


class TeamCount(NamedTuple):
    """A team's roll: the leader's pool and count, and the helpers' part in it."""

    counted: Count
    pool: int
    help: Help

    @property
    def outcome(self) -> OutcomeName:
        """By the successes rolled; extra ones do not make a roll exceptional (CD-10)."""
        if self.counted.dramatic:
            return "dramatic_failure"
        if self.counted.rolled >= EXCEPTIONAL:
            return "exceptional_success"
        return "success" if self.counted.rolled else "failure"

    def successes(self, extra: int) -> int:
        """Extra successes come only with a success rolled (CD-9)."""
        return self.counted.rolled + extra if self.counted.rolled else 0


class TeamRoll(NamedTuple):
    """One roll of a leader with helpers; ``then(*about, rolled)`` continues, ``tell(*about, pool, help)`` explains."""

    team: tuple[Helper, ...]
    dice: int
    quality: Quality
    then: Callable[..., Node[Any]]
    tell: Callable[..., Iterable[Note]]
    about: tuple[Any, ...]
    title: str = ""
    by: Role = "roller"
    enough: int = EXCEPTIONAL
    rivals: bool = False
    """True if the other side's successes are compared with these."""
    level: int | None = None
    """The number of successes on the dice that draws with the side that has rolled."""

    def first(self, place: int, help: Help) -> Choice[Any] | None:
        """Any helper who is still to roll may do so before the one whose turn it is (CD-12)."""
        waiting, *later = self.team[place:]
        options = {
            each.role: Option(say("CD-12.first", name=each.name), lazy(led_by, self, place, each, help), by=each.role)
            for each in later
        }
        return Choice("first", waiting.role, say("CD-12.waits", name=waiting.name), options, None) if later else None


def led_by(roll: TeamRoll, place: int, first: Helper, help: Help) -> Node[Any]:
    """The rest of the roll, in which this helper is the next one."""
    others = [helper for helper in roll.team[place:] if helper != first]
    return next_turn(roll._replace(team=(*roll.team[:place], first, *others)), place, help).node()


def roll_team(roll: TeamRoll) -> Node[Any]:
    """Helpers roll first, then the leader (CD-12)."""
    return next_turn(roll, 0, Help()).node()


def next_turn(roll: TeamRoll, place: int, help: Help) -> Lazy[Any]:
    """The next helper or the leader; what helpers give changes only the leader's dice."""
    return Lazy(next_helper, (roll, place), roll.dice + help.dice, help[1:])


def next_helper(roll: TeamRoll, place: int, marks: tuple[int, int], pool: int) -> Node[Any]:
    """Each success of a helper is a die for the leader; each dramatic failure takes four away (CD-12)."""
    help = Help(pool - roll.dice, *marks)
    if place == len(roll.team):
        return lead(roll, help)
    helper = roll.team[place]
    rolls = "CD-12.rolls" if helper.dice >= 1 else "CD-12.rolls_chance"
    return throw_pool(
        helper.dice,
        roll.quality,
        lambda count: helped(roll, place, help, count),
        lambda: [Note(*cited(rolls, name=helper.name, n=helper.dice))],
        title=f"{roll.title}: {helper.name}" if roll.title else helper.name,
        by=helper.role,
        instead=roll.first(place, help),
        gives=next_turn(roll, place, help),
    )


def helped(roll: TeamRoll, place: int, help: Help, count: Count) -> Node[Any]:
    """The result of a helper's roll; a plain failure may be made dramatic for a Beat (CD-10)."""
    gives = (DRAMATIC_HELPER, 0, 1) if count.dramatic else (count.rolled,)
    kept = next_turn(roll, place + 1, help.and_(*gives))
    if count.dramatic or count.rolled:
        return kept
    helper, *later = roll.team[place:]
    taken = next_turn(roll, place + 1, help.and_(DRAMATIC_HELPER, 1, 1))
    options = beat_options(kept, taken)
    beat, detail = beat_for(helper.role, "answer"), say("CD-12.take_detail")
    options["take"] = options["take"]._replace(rule="CD-12", effects=(beat,), detail=detail)
    name = "their-helper-beat" if roll.by == "target" else "helper-beat"
    question = say("CD-10.question_helper", name=helper.name)
    assumes = _assumed([each.name for each in later])
    return Choice(name, helper.role, question, options, None, "keep", passes=True, assumes=assumes)


def _assumed(later: list[str]) -> str:
    """The assumption of chances and advice about those who have not rolled yet."""
    if len(later) > 1:
        return say("CD-12.assumes_all", names=later)
    return say("CD-12.assumes", name=later[0]) if later else ""


def lead(roll: TeamRoll, help: Help) -> Node[Any]:
    """The leader's roll, with what the helpers gave."""
    pool = roll.dice + help.dice
    return throw_pool(
        pool,
        roll.quality,
        lambda count: roll.then(*roll.about, TeamCount(count, pool, help)),
        lambda: roll.tell(*roll.about, pool, help),
        title=roll.title or (say("side.leader") if roll.team else ""),
        by=roll.by,
        enough=roll.enough,
        rivals=roll.rivals,
        level=roll.level,
    )
