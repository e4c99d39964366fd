"""Sheets and the scene, as people handle them: characters, items, Clocks."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.page.place import Place


class Sheets(Place):
    """What somebody does with sheets and the scene."""

    def makes_character(self, name: str, template: str) -> None:
        self.press(self.pane("Sheet").get_by_role("button", name=re.compile("^(New character|Make my own)$")).last)
        dialog = self.dialog("New character")
        dialog.get_by_label("Name", exact=True).fill(name)
        dialog.get_by_role("radio", name=re.compile(f"^{template}")).check()
        self.press(dialog.get_by_role("button", name="Create"))
        expect(self.sheet(name)).to_be_visible()

    def sheet(self, name: str) -> Locator:
        """A character's sheet, open: one's own, or any that one may see."""
        pane = self.pane("Sheet")
        chosen = pane.get_by_role("group", name="Characters").get_by_role("button", name=name, exact=True)
        if self.is_gm and not chosen.count():
            self.turns_to("Party")
            if not pane.get_by_role("article", name=name, exact=True).count():
                back = pane.get_by_role("button", name="Party", exact=True)
                if back.is_visible():
                    self.press(back)
                self.press(pane.locator(".to-sheet").filter(has_text=name))
        elif chosen.get_attribute("aria-pressed") != "true":
            self.press(chosen)
        return pane.get_by_role("article", name=name, exact=True)

    def has(self, character: str, item: str, shown: str) -> None:
        """What a sheet says of an item: in words, or as marks that say their number."""
        sheet = self.sheet(character)
        row = sheet.locator(".tap-item, .coin, .cond, .item").filter(has_text=item)
        said = row.get_by_text(shown, exact=True).or_(row.get_by_label(shown, exact=True))
        expect(said.or_(sheet.get_by_label(f"{item}: {shown}", exact=True)).first).to_be_visible()

    def edits(self, name: str) -> Locator:
        """A character's sheet behind the pencil."""
        self.sheet(name)
        self.press(self.page.get_by_role("button", name="Edit the sheet"))
        return self.page.get_by_role("article", name=f"Edit {name}")

    def opens_scene(self, title: str) -> None:
        pane = self.pane("Table")
        pane.get_by_label("Title of a new scene").fill(title)
        self.press(pane.get_by_role("button", name="Open", exact=True))
        expect(pane.get_by_role("heading", name=title)).to_be_visible()

    def starts_clock(self, name: str, segments: int, seen: str = "") -> None:
        form = self.adds("Clocks", name)
        form.get_by_role("spinbutton", name="Segments").fill(str(segments))
        if seen:
            form.get_by_text(seen, exact=True).click()
        self.press(form.get_by_role("button", name="Save"))
        expect(self.clock(name)).to_be_visible()

    def adds(self, section: str, name: str) -> Locator:
        """The form of a new item of the table or the scene."""
        pane = self.pane("Table")
        self.press(pane.get_by_role("button", name=f"Add to {section}"))
        form = pane.locator("item-form")
        form.get_by_label("Name", exact=True).fill(name)
        return form

    def clock(self, name: str) -> Locator:
        return self.pane("Table").locator(".look-clock .item").filter(has_text=name)

    def ticks(self, clock: str) -> None:
        """A tap on the Clock itself."""
        self.clock(clock).get_by_role("button", name=re.compile(f"^Tick {clock}")).tap()
