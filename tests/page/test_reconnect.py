"""Servers die and phones sleep: pages reconnect by themselves, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.page.chromium import NO_SOCKETS, SOCKETS
from tests.page.group import Gather, Group
from tests.page.seat import Seat
from tests.page.server import Server


@pytest.fixture
def gather(browser: Browser) -> Iterator[Gather]:
    """Groups whose server or network may be gone; their browsers will complain of it, and are allowed to."""
    groups: list[Group] = []

    def gathered(server: Server) -> Group:
        groups.append(Group(browser, server, "Razorweave", phone="Ada"))
        return groups[-1]

    yield gathered
    for group in groups:
        group.leave()


def is_lost(seat: Seat) -> None:
    expect(seat.page.get_by_text("reconnecting …")).to_be_visible()


def is_back(seat: Seat) -> None:
    expect(seat.page.get_by_text("reconnecting …")).to_be_hidden()


def test_a_server_is_killed_or_stops_and_everybody_comes_back(gather: Gather, fragile_server: Server) -> None:
    """What is sent while it is gone is sent again, and happens once; however long the server takes to start."""
    group = gather(fragile_server)
    mira, jonas, ada = group.everybody
    mira.does({"do": "scene", "title": "The granary, before dawn"})
    jonas.does({"do": "create", "name": "Kira", "template": "Kira Voss"})
    jonas.gathers_dice("Kira")
    jonas.taps("Agility")

    ada.stops_time()
    fragile_server.kill()
    for seat in group.everybody:
        is_lost(seat)
    log = ada.pane("Log")
    log.get_by_role("textbox", name="Write a note").fill("The lamp went out.")
    ada.press(log.get_by_role("button", name="Send"))
    fragile_server.start()
    back = ada.page.get_by_text("reconnecting …")
    ada.lets_time_pass(back.is_hidden)
    ada.lets_time_go_on()

    for seat in group.everybody:
        is_back(seat)
        expect(seat.log.get_by_text("The lamp went out.")).to_have_count(1)
        seat.sees("The granary, before dawn")
    jonas.sets("DC", 14)
    jonas.throws("6 5 3 2")
    group.all_see(("Critical success", "19 against 14"))

    fragile_server.stop()
    for seat in group.everybody:
        is_lost(seat)
    fragile_server.start()
    for seat in group.everybody:
        is_back(seat)
    jonas.writes("Still here.")
    group.all_see("Still here.")


def test_a_phone_that_was_in_a_pocket_catches_up(gather: Gather, server: Server) -> None:
    """A little is told again; after a long while the whole table is sent again."""
    group = gather(server)
    mira, jonas, ada = group.everybody
    expect(ada.page.get_by_role("button", name="People: 3 here")).to_be_visible()  # nobody is still on the way
    mira.starts_clock("The bell rings", 4)
    for ticks, missed in enumerate((3, 110), 1):
        ada.page.context.set_offline(True)
        ada.page.evaluate(NO_SOCKETS)
        is_lost(ada)
        for seat in (jonas, mira):
            seat.does(
                *({"do": "note", "text": f"{seat.name} saw {number + 1} of {missed}."} for number in range(missed))
            )
        mira.ticks("The bell rings")
        mira.sees(f"Mira saw {missed} of {missed}.")

        ada.page.evaluate(SOCKETS)
        ada.page.context.set_offline(False)
        expect(ada.clock("The bell rings")).to_contain_text(f"{ticks} of 4")
        ada.sees(f"Mira saw {missed} of {missed}.")
        expect(ada.log.get_by_text(f"Mira saw {missed} of {missed}.")).to_have_count(1)
        ada.writes(f"I was away for {missed}.")
        mira.sees(f"I was away for {missed}.")
