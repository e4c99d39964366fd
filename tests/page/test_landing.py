"""A throw lands in step: every seat sees it fall, and nobody reads what came of it before it lies."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.page.landing import four_seats, rolls
from tests.page.server import Server

TOLD = "Critical success"
WATCH = """(words) => {
    window.early = [];
    const look = () => {
        const body = document.body;
        if (body.querySelector(".throw") && body.innerText.includes(words)) window.early.push(body.innerText);
    };
    const all = {subtree: true, childList: true, characterData: true, attributes: true};
    new MutationObserver(look).observe(document.body, all);
}"""
"""Keeps what is to be read, at every change of the page, while a throw is in the air and its words are told."""


@pytest.mark.parametrize("still", [False, True], ids=["moving", "still"])
def test_no_seat_reads_a_verdict_while_the_dice_are_in_the_air(browser: Browser, server: Server, still: bool) -> None:
    """On the stage, on the sheets, in the log or on the screen of the room; each page has a clock of the test's own."""
    with four_seats(browser, server, still=still) as (group, places):
        for place in places:
            place.stops_time()
            place.page.evaluate(WATCH, TOLD)
        rolls(group, "6 6 6 5")
        for place in places:
            verdict = place.page.locator(".verdict, .verdict-line").first
            expect(place.page.locator(".throw")).to_be_visible()
            expect(verdict).to_be_hidden()
            place.lets_time_pass(verdict.is_visible)
            expect(place.page.locator(".throw")).to_have_count(0)
            expect(verdict).to_contain_text(TOLD)
            assert place.page.evaluate("window.early") == [], place.name
        assert group.troubles == []
