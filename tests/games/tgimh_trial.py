"""Ilse and Odo, with whom what TGIMH keeps is tried."""

from __future__ import annotations

from typing import Any

import pytest

from astragal import Refusal
from astragal.games.tgimh import GAME
from astragal.games.tgimh.table import TABLE_RULES
from astragal.rule.sheets.table_rules import Holder, Participants
from tests.games.trial import Sheets, Trial

TRIAL = Trial(GAME, TABLE_RULES)
holder, offers, rolled, after = TRIAL.holder, TRIAL.offers, TRIAL.rolled, TRIAL.after

ILSE = holder(
    "c1",
    "Ilse",
    aspects={"Duelist": {"dice": 3}, "Proud": {"dice": 1}},
    abilities={"River-born": {"dice": 1}},
    gear={"Sabre": {"dice": 2}, "Wet boots": {"dice": -1}},
    conditions={"Angry": {"dice": 2}},
    keys={"The quarrel": {"kind": "dramatic"}, "Protect": {"kind": "motivation"}},
    backgrounds={"A lost title": {}},
)
ODO = holder("c2", "Odo", aspects={"Stubborn": {"dice": 2}}, gear={"Staff": {"dice": 1}})


def participants(who: Holder | None = ILSE, against: Holder | None = None, **more: Any) -> Participants:
    """Ilse by herself, unless somebody is named; conditions are the scene's and openings the table's."""
    scene = holder("scene", conditions=more.pop("conditions", {}))
    table = holder("table", openings=more.pop("openings", {}))
    return TRIAL.participants(who, against=against, table=table, scene=scene, **more)


def moved(name: str, given: Participants, /, **inputs: Any) -> Sheets:
    """The sheets after a move."""
    return after(given, TRIAL.moved(name, given, **inputs))


def refused(name: str, given: Participants, /, **inputs: Any) -> Refusal:
    """Why a move is refused."""
    with pytest.raises(Refusal) as refusal:
        moved(name, given, **inputs)
    return refusal.value
