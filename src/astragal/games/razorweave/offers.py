"""What may be put into a Razorweave roll, and what a roll reads by itself (RW-4, RW-5, RW-9, RW-12 to RW-15)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from astragal.author import TABLE, Effect, Holder, Illegal, Offer, Participants, Source, Total, signed, sources_of
from astragal.games.razorweave.effects import clock_named, clocks_of_kind, racing, segments_left, tried_before
from astragal.games.razorweave.names import is_whose, same_words
from astragal.games.razorweave.oracle_table import dc_offer, question_offers, stands_at
from astragal.games.razorweave.sheet import OPEN, RESOLVE
from astragal.games.razorweave.split import name_in
from astragal.games.razorweave.tiers import PART, RUNG

WITH = "with {}"
"""How an Attribute and a Skill are told, which are numbers in the roll."""


def offers(kind: str, participants: Participants) -> Iterator[Offer]:
    """Everything on the sheets that has a place in this kind of roll."""
    if kind == "check":
        yield from _of_check(participants)
    elif kind == "split":
        yield from _of_split(participants)
    elif kind == "oracle":
        yield from question_offers(participants.table, _roller(participants))


def reads(kind: str, participants: Participants) -> dict[str, Any]:
    """Helpers (RW-12), what is set up for the roller, who is down (RW-9); a race's Clocks; an oracle's answers."""
    if kind == "race":
        return _race(participants)
    if kind == "oracle":
        return {"start": stands_at(participants)}
    usual = participants.options.get("dc")
    dc = {"dc": usual} if usual and kind in ("check", "split") else {}
    if kind == "split":
        ready = [source for member in _members(participants) for source in _ready(member, participants, True)]
        return {**dc, "prepared": Total(ready)} if ready else dc
    return {**dc, **_of_others(participants)} if kind == "check" else dc


def _of_others(participants: Participants) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if participants.helpers:
        found["assist"] = Total(Source(helper.name, 1) for helper in participants.helpers)
    if participants.roller and (ready := _ready(participants.roller, participants)):
        found["prepared"] = Total(ready)
    if participants.target and is_down(participants.target):
        found["down"] = participants.target.name
    if participants.roller and is_down(participants.roller):
        found["striker_down"] = participants.roller.name
    return found


def _ready(who: Holder, participants: Participants, named: bool = False) -> list[Source]:
    """What others have set up for a character's next action (RW-12)."""
    before = f"{who.name}{PART}" if named else ""
    return [
        Source(f"{before}{name}", item.get("size", 1))
        for name, item in participants.scene.items("positions").items()
        if item["kind"] == "set-up" and is_whose(item, who)
    ]


def is_down(who: Holder) -> bool:
    """Whether the Resolve Clock is full (RW-9)."""
    clock = who.item("resolve", RESOLVE)
    return bool(clock) and segments_left(clock) <= 0


def completes(kind: str, values: Mapping[str, Any], participants: Participants) -> dict[str, Any]:
    """A retry of the same intent asks what has changed (RW-13); a full Resolve Clock that is struck is down (RW-9)."""
    found: dict[str, Any] = {}
    if kind == "split":
        return _in_order(values, participants)
    if kind != "check":
        return found
    if not values.get("strike") and not values.get("again") and tried_before(participants, values.get("intent")):
        found["again"] = values["intent"]
    if values.get("set_up"):
        found["set_up"] = _another(values["set_up"], participants)
    if values.get("assist_as"):
        found["assist_as"] = tuple(_of_helpers(values["assist_as"], participants))
    clock = clock_named(participants, values.get("resolve"))
    if clock and not participants.target and segments_left(participants.table.item("clocks", clock)) <= 0:
        found["down"] = clock
    return found


def _another(name: str, participants: Participants) -> str:
    """The name of the character that is set up, as the sheet writes it; it must be another one (RW-12)."""
    others = [each.name for each in participants.characters if each.id != _roller(participants)]
    found = next((other for other in others if same_words(other, name)), None)
    if found is None:
        there = ", ".join(others) or "no others"
        raise Illegal(f'"{name[:40]}" is nobody who could be set up; there are {there}.', "RW-12")
    return found


