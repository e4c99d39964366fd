"""The smallest phones: a GM who runs everything from one, and a player on 320 pixels."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.page.axe import sideways, small_targets
from tests.page.group import Gather
from tests.page.seat import Seat

SMALL: ViewportSize = {"width": 320, "height": 568}
COVERED = """(what) => [...document.querySelectorAll(what)].filter((one) => {
    one.scrollIntoView({block: "center"});
    const box = one.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return !one.contains(top) && !top?.contains(one);
}).map((one) => one.innerText)"""
"""Controls that something else lies upon even where they are scrolled into view."""
STEPS = """() => {
    const steps = [...document.querySelectorAll(".tray .steps > button:not(.hider)")];
    const tops = steps.map((one) => Math.round(one.getBoundingClientRect().top));
    return [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
}"""
"""How many steps of the difficulty stand in each row."""
BROKEN = """(what) => [...document.querySelectorAll(what)]
    .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.innerText)"""
"""Words that are wider than what they stand in."""


def fits(page: Page, what: str) -> None:
    """Nothing is wider than the screen, covered, cut off or too small for a thumb."""
    assert [*sideways(page), *page.evaluate(COVERED, what), *page.evaluate(BROKEN, what), *small_targets(page)] == []


def test_the_steps_of_a_difficulty_stand_in_even_rows_above_the_button(gather: Gather) -> None:
    """Five and six steps, on a usual and the smallest phone: none is alone in its row, and the button covers none."""
    for game, template, tap, wide, small in (
        ("Narraject", "Tobren Quill", "Wits", [5], [3, 2]),
        ("Razorweave", "Dex Harrow", "Reason", [3, 3], [3, 3]),
    ):
        group = gather(game, phone="Ada", alone=True)
        ada = group.joins("Ada")
        ada.does({"do": "create", "name": "Tobren", "template": template})
        ada.taps(tap)
        expect(ada.stage.locator(".tray .steps")).to_be_visible()
        assert ada.page.evaluate(STEPS) == wide
        ada.page.set_viewport_size(SMALL)
        assert ada.page.evaluate(STEPS) == small
        fits(ada.page, ".steps button, .throw-row button")


def test_a_folded_tray_is_two_lines_at_most_on_a_low_phone(gather: Gather) -> None:
    """Its pool in words, the chance and the button; a chance goes with what the roll lacks (P-21)."""
    group = gather("Chronicles", phone="Ada")
    jonas, ada = group.jonas, group.ada
    ada.page.set_viewport_size({"width": 360, "height": 640})
    jonas.does({"do": "create", "name": "Teodor", "template": "Teodor Lisk"})
    ada.does({"do": "create", "name": "Inez", "template": "Inez Calloway"})
    ada.does({"do": "open", "who": "Inez", "kind": "attempt"})
    ada.taps("Wits")
    ada.taps("Investigation")
    jonas.helps("Inez", "Teodor")
    if ada.button("Fold the tray").is_visible():  # it folds by itself where a tap had to scroll
        ada.press(ada.button("Fold the tray"))
    fold = ada.page.locator(".stage .fold")
    expect(fold).to_contain_text("1 helper first")
    expect(fold).to_contain_text("%")
    assert fold.evaluate("one => one.offsetHeight") <= 70
    ada.does({"do": "build", "use": {"Wits": 0}})
    expect(fold).not_to_contain_text("%")


def knocks(browser_page: Page, address: str, code: str) -> None:
    browser_page.goto(f"{address}/join")
    browser_page.get_by_label("The code").fill(code)
    browser_page.get_by_role("button", name="Next").tap()
    browser_page.get_by_label("What is your name?").fill("Nina")
    browser_page.get_by_role("button", name="Knock").tap()


def test_a_roll_with_two_helpers_and_a_third_who_finds_no_room_on_320_pixels(gather: Gather) -> None:
    """A third helper is offered nothing (NJ-5); IP that the GM gives during a roll can be spent in it (NJ-13)."""
    group = gather("Narraject", phone="Ada")
    mira, jonas, ada = group.everybody
    kim, lou = group.joins("Kim"), group.joins("Lou")
    ada.page.set_viewport_size(SMALL)
    seats = {"Tobren": ada, "Ysolde": jonas, "Pell": kim, "Wren": lou}
    for name, seat in seats.items():
        seat.does({"do": "create", "name": name, "template": "Tobren Quill"})
    ada.taps("Wits")
    ada.sets("Difficulty", 3)
    fits(ada.page, ".steps button, .throw-row button")
    for helper, seat in (("Ysolde", jonas), ("Pell", kim)):
        expect(lou.stage.get_by_role("button", name="Help as Wren")).to_be_visible()
        seat.press(seat.stage.get_by_role("button", name=f"Help as {helper}"))
        with seat.acting():
            seat.press(seat.stage.get_by_role("group", name="What you help with").get_by_role("button", name="Wits"))
    expect(lou.stage).to_contain_text("Pell's Wits 1")
    expect(lou.stage.get_by_role("button", name="Help as Wren")).to_have_count(0)

    ada.throws("5 4 2 | 1")
    expect(ada.choice).to_contain_text("2 IP held")
    mira.does({"do": "move", "name": "give_ip", "who": "Tobren", "inputs": {"ip": 1, "why": "the song"}})
    expect(ada.choice).to_contain_text("3 IP held")
    fits(ada.page, ".opt, .vfoot > button")
    ada.answers("Succeed at a cost")
    group.all_see(("Tobren", "Partial success"))
    for tab in ("Sheet", "Table", "Log"):
        ada.pane(tab)
        assert sideways(ada.page) == []


def quick_pool(mira: Seat) -> Locator:
    """In secret, for somebody without a sheet: what a GM's form begins with if there is no foe."""
    mira.press(mira.stage.get_by_role("button", name="Roll in secret"))
    form = mira.stage.locator("new-roll form")
    expect(form.get_by_role("button", name="Quick pool, no character")).to_have_attribute("aria-pressed", "true")
    return form


