"""The shelf on the start page: each of its games is rolled with few taps, by a GM and by a player, on a small phone."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, expect

from astragal.games.shelf import shelf_file, shelf_names
from tests.page.chromium import context
from tests.page.seat import Seat
from tests.page.server import Server

GM_TAPS, PLAYER_TAPS = 5, 3
SMALL = {"width": 360, "height": 740}
COUNT = """() => {
    window.taps = 0;
    addEventListener("click", (event) => { window.taps += event.isTrusted && event.detail > 0; }, true);
}"""
"""Counts what is tapped; a form that is sent with Enter is not."""


@contextmanager
def on_a_phone(browser: Browser, server: Server, name: str) -> Iterator[Seat]:
    """Somebody with a small phone, on which nothing goes wrong."""
    page = context(browser, phone=True).new_page()
    page.set_viewport_size({"width": SMALL["width"], "height": SMALL["height"]})
    seat = Seat(page, name, server.address, phone=True)
    yield seat
    page.context.close()
    assert seat.troubles == []


def heroes(name: str) -> list[str]:
    made = tomllib.loads(shelf_file(name).read_text("utf-8"))["character"]
    return [character["name"] for character in made if not character.get("foe")]


def picks(seat: Seat, title: str) -> None:
    seat.press(seat.page.get_by_role("radio", name=re.compile(f"^{re.escape(title)}")))


def rolls_the_first_thing_on_the_sheet(seat: Seat) -> None:
    seat.press(seat.page.locator(".side .tap-item").get_by_role("button").first)
    expect(seat.roll_button).to_be_enabled()
    seat.press(seat.roll_button)
    expect(seat.page.locator(".stage .verdict").or_(seat.choice).first).to_be_visible()


@pytest.mark.parametrize("name", shelf_names())
def test_a_game_of_the_shelf_is_rolled_with_few_taps(name: str, browser: Browser, server: Server) -> None:
    title = tomllib.loads(shelf_file(name).read_text("utf-8"))["title"]
    first, second, *_ = heroes(name)
    with on_a_phone(browser, server, "Mira") as mira, on_a_phone(browser, server, "Ada") as ada:
        mira.page.goto(server.address)
        expect(mira.page.locator(".shelf .cover").first).to_be_visible()
        mira.page.evaluate(COUNT)
        picks(mira, title)
        expect(mira.page.get_by_text("How to play", exact=True)).to_be_visible()
        mira.press(mira.page.get_by_label("Your name"))
        mira.page.keyboard.type("Mira\n")
        mira.press(mira.page.get_by_role("button", name=first, exact=True))
        rolls_the_first_thing_on_the_sheet(mira)
        assert mira.page.evaluate("window.taps") <= GM_TAPS

        table = mira.page.url.rpartition("/t/")[2]
        links = mira.calls("GET", f"/api/tables/{table}/links")["links"]
        ada.page.goto(server.address + next(link["path"] for link in links if link["role"] == "player"))
        name_field = ada.page.get_by_label("What is your name?")
        expect(name_field).to_be_visible()
        ada.page.evaluate(COUNT)
        name_field.focus()
        ada.page.keyboard.type("Ada\n")
        ada.press(ada.page.get_by_role("button", name=re.compile(f"^Play {re.escape(second)}")))
        rolls_the_first_thing_on_the_sheet(ada)
        assert ada.page.evaluate("window.taps") <= PLAYER_TAPS


def test_the_shelf_is_searched_and_says_how_a_game_is_played(browser: Browser, server: Server) -> None:
    with on_a_phone(browser, server, "Mira") as mira:
        page = mira.page
        page.goto(server.address)
        shelf = page.locator(".shelf .cover")
        expect(shelf).to_have_count(len(shelf_names()))
        search = page.get_by_role("searchbox", name="Search the shelf")
        search.fill("barge tinsel")
        expect(shelf).to_have_count(1)
        search.press("Enter")
        expect(page).to_have_url(re.compile("/$"))
        picks(mira, "Tar and Tinsel")
        mira.press(page.get_by_text("How to play", exact=True))
        expect(page.locator(".how")).to_contain_text("You own a barge with a stage on it.")
        expect(page.locator(".how .licence")).to_contain_text("MIT")
        search.fill("nothing says this")
        expect(shelf).to_have_count(1)
        expect(page.get_by_role("radio", name=re.compile("^Tar and Tinsel"))).to_be_checked()
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= SMALL["width"]


def test_the_rules_at_a_table_begin_with_how_to_play_and_end_with_the_licence(browser: Browser, server: Server) -> None:
    with on_a_phone(browser, server, "Mira") as mira:
        mira.page.goto(server.address)
        made = mira.calls("POST", "/api/tables", {"game": "tinsel", "title": "The barge", "name": "Mira"})
        mira.page.goto(f"{server.address}/t/{made['table']}")
        mira.press(mira.page.get_by_role("button", name="Menu"))
        mira.press(mira.page.get_by_role("button", name="Rules"))
        rules = mira.dialog("Rules")
        expect(rules.locator("p").first).to_contain_text("You own a barge with a stage on it.")
        expect(rules.locator(".licence")).to_contain_text("MIT License")
