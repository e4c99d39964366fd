"""Of a choice in a roll with hidden inputs, players see what is the same whatever is hidden."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.rule.tree.node import Choice, Offered, Option, lazy
from astragal.table import action as a
from astragal.table.rolls.known import _common_choice
from tests.table.tables import Party


@pytest.mark.parametrize("words", ["the lamp breaks", "the rope breaks"])
def test_an_offer_is_seen_only_if_it_is_the_same_whatever_is_hidden(words: str) -> None:
    party = Party("narraject")
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2, "difficulty": 2}, faces="6 3 | 4"))

    def choice(words: str) -> Choice[Any]:
        take = {"take": Option("Take it", lazy(choice, words))}
        return Choice("spend", "player", f"An offer: {words}.", take, None, offered=Offered("An offer", words))

    shown = _common_choice(party.table.state, party.roll, [choice("the lamp breaks"), choice(words)])
    assert shown is not None
    same = words == "the lamp breaks"
    assert shown.offered == (Offered("An offer", words) if same else None)
    assert bool(shown.question) == same
