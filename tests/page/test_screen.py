"""The screen of the room: what a television and a stream show, and what they must not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.axe import barriers
from tests.page.chromium import context
from tests.page.place import DO_ALL, WHOLE_PAGE, Place
from tests.page.server import Server

TV = {"width": 1920, "height": 1080}
CONTROLS = "button, a[href], input, select, textarea, summary, [role=button]"
SMALL = """() => [...document.querySelectorAll("main *")]
    .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .filter((one) => !one.closest("svg, .visually-hidden") && one.checkVisibility())
    .filter((one) => parseFloat(getComputedStyle(one).fontSize) < 20)
    .map((one) => `${one.className} ${one.textContent.trim()}`)"""
"""Texts that nobody reads from a sofa."""


class Room:
    """A GM's page, and the screens of the room."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.gm = context(browser).new_page()
        about = {"game": "narraject", "title": "The Drowned Bell", "name": "Mira", "sample": True}
        made = self.gm.request.post(f"{address}/api/tables", data=about).json()
        self.table, self.links = made["table"], made["links"]
        self.gm.goto(address + self.links["gm"])
        expect(self.gm.get_by_role("button", name="Menu")).to_be_visible()
        self._browser, self.address = browser, address

    def screen(self, query: str = "", **more: Any) -> Page:
        page = context(self._browser, viewport=TV, **more).new_page()
        page.goto(f"{self.address}/t/{self.table}/screen{query}#{self.links['onlooker'].partition('#')[2]}")
        return page

    def does(self, *actions: dict[str, Any]) -> None:
        self.gm.evaluate(DO_ALL, actions)

    def rolls(self, faces: str, **more: Any) -> None:
        dice = len(faces.partition("|")[0].split())
        inputs = {"d6": dice, "step": 10, "difficulty": 1}
        self.does({"do": "roll", "who": "Tobren", "inputs": inputs, "faces": faces, "answers": ["settle"], **more})


@pytest.fixture
def room(browser: Browser, server: Server) -> Iterator[Room]:
    room = Room(browser, server.address)
    yield room
    for other in browser.contexts:
        other.close()


@pytest.mark.parametrize(
    ("faces", "tone", "verdict"),
    [
        ("6 6 6 6 6 | 10", "triumph", "Triumph"),
        ("5 4 1 | 3", "good", "Success"),
        ("1 2 3 | 4", "disaster", "Catastrophe"),
    ],
)
def test_the_television_shows_scene_clocks_and_the_last_roll(room: Room, faces: str, tone: str, verdict: str) -> None:
    page = room.screen()
    expect(page.get_by_role("heading", level=1)).to_have_text("The harbour office, next morning")
    expect(page.get_by_text("The tide comes back")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^\w+ \w+ \w+$")).last).to_be_visible()  # the code, in three words
    room.rolls(faces)
    card = page.locator(f".verdict.tone-{tone}")
    expect(card.get_by_role("heading", name=verdict)).to_be_visible()
    expect(card).to_contain_text("Tobren tries it")
    expect(page.locator(".tv-dice .die")).to_have_count(len(faces.replace("|", "").split()))
    assert page.locator(CONTROLS).count() == 0
    assert page.evaluate(SMALL) == []
    assert barriers(page) == []


def test_the_television_shows_who_is_asked_and_what_is_gathered(room: Room) -> None:
    page = room.screen()
    room.does({"do": "ask", "who": ["Ysolde"], "note": "Force the hatch.", "inputs": {"difficulty": 2}})
    expect(page.get_by_text("Mira asks Ysolde")).to_be_visible()
    expect(page.get_by_text("Force the hatch.")).to_be_visible()
    room.does({"do": "open", "who": "Tobren", "inputs": {"d6": 3, "step": 8}})
    expect(page.locator(".tv-dice .die")).to_have_count(4)
    assert page.locator(CONTROLS).count() == 0
    assert barriers(page) == []


def test_the_television_sees_no_more_than_an_onlooker(room: Room) -> None:
    page = room.screen()
    room.does(
        {"do": "edit", "holder": "table", "section": "clocks", "item": "The cult wakes", "to": {"seen": "gm"}},
        {"do": "note", "text": "Tobren is the heir.", "seen": "gm"},
    )
    room.rolls("6 6 | 9", seen="gm", name="The drowned priest", who="")
    room.rolls("5 4 1 | 3")
    expect(page.locator(".verdict")).to_contain_text("Tobren tries it")
    words = page.evaluate(WHOLE_PAGE)
    assert not [secret for secret in ("cult wakes", "heir", "drowned priest") if secret in words]


def test_a_stream_has_a_lower_third_only_while_something_happens(room: Room) -> None:
    page = room.screen("?obs", still=False)
    stream = Place(page, "Stream", room.address)
    expect(page.locator("main.obs")).to_be_attached()
    assert page.locator("main").inner_text().strip() == ""
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    expect(page.locator("lower-third")).to_be_attached()
    stream.stops_time()
    room.rolls("5 4 1 | 3")
    expect(page.locator("lower-third .throw")).to_be_visible()
    bar = page.locator(".bar3")
    stream.lets_time_pass(bar.is_visible)
    expect(bar.get_by_role("heading", name="Success")).to_be_visible()
    assert page.locator(CONTROLS).count() == 0
    assert barriers(page) == []
    stream.lets_time_pass(bar.is_hidden)


def test_a_screen_without_a_seat_says_where_to_open_it(browser: Browser, room: Room) -> None:
    page = context(browser).new_page()
    page.goto(f"{room.address}/t/{room.table}/screen")
    expect(page.get_by_role("heading", name="This screen has no seat")).to_be_visible()
    expect(page.get_by_role("link", name="Start page")).to_be_visible()


def test_a_phone_that_scans_the_code_only_says_its_name(browser: Browser, room: Room) -> None:
    tv = room.screen()
    code = tv.locator(".tv-code b").inner_text()
    phone = context(browser, phone=True).new_page()
    phone.goto(f"{room.address}/join#{code.replace(' ', '-')}")
    phone.get_by_label("What is your name?").fill("Pell")
    phone.get_by_role("button", name="Knock").tap()
    expect(phone.get_by_role("status").filter(has_text="Mira can let you in")).to_be_visible()
    room.gm.get_by_role("button", name="Let in").click()
    expect(phone.get_by_role("button", name="Menu")).to_be_visible()
