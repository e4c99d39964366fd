"""Pictures of the page, for the README and the docs: taken in every run, and kept with ASTRAGAL_PICTURES=1."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.axe import SCHEMES
from tests.page.chromium import context
from tests.page.group import Gather
from tests.page.seat import Seat
from tests.page.server import Server

FOLDER = Path(__file__).parents[2] / "docs" / "images"
KEEP = "ASTRAGAL_PICTURES"
MOST_BYTES = 200_000
QUALITY = 72


def picture(page: Page, name: str) -> None:
    """What the page looks like now. It is never heavy, and kept only if somebody wants it."""
    taken = page.screenshot(animations="disabled", caret="hide", type="jpeg", quality=QUALITY)
    assert len(taken) < MOST_BYTES
    if os.environ.get(KEEP) == "1":
        (FOLDER / f"page-{name}.jpg").write_bytes(taken)


def in_both_lights(page: Page, name: str) -> None:
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        picture(page, f"{name}-{scheme}")
    page.emulate_media(color_scheme="light")


@pytest.fixture(params=["desk", "phone"])
def mira(request: pytest.FixtureRequest, browser: Browser, server: Server) -> Iterator[Seat]:
    """The GM of a sample campaign, which the start page gives at once."""
    phone = request.param == "phone"
    page = context(browser, phone=phone).new_page()
    seat = Seat(page, "Mira", server.address, phone=phone)
    page.goto(server.address)
    page.get_by_role("radio", name="Narraject").check()
    page.get_by_label("Your name").fill("Mira")
    if not phone:
        picture(page, "start")
    seat.press(seat.button("Try the sample first"))
    seat.closes(seat.dialog("People and links"))
    yield seat
    page.context.close()
    assert seat.troubles == []


def test_the_sample_campaign_in_the_middle_of_a_roll(mira: Seat) -> None:
    expect(mira.page.get_by_role("heading", name="The Drowned Bell")).to_be_visible()
    mira.sees("The harbour office, next morning")
    mira.sheet("Tobren")
    mira.gathers_dice("Tobren")
    mira.sets("Difficulty", 2)
    mira.taps("Wits", 2)
    mira.taps("Ciphers")
    mira.chances_before()
    expect(mira.roll_button).to_be_enabled()
    where = "phone" if mira.phone else "desk"
    in_both_lights(mira.page, f"{where}-tray")
    mira.throws("6 3 2 | 1")
    expect(mira.choice).to_contain_text("best")
    in_both_lights(mira.page, f"{where}-choice")
    mira.answers("Leave it")
    mira.clears_stage()
    in_both_lights(mira.page, f"{where}-idle")
    mira.pane("Log")
    if mira.phone:
        in_both_lights(mira.page, "phone-log")


def test_the_room_sees_it(gather: Gather) -> None:
    """The GM's list of who is asked, a player's prompt on a phone, and the television."""
    group = gather("Narraject", phone="Ada")
    mira, jonas, ada = group.everybody
    jonas.makes_character("Ysolde", "Ysolde Marrin")
    ada.makes_character("Tobren", "Tobren Quill")
    mira.opens_scene("The sunken chapel, at low tide")
    mira.starts_clock("The tide comes back", 6)
    mira.ticks("The tide comes back")
    expect(mira.clock("The tide comes back")).to_contain_text("1 of 6")
    mira.asks("Hold the rope while the tide pulls", "Tricky")
    expect(ada.request).to_be_visible()
    in_both_lights(ada.page, "phone-asked")
    in_both_lights(mira.page, "desk-asked")
    group.screen.shows("The sunken chapel, at low tide", "Mira asks")
    for player, stat in ((jonas, "Might"), (ada, "Wits")):
        player.press(player.request.get_by_role("button", name="Gather the dice"))
        player.taps(stat, 2)
        player.throws("6 5 | 4")
        player.answers("Leave it")
    group.screen.shows("Success")
    picture(group.screen.page, "screen")


def test_the_lab_compares(browser: Browser, server: Server) -> None:
    page = context(browser).new_page()
    check = ["game=razorweave", "roll=check", "dc=16", "attribute=2"]
    page.goto(f"{server.address}/lab?{'&'.join([*check, *(f'b.{part}' for part in check), 'b.edge=1'])}")
    expect(page.locator("odds-chart .charts").first).to_contain_text("−")
    picture(page, "lab")
    page.context.close()
