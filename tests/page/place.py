"""A place at the table: a page of somebody's own, and how they get around on it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import ConsoleMessage, Locator, Page, Request, expect

EXPECTED = re.compile(r"Failed to load resource: the server responded with a status of (4\d\d|503)")
"""Chromium logs every refusal: of a shared link without a name, of a chance while all places are taken."""

WHOLE_PAGE = """() => {
    const words = (node) => [
        node.nodeType === Node.TEXT_NODE ? node.data : "",
        ...[...(node.attributes ?? [])].map((attribute) => attribute.value),
        ...[...(node.shadowRoot?.childNodes ?? []), ...node.childNodes].flatMap(words),
    ];
    return words(document.documentElement).join(" ");
}"""

DO_ALL = """async (asked) => {
    const { actions, pause } = Array.isArray(asked) ? { actions: asked, pause: 110 } : asked;
    const address = `/api/tables/${location.pathname.split("/")[2]}/actions`;
    for (const [n, action] of actions.entries()) {
        // the server limits how fast a seat acts
        if (n >= 40 && pause) await new Promise((wake) => setTimeout(wake, pause));
        const headers = {"Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID()};
        const answer = await fetch(address, {method: "POST", headers, body: JSON.stringify(action)});
        if (!answer.ok) throw new Error(await answer.text());
    }
}"""


class Place:
    """A page that somebody sits at, on a desk or on a phone; what goes wrong on it is kept."""

    def __init__(self, page: Page, name: str, address: str, *, phone: bool = False) -> None:
        self.page, self.name, self.phone = page, name, phone
        self.troubles: list[str] = []
        self.frames: list[str] = []
        """Every frame that the server sent over the socket."""
        self._address = address
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.troubles.append(f"{name}: {error}"))
        page.on("request", self._asked)
        page.on("websocket", lambda line: line.on("framereceived", lambda frame: self.frames.append(str(frame))))

    def press(self, what: Locator) -> None:
        """With a thumb on a phone, with a mouse at a desk."""
        if self.phone:
            what.tap()
        else:
            what.click()

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def dialog(self, title: str) -> Locator:
        return self.page.get_by_role("dialog", name=title)

    def closes(self, dialog: Locator) -> None:
        self.press(dialog.get_by_role("button", name="Close"))
        expect(dialog).to_be_hidden()

    @property
    def is_gm(self) -> bool:
        return self.page.locator(".side [role=tab]").filter(has_text="Foes").count() > 0

    def pane(self, tab: str) -> Locator:
        """A part of the table, brought into view: by its tab on a phone, where it always is at a desk."""
        expect(self.page.locator(".app")).to_be_visible()  # the page may have been loaded only now
        gm = self.is_gm
        if self.phone:
            name = "Party" if gm and tab == "Sheet" else tab
            self.press(self.page.get_by_role("navigation").get_by_role("button", name=re.compile(f"^{name}")))
        if tab == "Log":
            log = self.page.locator(".app > .log")
            if not log.is_visible():
                self.press(self.page.get_by_role("banner").get_by_role("button", name="Log"))
            expect(log).to_be_visible()
            return log
        side = {"Sheet": "Foes", "Table": "Scene"}[tab] if gm else tab
        if gm or not self.phone:
            self.press(self.page.get_by_role("tab", name=re.compile(f"^{side}")))
        pane = self.page.locator(".side")
        inside = "scene-pane > *" if tab == "Table" else ":is(play-this, sheet-pane) > *"
        expect(pane.locator(inside).first).to_be_visible()
        return pane

    @contextmanager
    def acting(self) -> Iterator[None]:
        """Something is done, and the server takes it."""
        with self.page.expect_response(re.compile("/actions$")) as answer:
            yield
        assert answer.value.ok, answer.value.text()

    @property
    def whole_page(self) -> str:
        """Every word in the page, seen or not, with what is in attributes and inside elements of our own."""
        found: str = self.page.evaluate(WHOLE_PAGE)
        return found

    def does(self, *actions: dict[str, Any], at_once: bool = False) -> None:
        """The quick way, past the page, for what a test is not about; many go `at_once` where the server allows it."""
        self.page.evaluate(DO_ALL, {"actions": actions, "pause": 0} if at_once else actions)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not EXPECTED.match(message.text):
            self.troubles.append(f"{self.name}: {message.text}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self._address, "data:", "blob:")):
            self.troubles.append(f"{self.name}: asked {request.url}")
