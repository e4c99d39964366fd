"""Kira, with whom Narraject's table rules are tried."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from astragal.games.narraject import GAME, Attempt
from astragal.games.narraject.table import TABLE_RULES
from astragal.rule.sheets.table_rules import Change, Holder, Offer, Participants
from astragal.rule.tree.note import Note
from tests.games.trial import Trial

TRIAL = Trial(GAME, TABLE_RULES, tidies=True)
holder, moved = TRIAL.holder, TRIAL.moved
KIRA = holder(
    "c1",
    "Kira",
    stats={"Agility": {"now": 3, "full": 5}, "Wits": {"now": 0, "full": 2}},
    specialties={"Stealth": {"level": "expert", "dice": 2}, "Patience": {"level": "trained", "dice": 0}},
    gear={"Dark clothes": {"dice": 1}, "Wits": {"dice": 1}},
)


def player(ip: int = 2) -> Holder:
    return holder("p1", "Ada", ip={"IP": {"now": ip}})


def table_of(complications: Mapping[str, Any] = {}, ip: int = 4) -> Holder:
    return holder("table", ip={"IP": {"now": ip}}, complications=complications)


def participants(who: Holder | None = KIRA, scene: Mapping[str, Any] = {}, **more: Any) -> Participants:
    """Kira, played by Ada, at an empty table, unless somebody or something is given."""
    usual = {"player": player(), "table": table_of()}
    return TRIAL.participants(who, scene=holder("scene", **scene), **{**usual, **more})


def offers(at: Participants) -> dict[str, Offer]:
    return TRIAL.offers("attempt", at)


def asked(at: Participants, use: Mapping[str, int], **typed: Any) -> Attempt:
    """The ask that comes of what is read, typed and put in."""
    ask: Attempt = TRIAL.asked("attempt", at, use, **typed)
    return ask


def settled(at: Participants, ask: Attempt, faces: str, *answers: str) -> list[Change | Note]:
    """What the outcome of these dice and answers writes."""
    return TRIAL.written("attempt", at, ask, faces, {"spend": answers or ["settle"]})


def changes(written: Iterable[Change | Note]) -> list[tuple[str, str, int | None]]:
    """Whose item every change is of, and by how much."""
    return [(each.holder, each.item, each.by) for each in written if isinstance(each, Change)]