def test_the_gm_runs_the_table_from_a_phone(gather: Gather) -> None:
    """A quick pool in secret, a Clock, a turn order and somebody who knocks; players see what is theirs to see."""
    group = gather("Razorweave", phone="Mira")
    mira, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Kira", "template": "Kira Voss"})
    ada.does({"do": "create", "name": "Dex", "template": "Dex Harrow"})
    form = quick_pool(mira)
    form.get_by_label("Who is it?").fill("Two guards")
    with mira.acting():
        mira.press(form.get_by_role("button", name="Gather the dice"))
    fits(mira.page, ".steps button, .throw-row button")
    mira.sets("DC", 14)
    mira.throws("6 6 5 4")
    expect(mira.verdict).to_contain_text("Two guards acts")
    assert "Two guards" not in jonas.whole_page
    mira.clears_stage()

    mira.starts_clock("The bell rings", 4)
    mira.ticks("The bell rings")
    expect(jonas.page.locator(".stage")).to_contain_text("1 of 4")
    mira.press(mira.pane("Table").get_by_role("button", name="Start a turn order"))
    expect(jonas.stage.get_by_role("list", name="Turn order")).to_contain_text("Kira")

    mira.press(mira.page.get_by_role("button", name=re.compile("^People")).first)
    mira.press(mira.button("Show a code"))
    code = mira.page.locator(".join-code .code-words")
    expect(code).not_to_be_empty()
    nina = mira.page.context.browser.new_context(has_touch=True) if mira.page.context.browser else None
    assert nina
    page = nina.new_page()
    knocks(page, mira.page.url.split("/t/")[0], code.inner_text())
    mira.press(mira.dialog("People and links").locator(".knock").get_by_role("button", name="Let in"))
    expect(page.get_by_role("heading", name="Who will you play?")).to_be_visible()
    expect(page.get_by_role("button", name="Make my own")).to_be_visible()
    nina.close()
