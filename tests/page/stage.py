"""The stage as somebody gathers dice on it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, expect

from tests.page.place import PRESS
from tests.page.sheets import Sheets

CALLED = {"Difficulty": "How hard?", "DC": "How hard?", "d6": "Dice (d6)", "Theirs": "Their dice"}
"""What inputs are called on the page."""


def called(name: str) -> re.Pattern[str]:
    """An input by its own name, or by what it is called."""
    return re.compile(f"^({name}|{re.escape(CALLED.get(name, name))})$", re.IGNORECASE)


class Gathering(Sheets):
    """What somebody puts into a roll."""

    @property
    def stage(self) -> Locator:
        """The felt in the middle; on a phone it makes room for the log, and comes back."""
        stage = self.page.locator(".stage")
        log = self.page.locator(".app[data-tab=log]")
        if self.phone and log.count():
            self.press(self.page.get_by_role("navigation").get_by_role("button").first)
            expect(log).to_have_count(0)
        for folded in ("Back to the roll", "Unfold the tray"):
            self.press_away(stage.get_by_role("button", name=folded))
        expect(stage).to_be_visible()
        return stage

    def clears_stage(self) -> None:
        """A card that still lies there goes into the log, as soon as its dice have fallen."""
        expect(self.stage.locator("throw-view")).to_have_count(0)
        self.press_away(self.stage.get_by_role("button", name="Done", exact=True))

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

    def asks(self, about: str, step: str = "") -> None:
        """Everybody who plays, for a roll."""
        self.clears_stage()
        self.press(self.stage.get_by_role("button", name="Ask for a roll", exact=True))
        form = self.stage.locator("new-roll form")
        form.get_by_label("What is it about?").fill(about)
        if step:
            self.press(form.get_by_role("group", name="How hard?").get_by_role("button", name=step))
        with self.acting():
            self.press(form.get_by_role("button", name="Ask", exact=True))

    @property
    def request(self) -> Locator:
        """What the GM asks of this seat; it stands above every tab."""
        return self.page.get_by_role("alertdialog")

    def waiting(self, character: str) -> Locator:
        """How far somebody is who was asked."""
        return self.stage.locator(".wait-list li").filter(has_text=character)

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
            self.opens_more()
            expect(wanted.first).to_be_visible()
        yield
        if hidden:
            self.press(self.stage.get_by_role("button", name="Back to the tray"))

    def opens_more(self) -> None:
        """Everything that is behind More, unfolded."""
        self.press(self.stage.get_by_role("button", name=re.compile("^More:")))
        expect(self.stage.locator("more-view .more-list")).to_be_visible()
        for fold in self.stage.locator(".more-fold:not([open]) > summary").all()[::-1]:
            self.press(fold)

    def helps(self, roll: str, helper: str) -> None:
        """In a roll that somebody else began, with a character of one's own."""
        self.opens_roll(roll)
        with self.acting():
            self.press(self.stage.get_by_role("group", name="Helped by", exact=True).get_by_role("button", name=helper))

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
        self.until(shown.first.is_visible, lambda: edge.evaluate_all(PRESS))  # or it comes to the stage by itself

    def taps(self, source: str, times: int = 1, *, group: str = "", whose: str = "") -> None:
        """Something on a sheet or in the scene goes into the roll; one that could help or hinder is in two groups."""
        if self.phone:
            self.clears_stage()
        if whose:
            self.sheet(whose)
        side = self.page.locator(".side") if whose or self.on_sheet() else self.pane("Sheet")
        part = side.get_by_role("region", name=group) if group else side
        named = re.compile(rf"^[\d/ ]*{re.escape(source)}(\s|$)")
        item = part.get_by_role("button", name=named).and_(self.page.locator("[aria-pressed]")).last
        folded = side.get_by_text(re.compile("more, without dots")).first
        expect(item.or_(folded).first).to_be_visible()  # offers come with the roll, a moment after it was opened
        if not item.is_visible():
            self.press(folded)
        for time in range(times):
            with self.acting():
                self.press(item)
            expect(item).to_have_attribute("aria-pressed", "true")
            if time:
                expect(item).to_contain_text(f"{time + 1} in the roll")

    def on_sheet(self) -> bool:
        """Whether a sheet is open already."""
        return self.page.locator(".side character-sheet > *").first.is_visible()

    def picks(self, title: str, step: str) -> None:
        """A named step of the roll."""
        steps = self.stage.get_by_role("group", name=title)
        with self.acting():
            self.press(steps.get_by_role("button", name=step))

    def sets(self, name: str, value: int) -> None:
        """A number that nobody's sheet says, such as how hard it is: a named step, or a field."""
        step = self.stage.locator(".steps").filter(has=self.page.get_by_role("button")).get_by_role("button")
        named = step.filter(has=self.page.get_by_text(str(value), exact=True))
        target = self.stage.locator(".tray .steps")
        expect(self.stage.locator(".tray")).to_be_visible()
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

    def replies(self, question: str, words: str) -> None:
        """In the tray, to what the rules ask before a roll."""
        field = self.stage.locator(".tray").get_by_role("textbox", name=question)
        with self.acting():
            field.fill(words)
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
