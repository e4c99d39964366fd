"""What may be put into a Razorweave roll, and what a roll reads by itself (RW-4, RW-5, RW-9, RW-12 to RW-15)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from astragal.author import TABLE, Effect, Holder, Item, Offer, Participants, Source, Total
from astragal.games.razorweave.effects import clocks_of_kind, racing
from astragal.games.razorweave.oracle import QUESTIONS


def offers(kind: str, participants: Participants) -> Iterator[Offer]:
    """Everything on the sheets that has a place in this kind of roll."""
    if kind == "check":
        yield from _of_check(participants)
    elif kind == "split":
        yield from _of_split(participants)
    elif kind == "oracle":
        yield from _of_oracle(participants)


def reads(kind: str, participants: Participants) -> dict[str, Any]:
    """Each helper is one more source of Edge (RW-12); a race runs between the two Clocks that race (RW-11)."""
    if kind == "race":
        return _race(participants)
    usual = participants.options.get("dc")
    dc = {"dc": usual} if usual and kind in ("check", "split") else {}
    if kind == "check" and participants.helpers:
        return {**dc, "assist": Total(Source(helper.name, 1) for helper in participants.helpers)}
    return dc


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
    yield from _oracle_dc(participants.table, by)


def _numbers(who: Holder) -> Iterator[Offer]:
    """An Attribute's rating, and a Skill that fits (RW-5)."""
    for name, item in who.items("attributes").items():
        yield Offer(f"{who.id}/attributes/{name}", "Attribute", name, "attribute", item["rating"], who.id, rule="RW-5")
    for name in who.items("skills"):
        yield Offer(f"{who.id}/skills/{name}", "Skill", name, "skill", True, who.id, rule="RW-5")


def _edges(participants: Participants, by: str) -> Iterator[Offer]:
    """Tags, Conditions and Proficiencies, each as Edge or as Burden (RW-15)."""
    for holder, section, whose in _sources(participants):
        title = f"{whose}{section.capitalize()}"
        for name in holder.items(section):
            label = f"{whose}{name}" if holder is participants.target else name
            edge = Offer(f"{holder.id}/{section}/{name}", f"Edge: {title}", label, "edge", 1, by, rule="RW-15")
            burden = edge._replace(id=f"{edge.id}!burden", group=f"Burden: {title}", input="burden")
            # One's own Condition is mostly a Burden, and what comes first is found by its label.
            yield from (burden, edge) if section == "conditions" and holder is participants.roller else (edge, burden)


def _sources(participants: Participants) -> Iterator[tuple[Holder, str, str]]:
    yield participants.scene, "tags", ""
    for holder in (participants.roller, participants.target):
        if holder:
            yield holder, "proficiencies", f"{holder.name}'s "
            yield holder, "conditions", f"{holder.name}'s "


def _positions(participants: Participants) -> Iterator[Offer]:
    """Position is Edge for the one who has it, Burden for anybody who acts against them, and then it is gone (RW-9)."""
    for name, item in participants.scene.items("positions").items():
        id = f"{participants.scene.id}/positions/{name}"
        used = (Effect("position", "scene", -1, name, "RW-9", "throw"),)
        if item["kind"] != "position":
            continue
        if participants.roller and item["whose"] == participants.roller.id:
            yield Offer(id, "Edge: Position", name, "edge", 1, participants.roller.id, price=used, rule="RW-9")
        elif _stands_against(item, participants):
            by = participants.target.id if participants.target else TABLE
            yield Offer(f"{id}!burden", "Burden: Position", name, "burden", 1, by, price=used, rule="RW-9")


def _stands_against(item: Item, participants: Participants) -> bool:
    """Whether it is the target's: the one who is named, or somebody without a sheet."""
    return bool(item["whose"] == (participants.target.id if participants.target else None))


def _clocks(participants: Participants, by: str, kinds: tuple[str, ...]) -> Iterator[Offer]:
    """Clocks that a roll may tick, each for the input that is called as its kind (RW-11)."""
    for kind in kinds:
        for name in clocks_of_kind(participants, kind):
            id = f"{participants.table.id}/clocks/{name}"
            yield Offer(id, "Clocks", f"{kind.capitalize()}: {name}", kind, name, by, rule="RW-11")


def _again(participants: Participants) -> Iterator[Offer]:
    """What failed may be tried again, if somebody says what has changed (RW-13)."""
    for name, item in participants.scene.items("tried").items():
        if participants.roller and item["whose"] == participants.roller.id:
            id, intent = f"{participants.scene.id}/tried/{name}", item["intent"] or name
            also = (("intent", intent),)
            yield Offer(
                id, "Try again", f"Again: {intent}", "again", intent, participants.roller.id, rule="RW-13", also=also
            )


def _oracle_dc(table: Holder, by: str) -> Iterator[Offer]:
    """The DC that the oracle came to when it was asked last (RW-14)."""
    asked = sorted(table.items("oracle").values(), key=lambda item: item["turn"])
    if asked:
        dc = asked[-1]["dc"]
        yield Offer(f"{table.id}/oracle/!dc", "Oracle", f"The oracle's DC {dc}", "dc", dc, by, rule="RW-14")


# Split risks: each roller, with an Attribute and perhaps a Skill.


def _of_split(participants: Participants) -> Iterator[Offer]:
    for member in (participants.roller, *participants.helpers):
        if member:
            yield from _member(member)
    by = _roller(participants)
    for name in participants.scene.items("tags"):
        edge = Offer(f"{participants.scene.id}/tags/{name}", "Edge: Tags", name, "edge", 1, by, rule="RW-15")
        yield edge
        yield edge._replace(id=f"{edge.id}!burden", group="Burden: Tags", gives=-1)
    yield from _clocks(participants, by, ("goal", "threat"))
    yield from _oracle_dc(participants.table, by)


def _member(member: Holder) -> Iterator[Offer]:
    """All of one member's offers carry the name, so that they add up to one modifier."""
    group = f"{member.name} rolls with"
    for name, item in member.items("attributes").items():
        id = f"{member.id}/attributes/{name}"
        yield Offer(id, group, f"{member.name}: {name}", "members", item["rating"], member.id, rule="RW-12")
    if member.items("skills"):
        yield Offer(f"{member.id}/skills/!any", group, f"{member.name}: Skill", "members", 1, member.id, rule="RW-5")


# The oracle.


def _of_oracle(participants: Participants) -> Iterator[Offer]:
    """The usual questions, and those that were asked before."""
    by = _roller(participants)
    asked = {name: item["yes"] for name, item in participants.table.items("oracle").items()}
    for question, word in {**dict(QUESTIONS), **asked}.items():
        id = f"{participants.table.id}/oracle/{question}"
        yield Offer(id, "Questions", question, "question", (question, word), by, rule="RW-14")
