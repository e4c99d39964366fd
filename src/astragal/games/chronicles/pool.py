"""A Chronicles pool: asked for, thrown, and read as successes (CD-1 to CD-9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from astragal.author import (
    MAX_DICE,
    NO_FACES,
    Ask,
    Choice,
    Dice,
    Face,
    Faces,
    Lazy,
    Node,
    Note,
    Pool,
    Role,
    Source,
    Tally,
    Telling,
    Throw,
    faces_below,
    faces_from,
    flag,
    one_of,
    summed,
    whole,
    words,
)
from astragal.games.chronicles.dice_text import CHANCE, chance_notes, tell_chance, tell_dice
from astragal.games.chronicles.rules import TEXTS
from astragal.games.chronicles.traits import MAX_DOTS, UNSKILLED, Traits

if TYPE_CHECKING:
    from astragal.author import Distribution

R = TypeVar("R")

SUCCEEDS = faces_from(8, 10)
"""The faces that succeed (CD-5)."""
GOES_AGAIN = (("10", "10s"), ("9", "9s and 10s"), ("8", "8s and more"), ("none", "nothing"))
NO_AGAIN = 11
AGAIN = {"10": 10, "9": 9, "8": 8, "none": NO_AGAIN}
"""The lowest face that is rolled again."""
PARTS = ("attribute", "skill", "second_attribute", "specialty", "unskilled", "modifier", "equipment", "needs")


class Quality(NamedTuple):
    """How the dice behave: the lowest face that goes again (11 for none), and whether the action is rote."""

    again: int = 10
    rote: bool = False

    @property
    def endless(self) -> bool:
        """Whether there is no end to what a die may count."""
        return self.again != NO_AGAIN


class PoolAsk(Ask, texts=TEXTS.of("pool")):
    """What every Chronicles roll of one character needs to know."""

    pool: int | None = summed(-MAX_DICE, MAX_DICE, default=None, rule="CD-4", guided=True)
    attribute: int | None = summed(0, MAX_DOTS, default=None, rule="CD-1")
    skill: int | None = summed(0, MAX_DOTS, default=None, rule="CD-1")
    second_attribute: int | None = whole(0, MAX_DOTS, default=None, rule="CD-1")
    specialty: bool = flag(default=False, rule="CD-1")
    unskilled: str | None = one_of(tuple(UNSKILLED), default=None, rule="CD-3")
    trained_only: bool = flag(default=False, rule="CD-3", whose="gm", dice=False)
    lacks: str | None = words(default=None, rule="CD-3")
    equipment: int = summed(0, MAX_DICE, default=0, rule="CD-2")
    modifier: int = summed(-MAX_DICE, MAX_DICE, default=0, rule="CD-2", guided=True)
    any_modifier: bool = flag(default=False, rule="CD-2", whose="gm", dice=False)
    needs: str | None = words(default=None, rule="CD-2", whose="gm")
    again: str = one_of(tuple(AGAIN), default="10", rule="CD-6", guided=True, steps=GOES_AGAIN)
    rote: bool = flag(default=False, rule="CD-7", guided=True)
    extra: int = summed(0, MAX_DICE, default=0, rule="CD-9", dice=False)

    def check(self) -> None:
        if self.pool is None or not self.__dict__.keys().isdisjoint(PARTS):
            self.traits.check()

    @property
    def traits(self) -> Traits:
        """The parts of the pool."""
        return Traits(
            self.pool,
            self.attribute,
            self.skill,
            self.second_attribute,
            self.specialty,
            self.unskilled,
            self.equipment,
            self.modifier,
            self.any_modifier,
            self.needs,
            trained_only=self.trained_only,
        )

    @property
    def dots(self) -> int:
        """Attribute + Skill + Specialty, before any penalty; a bare pool stands for them (CD-13)."""
        return self.traits.dots

    @property
    def sources(self) -> list[Source]:
        """All that makes the pool, bonuses first, then penalties (CD-1)."""
        return self.traits.sources

    @property
    def dice(self) -> int:
        """What the sources come to; below 1 it is a chance die (CD-4)."""
        return self.traits.dice if self.pool is None else self.pool + self.equipment + self.modifier

    @property
    def quality(self) -> Quality:
        """How the dice behave (CD-6, CD-7)."""
        return Quality(AGAIN[self.again], self.rote)


class Count(NamedTuple):
    """What the dice said: successes rolled, and whether a chance die showed a 1."""

    rolled: int
    dramatic: bool = False


class Chance(NamedTuple):
    """A chance die: a 10 succeeds, a 1 is dramatic (CD-8)."""

    def read(self, faces: Faces) -> Count:
        return chance_count(Face().read(faces))

    def odds(self, pool: Pool, up_to: int) -> Distribution[Count]:
        return Face().odds(pool, up_to).map(chance_count)


def dice_of(ask: PoolAsk) -> tuple[Pool, ...]:
    """The dice that the leader throws, before any help."""
    return (pool_of(ask.dice, ask.quality),)


def pool_of(dice: int, quality: Quality) -> Pool:
    """A pool, or a chance die if it has come down below 1 (CD-4)."""
    if dice < 1:
        return (Dice(10, 1, CHANCE, retry=faces_from(2, 9) if quality.rote else NO_FACES, role="special"),)
    return (Dice(10, dice, "d10", faces_from(quality.again, 10), faces_below(8) if quality.rote else NO_FACES),)


def chance_count(face: int) -> Count:
    """What a face of the chance die counts for."""
    return Count(int(face == 10), face == 1)


def throw_pool(
    dice: int,
    quality: Quality,
    then: Callable[[Count], Node[R]],
    notes: Iterable[Note] = (),
    *,
    title: str = "",
    by: Role = "roller",
    enough: int | None = None,
    rivals: bool = False,
    level: int | None = None,
    instead: Choice[R] | None = None,
    gives: Lazy[R] | None = None,
) -> Node[R]:
    """Throw a pool, or a chance die if it has come down below 1 (CD-4)."""
    if dice < 1:
        return _throw_chance(quality, then, notes, title, by)._replace(
            enough=enough, instead=instead, gives=gives, level=level
        )
    return Throw(
        pool_of(dice, quality),
        Tally(SUCCEEDS),
        then=lambda rolled: then(Count(rolled)),
        tell=lambda faces: Telling(tuple(tell_dice(faces, SUCCEEDS, quality)), tuple(notes)),
        title=title,
        by=by,
        enough=enough,
        rivals=rivals,
        level=level,
        instead=instead,
        gives=gives,
    )


def _throw_chance(
    quality: Quality, then: Callable[[Count], Node[R]], notes: Iterable[Note], title: str, by: Role
) -> Throw[Count, R]:
    """A 10 succeeds, a 1 is dramatic, and neither is rolled again (CD-8)."""
    return Throw(
        pool_of(0, quality),
        Chance(),
        then=then,
        tell=lambda faces: Telling(tuple(tell_chance(faces)), (*notes, *chance_notes(faces))),
        title=title,
        by=by,
    )
