"""What may be put into a TGIMH pool, and what a roll reads by itself (TG-2, TG-6, TG-7, TG-14)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from astragal.author import MAX_LABEL, TABLE, Dice, Effect, Holder, Item, Offer, Participants, Role, signed
from astragal.games.tgimh.sheet import OUT, POWER, TRACK, WILL, kept_name, will_is_capped
from astragal.games.tgimh.text import of

OTHER_SIDE = "the other side"
SIDES = {"roller": "our side", "target": OTHER_SIDE}
"""What a side without a character is called."""


class Gatherer(NamedTuple):
    """One side of a roll: who gathers its pool, against whom, and the inputs that the dice go into."""

    role: Role
    user: Holder | None
    other: Holder | None
    pool: str
    gear: str
    against: str
    mark: str
    """What sets this side's use of the scene apart from the other's."""

    @property
    def opponent(self) -> Role:
        """The other side's role."""
        return "target" if self.role == "roller" else "roller"

    die: int = 10
    capped: bool = False
    """Whether Will never rises above its start (TG-8)."""
    free: bool = False
    """Whether a use that gives nobody Will costs none (TG-8)."""

    def adds(self, dice: int) -> dict[str, Any]:
        """What so many dice add to the tray; fewer dice are said in words."""
        return {"dice": (Dice(self.die, dice),)} if dice > 0 else {"adds": f"{signed(dice)} dice"}

    @property
    def by(self) -> str:
        """Whose seat gathers the pool; a pool without a character is the GM's."""
        return self.user.id if self.user else TABLE


def offers(kind: str, participants: Participants) -> Iterator[Offer]:
    """Everything that can give dice, with its price in Will."""
    die = participants.options.get("die", 10)
    will = will_is_capped(participants.options), bool(participants.options.get("will_free"))
    target = participants.target
    ours = Gatherer("roller", participants.roller, target, "ours", "gear", "against_them", "", die, *will)
    if kind == "recovery":
        yield from _of_conditions(participants, ours.by)
        for offer in _of_side(ours._replace(other=None), participants.scene):
            yield offer._replace(group="Use it") if "/conditions/" in offer.id else offer
        return
    yield from _of_side(ours, participants.scene)
    yield from _of_side(
        Gatherer(
            "target",
            participants.target,
            participants.roller,
            "theirs",
            "their_gear",
            "against_us",
            "!theirs",
            die,
            *will,
        ),
        participants.scene,
    )


def _of_side(side: Gatherer, scene: Holder) -> Iterator[Offer]:
    """Own things first, then the scene's, then what the opponent has that works against them (TG-2)."""
    if side.user:
        yield from _own(side, side.user)
    for name, item in scene.items("conditions").items():
        label = scene_label(name, item)
        group = f"Scene, for {side.user.name if side.user else SIDES[side.role]}"
        yield _invoked(side, f"{scene.id}/conditions/{name}{side.mark}", group, label, item["dice"])
    if side.other:
        yield from _against(side, side.other)


def _own(side: Gatherer, user: Holder) -> Iterator[Offer]:
    for section, title in (("aspects", "Aspects"), ("conditions", "Conditions")):
        for name, item in user.items(section).items():
            yield _invoked(side, f"{user.id}/{section}/{name}", f"{user.name}'s {title}", name, item["dice"])
    for name, item in user.items("abilities").items():
        id, group = f"{user.id}/abilities/{name}", f"{user.name}'s Abilities"
        yield Offer(id, group, name, side.gear, item["dice"], side.by, rule="TG-2", **side.adds(item["dice"]))
    for name, item in user.items("gear").items():
        yield from _gear(side, user, name, item["dice"])


def _gear(side: Gatherer, user: Holder, name: str, dice: int) -> Iterator[Offer]:
    """Gear helps or hinders by the scene: its sign is chosen when it is put in, the sheet's being the usual one."""
    id, group = f"{user.id}/gear/{name}", f"{user.name}'s Gear"
    usual = Offer(id, group, name, side.gear, dice, side.by, rule="TG-2", slot=id, **side.adds(dice))
    yield usual
    if dice:
        label = f"{name} ({'hinders' if dice > 0 else 'helps'})"
        yield usual._replace(id=f"{id}!turned", label=label, gives=-dice, **side.adds(-dice))


def _against(side: Gatherer, other: Holder) -> Iterator[Offer]:
    """A used Aspect gives Will to the one whose it is (TG-7); a used Condition gives them none."""
    for section, title in (("aspects", "Aspects"), ("conditions", "Conditions")):
        for name, item in other.items(section).items():
            offer = _invoked(
                side,
                f"{other.id}/{section}/{name}!against",
                f"{other.name}'s {title}, against them",
                others_label(other, name),
                item["dice"],
            )
            yield _paying(side, offer, other, name) if section == "aspects" else offer


