"""Chronicles: a condition ends, Willpower comes back, and tries are forgotten (CD-11, CD-14)."""

from __future__ import annotations

from typing import Any

import pytest

from astragal import Illegal, Refusal, Unknown
from astragal.rule.sheets.table_rules import Change
from tests.games.chronicles_trial import BLANK, UNTRIED, changes, moved, participants


def test_cd14_a_condition_ends() -> None:
    (gone,) = moved("resolve", participants(), condition="Shaken")
    assert isinstance(gone, Change)
    assert (gone.item, gone.field, gone.to) == ("Shaken", "", None)
    with pytest.raises(Unknown, match="there are Shaken, Inspired"):
        moved("resolve", participants(), condition="Blind")


def test_cd14_willpower_comes_back_and_never_beyond_what_is_full() -> None:
    assert changes(moved("regain", participants())) == [("willpower", "Willpower", 3)]
    assert changes(moved("regain", participants(), points=9)) == [("willpower", "Willpower", 3)]
    assert changes(moved("regain", participants(), points=1)) == [("willpower", "Willpower", 1)]
    with pytest.raises(Illegal, match="full Willpower; nothing changes"):
        moved("regain", participants(who=BLANK))


def test_cd11_with_time_tries_are_forgotten() -> None:
    assert changes(moved("afresh", participants())) == [("tries", "the dome's lock", None)]
    assert changes(moved("afresh", participants(), task="the dome's lock")) == [("tries", "the dome's lock", None)]
    for wrong in ({"task": "the safe"}, {}):
        with pytest.raises(Unknown, match="no such tries"):
            moved("afresh", participants(who=UNTRIED), **wrong)


@pytest.mark.parametrize(("name", "inputs"), [("resolve", {"condition": "Shaken"}), ("regain", {}), ("afresh", {})])
def test_what_concerns_a_character_needs_one(name: str, inputs: dict[str, Any]) -> None:
    with pytest.raises(Refusal, match="Choose the character"):
        moved(name, participants(who=None), **inputs)
