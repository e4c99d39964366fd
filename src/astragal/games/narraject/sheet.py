"""Narraject's sheets: stats with Reserves, specialties and gear; IP; the complications that the GM is owed."""

from __future__ import annotations

from astragal.author import (
    Ask,
    Flag,
    Holder,
    OneOf,
    Section,
    Whole,
    Words,
    clocks_section,
    counter,
    one_of,
    sections,
    whole,
)
from astragal.games.narraject.pool import COUNTING, STEP_DICE
from astragal.games.narraject.rules import TEXTS

MAX_POINTS = 99
MAX_ITEM_DICE = 20
START_IP = 2
MAX_SHEET_IP = 9999
"""IP have no cap of their own (NJ-15); this only keeps a number readable."""

POINTS = Whole(0, MAX_POINTS, default=3, rule="NJ-15")
LEVEL = OneOf(tuple(STEP_DICE), default="trained", rule="NJ-3")
D6S = Whole(1, MAX_ITEM_DICE, default=1, rule="NJ-2")
NOTE = Words(default=None)

SPECIALTY = {"level": LEVEL, "dice": Whole(0, MAX_ITEM_DICE, default=0, rule="NJ-2")}
COMPLICATION = {"came_from": Words(default=None, rule="NJ-12"), "note": NOTE, "used": Flag()}
OBSTACLE = {"difficulty": Whole(0, 1000, default=1, rule="NJ-7"), "note": NOTE}

STATS = Section("stats", look="pips", fields={"now": POINTS, "full": POINTS}, counts="now", top="full", rule="NJ-6")
CHARACTER = sections(
    TEXTS.of("character"),
    STATS._replace(layout="tiles", place="primary"),
    Section("focus", fields={"level": LEVEL}, rule="NJ-3", place="primary"),
    Section("specialties", fields=SPECIALTY, rule="NJ-3", place="primary"),
    Section("gear", fields={"dice": D6S}, rule="NJ-2"),
    Section("conditions", fields={"note": NOTE}),
    Section("about", look="words", fields={"text": NOTE}, names=("About",)),
)
IP = counter("ip", "IP", MAX_SHEET_IP, rule="NJ-15")._replace(coin=True, limit="ip_cap")
PLAYER = sections(TEXTS.of("player"), IP)
COMPLICATIONS = Section("complications", fields=COMPLICATION, rule="NJ-12", told=False, place="more")
TABLE = sections(TEXTS.of("table"), IP._replace(title=""), COMPLICATIONS, clocks_section())
SCENE = sections(
    TEXTS.of("scene"),
    Section("circumstances", fields={"dice": D6S, "note": NOTE}, rule="NJ-2"),
    Section("obstacles", fields=OBSTACLE, rule="NJ-7"),
)


class Settings(Ask, texts=TEXTS.of("settings")):
    """The settings that a table agrees on at the start."""

    edition: str = one_of(tuple(COUNTING), default="marks", rule="NJ-1")
    player_ip: int = whole(0, MAX_SHEET_IP, default=START_IP, rule="NJ-15")
    gm_ip: int = whole(0, MAX_SHEET_IP, default=START_IP, rule="NJ-15")
    ip_cap: int | None = whole(0, MAX_SHEET_IP, default=None, rule="NJ-15")


def ip_of(holder: Holder | None) -> int:
    """The IP on a player's sheet, or on the table's, where the GM's are; a character without a player has none."""
    return int(holder.value("ip", "IP", "now")) if holder else 0
