"""Somebody's seat: a page of their own, and what people do with it."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.page.journal import Journal
from tests.page.throwing import Throwing


class Seat(Throwing, Journal):
    """One person at the table, on a desk or on a phone: how they come, what they do, what they see."""

    def creates_table(self, game: str, title: str) -> None:
        """On the start page, up to the dialog with its link."""
        self.page.get_by_role("radio", name=re.compile(f"^{game}")).check()
        self.page.get_by_label("Your name").fill(self.name)
        self.page.get_by_label("Name of the table").fill(title)
        self.press(self.button("Open the table"))
        expect(self.page.get_by_role("heading", name=f"The table is yours, {self.name}.")).to_be_visible()
        self.press(self.page.get_by_role("button", name="Code and QR"))
        expect(self.dialog("People and links")).to_be_visible()

    def hands_out_link(self, whose: str = "Link for players") -> str:
        """A link out of the dialog with people and links; the players' one stands first, all others fold out."""
        dialog = self.dialog("People and links")
        if whose != "Link for players":
            self.press(dialog.get_by_text("All links"))
        field = dialog.get_by_role("textbox", name=whose)
        expect(field).to_have_value(re.compile("#."))
        link = field.input_value()
        self.closes(dialog)
        return link

    def is_seated(self) -> None:
        """The table is there."""
        expect(self.page.get_by_role("button", name="Menu")).to_be_visible()

    def joins(self) -> None:
        """By the form of a link."""
        self.page.get_by_label("What is your name?").fill(self.name)
        self.press(self.button("Sit down"))
        self.is_seated()
