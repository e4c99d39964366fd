"""What may be put into a Chronicles roll: Attributes, Skills, Specialties, modifiers, Willpower, earlier tries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from astragal.author import Effect, Holder, Offer, Participants, Role
from astragal.games.chronicles.pool import UNSKILLED
from astragal.games.chronicles.sheet import ATTRIBUTES, SKILLS, boon, dots_in

WILLPOWER_DICE = 3


class Side(NamedTuple):
    """Whose things go where: into the one pool of a contested action, or into the parts of a pool."""

    who: Holder
    role: Role = "roller"
    pool: str = ""
    whose: str = ""
    mark: str = ""

    def offer(self, place: str, label: str, input: str, gives: Any, *, group: str, **more: Any) -> Offer:
        """An offer of something on the sheet; a side with one pool puts everything there."""
        id, group, label = f"{self.who.id}/{place}{self.mark}", f"{self.whose}{group}", f"{self.whose}{label}"
        return Offer(id, group, label, self.pool or input, gives, self.who.id, **more)


def reads(kind: str, participants: Participants) -> dict[str, Any]:
    """The table's boon (CD-10), and how many help (CD-12)."""
    if kind != "attempt":
        return {}
    return {"boon": boon(participants.options), "helpers": len(participants.helpers)}


def offers(kind: str, participants: Participants) -> Iterator[Offer]:
    """In a contested action each side fills its own pool (CD-13); else the parts of the pool are put together."""
    if kind == "contested":
        yield from _contest(participants)
    elif participants.roller:
        yield from _action(Side(participants.roller), kind)
    yield from _circumstances(kind, participants)


def _contest(participants: Participants) -> Iterator[Offer]:
    if participants.roller:
        yield from _dice(Side(participants.roller, pool="ours"))
        yield from _willpower(Side(participants.roller, pool="ours"))
    if participants.target:
        theirs = Side(participants.target, "target", "theirs", f"{participants.target.name}'s ", "!theirs")
        yield from _dice(theirs)
        yield from _willpower(theirs)


def _action(side: Side, kind: str) -> Iterator[Offer]:
    """Willpower is for one roll, and earlier tries never count in an extended action (CD-11, CD-14)."""
    yield from _dice(side)
    if kind == "attempt":
        yield from _willpower(side)
        yield from _tries(side)


def _dice(side: Side) -> Iterator[Offer]:
    yield from _attributes(side)
    for group, names in SKILLS.items():
        for name in names:
            yield _skill(side, group, name)
    yield from _specialties(side)
    yield from _modifiers(side)


def _attributes(side: Side) -> Iterator[Offer]:
    """One with a Skill, or two for a task that needs none (CD-1)."""
    for group, names in ATTRIBUTES.items():
        for name in names:
            dots = side.who.value(group, name, "dots")
            yield side.offer(f"{group}/{name}", name, "attribute", dots, group="Attributes", rule="CD-1")


def _skill(side: Side, group: str, name: str) -> Offer:
    """A Skill without dots gives its penalty instead (CD-3)."""
    place, dots = f"{group}_skills/{name}", side.who.value(f"{group}_skills", name, "dots")
    if dots:
        return side.offer(place, name, "skill", dots, group="Skills", rule="CD-1")
    gives = UNSKILLED[group] if side.pool else group
    return side.offer(place, f"{name} (no dots)", "unskilled", gives, group="Skills without dots", rule="CD-3")


def _specialties(side: Side) -> Iterator[Offer]:
    """Specialties, each put in together with its Skill; a Skill without dots offers none (CD-1)."""
    for name, specialty in side.who.items("specialties").items():
        skill = specialty["skill"]
        dots = dots_in(side.who, skill)
        if not dots:
            continue
        gives, also = (dots + 1, ()) if side.pool else (dots, (("specialty", True),))
        place, label = f"specialties/{name}", f"{skill}: {name}"
        yield side.offer(place, label, "skill", gives, group="Specialties", rule="CD-1", also=also)


def _modifiers(side: Side) -> Iterator[Offer]:
    """Equipment, and Conditions that give or take dice (CD-2)."""
    for name, thing in side.who.items("equipment").items():
        yield side.offer(f"equipment/{name}", name, "modifier", thing["dice"], group="Equipment", rule="CD-2")
    for name, condition in side.who.items("conditions").items():
        if condition.get("dice"):
            dice = condition["dice"]
            yield side.offer(f"conditions/{name}", name, "modifier", dice, group="Conditions", rule="CD-2")


def _willpower(side: Side) -> Iterator[Offer]:
    """A point gives three dice before the roll, one point a roll (CD-14)."""
    price = Effect("willpower", side.role, -1, rule="CD-14", when="throw", cause="puts Willpower into a roll")
    yield side.offer(
        "willpower/Willpower",
        "Willpower",
        "modifier",
        WILLPOWER_DICE,
        group="Willpower",
        most=min(1, side.who.value("willpower", "Willpower", "now")),
        price=(price,),
        rule="CD-14",
    )


def _tries(side: Side) -> Iterator[Offer]:
    """Who tries again under pressure says so; with time and no pressure the full pool stands (CD-11)."""
    for task, tried in side.who.items("tries").items():
        if tried["tries"]:
            place, label, also = f"tries/{task}", f"Again under pressure: {task}", (("task", task),)
            yield side.offer(place, label, "tries", tried["tries"], group="Earlier tries", rule="CD-11", also=also)


def _circumstances(kind: str, participants: Participants) -> Iterator[Offer]:
    """What the scene gives or takes, on either side (CD-2)."""
    scene, ours = participants.scene, "ours" if kind == "contested" else "modifier"
    for name, circumstance in scene.items("circumstances").items():
        if not circumstance["dice"]:
            continue
        id, by = f"{scene.id}/circumstances/{name}", (participants.roller or scene).id
        yield Offer(id, "Circumstances", name, ours, circumstance["dice"], by, rule="CD-2")
        if kind == "contested":
            by, label = (participants.target or scene).id, f"{name} (their side)"
            yield Offer(f"{id}!theirs", "Circumstances", label, "theirs", circumstance["dice"], by, rule="CD-2")
