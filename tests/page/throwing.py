"""The stage from the throw on: dice, verdicts, choices."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.page.stage import Gathering


class Throwing(Gathering):
    """What somebody does with dice, and with what comes of them."""

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
        self.types(faces)

    def types(self, faces: str) -> None:
        """On the pad that is open."""
        pad = self.stage.locator("dice-pad")
        *first, last = re.findall(r"[\w+]+", faces)  # words of symbol dice may stand on several faces
        for face in first:
            self.press(_on_pad(pad, face))
        with self.acting():
            self.press(_on_pad(pad, last))

    def uses_own_dice(self) -> None:
        """From now on this seat types its dice."""
        own = self.stage.get_by_role("button", name="My own dice")
        with self.more(own):
            if own.get_attribute("aria-pressed") != "true":
                self.press(own)

    def opens_pad(self) -> None:
        """The pad for real dice: of a roll that is gathered, or of dice that come next."""
        following = self.stage.get_by_role("button", name=re.compile("Throw (the next|your) dice"))
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
        card = self.stage.locator("verdict-card, next-throw")
        named = re.compile(re.escape(option))
        button = card.get_by_role("button", name=named)
        form = card.locator("form.opt-words").filter(has=self.page.get_by_role("button", name=named))
        if words:
            if not form.count():
                self.press(button.last)
            form.get_by_role("textbox").fill(words)
        if faces:
            self.press(button.last)
            self.types(faces)
            return
        with self.acting():
            self.press(button.last)

    def rolls(self) -> None:
        """The big button, or the small one of a folded tray; the server throws."""
        folded = self.page.locator(".stage .fold .roll")
        button = folded if folded.is_visible() else self.roll_button
        expect(button).to_be_enabled()
        with self.acting():
            self.press(button)

    def tells(self, words: str) -> None:
        """Words that the rules ask for after a roll."""
        form = self.stage.locator("verdict-card form.opt-words").last
        form.get_by_role("textbox").fill(words)
        with self.acting():
            self.press(form.get_by_role("button", name="Tell it"))

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


def _on_pad(pad: Locator, face: str) -> Locator:
    """The button of a face, or of a card, which also says how many are left."""
    named = re.compile(f"^{re.escape(face)}( × \\d+)?$")
    return pad.locator(".pad").get_by_role("button", name=named).first
