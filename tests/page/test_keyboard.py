"""Without a mouse, and without eyes: everything can be done by keys, and what happens is said."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.chromium import context
from tests.page.group import Gather
from tests.page.seat import Seat
from tests.page.server import Server

MOST_STEPS = 120
FOCUS = """() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    if (!at || at === document.body) return null;
    const shown = [at, at.closest("label")].some((one) => {
        const style = one && getComputedStyle(one);
        return style && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
    });
    const label = at.getAttribute("aria-label") ?? at.labels?.[0]?.innerText ?? at.innerText;
    return {name: label.trim(), shown, inDialog: at.closest("dialog") !== null};
}"""


def focus(page: Page) -> tuple[str, bool, bool]:
    """What has the focus, whether one can see that, and whether it is in a dialog. It is never lost."""
    found = page.evaluate(FOCUS)
    assert found is not None, "The focus is lost."
    return found["name"], found["shown"], found["inDialog"]


def tab_to(page: Page, name: str, *, whole: bool = False) -> None:
    """Tab on until something of that name has the focus; every step on the way can be seen."""
    passed = []
    for _ in range(MOST_STEPS):
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUS)
        if at is None:
            continue  # round the end, by the browser's own buttons
        found, shown = at["name"], at["shown"]
        assert shown, f"The focus cannot be seen on {found!r}."
        if found == name if whole else any(line.startswith(name) for line in found.split("\n")):
            return
        passed.append(found)
    raise AssertionError(f"{name} is not reached by Tab: {passed}")


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    page = context(browser).new_page()
    seat = Seat(page, "Mira", server.address)
    page.goto(server.address)
    yield page
    page.context.close()
    assert seat.troubles == []


def test_a_table_is_made_and_a_roll_made_and_answered_by_keys_alone(page: Page) -> None:
    """CD-10: a plain failure leaves a choice, and Enter answers it."""
    keys = page.keyboard
    expect(page.get_by_role("radio").first).to_be_attached()
    tab_to(page, "Narraject")
    while "Chronicles" not in focus(page)[0]:
        keys.press("ArrowDown")
    tab_to(page, "Your name")
    keys.type("Mira")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="The table is yours, Mira.")).to_be_visible()

    tab_to(page, "Foes")
    keys.press("Enter")
    tab_to(page, "New character")
    keys.press("Enter")
    expect(page.get_by_role("dialog", name="New character")).to_be_visible()
    tab_to(page, "Name")
    keys.type("Inez")
    tab_to(page, "A blank sheet")
    keys.press("ArrowDown")
    keys.press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    sheet = page.get_by_role("article", name="Inez")
    expect(sheet).to_be_visible()
    expect(page.locator(":focus")).to_have_accessible_name("New character")

    for source in ("Wits", "Investigation"):
        tab_to(page, source)
        keys.press("Space")
        expect(sheet.get_by_role("button", name=re.compile(f"^{source}"))).to_have_attribute("aria-pressed", "true")
    back = page.locator(".stage").get_by_role("button", name="Back", exact=True)
    tab_to(page, "More: opponent")
    keys.press("Enter")
    expect(back).to_be_focused()
    tab_to(page, "My own dice")
    keys.press("Enter")
    tab_to(page, "Back to the tray")
    keys.press("Enter")
    expect(page.get_by_role("button", name="Type your dice")).to_be_focused()
    keys.press("Enter")
    expect(back).to_be_focused()
    for face in (7, 6, 5, 4, 3):
        tab_to(page, str(face), whole=True)
        keys.press("Enter")
    card = page.locator("verdict-card article")
    expect(card).to_be_visible()
    tab_to(page, "Keep the failure")
    keys.press("Enter")
    expect(page.locator(".choice")).to_be_hidden()
    expect(page.locator(".log .ent")).to_contain_text("Failure")
    expect(card).to_be_focused()


def test_single_keys_go_places_and_are_listed_on_a_question_mark(gather: Gather) -> None:
    mira = gather("Narraject", alone=True).gm
    page, keys = mira.page, mira.page.keyboard
    keys.press("2")
    expect(page.locator(".stage")).to_be_focused()
    keys.press("?")
    expect(mira.dialog("Keys")).to_contain_text("write a note into the log")
    keys.press("Escape")
    expect(page.locator(".stage")).to_be_focused()

    keys.press("/")
    keys.type("u is a letter here, and 1 a number")
    keys.press("Enter")
    mira.sees("u is a letter here, and 1 a number")
    keys.press("Tab")
    keys.press("1")
    keys.press("u")
    mira.sees_undone("u is a letter here, and 1 a number")
    keys.press("m")
    expect(mira.dialog("Menu")).to_be_visible()
    mira.dialog("Menu").get_by_label("Shortcuts with one key").uncheck()
    keys.press("Escape")
    keys.press("p")
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_r_goes_to_the_roll_and_then_throws_the_dice(gather: Gather) -> None:
    mira = gather("Razorweave", alone=True).gm
    mira.does({"do": "create", "name": "Kira", "template": "Kira Voss"})
    mira.gathers_dice("Kira")
    mira.sets("DC", 14)
    mira.pane("Table")
    mira.page.keyboard.press("r")
    expect(mira.page.locator(".stage")).to_be_focused()
    mira.page.keyboard.press("r")
    expect(mira.page.locator("verdict-card .verdict")).to_contain_text("against 14")


def test_a_dialog_keeps_the_focus_and_gives_it_back(gather: Gather) -> None:
    mira = gather("Narraject", alone=True).gm
    mira.pane("Sheet")
    for opener, title in (("Menu", "Menu"), ("People: 1 here", "People and links"), ("New character", "New character")):
        button = mira.page.locator(".bar, .side").get_by_role("button", name=opener)
        button.focus()
        mira.page.keyboard.press("Enter")
        expect(mira.dialog(title)).to_be_visible()
        for _ in range(25):
            mira.page.keyboard.press("Tab")
            assert mira.page.evaluate(FOCUS) is None or focus(mira.page)[2]
        mira.page.keyboard.press("Escape")
        expect(mira.dialog(title)).to_be_hidden()
        expect(button).to_be_focused()


def test_a_roll_is_said_to_those_who_do_not_see_it(gather: Gather) -> None:
    mira, jonas, ada = gather("Narraject", phone="Ada").everybody
    jonas.does({"do": "create", "name": "Ysolde", "template": "Ysolde Marrin"})
    jonas.gathers_dice("Ysolde")
    jonas.sets("Difficulty", 2)
    jonas.taps("Might", 2)
    jonas.throws("6 5 | 4")
    for seat in (mira, jonas, ada):
        said = seat.page.locator("[role=status][aria-live=polite]")
        expect(said).to_contain_text("Jonas: Dice: 6, 5, 4 (typed by Jonas).")
        expect(said).to_contain_text("Success")
