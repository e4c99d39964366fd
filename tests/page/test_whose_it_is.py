"""Whose it is: what a GM set, what is the other side's, and who may type dice."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.page.group import Gather
from tests.page.seat import Seat


def field(seat: Seat, name: str) -> Locator:
    return seat.pane("Roll").locator("roll-builder .field").filter(has_text=name)


def lets_type(gm: Seat, who: str) -> None:
    """The GM says who may type dice."""
    gm.press(gm.pane("Table").get_by_role("button", name="People and links"))
    dialog = gm.dialog("People and links")
    with gm.acting():
        dialog.get_by_role("group", name="Who may type dice").get_by_text(who, exact=True).click()
    gm.closes(dialog)


def test_what_the_gm_set_is_closed_to_the_player(gather: Gather) -> None:
    group = gather("Razorweave", phone="Ada")
    mira, jonas, _ = group.everybody
    jonas.makes_character("Kira", "Kira Voss")
    mira.makes_character("Ruhl", "Captain Ruhl")
    mira.gathers_dice("Kira", against="Ruhl")
    dc = jonas.pane("Roll").locator("roll-builder").get_by_role("spinbutton", name="DC")
    expect(dc).to_be_enabled()

    mira.sets("DC", 18)
    expect(dc).to_be_disabled()
    expect(dc).to_have_value("18")
    expect(field(jonas, "DC").first).to_contain_text("Set by the GM")
    jonas.press(jonas.pane("Roll").get_by_text("Opponent and helpers"))
    expect(jonas.pane("Roll").get_by_role("combobox", name="Against Set by the GM")).to_be_disabled()
    mira.sets("DC", 16)
    expect(dc).to_have_value("16")


def test_the_other_side_gives_its_own_dice(gather: Gather) -> None:
    """TG-2: whoever rolls sees the dice of the other side and cannot change them."""
    group = gather("TGIMH", phone="Ada")
    _, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Vess"})
    ada.does({"do": "create", "name": "Orlo"})
    jonas.gathers_dice("Vess", against="Orlo")
    expect(field(jonas, "Theirs").first).to_contain_text("The other side's")
    theirs = jonas.pane("Roll").locator("roll-builder").get_by_role("spinbutton", name="Theirs")
    expect(theirs).to_be_disabled()

    ada.opens_roll("Vess")
    own = ada.pane("Roll").locator("roll-builder")
    expect(own.get_by_role("spinbutton", name="Ours")).to_have_count(0)
    more = own.get_by_text("More", exact=True)
    if more.is_visible():
        ada.press(more)
    with ada.acting():
        ada.sets("Theirs", 3)
    expect(theirs).to_have_value("3")


def test_where_players_may_not_type_dice_nothing_asks_them_to(gather: Gather) -> None:
    group = gather("Narraject", phone="Ada")
    mira, jonas, _ = group.everybody
    jonas.does({"do": "create", "name": "Ysolde", "template": "Ysolde Marrin"})
    jonas.gathers_dice("Ysolde")
    jonas.sets("Difficulty", 1)
    typing = jonas.button("I throw real dice")
    expect(typing).to_be_visible()
    jonas.press(typing)
    faces = jonas.pane("Roll").get_by_label("What your dice show")
    expect(faces).to_be_visible()

    lets_type(mira, "GM only")
    expect(typing).to_have_count(0)
    expect(faces).to_have_count(0)
    mira.opens_roll("Ysolde")
    expect(mira.button("I throw real dice")).to_be_visible()

    lets_type(mira, "Nobody")
    expect(mira.button("I throw real dice")).to_have_count(0)
    jonas.taps("Might", 2)
    jonas.rolls()
    expect(jonas.choice).to_be_visible()
    expect(jonas.choice.get_by_label("What your next dice show")).to_have_count(0)
    group.all_see("Nobody may type dice")
