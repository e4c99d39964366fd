"""A Chronicles pool: gathered from named sources, thrown, and read as successes (CD-1 to CD-9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from astragal.author import (
    MAX_DICE,
    NO_FACES,
    Ask,
    Dice,
    Face,
    Faces,
    Illegal,
    Malformed,
    Node,
    Note,
    Pool,
    Role,
    Source,
    Tally,
    Telling,
    Throw,
    Total,
    faces_below,
    faces_from,
    flag,
    one_of,
    sources_of,
    summed,
    whole,
)
from astragal.games.chronicles.text import CHANCE, chance_notes, tell_chance, tell_dice

if TYPE_CHECKING:
    from astragal.author import Distribution

R = TypeVar("R")

SUCCEEDS = faces_from(8, 10)
"""The faces that succeed (CD-5)."""
MAX_DOTS = 30
USUAL_MODIFIER = 5
UNSKILLED = {"mental": -3, "physical": -1, "social": -1}
PARTS = ("attribute", "skill", "second_attribute", "specialty", "unskilled")
AGAIN = {"10": 10, "9": 9, "8": 8, "none": 11}
"""The lowest face that is rolled again."""


class Quality(NamedTuple):
    """How the dice behave: the lowest face that goes again (11 for none), and whether the action is rote."""

    again: int = 10
    rote: bool = False


class PoolAsk(Ask):
    """What every Chronicles roll of one character needs to know."""

    pool: int | None = summed(
        -MAX_DICE,
        MAX_DICE,
        "dice in the pool, a number or named sources; below 1 it is a chance die",
        default=None,
        rule="CD-4",
        guided=True,
    )
    attribute: int | None = summed(
        0, MAX_DOTS, "dots in the Attribute, instead of a pool; two named ones need no Skill", default=None, rule="CD-1"
    )
    skill: int | None = summed(0, MAX_DOTS, "dots in the Skill", default=None, rule="CD-1")
    second_attribute: int | None = whole(
        0, MAX_DOTS, "dots in a second Attribute, for a task that needs no Skill", default=None, rule="CD-1"
    )
    specialty: bool = flag("a Specialty fits: one more die", default=False, rule="CD-1")
    unskilled: str | None = one_of(
        tuple(UNSKILLED), "the group of a Skill without dots: 3 dice fewer, or 1", default=None, rule="CD-3"
    )
    modifier: int = summed(
        -MAX_DICE,
        MAX_DICE,
        "circumstances and equipment, each within 5 either way",
        default=0,
        rule="CD-2",
        guided=True,
    )
    any_modifier: bool = flag("the Storyteller allows modifiers beyond 5", default=False, rule="CD-2")
    again: str = one_of(tuple(AGAIN), "the lowest face that is rolled again", default="10", rule="CD-6", guided=True)
    rote: bool = flag("dice that fail at first are rolled once more", default=False, rule="CD-7", guided=True)
    extra: int = whole(0, MAX_DICE, "successes added if there is at least one", default=0, rule="CD-9")

    def check(self) -> None:
        """Refuse a pool that is incomplete, given twice or too large, and modifiers out of bounds."""
        if self.pool is None:
            self._refuse_no_skill()
        elif any(self.__dict__.get(part) not in (None, False) for part in PARTS):
            raise Illegal("A pool is given and so are parts of one; give the pool, or its parts.", "CD-1")
        if "modifier" in self.__dict__:
            self._refuse_modifier()
        if self.dice > MAX_DICE:
            raise Illegal(f"The pool comes to {self.dice:,} dice; at most {MAX_DICE:,} are rolled.")

    def _refuse_no_skill(self) -> None:
        if self.attribute is None:
            raise Malformed("Say how many dice: give a pool, or an attribute with a skill.", "CD-1")
        if len(self._attributes) > 2 or len(sources_of(self.skill or 0)) > 1:
            raise Illegal("A roll takes one Skill and one Attribute, or two Attributes; no more than that.", "CD-1")
        if not self.skill and len(self._attributes) < 2 and self.unskilled is None:
            raise Illegal("A Skill without dots needs its group: unskilled mental, physical or social.", "CD-3")
        if self.unskilled and (self.skill or len(self._attributes) > 1 or self.specialty):
            raise Illegal("Unskilled means the Attribute alone: no Skill dots, second Attribute or Specialty.", "CD-3")
        if self.skill is not None and len(self._attributes) > 1:
            raise Illegal("A roll takes an Attribute and a Skill, or two Attributes, not all three.", "CD-1")

    def _refuse_modifier(self) -> None:
        for source in sources_of(self.modifier):
            if abs(source.n) > USUAL_MODIFIER and not self.any_modifier:
                named = f'The modifier "{source.label}"' if source.label else "A modifier"
                raise Illegal(
                    f"{named} is {source.n:+}; a single modifier lies from −5 to +5 unless the Storyteller allows more "
                    "(any-modifier).",
                    "CD-2",
                )

    @property
    def _attributes(self) -> list[Source]:
        """The Attributes of the roll: one, or two for a task that needs no Skill (CD-1)."""
        first = self.attribute or 0
        parts = list(first.sources) if isinstance(first, Total) else [Source("Attribute", first)]
        if self.second_attribute is not None:
            parts.append(Source("second Attribute", self.second_attribute))
        return parts

    @property
    def base(self) -> list[Source]:
        """Attribute and Skill, or what stands in for them (CD-1, CD-3)."""
        if self.pool is not None:
            return list(sources_of(self.pool))
        parts = self._attributes
        if self.skill:
            parts += sources_of(self.skill, "Skill")
        if self.specialty:
            parts.append(Source("Specialty", 1))
        if self.unskilled:
            parts.append(Source(f"no dots in a {self.unskilled} Skill", UNSKILLED[self.unskilled]))
        return parts

    @property
    def dots(self) -> int:
        """Attribute + Skill + Specialty, before any penalty; a bare pool stands for them (CD-13)."""
        if self.pool is not None:
            return int(self.pool)
        return (self.attribute or 0) + (self.second_attribute or 0) + (self.skill or 0) + self.specialty

    @property
    def sources(self) -> list[Source]:
        """All that makes the pool, bonuses first, then penalties (CD-1)."""
        modifiers = sources_of(self.modifier, "modifier")
        return self.base + sorted(modifiers, key=lambda source: source.n < 0)

    @property
    def dice(self) -> int:
        """What the sources come to; below 1 it is a chance die (CD-4)."""
        return self.dots + self.modifier + (UNSKILLED[self.unskilled] if self.unskilled else 0)

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
        """The count of a chance die."""
        return chance_count(Face().read(faces))

    def odds(self, pool: Pool, up_to: int) -> Distribution[Count]:
        """The exact odds of a chance die."""
        return Face().odds(pool, up_to).map(chance_count)


def chance_count(face: int) -> Count:
    """A 10 is one success, a 1 a dramatic failure (CD-8)."""
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
) -> Node[R]:
    """Throw a pool, or a chance die if it has come down below 1 (CD-4)."""
    if dice < 1:
        return _throw_chance(quality, then, notes, title, by)
    return Throw(
        (Dice(10, dice, "d10", faces_from(quality.again, 10), faces_below(8) if quality.rote else NO_FACES),),
        Tally(SUCCEEDS),
        then=lambda rolled: then(Count(rolled)),
        tell=lambda faces: Telling(tuple(tell_dice(faces, SUCCEEDS, quality)), tuple(notes)),
        title=title,
        by=by,
        enough=enough,
    )


def _throw_chance(
    quality: Quality, then: Callable[[Count], Node[R]], notes: Iterable[Note], title: str, by: Role
) -> Node[R]:
    """A 10 succeeds, a 1 is dramatic, and neither is rolled again (CD-8)."""
    return Throw(
        (Dice(10, 1, CHANCE, retry=faces_from(2, 9) if quality.rote else NO_FACES),),
        Chance(),
        then=then,
        tell=lambda faces: Telling(tuple(tell_chance(faces)), (*notes, *chance_notes(faces))),
        title=title,
        by=by,
    )
