"""Kira and Dex, with whom what Razorweave keeps is tried."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from astragal.games.razorweave import GAME
from astragal.games.razorweave.table import TABLE_RULES
from astragal.rule.sheets.table_rules import Change, Holder, Participants
from astragal.rule.tree.note import Note
from tests.games.trial import Trial

TRIAL = Trial(GAME, TABLE_RULES)
holder, offers, rolled, moved, after = TRIAL.holder, TRIAL.offers, TRIAL.rolled, TRIAL.moved, TRIAL.after

KIRA = holder(
    "c1",
    "Kira",
    attributes={"Agility": {"rating": 3}},
    skills={"Stealth": {}, "Knives": {}},
    proficiencies={"Roofs": {}},
    conditions={"Bleeding": {}},
)
DEX = holder("c2", "Dex", attributes={"Agility": {"rating": -1}}, conditions={"Staggered": {}})
CLOCKS = {
    "Over the wall": {"segments": 4, "kind": "goal", "against": "Patrol"},
    "Patrol": {"segments": 4, "kind": "threat"},
}


def participants(who: Holder | None = KIRA, against: Holder | None = None, **more: Any) -> Participants:
    """Kira by herself, unless somebody is named; sections of the scene and the table may be given by name."""
    scene = holder("scene", **{name: more.pop(name, {}) for name in ("tags", "positions", "tried")})
    table = holder("table", clocks=more.pop("clocks", CLOCKS), oracle=more.pop("oracle", {}))
    return TRIAL.participants(who, against=against, table=table, scene=scene, in_scene=True, **more)


def struck(given: Participants, faces: str, answer: str, **inputs: Any) -> list[Change | Note]:
    """What is written when a strike comes to this, and this follows."""
    return rolled("check", given, faces, {"consequence": [answer]}, dc=14, strike=True, **inputs)


def notes(written: Iterable[Change | Note]) -> list[str]:
    """What is told and not written."""
    return [each.text for each in written if isinstance(each, Note)]
