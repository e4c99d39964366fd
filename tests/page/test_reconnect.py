"""Servers die and phones sleep: pages reconnect by themselves, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.page.chromium import NO_SOCKETS, SOCKETS
from tests.page.group import Group
from tests.page.seat import Seat
from tests.page.server import Server


@pytest.fixture
def group(browser: Browser, fragile_server: Server) -> Iterator[Group]:
    """People whose server may die; their browsers will complain of it, and are allowed to."""
    group = Group(browser, fragile_server, "Razorweave", phone="Ada")
    yield group
    group.leave()


def is_lost(seat: Seat) -> None:
    expect(seat.page.get_by_text("reconnecting …")).to_be_visible()


def is_back(seat: Seat) -> None:
    expect(seat.page.get_by_text("reconnecting …")).to_be_hidden()


def test_the_server_is_killed_and_everybody_comes_back(group: Group, fragile_server: Server) -> None:
    mira, jonas, ada = group.everybody
    mira.opens_scene("The granary, before dawn")
    jonas.makes_character("Kira", "Kira Voss")
    jonas.gathers_dice("Kira")
    jonas.taps("Agility")

    fragile_server.kill()
    for seat in group.everybody:
        is_lost(seat)
    log = ada.pane("Log")
    log.get_by_role("textbox", name="Write a note").fill("The lamp went out.")
    ada.press(log.get_by_role("button", name="Send"))
    fragile_server.start()

    for seat in group.everybody:
        is_back(seat)
        expect(seat.log.get_by_text("The lamp went out.")).to_have_count(1)
        seat.sees("The granary, before dawn")
    jonas.sets("DC", 14)
    jonas.throws("6 5 3 2")
    group.all_see(("Critical success", "19 against 14"))


def test_a_server_that_stops_in_good_order_says_so_and_they_come_back(group: Group, fragile_server: Server) -> None:
    fragile_server.stop()
    for seat in group.everybody:
        is_lost(seat)
    fragile_server.start()
    for seat in group.everybody:
        is_back(seat)
    group.jonas.writes("Still here.")
    group.all_see("Still here.")


@pytest.mark.parametrize("missed", [3, 110])
def test_a_phone_that_was_in_a_pocket_catches_up(group: Group, missed: int) -> None:
    """A little is told again; after a long while the whole table is sent again."""
    mira, jonas, ada = group.everybody
    expect(ada.page.get_by_role("button", name="People: 3 here")).to_be_visible()  # nobody is still on the way
    ada.page.context.set_offline(True)
    ada.page.evaluate(NO_SOCKETS)
    is_lost(ada)
    jonas.does(*({"do": "note", "text": f"Note {number + 1} of Jonas."} for number in range(missed)))
    mira.does(*({"do": "note", "text": f"Note {number + 1} of the evening."} for number in range(missed)))
    mira.starts_clock("The bell rings", 4)
    mira.ticks("The bell rings")
    mira.sees(f"Note {missed} of the evening.")

    ada.page.evaluate(SOCKETS)
    ada.page.context.set_offline(False)
    expect(ada.clock("The bell rings")).to_contain_text("1 of 4")
    ada.sees(f"Note {missed} of the evening.")
    expect(ada.log.get_by_text(f"Note {missed} of the evening.")).to_have_count(1)
    ada.writes("I was away for a moment.")
    mira.sees("I was away for a moment.")