def _of_helpers(said: tuple[tuple[str, str], ...], participants: Participants) -> Iterator[tuple[str, str]]:
    """What the GM says of each helper; of somebody who helps no longer it means nothing (RW-12)."""
    helping = {helper.name.lower() for helper in participants.helpers}
    for name, word in said:
        if name.lower() in helping:
            yield name, word
        elif not any(same_words(each.name, name) for each in participants.characters):
            there = ", ".join(helper.name for helper in participants.helpers) or "no helpers"
            raise Illegal(f'"{name[:40]}" does not help here; there are {there}.', "RW-12", "assist_as")


def _in_order(values: Mapping[str, Any], participants: Participants) -> dict[str, Any]:
    """Those who split the risk roll in the order in which they are in it, also with nothing of their own (RW-12)."""
    given = sources_of(values.get("members"))
    names = [member.name for member in _members(participants)]
    parts = [[source for source in given if name_in(source) == name] or [Source(name, 0)] for name in names]
    others = [source for source in given if name_in(source) not in names]
    members = [source for part in parts for source in part] + others
    return {"members": Total(members)} if members else {}


def _race(participants: Participants) -> dict[str, Any]:
    pair = racing(participants)
    return {"goal": pair.goal_left, "threat": pair.threat_left} if pair else {}


def _roller(participants: Participants) -> str:
    """Whose seat puts things in; a roll without a character is the GM's."""
    return participants.roller.id if participants.roller else TABLE


# A Check.


def _of_check(participants: Participants) -> Iterator[Offer]:
    by = _roller(participants)
    if participants.roller:
        yield from _numbers(participants.roller)
    yield from _edges(participants, by)
    yield from _positions(participants)
    yield from _clocks(participants, by, ("goal", "threat") if participants.target else ("goal", "threat", "resolve"))
    yield from _again(participants)
    yield from dc_offer(participants, by)


def _numbers(who: Holder) -> Iterator[Offer]:
    """An Attribute's rating, and a Skill that fits (RW-5)."""
    for name, item in who.items("attributes").items():
        id, rating = f"{who.id}/attributes/{name}", item["rating"]
        yield Offer(id, "Attribute", name, "attribute", rating, who.id, rule="RW-5", told=WITH, adds=signed(rating))
    for name in who.items("skills"):
        yield Offer(f"{who.id}/skills/{name}", "Skill", name, "skill", True, who.id, rule="RW-5", told=WITH, adds="+1")


def _edges(participants: Participants, by: str) -> Iterator[Offer]:
    """Tags, Conditions and Proficiencies, each as what it is: Edge, Burden or steps of the DC (RW-3, RW-15)."""
    for holder, section, whose in _sources(participants):
        title = f"{whose}{section.capitalize()}"
        against = holder is participants.target
        for name, item in holder.items(section).items():
            label = f"{whose}{name}" if against else name
            offer = Offer(f"{holder.id}/{section}/{name}", title, label, "edge", item.get("size", 1), by, rule="RW-15")
            yield from as_counted(offer, item.get("counts", OPEN), against)


def as_counted(offer: Offer, counts: str, against: bool = False) -> Iterator[Offer]:
    """An offer as what its item is; what helps the target is Burden to whoever acts against it, and the reverse."""
    if counts in ("harder", "easier"):
        steps = offer.gives if counts == "harder" else -offer.gives
        adds = f"DC {signed(RUNG * steps)}"
        yield offer._replace(group=f"DC: {offer.group}", input="scene", gives=steps, rule="RW-3", adds=adds)
        return
    times = f" {offer.gives}" if offer.gives != 1 else ""
    burden = offer._replace(group=f"Burden: {offer.group}", input="burden", adds=f"Burden{times}")
    edge = offer._replace(group=f"Edge: {offer.group}", adds=f"Edge{times}")
    if counts == OPEN:
        # One of the two: it is decided once what it is.
        edge, burden = edge._replace(slot=offer.id), burden._replace(slot=offer.id)
        yield edge
        yield burden._replace(id=f"{offer.id}!burden", label=f"{offer.label} (Burden)")
    elif counts != "colour":
        yield edge if (counts == "edge") != against else burden


def _sources(participants: Participants) -> Iterator[tuple[Holder, str, str]]:
    yield participants.scene, "tags", ""
    for holder in (participants.roller, participants.target):
        if holder:
            yield holder, "proficiencies", f"{holder.name}'s "
            yield holder, "conditions", f"{holder.name}'s "


