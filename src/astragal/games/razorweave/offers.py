"""What may be put into a Razorweave roll, and what a roll reads by itself (RW-4, RW-5, RW-9, RW-12 to RW-15)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from astragal.author import (
    TABLE,
    Effect,
    Holder,
    Illegal,
    Offer,
    Participants,
    SheetOffer,
    Source,
    Thing,
    Total,
    offers_from,
    signed,
    sources_of,
)
from astragal.games.razorweave.effects import is_down, racing, segments_left, tried_before
from astragal.games.razorweave.names import is_whose, same_words
from astragal.games.razorweave.oracle_table import answers_now, dc_offer, question_offers, reached_by
from astragal.games.razorweave.rules import TEXTS, cited, say
from astragal.games.razorweave.sheet import OPEN
from astragal.games.razorweave.split import name_in
from astragal.games.razorweave.tiers import PART, RUNG


def reads(kind: str, participants: Participants) -> dict[str, Any]:
    """The Clocks that race (RW-11), what is set up (RW-12), who is down (RW-9), where the oracle stands (RW-14)."""
    pair = racing(participants) if kind == "race" else None
    if kind == "oracle":
        return {"start": reached_by(answers_now(participants))}
    if kind == "race":
        return {"goal": pair.goal_left, "threat": pair.threat_left} if pair else {}
    roller, several = participants.roller, kind == "split"
    who = _members(participants) if several else [roller] if roller else []
    ready = [source for each in who for source in _ready(each, participants, several)]
    found = {"prepared": Total(ready)} if ready else {}
    return found if several else {**_of_others(participants), **found}


def _of_others(participants: Participants) -> dict[str, Any]:
    """Who helps (RW-12), and who is down (RW-9)."""
    found: dict[str, Any] = {"down": participants.target, "striker_down": participants.roller}
    down = {name: who.name for name, who in found.items() if who and is_down(who)}
    helping = [Source(helper.name, 1) for helper in participants.helpers]
    return {"assist": Total(helping), **down} if helping else down


def _ready(who: Holder, participants: Participants, named: bool = False) -> list[Source]:
    """The set-ups by others for a character's next action (RW-12)."""
    before = f"{who.name}{PART}" if named else ""
    return [
        Source(f"{before}{name}", item.get("size", 1))
        for name, item in participants.scene.items("positions").items()
        if item["kind"] == "set-up" and is_whose(item, who)
    ]


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
    clock = participants.table.find("clocks", values.get("resolve"))
    if clock and not participants.target and segments_left(participants.table.item("clocks", clock)) <= 0:
        found["down"] = clock
    return found


def _another(name: str, participants: Participants) -> str:
    """The name of the character that is set up, as the sheet writes it; it must be another one (RW-12)."""
    others = [each.name for each in participants.characters if each.id != _roller(participants)]
    found = next((other for other in others if same_words(other, name)), None)
    if found is None:
        there = ", ".join(others) or "no others"
        raise Illegal(*cited("RW-12.nobody_else", name=name[:40], there=there))
    return found


def _of_helpers(said: tuple[tuple[str, str], ...], participants: Participants) -> Iterator[tuple[str, str]]:
    """The GM's word about each helper; without effect for a character who no longer helps (RW-12)."""
    helping = {helper.name.lower() for helper in participants.helpers}
    for name, word in said:
        if name.lower() in helping:
            yield name, word
        elif not any(same_words(each.name, name) for each in participants.characters):
            there = ", ".join(helper.name for helper in participants.helpers) or "no helpers"
            raise Illegal(*cited("RW-12.no_help", name=name[:40], there=there), "assist_as")


def _in_order(values: Mapping[str, Any], participants: Participants) -> dict[str, Any]:
    """Those who split the risk roll in the order in which they are in it, also with nothing of their own (RW-12)."""
    given = sources_of(values.get("members"))
    names = [member.name for member in _members(participants)]
    parts = [[source for source in given if name_in(source) == name] or [Source(name, 0)] for name in names]
    others = [source for source in given if name_in(source) not in names]
    members = [source for part in parts for source in part] + others
    return {"members": Total(members)} if members else {}


def _members(participants: Participants) -> list[Holder]:
    return [member for member in (participants.roller, *participants.helpers) if member]


def _roller(participants: Participants) -> str:
    """Whose seat puts things in; a roll without a character is the GM's."""
    return participants.roller.id if participants.roller else TABLE


# What sheets offer.

BY = "roller or table"
WITH = "with {}"
"""How an Attribute and a Skill are told, which are numbers in the roll."""
RATING: dict[str, Any] = {"gives": "{rating}", "adds": "{rating:+}"}
SKILL: dict[str, Any] = {"rule": "RW-5", "adds": "+1"}
USED = Effect("positions", "scene", -1, "{name}", "RW-9", "throw", "used")
POSITION: dict[str, Any] = {"of": "scene", "price": (USED,), "adds": "Edge"}
WHOSE: dict[str, Any] = {"group": "{holder}'s {title}"}
THEIRS: dict[str, Any] = {"of": "target", "label": "{holder}'s {name}", **WHOSE}
OWN: dict[str, Any] = {"by": "roller and helper", "group": "member", "label": f"{{giver}}{PART}{{name}}"}
"""Offers for one member alone; labels begin with the name, so that all of them add up to theirs (RW-12)."""


