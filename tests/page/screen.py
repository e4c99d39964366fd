"""The screen of the room: what a television shows, and that there is nothing to press."""

from __future__ import annotations

from playwright.sync_api import Browser, Locator, expect

from tests.page.chromium import context
from tests.page.place import Place

TELEVISION = {"width": 1920, "height": 1080}


class Screen(Place):
    """A television in the room, with an onlooker's rights."""

    def __init__(self, browser: Browser, address: str, link: str, *, still: bool = True) -> None:
        page = context(browser, viewport=TELEVISION, has_touch=False, still=still).new_page()
        super().__init__(page, "Screen", address)
        page.goto(link.replace("#", "/screen#"))
        expect(self.picture).to_be_visible()

    @property
    def picture(self) -> Locator:
        """All of it."""
        return self.page.locator("room-view")

    def shows(self, *texts: str) -> None:
        """Everybody in the room can read it, and nobody can press anything."""
        for text in texts:
            expect(self.picture).to_contain_text(text)
        expect(self.page.locator("button, input, a[href]")).to_have_count(0)
