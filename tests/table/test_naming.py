"""Whatever stands on a sheet can be named as it stands there, without ids or marks; what is ambiguous says how."""

from __future__ import annotations

import pytest

from astragal.errors import Malformed, Unknown
from astragal.rule.sheets.table_rules import Offer
from astragal.table import action as a
from astragal.table.rolls.naming import find_offer, written_name
from tests.table.tables import Party


def offers(*written: tuple[str, str, str]) -> dict[str, Offer]:
    return {id: Offer(id, group, label, "edge", 1, "c1") for id, group, label in written}


SHEET = offers(
    ("c1/specialties/Sniper", "Focus and specialties", "Sniper (expert)"),
    ("scene/tags/High ground", "Edge: Tags", "High ground"),
    ("scene/tags/High ground!burden", "Burden: Tags", "High ground"),
    ("c2/conditions/Dazed", "Ruhl's Conditions", "Ruhl's Dazed"),
)


@pytest.mark.parametrize(
    ("ref", "id"),
    [
        ("Sniper", "c1/specialties/Sniper"),
        ("sniper (EXPERT)", "c1/specialties/Sniper"),
        ("dazed", "c2/conditions/Dazed"),
        ("Ruhl's Dazed", "c2/conditions/Dazed"),
        ("Burden: high ground", "scene/tags/High ground!burden"),
        ("edge: tags: High ground", "scene/tags/High ground"),
        ("scene/tags/High ground", "scene/tags/High ground"),
    ],
)
def test_an_offer_is_found_by_the_name_that_people_see(ref: str, id: str) -> None:
    assert find_offer(SHEET, ref).id == id


def test_an_ambiguous_name_is_refused_with_what_to_write() -> None:
    with pytest.raises(Malformed, match='write "Edge: High ground" or "Burden: High ground"'):
        find_offer(SHEET, "high ground")
    with pytest.raises(Unknown, match="there are Sniper, High ground"):
        find_offer(SHEET, "Low ground")


def test_what_is_written_back_is_found_again() -> None:
    for id, offer in SHEET.items():
        assert find_offer(SHEET, written_name(offer, SHEET.values())).id == id


def test_ones_own_goes_before_what_others_may_put_in() -> None:
    twice = offers(("scene/conditions/Fog", "Scene", "Fog"), ("scene/conditions/Fog!theirs", "Scene", "Fog"))
    assert find_offer(twice, "fog", lambda offer: "!" in offer.id).id == "scene/conditions/Fog!theirs"


def test_a_specialty_is_put_in_by_its_plain_name_at_a_table() -> None:
    party = Party("narraject")
    name = next(iter(party.holder("Wren").sheet["specialties"]))
    party.do("Jonas", a.OpenAction(who="Wren"))
    party.do("Jonas", a.BuildAction(use={name.upper(): 1}))
    assert next(iter(party.roll.use)).endswith(f"/{name}")
