"""Somebody's seat: a page of their own, and what people do with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

from playwright.sync_api import ConsoleMessage, Locator, Page, Request, expect

EXPECTED = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d")
"""Chromium logs every refusal, such as that of a shared link without a name."""

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
        const answer = await fetch(address, {method: "POST", headers, body: JSON.stringify(action)});
        if (!answer.ok) throw new Error(await answer.text());
    }
}"""


class Seat:
    """One person at the table, on a desk or on a phone."""

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

    # Coming to the table.

    def creates_table(self, game: str, title: str) -> None:
        self.page.get_by_role("radio", name=re.compile(f"^{game}")).check()
        self.page.get_by_label("Your name").fill(self.name)
        self.page.get_by_label("Name of the table").fill(title)
        self.press(self.button("Open the table"))
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

    def joins(self) -> None:
        self.page.get_by_label("What is your name?").fill(self.name)
        self.press(self.button("Sit down"))
        expect(self.page.get_by_role("button", name="Menu")).to_be_visible()

    # Moving around.

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

    def pane(self, tab: str) -> Locator:
        """A part of the table, brought into view: by its tab on a phone, where it always is at a desk."""
        pane = self.page.locator(f".pane-{tab.lower()}")
        if self.phone:
            self.press(self.page.get_by_role("navigation").get_by_role("button", name=re.compile(f"^{tab}")))
        elif tab in ("Sheet", "Table"):
            self.press(self.page.get_by_role("group", name="Left column").get_by_role("button", name=tab))
        expect(pane).to_be_visible()
        return pane

    # Characters and Clocks.

    def makes_character(self, name: str, template: str) -> None:
        self.press(self.pane("Sheet").get_by_role("button", name="New character"))
        dialog = self.dialog("New character")
        dialog.get_by_label("Name", exact=True).fill(name)
        dialog.get_by_role("radio", name=re.compile(f"^{template}")).check()
        self.press(dialog.get_by_role("button", name="Create"))
        expect(self.sheet(name)).to_be_visible()

    def sheet(self, name: str) -> Locator:
        """A character's sheet, open."""
        pane = self.pane("Sheet")
        chosen = pane.get_by_role("group", name="Characters").get_by_role("button", name=name)
        if chosen.get_attribute("aria-pressed") != "true":
            self.press(chosen)
        return pane.get_by_role("article", name=name)

    def has(self, character: str, item: str, shown: str) -> None:
        """What a sheet says of an item: in words, or as marks that say their number."""
        row = self.sheet(character).locator(".item").filter(has_text=item)
        expect(row.get_by_text(shown, exact=True).or_(row.get_by_label(shown, exact=True)).first).to_be_visible()

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

    # Rolling.

    def gathers_dice(self, who: str, kind: str = "", against: str = "", seen: str = "") -> None:
        """A new roll, up to where its sources are tapped."""
        pane = self.pane("Roll")
        again = pane.get_by_role("button", name="New", exact=True)
        if again.is_visible():
            self.press(again)
        for group, choice in (("Kind of roll", kind), ("Who rolls", who), ("Who sees it", seen)):
            if choice:
                pane.get_by_role("group", name=group).get_by_text(choice, exact=True).click()
        if against:
            self.press(pane.get_by_text("Opponent and helpers"))
            pane.get_by_role("group", name="Against").get_by_text(against, exact=True).click()
        self.press(pane.get_by_role("button", name=re.compile("^(Gather the dice|Ask .* for this roll)$")))
        expect(pane.locator("roll-builder")).to_be_visible()

    def helps(self, roll: str, helper: str) -> None:
        """In a roll that somebody else began, with a character of one's own."""
        self.opens_roll(roll)
        self.press(self.pane("Roll").get_by_role("group", name="Helped by").get_by_role("button", name=helper))

    def chooses(self, name: str) -> None:
        """A switch of the roll."""
        field = self.pane("Roll").locator("roll-builder").get_by_role("switch", name=name)
        with self.acting():
            field.check()

    def opens_roll(self, name: str) -> None:
        """A roll that somebody else began."""
        self.press(self.pane("Roll").locator(".open-rolls").get_by_role("button", name=name))

    def taps(self, source: str, times: int = 1, group: str = "") -> None:
        """A source from the sheet or the scene goes into the roll; one that could help or hinder is in two groups."""
        builder = self.pane("Roll").locator("roll-builder")
        offers = builder.locator(".offers").filter(has_text=group)
        once = offers.locator("button.chip").filter(has=self.page.get_by_text(source, exact=True))
        many = builder.get_by_role("group", name=source, exact=True)
        for time in range(times):
            expect(once.or_(many).first).to_be_visible()
            if once.is_visible():
                self.press(once)
                expect(once).to_have_attribute("aria-pressed", "true")
            else:
                self.press(many.get_by_role("button", name=f"{source}: one more"))
                expect(many.locator(".times")).to_have_text(str(time + 1))

    def sets(self, name: str, value: int) -> None:
        """A number that nobody's sheet says, such as how hard it is."""
        field = self.pane("Roll").locator("roll-builder").get_by_role("spinbutton", name=name)
        field.fill(str(value))
        field.press("Enter")

    @property
    def chances(self) -> Locator:
        """The chart of the roll that is being built."""
        return self.pane("Roll").locator("roll-builder odds-chart .charts")

    def chances_before(self) -> str:
        """What the chart says now; it must say something else after the next tap."""
        expect(self.chances).to_be_visible()
        return self.chances.inner_text()

    def chances_moved(self, before: str) -> None:
        expect(self.chances).not_to_have_text(before, use_inner_text=True)

    def begins(self) -> None:
        """The roll is fixed, and the first dice are somebody else's."""
        with self.acting():
            self.press(self.pane("Roll").locator("throw-dice").get_by_role("button", name="Roll", exact=True))

    def throws(self, faces: str) -> None:
        """Real dice: their faces are typed in."""
        pane = self.pane("Roll")
        field = pane.get_by_label(re.compile("^What your dice show"))
        if not field.is_visible():
            self.press(pane.get_by_role("button", name="I throw real dice"))
        field.fill(faces)
        with self.acting():
            self.press(pane.get_by_role("button", name="Use these dice"))

    def answers(self, option: str, *, words: str = "", faces: str = "") -> None:
        """The choice that the rules leave, by its label; dice that follow at once are real ones, too."""
        form = self.pane("Roll").locator("form.option").filter(has=self.page.get_by_role("button", name=option))
        if words:
            form.get_by_role("textbox").fill(words)
        if faces:
            self.choice.get_by_label("What your next dice show").fill(faces)
        with self.acting():
            self.press(form.get_by_role("button", name=option))

    @contextmanager
    def acting(self) -> Iterator[None]:
        """Something is done, and the server takes it."""
        with self.page.expect_response(re.compile("/actions$")) as answer:
            yield
        assert answer.value.ok, answer.value.text()

    def rolls(self) -> None:
        """The big button; the server throws."""
        with self.acting():
            self.press(self.pane("Roll").locator("roll-builder").get_by_role("button", name="Roll", exact=True))

    def reveals(self) -> None:
        with self.acting():
            self.press(self.pane("Roll").get_by_role("button", name="Reveal to everybody"))

    @property
    def choice(self) -> Locator:
        return self.pane("Roll").locator(".choice")

    # Saying and seeing.

    def writes(self, note: str) -> None:
        pane = self.pane("Log")
        pane.get_by_role("textbox", name="Write a note").fill(note)
        with self.acting():
            self.press(pane.get_by_role("button", name="Send"))

    @property
    def log(self) -> Locator:
        self.pane("Log")
        return self.page.get_by_role("region", name="Log entries")

    def sees(self, text: str) -> Self:
        """It is in the log, and it stands."""
        expect(self.log.locator(".entry:not(.struck)").filter(has_text=text).first).to_be_visible()
        return self

    def sees_undone(self, text: str) -> Self:
        expect(self.log.locator(".entry.struck").filter(has_text=text).first).to_be_visible()
        return self

    @property
    def whole_page(self) -> str:
        """Every word in the page, seen or not, with what is in attributes and inside elements of our own."""
        found: str = self.page.evaluate(WHOLE_PAGE)
        return found

    def does(self, *actions: dict[str, Any]) -> None:
        """The quick way, past the page, for what a test is not about."""
        self.page.evaluate(DO_ALL, actions)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not EXPECTED.match(message.text):
            self.troubles.append(f"{self.name}: {message.text}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self._address, "data:", "blob:")):
            self.troubles.append(f"{self.name}: asked {request.url}")
