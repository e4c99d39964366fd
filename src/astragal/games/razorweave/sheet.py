"""Razorweave's sheets: the sections of its sheets, and a table's settings (RW-10, RW-14, RW-15)."""

from __future__ import annotations

from astragal.author import (
    Ask,
    Item,
    OneOf,
    Section,
    Whole,
    Words,
    clocks_section,
    counted,
    sections,
    whole,
)
from astragal.games.razorweave import oracle_table
from astragal.games.razorweave.pool import MAX_DC
from astragal.games.razorweave.rules import TEXTS

ATTRIBUTES = ("Might", "Agility", "Presence", "Reason")
RESOLVE = "Resolve"
SEGMENTS = 6


class Settings(Ask, texts=TEXTS.of("settings")):
    """The settings that a table agrees on before play."""

    resolve: int = whole(1, 24, default=SEGMENTS, rule="RW-10")
    dc: int | None = whole(1, MAX_DC, default=None, rule="RW-2")


NOTE = Words(default=None)
SIZE = Whole(1, 2, default=1, rule="RW-4")
OPEN = "open"
"""The one who puts it into a roll says whether it helps or hinders."""


def source_words(name: str, item: Item) -> str:
    """The effect of a Tag, a Condition or a Proficiency, and its amount (RW-3, RW-15)."""
    counts, size = item.get("counts"), item.get("size", 1)  # tables of 0.6 and earlier have neither
    does = {"edge": "Edge", "burden": "Burden", "colour": "colour only"}.get(str(counts), "")
    if counts in ("harder", "easier"):
        does = f"{counted(size, 'step', 'steps')} {counts}"
    elif size > 1 and counts != "colour":
        does = f"{size} {does}" if does else f"counts {size}"
    return ", ".join(filter(None, (does, item.get("note"))))


def position_words(name: str, item: Item) -> str:
    """Whose a position is, unless its name says so, how great it is, and what it means."""
    whose = item.get("whose") or ""
    known = f"for {whose}" if whose and whose not in name else ""
    denied = "no next reaction" if item.get("kind") == "denied" and known else ""
    great = "a great one" if item.get("size", 1) > 1 else ""
    return ", ".join(filter(None, (known, denied, great, item.get("note"))))


def source_section(name: str, usual: str) -> Section:
    """Things that help or hinder those who have them, and by how much (RW-4, RW-15)."""
    counts = OneOf(("edge", "burden", "colour", OPEN), default=usual, rule="RW-15")
    fields = {"note": NOTE, "counts": counts, "size": SIZE}
    return Section(name, fields=fields, rule="RW-15", says=source_words)


RATING = {"rating": Whole(-5, 10, default=0, rule="RW-5")}
ATTRIBUTE = Section("attributes", fields=RATING, names=ATTRIBUTES, counts="rating", rule="RW-15", layout="tiles")
TICKS = {"filled": Whole(0, 24, default=0, rule="RW-8"), "segments": Whole(1, 24, default=SEGMENTS, rule="RW-10")}
CLOCK = Section("resolve", look="clock", fields=TICKS, names=(RESOLVE,), counts="filled", top="segments", rule="RW-10")
CHARACTER = sections(
    TEXTS.of("character"),
    Section("about", look="words", fields={"text": NOTE}, names=("About",)),
    ATTRIBUTE._replace(place="primary"),
    Section("skills", fields={"note": NOTE}, rule="RW-15", place="primary"),
    source_section("proficiencies", "edge")._replace(place="primary"),
    source_section("conditions", "burden"),
    CLOCK._replace(layout="count", coin=True, damage=True),
)
CLOCKS = clocks_section("RW-10", ("goal", "threat", "resolve"))
TABLE = (CLOCKS, *sections(TEXTS.of("table"), oracle_table.SECTION))
TAG = {
    "note": NOTE,
    "counts": OneOf(("edge", "burden", "harder", "easier", "colour", OPEN), default=OPEN, rule="RW-3"),
    "size": Whole(1, 5, default=1, rule="RW-3"),
}
POSITION = {
    "kind": OneOf(("position", "denied", "set-up"), default="position", rule="RW-9"),
    "whose": Words(default=None, rule="RW-12"),
    "size": SIZE,
    "note": NOTE,
}
TRIED = {"whose": Words(default=None, rule="RW-13"), "intent": Words(default=None, rule="RW-13")}
SCENE = sections(
    TEXTS.of("scene"),
    Section("tags", fields=TAG, rule="RW-15", says=source_words),
    Section("positions", fields=POSITION, rule="RW-9", says=position_words),
    Section("tried", fields=TRIED, rule="RW-13", told=False, stays=True, says=lambda name, item: ""),
)