def _paying(side: Gatherer, offer: Offer, other: Holder, name: str) -> Offer:
    """An Aspect used against its owner, who gains 1 Will, unless theirs is full (TG-7, TG-8)."""
    will = other.item("will", WILL)
    if side.capped and will and will["now"] >= will["start"]:
        full = f"{of(other.name)} Will is full"
        price = () if side.free else offer.price
        return offer._replace(input=side.against, price=price, rule="TG-8", group=f"{offer.group}: {full}")
    cause = f"{name} is used against {{who}}"
    gain = Effect("will", side.opponent, 1, rule="TG-7", when="throw", cause=cause)
    return offer._replace(input=side.against, price=(*offer.price, gain), rule="TG-7")


def _invoked(side: Gatherer, id: str, group: str, label: str, dice: int) -> Offer:
    """An Aspect or Condition: its user pays 1 Will (TG-6)."""
    paid = Effect("will", side.role, -1, rule="TG-6", when="throw", cause=f"{{who}} uses {label}")
    price = (paid,) if side.user else ()
    return Offer(id, group, label[:MAX_LABEL], side.pool, dice, side.by, price=price, rule="TG-6", **side.adds(dice))


# Recovery: the Condition that is worked on stands where the opponent would.


class HeldCondition(NamedTuple):
    """A Condition, where it is, and what it is called in a roll."""

    holder: Holder
    name: str
    label: str
    dice: int


def held_conditions(participants: Participants) -> Iterator[HeldCondition]:
    """Every Condition that a Recovery may be about: the roller's own, the other's, the scene's."""
    if participants.roller:
        yield from _conditions_of(participants.roller, "{name}")
    if participants.target:
        yield from _conditions_of(participants.target, others_label(participants.target, "{name}"))
    for name, item in participants.scene.items("conditions").items():
        yield HeldCondition(participants.scene, name, scene_label(name, item)[:MAX_LABEL], item["dice"])


def _conditions_of(holder: Holder, label: str) -> Iterator[HeldCondition]:
    for name, item in holder.items("conditions").items():
        yield HeldCondition(holder, name, label.replace("{name}", name)[:MAX_LABEL], item["dice"])


def find_condition(participants: Participants, called: str) -> HeldCondition | None:
    """The Condition that a roll was about, by what it was called there or by its plain name."""
    wanted = called.lower()
    found = list(held_conditions(participants))
    by_label = [condition for condition in found if condition.label.lower() == wanted]
    return next(iter(by_label or [condition for condition in found if condition.name.lower() == wanted]), None)


def _of_conditions(participants: Participants, by: str) -> Iterator[Offer]:
    for condition in held_conditions(participants):
        id = f"{condition.holder.id}/conditions/{condition.name}!recovery"
        name = (("name", condition.label),)
        adds = f"{condition.dice} dice to ease"
        yield Offer(id, "Heal this", condition.label, "dice", condition.dice, by, rule="TG-14", also=name, adds=adds)


def scene_label(name: str, item: Item) -> str:
    """The label of something in the scene, or of somebody who has no sheet."""
    return f"{of(item['whose'])} {name}" if item.get("whose") else f"{name} (scene)"


def others_label(other: Holder, name: str) -> str:
    """The label of something on another holder's sheet."""
    return f"{of(other.name)} {name}"


# What a roll reads by itself.


def reads(kind: str, participants: Participants) -> dict[str, Any]:
    """Dice of the table's size, and who both sides are; a side without a sheet has to say its dice."""
    ours = {
        "die": participants.options.get("die", 10),
        **_side("ours", "our_name", "", participants.roller, participants),
    }
    if kind == "recovery":
        return {name: value for name, value in ours.items() if name != "will_cap"}
    tracks = {
        **_track("", participants.roller, participants.roller_name, participants),
        **_track("their_", participants.target, participants.target_name, participants),
    }
    if participants.options.get("will_free"):
        ours["will_free"] = True
    apart = {"apart": True} if participants.target and participants.options.get("apart") else {}
    return {**ours, **apart, **_side("theirs", "their_name", "their_", participants.target, participants), **tracks}


def _side(pool: str, name: str, whose: str, holder: Holder | None, participants: Participants) -> dict[str, Any]:
    """Name, Will with its cap unless it is hidden, and whether somebody is out (TG-2, TG-8, TG-12)."""
    if holder is None:
        called = participants.roller_name if not whose else participants.target_name
        return {name: called or OTHER_SIDE if whose else called or None}
    will, out = holder.item("will", WILL), holder.value("out", OUT, "out", False)
    cap = {f"{whose}will_cap": will["start"]} if will and will_is_capped(participants.options) else {}
    held = {f"{whose}will": will["now"]} if will else {}
    return {pool: 0, name: holder.name, **held, **cap, f"{whose}out": out}


def _track(whose: str, holder: Holder | None, name: str, participants: Participants) -> dict[str, Any]:
    """The Power track of a side; of one without a sheet, as the scene keeps it by its name (TG-2)."""
    if holder is None:
        known = participants.scene.item("others", kept_name(name)) if name else None
        if not known:
            return {f"{whose}track": participants.options.get("track", TRACK)}
        track, crossed = known["length"], tuple(known["crossed"])
        return {f"{whose}track": track, f"{whose}crossed": crossed, f"{whose}out": known["out"]}
    power = holder.item("power", POWER)
    return {f"{whose}track": power.get("length", TRACK), f"{whose}crossed": tuple(power.get("crossed", ()))}
