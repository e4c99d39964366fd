"""Razorweave's steps on the page: where each stands, what needs no dice, and the oracle's questions (RW-1, RW-14)."""

from __future__ import annotations

import os

from playwright.sync_api import Page, expect

from tests.page.group import Gather


def picture(page: Page, name: str) -> None:
    """A picture for whoever looks at the page by hand: ASTRAGAL_PICTURES names a folder."""
    if folder := os.environ.get("ASTRAGAL_PICTURES"):
        page.screenshot(path=f"{folder}/{name}.png")


def test_rw1_no_check_is_needed_and_the_gm_says_so_on_the_card(gather: Gather) -> None:
    """Nobody is asked for a DC, no chance is shown, nobody rolls; the GM answers with words (R-40, R-43)."""
    group = gather("Razorweave", phone="Ada")
    mira, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Kira", "template": "Kira Voss"})
    ada.does({"do": "create", "name": "Dex", "template": "Dex Harrow"})
    mira.does({"do": "scene", "title": "The bridge"})

    ada.gathers_dice("Dex")
    for label in ("What is it about?", "How?", "Strike", "Set Up for whom?", "One roll for a group"):
        expect(ada.stage.get_by_text(label, exact=True).first).to_be_attached()
    expect(ada.stage.get_by_text("Would failing matter?")).to_have_count(0)
    picture(ada.page, "player-phone")
    mira.opens_roll("Dex")
    for label in ("Could it go either way?", "Would failing matter?", "Can they do anything about it?"):
        expect(mira.stage.get_by_text(label, exact=True).first).to_be_attached()
    steps, about = mira.stage.locator(".steps").first, mira.stage.get_by_text("What is it about?", exact=True).first
    above, below = steps.bounding_box(), about.bounding_box()
    assert above and below and above["y"] < below["y"], "a GM says first how hard it is"
    picture(mira.page, "gm-laptop")
    mira.does({"do": "build", "inputs": {"matters": "no"}})
    for seat in (ada, mira):
        expect(seat.stage).to_contain_text("No Check is needed.")
        expect(seat.stage).not_to_contain_text("%")
        expect(seat.stage.get_by_role("button", name="Roll", exact=True)).to_have_count(0)
    expect(ada.stage).to_contain_text("Mira says yes or no.")
    picture(ada.page, "ruled-phone")
    picture(mira.page, "ruled-gm")
    mira.stage.get_by_placeholder("what happens, or why not").fill("The planks hold.")
    mira.stage.get_by_role("button", name="Yes, it works").click()
    group.all_see(("Dex", "It works", "The planks hold"))


def test_rw14_the_questions_are_read_before_the_throw_and_judged_after_it(gather: Gather) -> None:
    group = gather("Razorweave", phone="Ada")
    mira, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Kira", "template": "Kira Voss"})
    mira.does({"do": "scene", "title": "The vault"})
    jonas.does({"do": "open", "who": "Kira", "kind": "oracle"})
    for seat in (jonas, ada):
        expect(seat.stage).to_contain_text("Is the opposition strong? (yes hinders)")
    picture(jonas.page, "oracle-laptop")
    jonas.does({"do": "throw", "faces": "2 5 4"})
    expect(jonas.verdict).to_contain_text("DC 18")
    picture(jonas.page, "oracle-thrown")
    jonas.stage.get_by_role("button", name="Already counted: Is the opposition strong?").click()
    group.all_see(("Kira", "DC 16", "Is the opposition strong? yes, already counted"))
