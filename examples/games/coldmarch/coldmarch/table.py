"""What Cold March keeps at a table: Attributes, Skills, Gear that wears out, and Frost (CM-4 to CM-7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from astragal.author import (
    Change,
    Dice,
    Effect,
    Holder,
    Illegal,
    Move,
    NoInputs,
    Participants,
    Section,
    SheetOffer,
    TableRules,
    Whole,
    counter,
    offers_from,
    sources_of,
)
from coldmarch.march import March

ATTRIBUTES = Section(
    "attributes",
    "Attributes",
    "dots",
    {"now": Whole(1, 5, "points", default=2, rule="CM-6")},
    names=("Body", "Hands", "Wits", "Heart"),
    counts="now",
    rule="CM-6",
)
SKILLS = Section(
    "skills",
    "Skills",
    "dots",
    {"now": Whole(0, 5, "points", default=0, rule="CM-6")},
    names=("Climb", "Hunt", "Mend", "Navigate", "Persuade", "Sled"),
    counts="now",
    rule="CM-6",
)
GEAR = Section(
    "gear", "Gear", "list", {"dice": Whole(0, 3, "dice", default=1, rule="CM-6")}, counts="dice", rule="CM-6"
)
FROST = counter("frost", "Frost", 10, "how cold it has become", rule="CM-4")


def put(section: str, into: str, field: str) -> SheetOffer:
    """What has dice left goes in with a tap (CM-1)."""
    return SheetOffer(section, into, lambda thing: thing.item[field] or None, die=Dice(6, 1, into))


MARCH = (put("attributes", "attribute", "now"), put("skills", "skill", "now"), put("gear", "gear", "dice"))


def apply(kind: str, ask: March | None, effects: Sequence[Effect], participants: Participants) -> Iterator[Change]:
    """Frost and wear of a pushed roll (CM-4, CM-5)."""
    for effect in effects:
        holder = participants.holder(effect.who)
        if holder and effect.what == "frost":
            yield Change(holder.id, "frost", "Frost", "now", by=effect.by, cause=effect.cause, rule=effect.rule)
        elif holder and ask:
            yield from worn(holder, ask, effect)


def worn(holder: Holder, ask: March, effect: Effect) -> Iterator[Change]:
    """The pieces that were in the roll wear out, the first one first."""
    left = -effect.by
    for source in sources_of(ask.gear, "dice"):
        n = min(left, source.n)
        if n and source.label in holder.items("gear"):
            left -= n
            yield Change(holder.id, "gear", source.label, "dice", by=-n, cause=effect.cause, rule=effect.rule)


def warm(ask: NoInputs, participants: Participants) -> Iterator[Change]:
    """A fire takes 2 Frost, or what there is (CM-7)."""
    who = participants.roller
    if who is None:
        raise Illegal("Who sits by the fire? Name a character.", "CM-7")
    frost = who.value("frost", "Frost", "now")
    if not frost:
        raise Illegal(f"{who.name} has no Frost.", "CM-7")
    yield Change(who.id, "frost", "Frost", "now", by=-min(2, frost), cause="by a fire", rule="CM-7")


TABLE_RULES = TableRules(
    character=(ATTRIBUTES, SKILLS, GEAR, FROST),
    offers=offers_from({"march": MARCH}),
    apply=apply,
    moves=(Move("warm", "Sit by a fire", NoInputs, warm, rule="CM-7"),),
    luck=lambda kind, value: value[0],
    templates=str(Path(__file__).with_name("templates.toml")),
    sample=str(Path(__file__).with_name("sample.toml")),
)
