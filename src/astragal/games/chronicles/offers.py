"""What may be put into a Chronicles roll: Attributes, Skills, Specialties, modifiers, Willpower, earlier tries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from astragal.author import Dice, Effect, Holder, Offer, Participants, Role, counted, signed
from astragal.games.chronicles.helping import going_on
from astragal.games.chronicles.sheet import ATTRIBUTES, SKILLS, boon, dots_in, item_name, task_words, trained_only
from astragal.games.chronicles.team import PART
from astragal.games.chronicles.traits import UNSKILLED

WILLPOWER_DICE = 3


class Contributor(NamedTuple):
    """Whose things go where: the leader's into the parts of their pool, a helper's all into what helpers roll."""

    who: Holder
    role: Role = "roller"
    before: str = ""
    """What their inputs are called with before the name."""
    pool: str = ""
    """The one input of a helper."""

    def offer(self, place: str, label: str, input: str, gives: Any, *, group: str, **more: Any) -> Offer:
        """An offer of something on the sheet."""
        mark = "!theirs" if self.before else ""
        id, input = f"{self.who.id}/{place}{mark}", self.pool or f"{self.before}{input}"
        if self.pool:
            label, group = f"{self.who.name}{PART}{label}", f"{self.who.name} helps with"
        elif self.before:
            label, group = f"{self.who.name}'s {label}", f"{self.who.name}'s {group}"
        also = tuple((f"{self.before}{name}", value) for name, value in more.pop("also", ()))
        more = {**added(gives), **more}
        return Offer(id, group, label, input, gives, self.who.id, also=() if self.pool else also, **more)


def added(gives: Any) -> dict[str, Any]:
    """What an offer adds to the tray: dice, or fewer of them."""
    if type(gives) is not int or not gives:
        return {}
    return {"dice": (Dice(10, gives, "d10"),)} if gives > 0 else {"adds": f"{signed(gives)} dice"}


def reads(kind: str, participants: Participants) -> dict[str, Any]:
    """What the table settles (CD-3, CD-10), whether its boon is there already, and who contends (CD-13)."""
    usual = boon(participants.options)
    found: dict[str, Any] = {"boon": usual, "has_boon": _has(participants.roller, usual)}
    if trained_only(participants.options):
        found["trained_only"] = True
    if kind == "extended":
        found["one_roll"] = True
    if kind == "contested":
        found["their_has_boon"] = _has(participants.target, usual)
        found |= {"name": participants.roller.name} if participants.roller else {}
        found |= {"their_name": participants.target.name} if participants.target else {}
    return found


def _has(who: Holder | None, condition: str) -> bool:
    return who is not None and item_name(condition) in who.items("conditions")


def offers(kind: str, participants: Participants) -> Iterator[Offer]:
    """What leader, opponent, helpers and the scene may give."""
    if participants.roller:
        yield from _leads(Contributor(participants.roller), kind)
    if participants.target and kind == "contested":
        yield from _leads(Contributor(participants.target, "target", "their_"), kind)
    for place, helper in enumerate(participants.helpers, 1):
        yield from _helps(Contributor(helper, f"helper {place}", pool="helper_pool"))
    for place, helper in enumerate(participants.their_helpers, 1):
        yield from _helps(Contributor(helper, f"their helper {place}", "their_", "their_helper_pool"))
    if kind == "extended":
        yield from _tasks(participants.roller or participants.table)
    yield from _circumstances(kind, participants)


def _leads(side: Contributor, kind: str) -> Iterator[Offer]:
    """Earlier tries never count in an extended action (CD-11)."""
    yield from _attributes(side)
    for group, names in SKILLS.items():
        for name in names:
            yield _skill(side, group, name)
    yield from _specialties(side)
    yield from _modifiers(side)
    yield from _willpower(side)
    if kind == "attempt":
        yield from _tries(side)


def _helps(side: Contributor) -> Iterator[Offer]:
    """Attribute and Skill are those of the action; what else a helper has is theirs to put in (CD-12)."""
    for name, specialty in side.who.items("specialties").items():
        if dots_in(side.who, specialty["skill"]):
            place, label = f"specialties/{name}", f"{specialty['skill']}, {name}"
            yield side.offer(place, label, "", 1, group="", rule="CD-12")
    yield from _modifiers(side)
    yield from _willpower(side)


def _attributes(side: Contributor) -> Iterator[Offer]:
    """One with a Skill, or two different ones for a task that needs none (CD-1)."""
    for group, names in ATTRIBUTES.items():
        for name in names:
            dots = side.who.value(group, name, "dots")
            yield side.offer(f"{group}/{name}", name, "attribute", dots, group="Attributes", rule="CD-1")


def _skill(side: Contributor, group: str, name: str) -> Offer:
    """A Skill without dots gives its penalty instead (CD-3)."""
    place, dots = f"{group}_skills/{name}", side.who.value(f"{group}_skills", name, "dots")
    if dots:
        return side.offer(place, name, "skill", dots, group="Skills", rule="CD-1")
    label, also = f"{name} (no dots)", (("lacks", name),)
    adds = f"{signed(UNSKILLED[group])} dice"
    return side.offer(place, label, "unskilled", group, group="Skills without dots", rule="CD-3", also=also, adds=adds)


def _specialties(side: Contributor) -> Iterator[Offer]:
    """A Specialty comes with its Skill, at one tap, so that it fits no other; without dots there is none (CD-1)."""
    for name, specialty in side.who.items("specialties").items():
        skill = specialty["skill"]
        if dots := dots_in(side.who, skill):
            place, label, also = f"specialties/{name}", f"{skill}: {name}", (("specialty", True),)
            dice = added(dots + 1)["dice"]
            yield side.offer(place, label, "skill", dots, group="Specialties", rule="CD-1", also=also, dice=dice)


def _modifiers(side: Contributor) -> Iterator[Offer]:
    """Equipment, weapons with the successes that they add, and Conditions (CD-2, CD-9, CD-14)."""
    for name, thing in side.who.items("equipment").items():
        extra = thing.get("extra", 0)
        also = (("extra", extra),) if extra else ()
        place, dice = f"equipment/{name}", thing["dice"]
        yield side.offer(place, name, "equipment", dice, group="Equipment", rule="CD-9" if extra else "CD-2", also=also)
    for name, condition in side.who.items("conditions").items():
        dice = condition.get("dice", 0)
        yield side.offer(f"conditions/{name}", name, "modifier", dice, group="Conditions", rule="CD-14")


def _willpower(side: Contributor) -> Iterator[Offer]:
    """A point gives three dice before the roll, one point a roll (CD-14)."""
    price = Effect("willpower", side.role, -1, rule="CD-14", when="throw", cause="{who} puts Willpower into a roll")
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


def _tries(side: Contributor) -> Iterator[Offer]:
    """Who tries again under pressure says so; with time and no pressure the full pool stands (CD-11)."""
    for task, tried in side.who.items("tries").items():
        if tried["tries"]:
            place, label, also = f"tries/{task}", f"Again under pressure: {task}", (("task", task),)
            n = tried["tries"]
            less = added(-n)
            does = f"tries again under pressure: {task}, {counted(n, 'die', 'dice')} fewer"
            yield side.offer(
                place, label, "tries", n, group="Earlier tries", rule="CD-11", also=also, dice=(), does=does, **less
            )


def _tasks(keeper: Holder) -> Iterator[Offer]:
    """A long task that is under way goes on: its target and its rolls were fixed when it began (CD-13)."""
    for name, task in keeper.items("tasks").items():
        id, adds = f"{keeper.id}/tasks/{name}", task_words(task)
        yield Offer(
            id, "Go on with", name, "task", name, keeper.id, rule="CD-13", also=tuple(going_on(task).items()), adds=adds
        )


def _circumstances(kind: str, participants: Participants) -> Iterator[Offer]:
    """What the scene gives or takes, on either side (CD-2)."""
    scene = participants.scene
    for section, rule in (("circumstances", "CD-2"), ("conditions", "CD-14")):
        for name, item in scene.items(section).items():
            id, by = f"{scene.id}/{section}/{name}", (participants.roller or scene).id
            dice = item.get("dice", 0)
            offer = Offer(id, section.capitalize(), name, "modifier", dice, by, rule=rule, **added(dice))
            yield offer
            if kind == "contested":
                by, label = (participants.target or scene).id, f"{name} (their side)"
                yield offer._replace(id=f"{id}!theirs", label=label, input="their_modifier", by=by)
