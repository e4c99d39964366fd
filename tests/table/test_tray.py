"""The tray: what everybody sees of a roll while it is gathered."""

from __future__ import annotations

from typing import Any

from astragal.author import signed
from astragal.table import action as a
from tests.table.tables import Party


def tray(party: Party, name: str = "Olaf") -> dict[str, Any]:
    found: dict[str, Any] = party.see(name)[f"rolls/{party.roll.id}"]
    return found


def test_everybody_sees_the_dice_and_what_they_are_made_of() -> None:
    party = Party()
    stat = next(name for name, item in party.holder("Wren").sheet["stats"].items() if item["now"] > 1)
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"step": 10, "difficulty": 2}, use={stat: 2}))
    for name in ("Mira", "Jonas", "Ada", "Olaf"):
        seen = tray(party, name)["tray"]
        assert seen["words"] == "2d6 + d10"
        assert [(die["n"], die["sides"], die["role"]) for die in seen["dice"]] == [(2, 6, "plain"), (1, 10, "special")]
        assert seen["sides"][0]["sources"] == [f"{stat} 2"]
        assert seen["sides"][0]["price"] == [{"item": stat, "by": -2, "whose": ""}]


def test_a_hidden_difficulty_leaves_the_dice_to_be_seen_and_a_hidden_number_of_dice_does_not() -> None:
    party = Party()
    party.do("Mira", a.OpenAction(who="Wren", inputs={"d6": 2, "difficulty": 9}, hide=["difficulty"]))
    assert tray(party)["tray"]["words"] == "2d6 + d6"
    party.do("Mira", a.OpenAction(who="Kit", inputs={"d6": 2, "difficulty": 9}, hide=["d6"]))
    assert "tray" not in tray(party)
    assert tray(party, "Mira")["tray"]["words"] == "2d6 + d6"


def test_what_is_missing_is_said_kindly() -> None:
    party = Party("razorweave")
    party.do("Jonas", a.OpenAction(kind="check", who="Wren"))
    assert tray(party)["needs"] == "Choose a difficulty"
    assert tray(party)["tray"]["words"] == "4d6"
    party.do("Jonas", a.BuildAction(inputs={"dc": 14}))
    assert tray(party)["needs"] == ""
    assert tray(party)["tray"]["words"] == "4d6"
    other = Party("chronicles")
    other.do("Jonas", a.OpenAction(who="Wren"))
    assert tray(other)["needs"] == "Tap anything on your sheet."


def test_sources_say_what_they_add_as_the_game_does() -> None:
    """RW-5: an Attribute adds its rating, with its sign."""
    party = Party("razorweave")
    rated = {name: item["rating"] for name, item in party.holder("Wren").sheet["attributes"].items()}
    name = min(rated, key=lambda name: rated[name])
    party.do("Jonas", a.OpenAction(kind="check", who="Wren", use={name: 1}))
    assert tray(party)["tray"]["sides"][0]["sources"] == [f"{name} {signed(rated[name])}"]


def test_both_sides_of_an_opposed_roll_lie_opposite_each_other() -> None:
    party = Party("tgimh")
    aspect, item = next(iter(party.holder("Wren").sheet["aspects"].items()))
    party.do("Jonas", a.OpenAction(who="Wren", against="Kit", use={aspect: 1}))
    ours, theirs = tray(party)["tray"]["sides"]
    assert (ours["name"], ours["dice"], ours["price"]) == (
        "Wren", f"{item['dice'] if item['dice'] > 1 else ''}d10", [{"item": "Will", "by": -1, "whose": ""}],
    )  # fmt: skip
    assert (theirs["name"], theirs["dice"], theirs["sources"]) == ("Kit", "no dice", [])


def test_an_offer_says_its_dice_its_price_and_what_the_other_gains() -> None:
    party = Party("tgimh")
    party.do("Jonas", a.OpenAction(who="Wren", against="Kit"))
    offers = {offer["id"]: offer for offer in tray(party)["offers"]}
    aspect, item = next(iter(party.holder("Kit").sheet["aspects"].items()))
    offer = offers[f"{party.holder('Kit').id}/aspects/{aspect}!against"]
    assert (offer["dice"][0]["n"], offer["dice"][0]["sides"], offer["side"]) == (item["dice"], 10, "ours")
    assert (offer["cost"], offer["gains"]) == ("1 Will", "Kit gains 1 Will")
