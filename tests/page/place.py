"""A place at the table: a page of somebody's own, and how they get around on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, time
from typing import Any

from playwright.sync_api import ConsoleMessage, Error, Locator, Page, Request, expect

from tests.page.chromium import PATIENCE

EXPECTED = re.compile(
    "Failed to load resource: the server responded with a status of (4[0-9][0-9]|503)"
    "|Service Worker registration blocked by Playwright"
)
"""Chromium logs every refusal: of a shared link without a name, of a chance while all places are taken."""

WHOLE_PAGE = """() => {
    const words = (node) => [
        node.nodeType === Node.TEXT_NODE ? node.data : "",
        ...[...(node.attributes ?? [])].map((attribute) => attribute.value),
        ...[...(node.shadowRoot?.childNodes ?? []), ...node.childNodes].flatMap(words),
    ];
    return words(document.documentElement).join(" ");
}"""

DO_ALL = """async (actions) => {
    const address = `/api/tables/${location.pathname.split("/")[2]}/actions`;
    for (const action of actions) {
        const headers = {"Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID()};
        const asks = () => fetch(address, {method: "POST", headers, body: JSON.stringify(action)});
        let answer = await asks();
        for (; answer.status === 429; answer = await asks()) // a server of another's may limit how fast a seat acts
            await new Promise((wake) => setTimeout(wake, 1000 * answer.headers.get("Retry-After")));
        if (!answer.ok) throw new Error(await answer.text());
    }
}"""
PRESS = """(buttons) => buttons.filter((one) => one.checkVisibility({checkVisibilityCSS: true}))
    .forEach((one) => one.click())"""
"""At once, or not at all: what the next state takes away can be pressed only like this."""

KNOWS_TIME = """() => [...document.querySelectorAll("table-page, room-view, lower-third")]
    .some((one) => one.table?.live.time.ahead !== undefined)"""
STEP = 400
"""Milliseconds; so long dice lie still before their verdict."""
BEHIND, JUMP = 20, 2
"""Seconds; a page shows no throw that is three seconds old."""


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

    def press(self, what: Locator, timeout: float | None = None) -> None:
        """With a thumb on a phone, with a mouse at a desk."""
        if self.phone:
            what.tap(timeout=timeout)
        else:
            what.click(timeout=timeout)

    def press_away(self, what: Locator) -> None:
        """Press until it is no longer there; perhaps something else takes it away."""
        self.until(lambda: not what.first.is_visible(), lambda: what.evaluate_all(PRESS))

    def watches_dice(self) -> None:
        """From now on dice fall here for as long as they do; else they are tapped, which ends their fall."""
        self.page.evaluate("window.watchesDice = true")

    def stops_time(self) -> None:
        """From now on time stands still on this page, a little before now: no throw lands, and nothing leaves.

        The page asks the server for its time now and then. Until it stands, the page's time goes as fast as the
        server's, and then it jumps by less than the age of a throw that a page no longer shows.
        """
        self.watches_dice()
        self.page.wait_for_function(KNOWS_TIME)
        self.page.clock.install(time=time() - BEHIND)
        self.until(lambda: self._pauses(time() - BEHIND + JUMP), lambda: None)

    def _pauses(self, moment: float) -> bool:
        """Stop the page's time then, unless that moment is over."""
        try:
            self.page.clock.pause_at(moment)
        except Error as error:
            assert "past" in error.message, error.message
            return False
        return True

    def lets_time_go_on(self) -> None:
        """From here on by itself; dice are tapped again."""
        self.page.clock.resume()
        self.page.evaluate("window.watchesDice = false")

    def lets_time_pass(self, holds: Callable[[], bool]) -> None:
        """Just as much of it as this takes."""
        self.until(holds, lambda: self.page.clock.run_for(STEP))

    def until(self, holds: Callable[[], bool], tries: Callable[[], object]) -> None:
        """Try again and again until it holds."""
        end = monotonic() + PATIENCE / 1000
        while not holds():
            assert monotonic() < end, "it never held"
            tries()

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def dialog(self, title: str) -> Locator:
        return self.page.get_by_role("dialog", name=title)

    def closes(self, dialog: Locator) -> None:
        self.press(dialog.get_by_role("button", name="Close"))
        expect(dialog).to_be_hidden()

    def turns_to(self, tab: str) -> None:
        """A tab of the side, by the beginning of its name."""
        wanted = self.page.locator(".side").get_by_role("tab", name=re.compile(f"^{tab}"))
        self.press(wanted)
        expect(wanted).to_have_attribute("aria-selected", "true")

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
            # a thumb's press arrives a moment after it was made
            expect(self.page.locator(f".app[data-tab={tab.lower()}]")).to_be_visible()
        if tab == "Log":
            log = self.page.locator(".app > .log")
            if not log.is_visible():
                self.press(self.page.get_by_role("banner").get_by_role("button", name="Log"))
            expect(log).to_be_visible()
            return log
        side = {"Sheet": "Foes", "Table": "Scene"}[tab] if gm else tab
        if gm or not self.phone:
            self.turns_to(side)
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

    def calls(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """The server, past the page, as somebody with its cookies."""
        answer = self.page.request.fetch(self._address + path, method=method, data=body)
        assert answer.ok, answer.text()
        return answer.json()

    def does(self, *actions: dict[str, Any]) -> None:
        """The quick way, past the page, for what a test is not about."""
        self.page.evaluate(DO_ALL, actions)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not EXPECTED.match(message.text):
            self.troubles.append(f"{self.name}: {message.text}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self._address, "data:", "blob:")):
            self.troubles.append(f"{self.name}: asked {request.url}")