def _edge(section: str, **parts: Any) -> SheetOffer:
    """Tags, Conditions and Proficiencies, each as what it is (RW-15)."""
    return SheetOffer(section, "edge", _size, **{"by": BY, "rule": "RW-15", "each": _counted, **parts})


def _size(thing: Thing) -> int:
    return int(thing.item.get("size", 1))  # tables of 0.6 and earlier have none


def _counted(offer: Offer, thing: Thing) -> Iterator[Offer]:
    """An offer as Edge, Burden or steps of the DC (RW-3, RW-15).

    What helps the target is Burden to those who act against it, and the reverse.
    """
    counts, against = thing.item.get("counts", OPEN), thing.holder is thing.participants.target is not thing.giver
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
        yield edge._replace(slot=offer.id)
        yield burden._replace(slot=offer.id, id=f"{offer.id}!burden", label=f"{offer.label} (Burden)")
    elif counts != "colour":
        yield edge if (counts == "edge") != against else burden


def _less(offer: Offer, thing: Thing) -> Iterator[Offer]:
    """Where Edge and Burden are one number, Burden is less of it."""
    for each in _counted(offer, thing):
        yield each._replace(input="edge", gives=-each.gives) if each.input == "burden" else each


def _of_member(offer: Offer, thing: Thing) -> Iterator[Offer]:
    """Offers for one member go to that member; those that move the DC go to all (RW-12)."""
    return (each._replace(input="edges", group=offer.group) for each in _less(offer, thing) if each.input == "edge")


def _position(thing: Thing) -> int | None:
    return _size(thing) if thing.item["kind"] == "position" else None


def _own_position(thing: Thing) -> int | None:
    return _position(thing) if is_whose(thing.item, thing.giver) else None


def _for_whom(offer: Offer, thing: Thing) -> Iterator[Offer]:
    """Position is Edge for the one who has it, and Burden for those who act against them (RW-9)."""
    roller, target = thing.participants.roller, thing.participants.target
    if roller and is_whose(thing.item, roller):
        yield offer
    elif is_whose(thing.item, target):
        by = target.id if target else TABLE
        yield offer._replace(group=say("offers.in_the_way"), input="burden", by=by, adds="Burden")


def _failed(thing: Thing) -> str | None:
    """The roller's failed intents, which may be tried again if something has changed (RW-13)."""
    intent: str = thing.item["intent"] or thing.name
    return intent if is_whose(thing.item, thing.giver) else None


def _clock(kind: str) -> SheetOffer:
    """Clocks that a roll may tick, each for the input that is called as its kind (RW-11)."""

    def name(thing: Thing) -> str | None:
        on_sheet = kind == "resolve" and thing.participants.target
        return thing.name if thing.item["kind"] == kind and not on_sheet else None

    return SheetOffer("clocks", kind, name, by=BY, of="table", label=f"{kind.capitalize()}: {{name}}", rule="RW-11")


CHECK = (
    SheetOffer("attributes", "attribute", group="attribute", rule="RW-5", told=WITH, **RATING),
    SheetOffer("skills", "skill", True, group="skill", told=WITH, **SKILL),
    _edge("tags", of="scene"),
    _edge("proficiencies", of="roller", **WHOSE),
    _edge("conditions", of="roller", **WHOSE),
    _edge("proficiencies", **THEIRS),
    _edge("conditions", **THEIRS),
    SheetOffer("positions", "edge", _position, by=BY, group="position", each=_for_whom, **POSITION),
    *map(_clock, ("goal", "threat", "resolve")),
    SheetOffer(
        "tried",
        "again",
        _failed,
        of="scene",
        group="retry",
        label=lambda thing: say("offers.again", intent=_failed(thing)),
        also=(("intent", _failed),),
    ),
)
SPLIT = (
    SheetOffer("attributes", "members", rule="RW-12", slot="{id} attribute", **RATING, **OWN),
    SheetOffer("skills", "members", slot="{id} skill", **SKILL, **OWN),
    _edge("proficiencies", rule="RW-12", each=_of_member, **OWN),
    _edge("conditions", rule="RW-12", each=_of_member, **OWN),
    _edge("tags", of="scene", mark="!{by}", rule="RW-12", each=_of_member, **OWN),
    SheetOffer("positions", "edges", _own_position, **POSITION, **OWN),
    _edge("tags", of="scene", each=_less),
    *map(_clock, ("goal", "threat")),
)
of_sheets = offers_from({"check": CHECK, "split": SPLIT}, TEXTS.of("offers"))


def offers(kind: str, participants: Participants) -> Iterator[Offer]:
    """What is on the sheets, and what the oracle has said."""
    yield from of_sheets(kind, participants)
    roller = _roller(participants)
    yield from question_offers(participants.table, roller) if kind == "oracle" else ()
    yield from dc_offer(participants, roller) if kind in ("check", "split") else ()
