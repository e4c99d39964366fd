"""Offers from sheets: places, functions, roles, and the order in which they are shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from astragal.dice.dice import Dice
from astragal.rule.inputs.input import Whole
from astragal.rule.sheets.sheet import Section
from astragal.rule.sheets.sheet_offer import SheetOffer, Thing, offers_from, on_tray
from astragal.rule.sheets.table_rules import Holder, Offer, Participants, TableRules
from astragal.rule.tree.effect import Effect
from tests.someone import Someone

GEAR = Section("gear", "Gear", "list", {"dice": Whole(-9, 9, "dice")}, rule="X-1")
LUCK = Section("luck", "Luck", "pips", {"now": Whole(0, 9, "points")}, ("Luck",), counts="now", rule="X-2")
RULES = TableRules(character=(GEAR, LUCK), scene=(GEAR,))
D6 = Dice(6, name="d6")


def someone(id: str, name: str, luck: int = 0, **dice: int) -> Holder:
    gear = {item: {"dice": n} for item, n in dice.items()}
    return Someone(id, name, {"gear": gear, "luck": {"Luck": {"now": luck}}} if luck else {"gear": gear})


ADA, BEN, CAT = someone("c1", "Ada", 3, rope=2, mud=-1, coin=0), someone("c2", "Ben", 1), someone("c3", "Cat", rope=1)


def participants(roller: Holder | None = ADA, target: Holder | None = None, *helpers: Holder) -> Participants:
    table, scene = Someone("table", "", {}), someone("scene", "", fog=1)
    return Participants(roller, None, target, helpers, table, scene, {}, sections=RULES.every_section())


def offered(*declared: SheetOffer, among: Participants | None = None) -> list[Offer]:
    return list(offers_from({"feat": declared})("feat", among or participants()))


def test_an_item_goes_by_its_name_under_its_sections_title_and_rule() -> None:
    first, *_ = offered(SheetOffer("gear", "pool", "{dice}"))
    assert first == Offer("c1/gear/rope", "Gear", "rope", "pool", 2, "c1", rule="X-1")


def test_texts_have_places_and_one_place_alone_is_the_value() -> None:
    also, price = (("rope", "{dice}"),), (Effect("luck", "{role}", -1, "Luck", "X-2", "throw", "{who} grabs {name}"),)
    offer, *_ = offered(
        SheetOffer(
            "gear", "pool", ("{name}", "{dice}"), label="{holder}'s {name}", also=also, price=price, most="{dice}"
        )
    )
    assert (offer.gives, offer.label, offer.also, offer.most) == (("rope", 2), "Ada's rope", (("rope", 2),), 2)
    assert offer.price == (Effect("luck", "roller", -1, "Luck", "X-2", "throw", "{who} grabs rope"),)


def test_a_text_with_an_empty_place_is_left_to_the_log() -> None:
    assert offered(SheetOffer("gear", "pool", told="with {}"))[0].told == "with {}"


def test_functions_are_given_the_thing_and_what_gives_none_is_not_offered() -> None:
    heavy = SheetOffer("gear", "pool", lambda thing: thing.item["dice"] if thing.item["dice"] > 1 else None)
    assert [offer.gives for offer in offered(heavy)] == [2]


def test_dice_are_on_the_tray_and_fewer_are_said() -> None:
    found = {offer.label: (offer.dice, offer.adds) for offer in offered(SheetOffer("gear", "pool", "{dice}", die=D6))}
    assert found == {"rope": ((D6._replace(n=2),), ""), "mud": ((), "−1 dice"), "coin": ((), "")}
    assert on_tray(D6, 3) == {"dice": (D6._replace(n=3),), "adds": ""}


def test_a_die_may_depend_on_the_item() -> None:
    offer, *_ = offered(SheetOffer("gear", "pool", "{dice}", die=lambda thing: Dice(2 + thing.item["dice"])))
    assert offer.dice == (Dice(4, 2),)


@pytest.mark.parametrize(
    ("by", "givers"),
    [
        ("roller", ["c1"]),
        ("helper", ["c2", "c3"]),
        ("roller and helper", ["c1", "c2", "c3"]),
        ("target or table", ["table"]),
        ("target or roller", ["c1"]),
        ("target", []),
        ("their helper", []),
    ],
)
def test_by_says_whose_seat_puts_it_in(by: str, givers: list[str]) -> None:
    fog = SheetOffer("gear", "pool", by=by, of="scene", label="{name} for {giver}")
    found = offered(fog, among=participants(ADA, None, BEN, CAT))
    assert [offer.by for offer in found] == givers
    assert {offer.id for offer in found} <= {"scene/gear/fog"}


def test_what_one_helper_may_put_in_stands_together() -> None:
    luck = SheetOffer("luck", "pool", by="helper", price=(Effect("luck", "{role}", -1),))
    found = offered(SheetOffer("gear", "pool", by="helper"), luck, among=participants(ADA, None, CAT, BEN))
    assert [(offer.by, offer.label) for offer in found] == [("c3", "rope"), ("c2", "Luck")]
    assert found[1].price[0].who == "helper 2"


def test_an_item_that_is_offered_in_several_ways_has_marked_ids() -> None:
    found = offered(SheetOffer("luck", "pool"), SheetOffer("luck", "more", mark="!more"))
    assert [offer.id for offer in found] == ["c1/luck/Luck", "c1/luck/Luck!more"]


def test_named_items_alone_are_offered_also_where_the_sheet_lacks_them() -> None:
    found = offered(SheetOffer("luck", "pool", "{now}", names=("Luck",)), among=participants(CAT))
    assert [(offer.id, offer.gives) for offer in found] == [("c3/luck/Luck", 0)]
    assert [offer.label for offer in offered(SheetOffer("gear", "pool", names=("mud",)))] == ["mud"]


def test_each_makes_other_offers_of_one() -> None:
    def twice(offer: Offer, thing: Thing) -> Iterator[Offer]:
        yield offer
        yield offer._replace(id=f"{offer.id}!again", label=f"{thing.name} again")

    found = offered(SheetOffer("luck", "pool", each=twice))
    assert [offer.label for offer in found] == ["Luck", "Luck again"]


def test_names_with_braces_are_names() -> None:
    odd = Someone("c1", "{holder}", {"gear": {"{name} {0}": {"dice": 1}}})
    offer, *_ = offered(SheetOffer("gear", "pool", label="{holder}'s {name}"), among=participants(odd))
    assert (offer.id, offer.label) == ("c1/gear/{name} {0}", "{holder}'s {name} {0}")


def test_a_part_that_an_offer_does_not_have_is_an_error_at_once() -> None:
    parts: dict[str, Any] = {"lable": "x"}
    with pytest.raises(TypeError, match="lable"):
        SheetOffer("gear", "pool", **parts)


def test_a_kind_of_roll_without_a_declaration_has_no_offers() -> None:
    assert not list(offers_from({})("feat", participants()))
