"""What may be put into a Razorweave roll, and what a roll reads by itself (RW-4, RW-5, RW-9, RW-12 to RW-15)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from astragal.games.razorweave.clocks import of_kind, racing
from astragal.games.razorweave.oracle import QUESTIONS
from astragal.rule.sheet import Item
from astragal.rule.table_rules import TABLE, Cast, Change, Holder, Offer
from astragal.rule.total import Source, Total


def offers(kind: str, cast: Cast) -> Iterator[Offer]:
    """Everything on the sheets that has a place in this kind of roll."""
    if kind == "check":
        yield from _of_check(cast)
    elif kind == "split":
        yield from _of_split(cast)
    elif kind == "oracle":
        yield from _of_oracle(cast)


def reads(kind: str, cast: Cast) -> dict[str, Any]:
    """Each helper is one more source of Edge (RW-12); a race runs between the two Clocks that race (RW-11)."""
    if kind == "race":
        return _race(cast)
    usual = cast.options.get("dc")
    dc = {"dc": usual} if usual and kind in ("check", "split") else {}
    if kind == "check" and cast.helpers:
        return {**dc, "assist": Total(Source(helper.name, 1) for helper in cast.helpers)}
    return dc


def _race(cast: Cast) -> dict[str, Any]:
    pair = racing(cast)
    return {"goal": pair.goal_left, "threat": pair.threat_left} if pair else {}


def _roller(cast: Cast) -> str:
    """Whose seat puts things in; a roll without a character is the GM's."""
    return cast.who.id if cast.who else TABLE


# A Check.


def _of_check(cast: Cast) -> Iterator[Offer]:
    by = _roller(cast)
    if cast.who:
        yield from _numbers(cast.who)
    yield from _edges(cast, by)
    yield from _positions(cast)
    yield from _clocks(cast, by, ("goal", "threat") if cast.against else ("goal", "threat", "resolve"))
    yield from _again(cast)
    yield from _oracle_dc(cast.table, by)


def _numbers(who: Holder) -> Iterator[Offer]:
    """An Attribute's rating, and a Skill that fits (RW-5)."""
    for name, item in who.items("attributes").items():
        yield Offer(f"{who.id}/attributes/{name}", "Attribute", name, "attribute", item["rating"], who.id, rule="RW-5")
    for name in who.items("skills"):
        yield Offer(f"{who.id}/skills/{name}", "Skill", name, "skill", True, who.id, rule="RW-5")


def _edges(cast: Cast, by: str) -> Iterator[Offer]:
    """Tags, Conditions and Proficiencies, each as Edge or as Burden (RW-15)."""
    for holder, section, whose in _sources(cast):
        title = f"{whose}{section.capitalize()}"
        for name in holder.items(section):
            label = f"{whose}{name}" if holder is cast.against else name
            edge = Offer(f"{holder.id}/{section}/{name}", f"Edge: {title}", label, "edge", 1, by, rule="RW-15")
            burden = edge._replace(id=f"{edge.id}!burden", group=f"Burden: {title}", input="burden")
            # One's own Condition is mostly a Burden, and what comes first is found by its label.
            yield from (burden, edge) if section == "conditions" and holder is cast.who else (edge, burden)


def _sources(cast: Cast) -> Iterator[tuple[Holder, str, str]]:
    yield cast.scene, "tags", ""
    for holder in (cast.who, cast.against):
        if holder:
            yield holder, "proficiencies", f"{holder.name}'s "
            yield holder, "conditions", f"{holder.name}'s "


def _positions(cast: Cast) -> Iterator[Offer]:
    """Position is Edge for the one who has it, Burden for whoever acts against them, and then it is gone (RW-9)."""
    for name, item in cast.scene.items("positions").items():
        id = f"{cast.scene.id}/positions/{name}"
        gone = (Change(cast.scene.id, "positions", name, cause="The position is used", rule="RW-9"),)
        if item["kind"] != "position":
            continue
        if cast.who and item["whose"] == cast.who.id:
            yield Offer(id, "Edge: Position", name, "edge", 1, cast.who.id, price=gone, rule="RW-9")
        elif _stands_against(item, cast):
            by = cast.against.id if cast.against else TABLE
            yield Offer(f"{id}!burden", "Burden: Position", name, "burden", 1, by, price=gone, rule="RW-9")


def _stands_against(item: Item, cast: Cast) -> bool:
    """Whether it is the target's: the one who is named, or somebody without a sheet."""
    return bool(item["whose"] == (cast.against.id if cast.against else None))


def _clocks(cast: Cast, by: str, kinds: tuple[str, ...]) -> Iterator[Offer]:
    """Clocks that a roll may tick, each for the input that is called as its kind (RW-11)."""
    for kind in kinds:
        for name in of_kind(cast, kind):
            id = f"{cast.table.id}/clocks/{name}"
            yield Offer(id, "Clocks", f"{kind.capitalize()}: {name}", kind, name, by, rule="RW-11")


def _again(cast: Cast) -> Iterator[Offer]:
    """What failed may be tried again, if somebody says what has changed (RW-13)."""
    for name, item in cast.scene.items("tried").items():
        if cast.who and item["whose"] == cast.who.id:
            id, intent = f"{cast.scene.id}/tried/{name}", item["intent"] or name
            also = (("intent", intent),)
            yield Offer(id, "Try again", f"Again: {intent}", "again", intent, cast.who.id, rule="RW-13", also=also)


def _oracle_dc(table: Holder, by: str) -> Iterator[Offer]:
    """The DC that the oracle came to when it was asked last (RW-14)."""
    asked = sorted(table.items("oracle").values(), key=lambda item: item["turn"])
    if asked:
        dc = asked[-1]["dc"]
        yield Offer(f"{table.id}/oracle/!dc", "Oracle", f"The oracle's DC {dc}", "dc", dc, by, rule="RW-14")


# Split risks: whoever rolls, with an Attribute and perhaps a Skill.


def _of_split(cast: Cast) -> Iterator[Offer]:
    for member in (cast.who, *cast.helpers):
        if member:
            yield from _member(member)
    by = _roller(cast)
    for name in cast.scene.items("tags"):
        edge = Offer(f"{cast.scene.id}/tags/{name}", "Edge: Tags", name, "edge", 1, by, rule="RW-15")
        yield edge
        yield edge._replace(id=f"{edge.id}!burden", group="Burden: Tags", gives=-1)
    yield from _clocks(cast, by, ("goal", "threat"))
    yield from _oracle_dc(cast.table, by)


def _member(member: Holder) -> Iterator[Offer]:
    """All of one member's offers carry the name, so that they add up to one modifier."""
    group = f"{member.name} rolls with"
    for name, item in member.items("attributes").items():
        id = f"{member.id}/attributes/{name}"
        yield Offer(id, group, f"{member.name}: {name}", "members", item["rating"], member.id, rule="RW-12")
    if member.items("skills"):
        yield Offer(f"{member.id}/skills/!any", group, f"{member.name}: Skill", "members", 1, member.id, rule="RW-5")


# The oracle.


def _of_oracle(cast: Cast) -> Iterator[Offer]:
    """The usual questions, and those that were asked before."""
    by = _roller(cast)
    asked = {name: item["yes"] for name, item in cast.table.items("oracle").items()}
    for question, word in {**dict(QUESTIONS), **asked}.items():
        id = f"{cast.table.id}/oracle/{question}"
        yield Offer(id, "Questions", question, "question", (question, word), by, rule="RW-14")
