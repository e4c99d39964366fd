"""The log, as people write, read and undo it."""

from __future__ import annotations

import re
from typing import Self

from playwright.sync_api import Locator, expect

from tests.page.place import Place


class Journal(Place):
    """What somebody says, and what they find in the log."""

    def writes(self, note: str) -> None:
        pane = self.pane("Log")
        pane.get_by_role("textbox", name="Write a note").fill(note)
        with self.acting():
            self.press(pane.get_by_role("button", name="Send"))

    @property
    def log(self) -> Locator:
        self.pane("Log")
        return self.page.get_by_role("region", name="Log entries")

    def card(self, *texts: str) -> Locator:
        """The card of the log that says all of it, and stands."""
        card = self.log.locator(".entry:not(.struck)")
        for text in texts:
            card = card.filter(has_text=text)
        return card.first

    def sees(self, *texts: str) -> Self:
        """It is in the log, on one card, and it stands."""
        expect(self.card(*texts)).to_be_visible()
        return self

    def sees_undone(self, text: str) -> Self:
        expect(self.log.locator(".entry.struck").filter(has_text=text).first).to_be_visible()
        return self

    def undoes(self, text: str, *, again: bool = False) -> None:
        """Something in the log, by its menu; or do it again."""
        entry = self.log.locator(".entry").filter(has_text=text).first
        entry.hover()
        self.press(entry.get_by_role("button", name=re.compile("^More: ")))
        with self.acting():
            self.press(entry.get_by_role("button", name=re.compile("^Redo: " if again else "^Undo: ")))
