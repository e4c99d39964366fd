"""A long evening: the page holds and draws no more of the log than somebody reads."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.page.group import Gather, Group
from tests.page.seat import Seat

MOST_CARDS = 200
"""The latest entries that are held, and one page more that may wait to be let go."""
MOST_READ = 350
"""The same, with what somebody reads further up."""
BURST = 38
"""Actions that the server takes at once from one seat."""
COUNT_DRAWN = """() => {
    const told = Date.prototype.toISOString;
    window.drawn = 0;
    Date.prototype.toISOString = function () { window.drawn += 1; return told.call(this); };
}"""
"""Every card of a roll that is drawn says when it was; nothing else on the page does so."""
PLACE = """(card) => Math.round(card.getBoundingClientRect().top)"""
TO_TOP = "(list) => list.scrollTo({top: 0})"
DOWN_A_LITTLE = """async (list) => {
    list.scrollBy({top: 50});
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}"""


def notes(seat: Seat, first: int, n: int) -> None:
    """Many notes from one seat, each a card of its own."""
    seat.does(*({"do": "note", "text": f"note {each} of the evening"} for each in range(first, first + n)))


def cards(seat: Seat) -> Locator:
    return seat.page.locator("log-pane .entry")


def shows(seat: Seat, n: int) -> Locator:
    return cards(seat).filter(has_text=re.compile(rf"note {n} of"))


def long_evening(group: Group, n: int) -> None:
    """The seats write so many notes, in turns."""
    for first in range(1, n + 1, BURST):
        seat = group.everybody[first // BURST % len(group.everybody)]
        notes(seat, first, min(BURST, n + 1 - first))


def read_list(seat: Seat) -> Locator:
    """The list as it is; the tab of a phone leads to its end."""
    return seat.page.locator(".log-list")


def scrolls_back_to(seat: Seat, wanted: int) -> None:
    """To the top of what is loaded, again and again, until something old is there."""

    def scroll() -> None:
        read_list(seat).evaluate(DOWN_A_LITTLE)
        read_list(seat).evaluate(TO_TOP)

    seat.until(lambda: shows(seat, wanted).count() > 0, scroll)


def announced(page: Page) -> str:
    return page.locator(".announcer").inner_text()


def test_the_page_of_a_long_evening_stays_as_small_as_that_of_a_short_one(gather: Gather) -> None:
    group = gather("Narraject", phone="Ada")
    ada = group.ada
    long_evening(group, 400)
    expect(shows(group.gm, 400)).to_be_visible()
    for seat in (group.gm, group.jonas):
        assert cards(seat).count() <= MOST_CARDS
    # On a phone as well, and what was let go comes back to whoever scrolls.
    expect(ada.log).to_be_visible()
    assert cards(ada).count() <= MOST_CARDS
    scrolls_back_to(ada, 1)
    assert cards(ada).count() <= MOST_READ
    # What happens meanwhile is not drawn there, and is one tap away.
    notes(group.gm, 401, 1)
    expect(shows(group.gm, 401)).to_be_visible()
    expect(shows(ada, 401)).to_have_count(0)
    ada.press(ada.button("To the newest"))
    expect(shows(ada, 401)).to_be_in_viewport()
    assert cards(ada).count() <= MOST_CARDS


def test_one_more_entry_draws_one_card(gather: Gather) -> None:
    group = gather("Narraject")
    gm, jonas = group.gm, group.jonas
    jonas.does({"do": "create", "name": "Ysolde", "template": "Ysolde Marrin"})
    roll = {"do": "roll", "who": "Ysolde", "inputs": {"d6": 2, "step": 10, "difficulty": 1}, "answers": ["settle"]}
    roll["faces"] = "6 5 | 4"
    jonas.does(*[roll] * 12)
    expect(gm.log.locator("article.ent")).to_have_count(12)
    gm.page.evaluate(COUNT_DRAWN)
    notes(jonas, 1, 3)
    expect(shows(gm, 3)).to_be_visible()
    assert gm.page.evaluate("window.drawn") == 0
    jonas.does(roll)
    expect(gm.log.locator("article.ent")).to_have_count(13)
    expect(gm.log.locator("article.ent .tier").last).not_to_be_empty()
    assert 0 < gm.page.evaluate("window.drawn") <= 4


def test_what_is_read_keeps_its_place_and_shows_what_is_undone(gather: Gather) -> None:
    group = gather("Narraject")
    gm, jonas = group.gm, group.jonas
    long_evening(group, 120)
    expect(shows(jonas, 120)).to_be_visible()
    jonas.page.reload()  # the last fifty are loaded
    expect(shows(jonas, 120)).to_be_in_viewport()
    assert cards(jonas).count() <= 50
    read_list(jonas).evaluate(TO_TOP)  # the page before them is loaded at once
    expect(shows(jonas, 30)).to_have_count(1)
    expect(shows(jonas, 71)).to_be_in_viewport()
    scrolls_back_to(jonas, 1)
    read = shows(jonas, 3)
    read.scroll_into_view_if_needed()
    before = read.evaluate(PLACE)
    # Others go on, and one of them takes back what is being read: it is struck where it stands.
    notes(gm, 121, 5)
    gm_notes = gm.page.request.get(f"{gm.page.url.replace('/t/', '/api/tables/')}/log?before=60&limit=60").json()
    entry = next(one["id"] for one in gm_notes["entries"] if "note 3 of" in one["lines"][0]["text"])
    gm.does({"do": "undo", "entry": entry})
    expect(jonas.page.locator("log-pane .entry.struck").filter(has_text="note 3 of")).to_be_visible()
    assert abs(read.evaluate(PLACE) - before) <= 2
    assert "note" not in announced(jonas.page)  # older ones are not read out
