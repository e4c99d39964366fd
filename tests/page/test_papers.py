"""What people do with what is written: undo it, edit it, take it home, and bring it back."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Locator, expect

from tests.page.axe import sideways
from tests.page.chromium import context
from tests.page.group import Gather
from tests.page.seat import Seat
from tests.page.server import Server


def downloaded(seat: Seat, link: Locator, folder: Path) -> Path:
    """The file that a link gives."""
    with seat.page.expect_download() as waiting:
        seat.press(link)
    file = folder / waiting.value.suggested_filename
    waiting.value.save_as(file)
    return file


def menu(seat: Seat) -> Locator:
    seat.press(seat.button("Menu"))
    return seat.dialog("Menu")


def test_an_entry_is_undone_and_done_again_from_the_log(gather: Gather) -> None:
    group = gather("Narraject", phone="Ada")
    mira, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Ysolde", "template": "Ysolde Marrin"})
    came = "Ysolde, Jonas's character, came to the table."
    assert not ada.sees(came).log.get_by_role("button", name=f"More: {came}").count()

    mira.undoes(came)
    for seat in group.everybody:
        seat.sees_undone(came)
        expect(seat.pane("Sheet").get_by_role("article")).to_have_count(0)

    jonas.undoes(came, again=True)
    for seat in group.everybody:
        seat.sees(came)
        expect(seat.sheet("Ysolde")).to_be_visible()


def test_something_long_ago_is_undone_and_what_came_of_it_goes_too(gather: Gather) -> None:
    """The character goes with its coming; what was said meanwhile stays."""
    group = gather("Narraject", phone="Ada")
    mira, jonas = group.gm, group.jonas
    jonas.does({"do": "create", "name": "Ysolde", "template": "Ysolde Marrin"})
    mira.does(*({"do": "note", "text": f"Bell {n} rings."} for n in range(60)))
    jonas.does({"do": "change", "holder": "Ysolde", "section": "stats", "item": "Might", "by": -1})
    mira.sees("Bell 59 rings.")
    mira.page.reload()
    mira.press(mira.log.get_by_role("button", name="Earlier"))
    came = "Ysolde, Jonas's character, came to the table."
    mira.undoes(came)
    for seat in group.everybody:
        seat.sees("Bell 59 rings.")
        expect(seat.pane("Sheet").get_by_role("article")).to_have_count(0)


def test_a_sheet_is_edited_in_place(gather: Gather) -> None:
    group = gather("Narraject", phone="Jonas")
    mira, jonas, ada = group.everybody
    jonas.makes_character("Ysolde", "Ysolde Marrin")
    sheet = jonas.edits("Ysolde")
    jonas.press(sheet.get_by_role("button", name="Might: one less"))
    ada.has("Ysolde", "Might", "2 of 3")

    jonas.press(sheet.get_by_role("button", name="Edit Storm lamp"))
    dice = sheet.get_by_role("spinbutton", name="Dice")
    expect(dice).to_be_focused()
    dice.fill("3")
    jonas.press(sheet.get_by_role("button", name="Save"))
    expect(sheet.get_by_role("button", name="Edit Storm lamp")).to_be_focused()
    for seat in (mira, ada):
        seat.has("Ysolde", "Storm lamp", "3 dice")

    jonas.press(sheet.get_by_role("button", name="Add to Conditions"))
    sheet.get_by_label("Name", exact=True).fill("Soaked")
    jonas.press(sheet.get_by_role("button", name="Save"))
    ada.has("Ysolde", "Soaked", "Soaked")
    ada.sheet("Ysolde")
    expect(ada.page.get_by_role("button", name="Edit the sheet")).to_have_count(0)


def test_a_sheet_goes_home_in_a_file_and_comes_to_another_table(gather: Gather, tmp_path: Path) -> None:
    there = gather("Narraject", alone=True).gm
    there.makes_character("Ysolde", "Ysolde Marrin")
    sheet = there.edits("Ysolde")
    there.press(sheet.get_by_role("button", name="Might: one less"))
    expect(sheet.get_by_label("2 of 3", exact=True).first).to_be_visible()
    file = downloaded(there, sheet.get_by_role("link", name="Save the sheet as a file"), tmp_path)
    assert file.name == "Ysolde.json"

    here = gather("Narraject", alone=True).gm
    here.press(here.pane("Sheet").get_by_role("button", name="New character"))
    dialog = here.dialog("New character")
    dialog.get_by_label("Or from a file").set_input_files(file)
    expect(dialog.get_by_label("Name", exact=True)).to_have_value("Ysolde")
    here.press(dialog.get_by_role("button", name="Create"))
    here.has("Ysolde", "Might", "2 of 3")
    here.has("Ysolde", "Wreck diving", "Wreck diving")


def test_the_story_is_read_and_taken_home(gather: Gather, tmp_path: Path) -> None:
    group = gather("Narraject", phone="Ada")
    group.gm.opens_scene("The sunken chapel")
    group.jonas.writes("I have the clapper.")
    ada = group.ada.sees("I have the clapper.")
    ada.press(menu(ada).get_by_role("link", name="The story"))
    story = ada.page.get_by_role("article")
    expect(story.get_by_role("heading", name="The sunken chapel")).to_be_visible()
    expect(story).to_contain_text("I have the clapper.")
    told = downloaded(ada, ada.page.get_by_role("link", name="Save as text"), tmp_path).read_text("utf-8")
    assert "The sunken chapel" in told
    assert "I have the clapper." in told


def test_a_table_goes_home_in_a_file_and_is_the_same_again(
    gather: Gather, browser: Browser, server: Server, tmp_path: Path
) -> None:
    mira = gather("Razorweave", alone=True).gm
    mira.opens_scene("The granary")
    mira.starts_clock("The bell rings", 4)
    mira.makes_character("Kira", "Kira Voss")
    mira.gathers_dice("Kira")
    mira.sets("DC", 14)
    mira.taps("Agility")
    mira.throws("6 5 3 2")
    mira.sees("Critical success")
    before = mira.log.inner_text()
    file = downloaded(mira, menu(mira).get_by_role("link", name="Save the table as a file"), tmp_path)

    page = context(browser).new_page()
    again = Seat(page, "Mira", server.address)
    page.goto(server.address)
    again.press(again.button("Menu"))
    page.get_by_label("Bring a table from a file").set_input_files(file)
    again.closes(again.dialog("People and links"))
    expect(page.get_by_role("heading", name="The Razorweave evening")).to_be_visible()
    expect(again.clock("The bell rings")).to_contain_text("0 of 4")
    again.sees("page confirmed the new tickets")
    assert again.log.inner_text().startswith(before)
    page.context.close()


def test_the_gm_s_own_link_opens_the_table_on_a_phone(gather: Gather, browser: Browser, server: Server) -> None:
    mira, *_ = gather("Narraject", phone="Ada").everybody
    mira.press(mira.page.get_by_role("button", name="People: 3 here"))
    link = mira.hands_out_link("For you alone")
    page = context(browser, phone=True).new_page()
    phone = Seat(page, "Mira", server.address, phone=True)
    page.goto(link)
    phone.press(page.get_by_role("button", name="People: 3 here"))
    expect(phone.dialog("People and links")).to_contain_text("Mira (you)")
    expect(phone.dialog("People and links")).to_contain_text("For players")
    assert phone.troubles == []
    page.context.close()


def test_whoever_came_by_a_revoked_link_is_told_at_once(gather: Gather) -> None:
    group = gather("Narraject", phone="Ada")
    mira, jonas, ada = group.everybody
    mira.press(mira.page.get_by_role("button", name="People: 3 here"))
    mira.press(mira.page.get_by_text("All links"))
    mira.press(mira.button("Switch off the link: For players"))
    mira.press(mira.page.get_by_role("dialog", name="Switch off the link").get_by_role("button", name="Switch off"))
    for player in (jonas, ada):
        expect(player.page.get_by_role("heading", name="You have no seat here")).to_be_visible()
        assert "The Narraject evening" not in player.page.locator("main").inner_text()
    expect(mira.page.get_by_role("button", name="People: 1 here")).to_be_attached()


def test_a_search_reads_the_whole_log_and_luck_stands_on_an_axis(gather: Gather) -> None:
    """A page that was just opened has the last entries only; what is searched for further back is brought."""
    mira = gather("Narraject", phone="Mira", alone=True).gm
    mira.does({"do": "note", "text": "The bell is under the altar."})
    mira.does({"do": "create", "name": "Ysolde", "template": "Ysolde Marrin"})
    throw = {"do": "roll", "who": "Ysolde", "use": {"Might": 1}, "inputs": {"difficulty": 1}, "answers": ["settle"]}
    mira.does(throw, *({"do": "note", "text": f"It rains, {n}."} for n in range(60)))
    mira.page.reload()
    mira.pane("Log")
    mira.press(mira.button("Search the log"))
    mira.page.get_by_role("searchbox", name="Search the log").fill("altar")
    mira.sees("The bell is under the altar.")
    mira.press(menu(mira).get_by_role("button", name="Luck"))
    luck = mira.dialog("Luck").get_by_role("listitem").filter(has_text="Ysolde")
    expect(luck).to_contain_text("1 throw")
    expect(luck).to_contain_text(re.compile(r"\d+ %\s*luckier than"))
    assert sideways(mira.page) == []
