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

CALLED = {"Difficulty": "How hard?", "DC": "How hard?", "d6": "More dice", "Theirs": "Their dice"}
"""What inputs are called on the page."""

DO_ALL = """async (actions) => {
    const address = `/api/tables/${location.pathname.split("/")[2]}/actions`;
    for (const [n, action] of actions.entries()) {
        if (n >= 40) await new Promise((wake) => setTimeout(wake, 110)); // the server limits how fast a seat acts
        const headers = {"Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID()};
        const answer = await fetch(address, {method: "POST", headers, body: JSON.stringify(action)});
        if (!answer.ok) throw new Error(await answer.text());
    }
}"""


def called(name: str) -> re.Pattern[str]:
    """An input by its own name, or by what it is called."""
    return re.compile(f"^({name}|{re.escape(CALLED.get(name, name))})$", re.IGNORECASE)


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

    @property
    def is_gm(self) -> bool:
        return self.page.locator(".side [role=tab]").filter(has_text="Foes").count() > 0

    def pane(self, tab: str) -> Locator:
        """A part of the table, brought into view: by its tab on a phone, where it always is at a desk."""
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
        expect(pane.locator("scene-pane > *" if tab == "Table" else "sheet-pane > *").first).to_be_visible()
        return pane

    @property
    def stage(self) -> Locator:
        """The felt in the middle; on a phone it makes room for the log, and comes back."""
        stage = self.page.locator(".stage")
        back = stage.get_by_role("button", name="Back to the roll")
        if self.phone and self.page.locator(".app[data-tab=log]").count():
            self.press(self.page.get_by_role("navigation").get_by_role("button").first)
        unfold = stage.get_by_role("button", name="Unfold the tray")
        for folded in (back, unfold):
            if folded.is_visible():
                self.press(folded)
        expect(stage).to_be_visible()
        return stage

    # Characters and Clocks.

    def makes_character(self, name: str, template: str) -> None:
        self.press(self.pane("Sheet").get_by_role("button", name="New character"))
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
            self.press(self.page.get_by_role("tab", name=re.compile("^Party")))
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

    # Rolling.

    def clears_stage(self) -> None:
        """A card that still lies there goes into the log."""
        done = self.stage.get_by_role("button", name="Done", exact=True)
        while done.is_visible():
            self.press(done)

    def gathers_dice(self, who: str, kind: str = "", against: str = "", seen: str = "") -> None:
        """A new roll, up to where things are tapped."""
        self.clears_stage()
        self.press(self.stage.get_by_role("button", name="New roll", exact=True))
        form = self.stage.locator("new-roll form")
        for group, choice in (("Who rolls", who), ("Kind of roll", kind), ("Who sees it", seen)):
            option = form.get_by_role("group", name=group).get_by_role("button", name=choice, exact=True)
            if choice and option.get_attribute("aria-pressed") != "true":
                self.press(option)
        with self.acting():
            self.press(form.get_by_role("button", name="Gather the dice"))
        expect(self.stage.locator("roll-tray .tray")).to_be_visible()
        if against:
            self.opposes(against)

    def opposes(self, name: str) -> None:
        """The other side, by a tap on its face."""
        faces = self.stage.get_by_role("group", name="Against")
        with self.more(faces), self.acting():
            self.press(faces.get_by_role("button", name=name, exact=True))

    @contextmanager
    def more(self, wanted: Locator) -> Iterator[None]:
        """Something of a roll that may be behind More."""
        hidden = not wanted.first.is_visible()
        if hidden:
            self.press(self.stage.get_by_role("button", name=re.compile("^More:")))
            expect(wanted.first).to_be_visible()
        yield
        if hidden:
            self.press(self.stage.get_by_role("button", name="Back to the tray"))

    def helps(self, roll: str, helper: str) -> None:
        """In a roll that somebody else began, with a character of one's own."""
        self.opens_roll(roll)
        with self.acting():
            self.press(self.stage.get_by_role("group", name="Helped by").get_by_role("button", name=helper))

    def chooses(self, name: str) -> None:
        """A switch of the roll."""
        field = self.stage.get_by_role("switch", name=name)
        with self.more(field), self.acting():
            field.check()

    def opens_roll(self, name: str) -> None:
        """A roll that somebody else began: it lies on the stage by itself, or at its edge."""
        shown = self.stage.locator(".thrown-head, .verdict, .verdict-line, .half, .tray").filter(has_text=name)
        edge = self.stage.locator(".edge-chip, .strip").filter(has_text=name)
        expect(shown.or_(edge).first).to_be_visible()
        if not shown.first.is_visible():
            self.press(edge.first)

    def taps(self, source: str, times: int = 1, *, group: str = "", whose: str = "") -> None:
        """Something on a sheet or in the scene goes into the roll; one that could help or hinder is in two groups."""
        if whose:
            self.sheet(whose)
        side = self.page.locator(".side") if whose or self.on_sheet() else self.pane("Sheet")
        part = side.get_by_role("region", name=group) if group else side
        named = re.compile(rf"^[\d/ ]*{re.escape(source)}(\s|$)")
        item = part.get_by_role("button", name=named).and_(self.page.locator("[aria-pressed]")).last
        if not item.is_visible():
            self.press(side.get_by_text(re.compile("more, without dots")).first)
        for time in range(times):
            with self.acting():
                self.press(item)
            expect(item).to_have_attribute("aria-pressed", "true")
            if time:
                expect(item).to_contain_text(f"{time + 1} in the roll")

    def on_sheet(self) -> bool:
        """Whether a sheet is open already."""
        return self.page.locator(".side character-sheet > *").first.is_visible()

    def sets(self, name: str, value: int) -> None:
        """A number that nobody's sheet says, such as how hard it is: a named step, or a field."""
        step = self.stage.locator(".steps").filter(has=self.page.get_by_role("button")).get_by_role("button")
        named = step.filter(has=self.page.get_by_text(str(value), exact=True))
        target = self.stage.locator(".tray .steps")
        if CALLED.get(name) == "How hard?" and target.is_visible() and named.count():
            with self.acting():
                self.press(named.first)
            return
        field = self.stage.get_by_role("spinbutton", name=called(name))
        with self.more(field):
            if field.input_value() != str(value):
                with self.acting():
                    field.fill(str(value))
                    field.press("Enter")

    def hides(self, name: str) -> None:
        """An input, from the players."""
        words = called(name).pattern.removeprefix("^").removesuffix("$")
        hide = self.stage.get_by_role("button", name=re.compile(f"^Hide {words} from players$"))
        with self.more(hide), self.acting():
            self.press(hide.first)

    @property
    def chances(self) -> Locator:
        """The line with the chance of the roll that is being gathered."""
        return self.stage.locator(".line.chance")

    def chances_before(self) -> str:
        """What the line says now; it must say something else after the next tap."""
        expect(self.chances).to_contain_text("%")
        return self.chances.inner_text()

    def chances_moved(self, before: str) -> None:
        expect(self.chances).not_to_have_text(before, use_inner_text=True)

    @property
    def roll_button(self) -> Locator:
        return self.stage.locator(".throw-row .roll")

    def begins(self) -> None:
        """The roll is fixed, and the first dice are somebody else's."""
        with self.acting():
            self.press(self.roll_button)

    def throws(self, faces: str) -> None:
        """Real dice: their faces are tapped, one after the other."""
        self.opens_pad()
        pad = self.stage.locator("dice-pad")
        *first, last = re.findall(r"\d+", faces)
        for face in first:
            self.press(pad.locator(".pad").get_by_role("button", name=face, exact=True))
        with self.acting():
            self.press(pad.locator(".pad").get_by_role("button", name=last, exact=True))

    def uses_own_dice(self) -> None:
        """From now on this seat types its dice."""
        own = self.stage.get_by_role("button", name="My own dice")
        with self.more(own):
            if own.get_attribute("aria-pressed") != "true":
                self.press(own)

    def opens_pad(self) -> None:
        """The pad for real dice: of a roll that is gathered, or of dice that come next."""
        following = self.stage.get_by_role("button", name="Throw the next dice")
        expect(self.roll_button.or_(following).first).to_be_visible()
        if following.is_visible():
            self.page.evaluate("localStorage.setItem('astragal.typed', 'true')")
            self.press(following)
        else:
            self.uses_own_dice()
            self.press(self.roll_button)
        expect(self.stage.locator("dice-pad .pad")).to_be_visible()

    def answers(self, option: str, *, words: str = "", faces: str = "") -> None:
        """The choice that the rules leave, by its label; dice that follow at once are real ones, too."""
        card = self.stage.locator("verdict-card")
        named = re.compile(re.escape(option))
        button = card.get_by_role("button", name=named)
        form = card.locator("form.opt-words").filter(has=self.page.get_by_role("button", name=named))
        if words:
            form.get_by_role("textbox").fill(words)
        if faces:
            card.get_by_label("What your next dice show").fill(faces)
        with self.acting():
            self.press(button.last)

    @contextmanager
    def acting(self) -> Iterator[None]:
        """Something is done, and the server takes it."""
        with self.page.expect_response(re.compile("/actions$")) as answer:
            yield
        assert answer.value.ok, answer.value.text()

    def rolls(self) -> None:
        """The big button; the server throws."""
        expect(self.roll_button).to_be_enabled()
        with self.acting():
            self.press(self.roll_button)

    def reveals(self) -> None:
        with self.acting():
            self.press(self.stage.get_by_role("button", name=re.compile("^(Show everybody|Lift the cup)$")))

    @property
    def verdict(self) -> Locator:
        """What the card on the stage says, once the dice lie still."""
        return self.stage.locator(".verdict, .verdict-line")

    @property
    def choice(self) -> Locator:
        return self.stage.locator(".choice, .verdict-line")

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
