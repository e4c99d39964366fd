"""What Razorweave keeps: the sections of its sheets, and a table's settings (RW-10, RW-14, RW-15)."""

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
    whole,
)
from astragal.games.razorweave import oracle_table
from astragal.games.razorweave.inputs import MAX_DC

ATTRIBUTES = ("Might", "Agility", "Presence", "Reason")
RESOLVE = "Resolve"
SEGMENTS = 6


class Settings(Ask):
    """What a table agrees on before it plays."""

    resolve: int = whole(1, 24, "segments of a Resolve Clock", default=SEGMENTS, rule="RW-10")
    dc: int | None = whole(1, MAX_DC, "the DC of a Check that names none", default=None, rule="RW-2", title="DC")


def plain_section(name: str, title: str, rule: str, help: str = "") -> Section:
    """Things by name, with a few words."""
    return Section(name, title, "list", {"note": Words("what it means", default=None)}, rule=rule, help=help)


SIZE = Whole(1, 2, "how much: 1, or 2 for a great one", default=1, rule="RW-4")
OPEN = "open"
"""Whoever puts it into a roll says whether it helps or hinders."""


def source_words(name: str, item: Item) -> str:
    """What a Tag, a Condition or a Proficiency does, and by how much (RW-3, RW-15)."""
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


def source_section(name: str, title: str, usual: str, help: str) -> Section:
    """Things that help or hinder whoever has them, and by how much (RW-4, RW-15)."""
    counts = OneOf(("edge", "burden", "colour", OPEN), "what it is to whoever has it", default=usual, rule="RW-15")
    fields = {"note": Words("what it means", default=None), "counts": counts, "size": SIZE}
    return Section(name, title, "list", fields, rule="RW-15", help=help, says=source_words)


TAGS = Section(
    "tags",
    "Tags",
    "list",
    {
        "note": Words("what it means", default=None),
        "counts": OneOf(
            ("edge", "burden", "harder", "easier", "colour", OPEN),
            "what it is: Edge, Burden, a harder or an easier DC, colour only, or still open",
            default=OPEN,
            rule="RW-3",
        ),
        "size": Whole(1, 5, "Edge or Burden: 1, or 2 for a great one; DC: how many steps", default=1, rule="RW-3"),
    },
    rule="RW-15",
    help="would it affect anybody who tries? then it moves the DC",
    offers="In the scene",
    says=source_words,
)

CHARACTER = (
    Section("about", "About", "words", {"text": Words("a line about the character", default=None)}, names=("About",)),
    Section(
        "attributes",
        "Attributes",
        "list",
        {"rating": Whole(-5, 10, "what it adds to a Check", default=0, rule="RW-5")},
        ATTRIBUTES,
        counts="rating",
        rule="RW-15",
        help="MIG, AGI, PRE and RSN",
        layout="tiles",
        place="primary",
    ),
    plain_section("skills", "Skills", "RW-15", "one has them or has not; a fitting one is +1")._replace(
        place="primary"
    ),
    source_section("proficiencies", "Proficiencies", "edge", "sources of Edge, mostly")._replace(place="primary"),
    source_section(
        "conditions", "Conditions", "burden", "sources of Burden, mostly; Edge for whoever acts against them"
    ),
    Section(
        "resolve",
        "Resolve",
        "clock",
        {
            "filled": Whole(0, 24, "segments ticked", default=0, rule="RW-8"),
            "segments": Whole(1, 24, "segments in all", default=SEGMENTS, rule="RW-10"),
        },
        (RESOLVE,),
        counts="filled",
        top="segments",
        rule="RW-10",
        layout="count",
        coin=True,
        damage=True,
    ),
)
TABLE_SHEET = (
    clocks_section("RW-10", ("goal", "threat", "resolve")),
    oracle_table.SECTION,
)
SCENE_SHEET = (
    TAGS,
    Section(
        "positions",
        "Positions",
        "list",
        {
            "kind": OneOf(
                ("position", "denied", "set-up"),
                "position, no next reaction, or a set-up",
                default="position",
                rule="RW-9",
            ),
            "whose": Words("whose it is, by name", default=None, rule="RW-12"),
            "size": SIZE,
            "note": Words("what it means", default=None),
        },
        rule="RW-9",
        help="gained by a Strike or a Set Up, and good for one action",
        offers="Positions",
        says=position_words,
    ),
    Section(
        "tried",
        "Tried",
        "list",
        {
            "whose": Words("who failed, by name", default=None, rule="RW-13"),
            "intent": Words("what failed", default=None, rule="RW-13"),
        },
        rule="RW-13",
        help="what failed, and may be tried again once something has changed",
        told=False,
        stays=True,
        says=lambda name, item: "",
    ),
)
