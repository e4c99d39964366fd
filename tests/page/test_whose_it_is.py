"""Whose it is: what a GM set, what is the other side's, and who may type dice."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.page.group import Gather
from tests.page.seat import Seat
from tests.page.stage import called


def lets_type(gm: Seat, who: str) -> None:
    """The GM says who may type dice."""
    gm.press(gm.page.get_by_role("button", name=re.compile("^People: ")))
    dialog = gm.dialog("People and links")
    with gm.acting():
        dialog.get_by_role("group", name="Who may type dice").get_by_text(who, exact=True).click()
    gm.closes(dialog)


def test_what_the_gm_set_is_closed_to_the_player(gather: Gather) -> None:
    group = gather("Razorweave", phone="Ada")
    mira, jonas = group.gm, group.jonas
    jonas.does({"do": "create", "name": "Kira", "template": "Kira Voss"})
    mira.does({"do": "create", "name": "Ruhl", "template": "Captain Ruhl"})
    mira.gathers_dice("Kira", against="Ruhl")
    expect(jonas.stage).to_contain_text("Mira asks Kira")
    jonas.sets("DC", 14)

    mira.sets("DC", 18)
    expect(jonas.stage).to_contain_text(re.compile(r"Mira set it to\s+(Hard )?18"))
    expect(jonas.stage.locator(".tray .steps")).to_have_count(0)
    expect(jonas.stage.get_by_role("group", name="Against").get_by_role("button", name="Ruhl")).to_be_disabled()
    mira.sets("DC", 16)
    expect(jonas.stage).to_contain_text(re.compile(r"Mira set it to\s+(Tough )?16"))


def test_the_other_side_gives_its_own_dice(gather: Gather) -> None:
    """TG-2: whoever rolls sees the dice of the other side and cannot change them."""
    group = gather("TGIMH", phone="Ada")
    jonas, ada = group.jonas, group.ada
    jonas.does({"do": "create", "name": "Vess"})
    ada.does({"do": "create", "name": "Orlo"})
    jonas.gathers_dice("Vess", against="Orlo")
    theirs = jonas.stage.get_by_role("spinbutton", name=called("Theirs"))
    jonas.opens_more()
    expect(theirs.and_(jonas.page.locator(":enabled"))).to_have_count(0)
    jonas.press(jonas.stage.get_by_role("button", name="Back to the tray"))

    ada.opens_roll("Vess")
    expect(ada.stage.get_by_role("spinbutton", name="Our dice")).to_have_count(0)
    ada.sets("Theirs", 3)
    expect(jonas.stage.locator(".half").first).to_contain_text("3")


def test_where_players_may_not_type_dice_nothing_asks_them_to(gather: Gather) -> None:
    group = gather("Narraject", phone="Ada")
    mira, jonas = group.gm, group.jonas
    jonas.does({"do": "create", "name": "Ysolde", "template": "Ysolde Marrin"})
    jonas.gathers_dice("Ysolde")
    jonas.sets("Difficulty", 1)
    jonas.taps("Might", 2)
    jonas.uses_own_dice()
    expect(jonas.roll_button).to_have_text("Type your dice")
    jonas.press(jonas.roll_button)
    pad = jonas.stage.locator("dice-pad")
    expect(pad).to_be_visible()

    lets_type(mira, "GM only")
    expect(pad).to_have_count(0)
    expect(jonas.roll_button).to_have_text("Roll")
    more = jonas.stage.get_by_role("button", name=re.compile("^More:"))
    jonas.press(more)
    expect(jonas.stage.get_by_role("button", name="Back to the tray")).to_be_visible()
    expect(jonas.button("My own dice")).to_have_count(0)
    jonas.press(jonas.button("Back to the tray"))

    mira.opens_roll("Ysolde")
    mira.uses_own_dice()
    expect(mira.roll_button).to_have_text("Type your dice")

    lets_type(mira, "Nobody")
    expect(mira.roll_button).to_have_text("Roll for Ysolde")
    jonas.rolls()
    expect(jonas.choice).to_be_visible()
    expect(jonas.choice.get_by_label("What your next dice show")).to_have_count(0)
    group.all_see("Nobody may type dice")