def _positions(participants: Participants) -> Iterator[Offer]:
    """Position is Edge for the one who has it, Burden for whoever acts against them, and then it is gone (RW-9)."""
    for name, item in participants.scene.items("positions").items():
        id = f"{participants.scene.id}/positions/{name}"
        used, size = (
            (Effect("positions", "scene", -1, name, "RW-9", "throw", "The position is used"),),
            item.get("size", 1),
        )
        if item["kind"] != "position":
            continue
        if participants.roller and is_whose(item, participants.roller):
            by = participants.roller.id
            yield Offer(id, "Edge: Position", name, "edge", size, by, price=used, rule="RW-9", adds="Edge")
        elif is_whose(item, participants.target):
            by = participants.target.id if participants.target else TABLE
            yield Offer(id, "Burden: Position", name, "burden", size, by, price=used, rule="RW-9", adds="Burden")


def _clocks(participants: Participants, by: str, kinds: tuple[str, ...]) -> Iterator[Offer]:
    """Clocks that a roll may tick, each for the input that is called as its kind (RW-11)."""
    for kind in kinds:
        for name in clocks_of_kind(participants, kind):
            id = f"{participants.table.id}/clocks/{name}"
            yield Offer(id, "Clocks", f"{kind.capitalize()}: {name}", kind, name, by, rule="RW-11")


def _again(participants: Participants) -> Iterator[Offer]:
    """What failed may be tried again, if somebody says what has changed (RW-13)."""
    for name, item in participants.scene.items("tried").items():
        if participants.roller and is_whose(item, participants.roller):
            id, intent = f"{participants.scene.id}/tried/{name}", item["intent"] or name
            also = (("intent", intent),)
            yield Offer(
                id, "Try again", f"Again: {intent}", "again", intent, participants.roller.id, rule="RW-13", also=also
            )


# Split risks: each roller, with an Attribute and perhaps a Skill.


def _of_split(participants: Participants) -> Iterator[Offer]:
    for member in _members(participants):
        yield from _member(member, participants)
    by = _roller(participants)
    for name, item in participants.scene.items("tags").items():
        id, size = f"{participants.scene.id}/tags/{name}", item.get("size", 1)
        everybody = Offer(id, "Tags", name, "edge", size, by, rule="RW-15")
        yield from map(_less, as_counted(everybody, item.get("counts", OPEN)))
    yield from _clocks(participants, by, ("goal", "threat"))
    yield from dc_offer(participants, by)


def _members(participants: Participants) -> list[Holder]:
    return [member for member in (participants.roller, *participants.helpers) if member]


def _less(offer: Offer) -> Offer:
    """Where Edge and Burden are one number, Burden is less of it."""
    return offer._replace(input="edge", gives=-offer.gives) if offer.input == "burden" else offer


def _member(member: Holder, participants: Participants) -> Iterator[Offer]:
    """What is one member's alone; labels begin with the name, so that all of it adds up to theirs (RW-12)."""
    group = f"{member.name} rolls with"
    offer = Offer("", group, "", "members", 1, member.id, rule="RW-12")
    for name, item in member.items("attributes").items():
        label, slot = f"{member.name}{PART}{name}", f"{member.id} attribute"
        id = f"{member.id}/attributes/{name}"
        yield offer._replace(id=id, label=label, gives=item["rating"], slot=slot, adds=signed(item["rating"]))
    for name in member.items("skills"):
        id, label, slot = f"{member.id}/skills/{name}", f"{member.name}{PART}{name}", f"{member.id} skill"
        yield offer._replace(id=id, label=label, rule="RW-5", slot=slot, adds="+1")
    yield from _own_edges(member, offer, participants)


def _own_edges(member: Holder, offer: Offer, participants: Participants) -> Iterator[Offer]:
    """A member's own Proficiencies, Conditions and positions, and Tags that touch only them (RW-12, RW-15)."""
    for holder, section in ((member, "proficiencies"), (member, "conditions"), (participants.scene, "tags")):
        for name, item in holder.items(section).items():
            counts = item.get("counts", OPEN)
            own = offer._replace(
                id=f"{holder.id}/{section}/{name}{'!' + member.id if holder is not member else ''}",
                label=f"{member.name}{PART}{name}",
                input="edge",
                gives=item.get("size", 1),
            )
            if counts not in ("harder", "easier"):
                for each in map(_less, as_counted(own, counts)):
                    yield each._replace(input="edges", group=offer.group)
    for position in _positions(participants._replace(roller=member, target=None)):
        if position.input == "edge":
            label = f"{member.name}{PART}{position.label}"
            yield position._replace(label=label, input="edges", group=offer.group)
