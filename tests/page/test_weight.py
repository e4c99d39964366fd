"""The page is small, loads nothing from elsewhere, and its layout does not jump."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.page.chromium import context
from tests.page.group import Gather
from tests.page.seat import Seat
from tests.page.server import Server

MOST_BYTES = 60_000
MOST_FONT_BYTES = 30_000
"""The font comes after the first paint, and is counted apart."""
MOST_SHIFT = 0.02
SEEN = """new MutationObserver(() => {
    if (!window.seenAt && document.querySelector("h1")?.textContent.includes("Bell")) window.seenAt = performance.now();
}).observe(document, {subtree: true, childList: true, characterData: true})"""
"""Notes when the table is seen: what is asked for later is not waited for."""
LOADED = """() => performance.getEntries()
    .filter((one) => one.startTime <= window.seenAt)
    .filter((one) => one.entryType === "navigation" || ["script", "link", "css"].includes(one.initiatorType))
    .map((one) => [new URL(one.name).pathname, one.encodedBodySize])"""
WATCH_SHIFTS = """() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.shifts.push(shift.value);
    }).observe({type: "layout-shift"});
}"""
STILL = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def shift(seat: Seat) -> float:
    """How much of the page jumped, as browsers reckon it, since the watch began."""
    seat.page.evaluate(STILL)
    return float(sum(seat.page.evaluate("window.shifts")))


def test_the_table_page_is_small_and_asks_nobody_else(browser: Browser, server: Server) -> None:
    """What is loaded before a table is seen, as it came over the wire; requests elsewhere are troubles of a seat."""
    made = context(browser)
    page = made.new_page()
    page.add_init_script(SEEN)
    table = {"game": "narraject", "title": "The Drowned Bell", "name": "Mira"}
    path = made.request.post(f"{server.address}/api/tables", data=table).json()["table"]
    seat = Seat(page, "Mira", server.address)
    page.goto(f"{server.address}/t/{path}")
    expect(page.get_by_role("heading", name="The Drowned Bell")).to_be_visible()
    loaded = page.evaluate(LOADED)
    made.close()
    assert {name.rpartition(".")[2] for name, _ in loaded} >= {"js", "css"}
    fonts = [size for name, size in loaded if name.endswith(".woff2")]
    assert sum(size for _, size in loaded) - sum(fonts) < MOST_BYTES, sorted(loaded, key=lambda one: -one[1])
    assert sum(fonts) < MOST_FONT_BYTES, sorted(loaded, key=lambda one: -one[1])
    assert seat.troubles == []


def test_nothing_jumps_when_a_roll_lands(gather: Gather) -> None:
    """For the one who throws, for one who watches the roll, and for one who reads the log on a phone."""
    group = gather("Narraject", phone="Ada", still=False)
    mira, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Ysolde", "template": "Ysolde Marrin"})
    jonas.gathers_dice("Ysolde")
    jonas.sets("Difficulty", 2)
    jonas.taps("Might", 2)
    jonas.chances_before()
    mira.opens_roll("Ysolde")
    ada.pane("Log")
    for seat in group.everybody:
        seat.page.evaluate(WATCH_SHIFTS)
    jonas.throws("6 5 | 4")
    for seat in (mira, jonas):
        expect(seat.page.locator("verdict-card .verdict")).to_be_visible()
    assert {seat.name: shift(seat) for seat in group.everybody if shift(seat) > MOST_SHIFT} == {}
