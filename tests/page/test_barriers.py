"""No barrier that axe-core knows of, nothing too small for a thumb, nothing wider than the screen."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.axe import barriers, sideways, small_targets
from tests.page.chromium import context
from tests.page.seat import Seat
from tests.page.server import Server

NARROW = {"width": 320, "height": 700}


class Inspector:
    """Looks at a page in every state that it is shown, and gathers what is wrong with it."""

    def __init__(self, phone: bool) -> None:
        self._phone = phone
        self.found: list[str] = []

    def looks_at(self, page: Page, state: str) -> None:
        faults = barriers(page)
        if self._phone:
            faults += [f"too small: {one}" for one in small_targets(page)]
            size = page.viewport_size
            assert size
            page.set_viewport_size(NARROW)  # type: ignore[arg-type]
            faults += [f"sideways: {one}" for one in sideways(page)]
            page.set_viewport_size(size)
        self.found += [f"{state}: {fault}" for fault in faults]


@pytest.fixture(params=["phone", "desk"])
def phone(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "phone")


@pytest.fixture
def inspector(phone: bool) -> Iterator[Inspector]:
    inspector = Inspector(phone)
    yield inspector
    assert inspector.found == []


@pytest.fixture
def ada(browser: Browser, server: Server, phone: bool) -> Iterator[Seat]:
    """The GM of a sample campaign, with a roll that waits for an answer of hers."""
    page = context(browser, phone=phone).new_page()
    seat = Seat(page, "Ada", server.address, phone=phone)
    page.goto(server.address)
    page.get_by_role("radio", name="Razorweave").check()
    page.get_by_label("Your name").fill("Ada")
    seat.press(seat.button("Try the sample first"))
    expect(seat.dialog("People and links")).to_be_visible()
    yield seat
    page.context.close()


def test_the_pages_without_a_table_have_no_barriers(
    browser: Browser, server: Server, phone: bool, inspector: Inspector
) -> None:
    page = context(browser, phone=phone).new_page()
    page.goto(server.address)
    page.get_by_role("radio", name="Narraject").check()
    page.get_by_text("House rules").click()
    inspector.looks_at(page, "start")
    page.goto(f"{server.address}/lab?game=razorweave&roll=check&dc=16&b.game=razorweave&b.roll=check&b.dc=18")
    expect(page.locator("odds-chart .charts").first).to_contain_text("%")
    inspector.looks_at(page, "lab")
    page.goto(f"{server.address}/docs")
    expect(page.get_by_role("heading").first).to_be_visible()
    inspector.looks_at(page, "docs")
    page.goto(f"{server.address}/t/nosuchtable")
    expect(page.get_by_role("heading", name="You have no seat here")).to_be_visible()
    inspector.looks_at(page, "no seat")
    page.context.close()


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_what_is_around_a_table_has_no_barriers(
    browser: Browser, server: Server, phone: bool, inspector: Inspector, locale: str
) -> None:
    """In both languages: German words are longer."""
    page = context(browser, phone=phone, locale=locale).new_page()
    page.goto(server.address)
    expect(page.locator(".cover").first).to_be_visible()
    inspector.looks_at(page, f"start, {locale}")
    page.goto(f"{server.address}/join")
    expect(page.locator("input[name=code]")).to_be_visible()
    inspector.looks_at(page, f"code, {locale}")
    about = {"game": "narraject", "title": "The Drowned Bell", "name": "Mira", "sample": True}
    made = page.request.post(f"{server.address}/api/tables", data=about).json()
    for rest, shown in (("", ".stage"), ("/story", "article h1"), ("/screen", ".tv-stage")):
        page.goto(f"{server.address}/t/{made['table']}{rest}")
        expect(page.locator(shown).first).to_be_visible()
        assert page.evaluate("document.documentElement.lang") == locale[:2]
        inspector.looks_at(page, f"{rest or 'table'}, {locale}")
    page.context.close()


def test_sitting_down_has_no_barriers(browser: Browser, server: Server, phone: bool, inspector: Inspector) -> None:
    elsewhere = context(browser)
    table = {"game": "narraject", "title": "The Drowned Bell", "name": "Mira"}
    made = elsewhere.request.post(f"{server.address}/api/tables", data=table).json()
    elsewhere.close()
    page = context(browser, phone=phone).new_page()
    page.goto(server.address + made["links"]["player"])
    expect(page.get_by_role("button", name="Sit down")).to_be_visible()
    inspector.looks_at(page, "join")
    page.context.close()


def test_the_table_has_no_barriers(ada: Seat, inspector: Inspector) -> None:
    ada.closes(ada.dialog("People and links"))
    for tab in ("Sheet", "Table", "Log"):
        ada.pane(tab)
        inspector.looks_at(ada.page, tab)
    ada.sheet("Kira")
    inspector.looks_at(ada.page, "a sheet")
    ada.press(ada.edits("Kira").get_by_role("button", name="Edit Climbing"))
    inspector.looks_at(ada.page, "an item that is edited")
    ada.press(ada.log.get_by_role("button", name=re.compile("open the card$")).last)
    inspector.looks_at(ada.page, "a card of the log")


def test_rolling_has_no_barriers(ada: Seat, inspector: Inspector) -> None:
    ada.closes(ada.dialog("People and links"))
    ada.clears_stage()
    for name in ("New roll", "Ask for a roll"):
        ada.press(ada.stage.get_by_role("button", name=name, exact=True))
        expect(ada.stage.locator("new-roll form")).to_be_visible()
        inspector.looks_at(ada.page, name)
        ada.press(ada.stage.get_by_role("button", name="Back", exact=True))
    ada.gathers_dice("Dex", against="Kira")
    ada.sets("DC", 12)
    ada.chooses("Strike")
    ada.taps("Might", whose="Dex")
    ada.chances_before()
    inspector.looks_at(ada.page, "a roll that is gathered")
    ada.opens_more()
    inspector.looks_at(ada.page, "more for a roll")
    ada.press(ada.button("Back to the tray"))
    ada.opens_pad()
    inspector.looks_at(ada.page, "real dice")
    ada.press(ada.stage.get_by_role("button", name="Back", exact=True))
    ada.throws("6 6 5 5")
    expect(ada.choice).to_be_visible()
    inspector.looks_at(ada.page, "a choice")
    ada.answers("Staggered")
    expect(ada.choice).to_be_hidden()
    inspector.looks_at(ada.page, "a roll that is over")


def test_dialogs_have_no_barriers(ada: Seat, inspector: Inspector) -> None:
    inspector.looks_at(ada.page, "people and links")
    ada.closes(ada.dialog("People and links"))
    ada.press(ada.pane("Sheet").get_by_role("button", name="New character"))
    expect(ada.dialog("New character")).to_be_visible()
    inspector.looks_at(ada.page, "new character")
    ada.closes(ada.dialog("New character"))
    ada.press(ada.button("Menu"))
    inspector.looks_at(ada.page, "menu")
    for name in ("Luck", "Keys", "Rules of the game"):
        ada.press(ada.dialog("Menu").get_by_role("button", name=name))
        expect(ada.dialog(name)).not_to_contain_text("Loading")
        inspector.looks_at(ada.page, name)
        ada.closes(ada.dialog(name))
    ada.closes(ada.dialog("Menu"))
    ada.press(ada.edits("Kira").get_by_role("button", name="Rule RW-15").first)
    inspector.looks_at(ada.page, "a rule")
