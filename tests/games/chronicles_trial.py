"""Teodor, with whom what Chronicles keeps is tried."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from astragal.games.chronicles import GAME, Attempt
from astragal.games.chronicles.table import TABLE_RULES
from astragal.rule.sheets.table_rules import Change, Holder, Participants
from astragal.rule.tree.note import Note
from tests.games.trial import Trial

TRIAL = Trial(GAME, TABLE_RULES)
holder, offers = TRIAL.holder, TRIAL.offers

TEO: dict[str, Any] = {
    "physical": {"Dexterity": {"dots": 4}, "Strength": {"dots": 2}},
    "mental": {"Wits": {"dots": 3}},
    "social": {"Composure": {"dots": 2}},
    "physical_skills": {"Larceny": {"dots": 3}, "Stealth": {"dots": 1}},
    "specialties": {"Locks": {"skill": "Larceny"}, "Runes": {"skill": "Occult"}},
    "equipment": {"Picks": {"dice": 2}},
    "conditions": {"Shaken": {"dice": -2, "note": "Since the cellar."}, "Inspired": {}},
    "willpower": {"Willpower": {"now": 2, "full": 5}},
    "tries": {"the dome's lock": {"tries": 2}},
}
TEODOR = holder("c1", "Teodor", **TEO)
UNTRIED = holder("c1", "Teodor", **{**TEO, "tries": {}})
BLANK = holder("c1", "Teodor")
DEXTERITY, WITS, COMPOSURE = "c1/physical/Dexterity", "c1/mental/Wits", "c1/social/Composure"
LARCENY, LOCKS, STEALTH = "c1/physical_skills/Larceny", "c1/specialties/Locks", "c1/physical_skills/Stealth"
WILLPOWER = "c1/willpower/Willpower"


def participants(who: Holder | None = TEODOR, scene: Mapping[str, Any] = {}, **more: Any) -> Participants:
    """Teodor by himself, in an empty scene, unless somebody or something is given."""
    return TRIAL.participants(who, scene=holder("scene", **scene), **more)


def asked(kind: str, at: Participants, use: Iterable[str], **typed: Any) -> Any:
    """The ask that comes of what is read, typed and put in once."""
    return TRIAL.asked(kind, at, dict.fromkeys(use, 1), **typed)


def settled(at: Participants, ask: Attempt, faces: str, answer: str = "") -> list[Change | Note]:
    """What the outcome of these dice writes, and whether the beat is taken."""
    return caused(TRIAL.written("attempt", at, ask, faces, {"beat": [answer]} if answer else {}))


def moved(name: str, at: Participants, **inputs: Any) -> list[Change | Note]:
    """What a move does."""
    return caused(TRIAL.moved(name, at, **inputs))


def caused(written: list[Change | Note]) -> list[Change | Note]:
    """These changes and notes, of which every change must say its cause."""
    assert all(each.cause for each in written if isinstance(each, Change))
    return written


def changes(written: Iterable[Change | Note]) -> list[tuple[str, str, int | None]]:
    """The section and the item of every change, and by how much."""
    return [(each.section, each.item, each.by) for each in written if isinstance(each, Change)]
