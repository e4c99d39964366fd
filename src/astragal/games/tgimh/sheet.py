"""TGIMH's sheets: the sections of its sheets, and a table's settings (TG-1, TG-2, TG-8, TG-12, TG-13, TG-17)."""

from __future__ import annotations

from typing import Any

from astragal.author import (
    MAX_DICE,
    MAX_NAME,
    Ask,
    Flag,
    Numbers,
    OneOf,
    Options,
    Section,
    Whole,
    Words,
    clocks_section,
    counter,
    flag,
    one_of,
    sections,
    whole,
)
from astragal.games.tgimh.contest import MAX_DIE
from astragal.games.tgimh.contestant import MAX_TRACK, MAX_WILL
from astragal.games.tgimh.rules import TEXTS

START_WILL = 9
TRACK = 5
WILL, POWER, OUT = "Will", "Power", "Out of the scene"
KEYS = ("dramatic", "motivation")


class Settings(Ask, texts=TEXTS.of("settings")):
    """The settings that a table agrees on before play."""

    die: int = whole(2, MAX_DIE, default=10, rule="TG-1")
    start_will: int = whole(0, MAX_WILL, default=START_WILL, rule="TG-8")
    will_cap: str = one_of(("none", "start"), default="none", rule="TG-8")
    will_free: bool = flag(default=False, rule="TG-8")
    track: int = whole(1, MAX_TRACK, default=TRACK, rule="TG-12")
    apart: bool = flag(default=False, rule="TG-1")


def will_is_capped(options: Options) -> bool:
    """Will stops at its start only where the table wants it so (TG-8)."""
    return options.get("will_cap") == "start"


CROSSED, LENGTH = Numbers(1, MAX_TRACK, rule="TG-10"), Whole(1, MAX_TRACK, default=TRACK, rule="TG-12")
BOXES: dict[str, Any] = {"look": "boxes", "counts": "crossed", "top": "length", "layout": "track"}
BOXED = {"crossed": CROSSED, "length": LENGTH}
NOTE = Words(default=None)
WILLS = {
    "now": Whole(0, MAX_WILL, default=START_WILL, rule="TG-6"),
    "start": Whole(0, MAX_WILL, default=START_WILL, rule="TG-8"),
}
KEY = {"kind": OneOf(KEYS, default=KEYS[0], rule="TG-17"), "note": NOTE}
OPENING = {"used": Flag(rule="TG-15"), "note": NOTE}


def with_dice(name: str, rule: str, lowest: int = 1, **more: Flag | Words) -> Section:
    """Things by name, with dice and a few words."""
    fields = {"dice": Whole(lowest, MAX_DICE, default=1, rule=rule), **more, "note": NOTE}
    return Section(name, fields=fields, rule=rule)


WILL_SECTION = Section("will", look="pips", fields=WILLS, names=(WILL,), counts="now", top="start", rule="TG-8")
CHARACTER = sections(
    TEXTS.of("character"),
    Section("about", look="words", fields={"text": NOTE}, names=("About",)),
    WILL_SECTION._replace(capped=will_is_capped, coin=True),
    Section("power", fields=BOXED, names=(POWER,), rule="TG-12", place="main", **BOXES),
    Section("out", fields={"out": Flag(rule="TG-12")}, names=(OUT,), rule="TG-12", place="more"),
    with_dice("aspects", "TG-6")._replace(place="primary"),
    with_dice("abilities", "TG-2"),
    Section("backgrounds", fields={"note": NOTE}, rule="TG-19"),
    with_dice("gear", "TG-2", -MAX_DICE),
    with_dice("conditions", "TG-13", injury=Flag(rule="TG-10"), transient=Flag(default=True, rule="TG-15")),
    Section("keys", fields=KEY, rule="TG-17", place="more"),
    counter("xp", "XP", 1000, rule="TG-18")._replace(place="more"),
    counter("advances", "Advances", 1000, rule="TG-18")._replace(place="more"),
)
OPENINGS = Section("openings", fields=OPENING, rule="TG-15", told=False)
TABLE = sections(TEXTS.of("table"), clocks_section(), OPENINGS)
SCENE = sections(
    TEXTS.of("scene"),
    with_dice("conditions", "TG-13", whose=Words(default=None, rule="TG-2"))._replace(lasts=True),
    Section("others", fields={**BOXED, "out": Flag(rule="TG-12")}, rule="TG-2", lasts=True, **BOXES),
)


def kept_name(name: str) -> str:
    """The name under which the scene keeps what a side without a sheet bears."""
    return name.replace("/", "-").strip()[:MAX_NAME]
