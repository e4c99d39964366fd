"""A throw lands in step: every seat sees it fall, and nobody reads what came of it before it lies."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.page.landing import WATCH, four_seats, frames, rolls
from tests.page.server import Server


@pytest.mark.parametrize("still", [False, True], ids=["moving", "still"])
def test_no_seat_reads_a_verdict_while_the_dice_are_in_the_air(browser: Browser, server: Server, still: bool) -> None:
    """On the stage, on the sheets, in the log or on the screen of the room: frame by frame."""
    with four_seats(browser, server, still=still) as (group, pages):
        for page in pages.values():
            page.evaluate(WATCH, "Critical success")
        rolls(group, "6 6 6 5")
        seen = {name: frames(page) for name, page in pages.items()}
        assert {name: [state for state, _, _ in shown] for name, shown in seen.items()} == {
            name: ["falls", "verdict"] for name in pages
        }
        assert [name for name, shown in seen.items() if any(told for state, told, _ in shown if state == "falls")] == []
        assert group.troubles == []
