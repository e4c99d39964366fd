"""A Chronicles pool: Attribute, Skill, Specialty, equipment and other modifiers (CD-1 to CD-3)."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.author import (
    MAX_DICE,
    Ask,
    Illegal,
    Malformed,
    Source,
    Total,
    flag,
    one_of,
    sources_of,
    summed,
    whole,
    words,
)
from astragal.games.chronicles.dice import AGAIN, Quality
from astragal.games.chronicles.rules import TEXTS, cited, say

MAX_DOTS = 30
USUAL_MODIFIER = 5
UNSKILLED = {"mental": -3, "physical": -1, "social": -1}
"""The dice lost without dots in a Skill of the group (CD-3)."""
PARTS = ("attribute", "skill", "second_attribute", "specialty", "unskilled", "modifier", "equipment", "needs")


class PoolAsk(Ask, texts=TEXTS.of("pool")):
    """The parts of one character's pool."""

    pool: int | None = summed(-MAX_DICE, MAX_DICE, default=None, rule="CD-4", guided=True)
    attribute: int | None = summed(0, MAX_DOTS, default=None, rule="CD-1")
    skill: int | None = summed(0, MAX_DOTS, default=None, rule="CD-1")
    second_attribute: int | None = whole(0, MAX_DOTS, default=None, rule="CD-1")
    specialty: bool = flag(default=False, rule="CD-1")
    unskilled: str | None = one_of(tuple(UNSKILLED), default=None, rule="CD-3")
    trained_only: bool = flag(default=False, rule="CD-3", whose="gm", dice=False, reads="options.trained_only")
    lacks: str | None = words(default=None, rule="CD-3")
    equipment: int = summed(0, MAX_DICE, default=0, rule="CD-2")
    modifier: int = summed(-MAX_DICE, MAX_DICE, default=0, rule="CD-2", guided=True)
    any_modifier: bool = flag(default=False, rule="CD-2", whose="gm", dice=False)
    needs: str | None = words(default=None, rule="CD-2", whose="gm")
    again: str = one_of(tuple(AGAIN), default="10", rule="CD-6", guided=True, steps=tuple(AGAIN))
    rote: bool = flag(default=False, rule="CD-7", guided=True)
    extra: int = summed(0, MAX_DICE, default=0, rule="CD-9", dice=False)

    @property
    def whose(self) -> str:
        """The beginning of a refusal: "Their side: ", if there are two sides."""
        return ""

    @property
    def quality(self) -> Quality:
        """How the dice behave (CD-6, CD-7)."""
        return Quality(AGAIN[self.again], self.rote)

    @property
    def attributes(self) -> list[Source]:
        """The Attributes of the roll: one, or two for a task that needs no Skill (CD-1)."""
        first = self.attribute or 0
        parts = list(first.sources) if isinstance(first, Total) else [Source(say("source.attribute"), first)]
        if self.second_attribute is not None:
            parts.append(Source(say("source.second_attribute"), self.second_attribute))
        return parts

    @property
    def sources(self) -> list[Source]:
        """All that makes the pool, bonuses first, then penalties (CD-1)."""
        modifiers = [
            *sources_of(self.equipment, say("source.equipment")),
            *sources_of(self.modifier, say("source.modifier")),
        ]
        return self._base + sorted(modifiers, key=lambda source: source.n < 0)

    @property
    def _base(self) -> list[Source]:
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
    def dice(self) -> int:
        """The sum of the sources; below 1 it is a chance die (CD-4)."""
        return self.dots + self.equipment + self.modifier + (UNSKILLED[self.unskilled] if self.unskilled else 0)

    # What makes no pool by the rules.

    def check(self) -> None:
        """Refuse parts that do not go together, modifiers beyond 5, and a task without what it needs."""
        if self.pool is not None and self.__dict__.keys().isdisjoint(PARTS):
            return
        if self.pool is None:
            self._refuse_parts()
        elif any((self.attribute, self.skill, self.second_attribute, self.specialty, self.unskilled)):
            self.refuse({"CD-1.both": True})
        for source in (*sources_of(self.equipment), *sources_of(self.modifier)):
            if abs(source.n) > USUAL_MODIFIER and not self.any_modifier:
                self.refuse({"CD-2.beyond_named": source.label, "CD-2.beyond": True}, name=source.label, n=source.n)
        if self.needs and not any(same_name(source.label, self.needs) for source in sources_of(self.equipment)):
            self.refuse({"CD-2.lacks": True}, thing=self.needs, example=f"2 {self.needs}")
        if self.dice > MAX_DICE:
            self.refuse({"refused.too_many": True}, n=self.dice, most=MAX_DICE)

    def _refuse_parts(self) -> None:
        """Refuse anything but an Attribute with a Skill, or a pair of Attributes (CD-1, CD-3)."""
        if self.attribute is None:
            raise Malformed(self.whose + say("CD-1.how_many"), "CD-1")
        attributes = [source.label.lower() or str(place) for place, source in enumerate(self.attributes)]
        two = len(attributes) > 1
        wrong = {
            "CD-1.one_of_each": len(attributes) > 2 or len(sources_of(self.skill or 0)) > 1,
            "CD-1.all_three": self.skill is not None and two,
            "CD-1.twice": len(set(attributes)) < len(attributes),
            "CD-3.not_allowed": self.unskilled and self.trained_only,
            "CD-1.no_specialty": self.specialty and two,
            "CD-3.group": not self.skill and not two and self.unskilled is None,
            "CD-3.unskilled": self.unskilled and (self.skill or two or self.specialty),
        }
        if any(wrong.values()):
            self.refuse(wrong, name=self.attributes[0].label)

    def refuse(self, wrong: Mapping[str, object], **values: object) -> None:
        """Refuse what this side put in, for the first of these reasons that there is."""
        for key, is_wrong in wrong.items():
            if is_wrong:
                sentence, rule = cited(key, **values)
                raise Illegal(self.whose + sentence, rule if rule.startswith("CD") else "")


def same_name(one: str, other: str) -> bool:
    """True if two names differ at most in case and spaces."""
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()
