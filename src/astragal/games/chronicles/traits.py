"""What a Chronicles pool is made of: Attribute, Skill, Specialty, equipment and other modifiers (CD-1 to CD-3)."""

from __future__ import annotations

from typing import NamedTuple

from astragal.author import MAX_DICE, Illegal, Malformed, Source, Total, sources_of

MAX_DOTS = 30
USUAL_MODIFIER = 5
UNSKILLED = {"mental": -3, "physical": -1, "social": -1}


def same_name(one: str, other: str) -> bool:
    """True if two names differ at most in case and spaces."""
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


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
            raise Illegal(f"{self.whose}A pool is given and so are parts of one; give the pool, or its parts.", "CD-1")
        self._refuse_modifiers()
        if self.needs and not any(same_name(source.label, self.needs) for source in sources_of(self.equipment)):
            raise self._illegal(
                f'The task needs {self.needs}; put in equipment of that name, such as "2 {self.needs}".', "CD-2"
            )
        if self.dice > MAX_DICE:
            raise Illegal(f"{self.whose}The pool comes to {self.dice:,} dice; at most {MAX_DICE:,} are rolled.")

    def _refuse_parts(self) -> None:
        if self.attribute is None:
            raise Malformed(f"{self.whose}Say how many dice: give a pool, or an attribute with a skill.", "CD-1")
        attributes = [source.label.lower() or str(place) for place, source in enumerate(self.attributes)]
        if len(attributes) > 2 or len(sources_of(self.skill or 0)) > 1:
            raise self._illegal("A roll takes one Skill and one Attribute, or two Attributes; no more than that.")
        if self.skill is not None and len(attributes) > 1:
            raise self._illegal("A roll takes an Attribute and a Skill, or two Attributes, not all three.")
        if len(set(attributes)) < len(attributes):
            raise self._illegal(f"Two Attributes must be different ones; {self.attributes[0].label} is there twice.")
        self._refuse_unskilled(len(attributes) > 1)

    def _refuse_unskilled(self, two: bool) -> None:
        if self.unskilled and self.trained_only:
            raise self._illegal("The Storyteller does not allow this without dots in the Skill.", "CD-3")
        if self.specialty and two:
            raise self._illegal("A Specialty belongs to a Skill; two Attributes take none.")
        if not self.skill and not two and self.unskilled is None:
            raise self._illegal("A Skill without dots needs its group: unskilled mental, physical or social.", "CD-3")
        if self.unskilled and (self.skill or two or self.specialty):
            raise self._illegal(
                "Unskilled means the Attribute alone: no Skill dots, second Attribute or Specialty.", "CD-3"
            )

    def _illegal(self, sentence: str, rule: str = "CD-1") -> Illegal:
        return Illegal(f"{self.whose}{sentence}", rule)

    def _refuse_modifiers(self) -> None:
        if self.any_modifier:
            return
        for source in (*sources_of(self.equipment), *sources_of(self.modifier)):
            if abs(source.n) > USUAL_MODIFIER:
                named = f'The modifier "{source.label}"' if source.label else "A modifier"
                raise self._illegal(
                    f"{named} is {source.n:+}; a single modifier lies from −5 to +5 unless the Storyteller allows more "
                    "(any-modifier).",
                    "CD-2",
                )

    @property
    def attributes(self) -> list[Source]:
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
        parts = self.attributes
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
        modifiers = (*sources_of(self.equipment, "equipment"), *sources_of(self.modifier, "modifier"))
        return self.base + sorted(modifiers, key=lambda source: source.n < 0)

    @property
    def dice(self) -> int:
        """What the sources come to; below 1 it is a chance die (CD-4)."""
        return self.dots + self.equipment + self.modifier + (UNSKILLED[self.unskilled] if self.unskilled else 0)
