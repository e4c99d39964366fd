"""Browsers at one of a party's tables: they write with the page's own field, and must see what everybody sees."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self

from playwright.sync_api import Browser, expect

from tests.cluster.party import Host
from tests.page.chromium import context
from tests.page.seat import Seat


class Audience:
    """Some browsers, each with a seat of its own at a table."""

    def __init__(self, browser: Browser, address: str, host: Host, n: int) -> None:
        self._seats: list[Seat] = []
        self._notes: list[str] = []
        for place in range(n):
            page = context(browser).new_page()
            seat = Seat(page, f"Browser {place + 1}", address)
            page.goto(f"{address}{host.link}")
            seat.joins()
            self._seats.append(seat)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for seat in self._seats:
            seat.page.context.close()

    def write(self, turn: int) -> None:
        """Everybody sends a note, and does not wait for the answer."""
        for seat in self._seats:
            note = f"{seat.name} in round {turn}."
            pane = seat.pane("Log")
            pane.get_by_role("textbox", name="Write a note").fill(note)
            seat.press(pane.get_by_role("button", name="Send"))
            self._notes.append(note)

    def all_see(self, text: str, since: float) -> float:
        """The seconds from a moment until every browser shows a text, and every note of the last round once."""
        for seat in self._seats:
            expect(seat.log.get_by_text(text).first).to_be_visible()
        took = time.monotonic() - since
        for note in self._notes[-len(self._seats) :]:
            for seat in self._seats:
                expect(seat.log.get_by_text(note)).to_have_count(1)
        return took
