"""What a Chronicles pool is made of: Attribute, Skill, Specialty, equipment and other modifiers (CD-1 to CD-3)."""

from __future__ import annotations

from typing import NamedTuple

from astragal.author import MAX_DICE, Illegal, Malformed, Source, Total, sources_of
from astragal.games.chronicles.rules import cited, say

MAX_DOTS = 30
USUAL_MODIFIER = 5
UNSKILLED = {"mental": -3, "physical": -1, "social": -1}


def same_name(one: str, other: str) -> bool:
    """True if two names differ at most in case and spaces."""
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def refused(whose: str, key: str, **values: object) -> Illegal:
    """The refusal of what one side put in."""
    sentence, rule = cited(key, **values)
    return Illegal(whose + sentence, rule)


class Traits(NamedTuple):
    """The parts of one side's pool, or the pool as a bare number. ``whose`` begins a refusal about another side."""

    pool: int | None = None
    attribute: int | None = None
    skill: int | None = None
    second_attribute: int | None = None
    specialty: bool = False
    unskilled: str | None = None
    equipment: int = 0
    modifier: int = 0
    any_modifier: bool = False
    needs: str | None = None
    whose: str = ""
    trained_only: bool = False

    def check(self) -> None:
        """Refuse what makes no pool by the rules."""
        if self.pool is None:
            self._refuse_parts()
        elif any((self.attribute, self.skill, self.second_attribute, self.specialty, self.unskilled)):
            raise self._illegal("CD-1.both")
        self._refuse_modifiers()
        if self.needs and not any(same_name(source.label, self.needs) for source in sources_of(self.equipment)):
            raise self._illegal("CD-2.lacks", thing=self.needs, example=f"2 {self.needs}")
        if self.dice > MAX_DICE:
            raise Illegal(self.whose + say("refused.too_many", n=self.dice, most=MAX_DICE))

    def _refuse_parts(self) -> None:
        if self.attribute is None:
            raise Malformed(self.whose + say("CD-1.how_many"), "CD-1")
        attributes = [source.label.lower() or str(place) for place, source in enumerate(self.attributes)]
        if len(attributes) > 2 or len(sources_of(self.skill or 0)) > 1:
            raise self._illegal("CD-1.one_of_each")
        if self.skill is not None and len(attributes) > 1:
            raise self._illegal("CD-1.all_three")
        if len(set(attributes)) < len(attributes):
            raise self._illegal("CD-1.twice", name=self.attributes[0].label)
        self._refuse_unskilled(len(attributes) > 1)

    def _refuse_unskilled(self, two: bool) -> None:
        if self.unskilled and self.trained_only:
            raise self._illegal("CD-3.not_allowed")
        if self.specialty and two:
            raise self._illegal("CD-1.no_specialty")
        if not self.skill and not two and self.unskilled is None:
            raise self._illegal("CD-3.group")
        if self.unskilled and (self.skill or two or self.specialty):
            raise self._illegal("CD-3.unskilled")

    def _illegal(self, key: str, **values: object) -> Illegal:
        return refused(self.whose, key, **values)

    def _refuse_modifiers(self) -> None:
        if self.any_modifier:
            return
        for source in (*sources_of(self.equipment), *sources_of(self.modifier)):
            if abs(source.n) > USUAL_MODIFIER:
                key = "CD-2.beyond_named" if source.label else "CD-2.beyond"
                raise self._illegal(key, name=source.label, n=source.n)

    @property
    def attributes(self) -> list[Source]:
        """The Attributes of the roll: one, or two for a task that needs no Skill (CD-1)."""
        first = self.attribute or 0
        parts = list(first.sources) if isinstance(first, Total) else [Source(say("source.attribute"), first)]
        if self.second_attribute is not None:
            parts.append(Source(say("source.second_attribute"), self.second_attribute))
        return parts

    @property
    def base(self) -> list[Source]:
        """Attribute and Skill, or what stands in for them (CD-1, CD-3)."""
        if self.pool is not None:
            return list(sources_of(self.pool))
        parts = self.attributes
        if self.skill:
            parts += sources_of(self.skill, say("source.skill"))
        if self.specialty:
            parts.append(Source(say("source.specialty"), 1))
        if self.unskilled:
            parts.append(Source(say("source.no_dots", group=self.unskilled), UNSKILLED[self.unskilled]))
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
        equipment = sources_of(self.equipment, say("source.equipment"))
        modifiers = (*equipment, *sources_of(self.modifier, say("source.modifier")))
        return self.base + sorted(modifiers, key=lambda source: source.n < 0)

    @property
    def dice(self) -> int:
        """What the sources come to; below 1 it is a chance die (CD-4)."""
        return self.dots + self.equipment + self.modifier + (UNSKILLED[self.unskilled] if self.unskilled else 0)
