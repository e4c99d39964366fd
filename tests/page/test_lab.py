"""The odds lab: a question in the address, answered by charts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.page.chromium import context
from tests.page.house import House
from tests.page.seat import Seat

QUESTION = "/lab?game=razorweave&roll=check&dc=16&attribute=2"


@pytest.fixture
def visit(browser: Browser, house: House) -> Iterator[Callable[[str], Page]]:
    """A page of the lab, on a desk; afterwards nothing may have gone wrong in it."""
    seats: list[Seat] = []

    def visited(path: str) -> Page:
        page = context(browser, permissions=["clipboard-read", "clipboard-write"]).new_page()
        seats.append(Seat(page, "Somebody", house.address))
        page.goto(house.address + path)
        expect(chart(page)).to_contain_text("%")
        return page

    yield visited
    for seat in seats:
        seat.page.context.close()
    assert [trouble for seat in seats for trouble in seat.troubles] == []


def chart(page: Page) -> Locator:
    return page.locator("odds-lab odds-chart .charts").first


def dc(page: Page) -> Locator:
    return page.get_by_role("spinbutton", name="DC", exact=True)


def told(page: Page) -> str:
    return chart(page).inner_text()


def test_changing_an_input_changes_the_chart_and_the_address(visit: Callable[[str], Page]) -> None:
    """RW-5, RW-6: with a DC of 18 a full success is rarer than with 16."""
    page = visit(QUESTION)
    before = told(page)
    dc(page).fill("18")
    expect(chart(page)).not_to_have_text(before, use_inner_text=True)
    expect(page).to_have_url(re.compile("dc=18"))


def test_a_shared_link_asks_the_same_question(visit: Callable[[str], Page]) -> None:
    page = visit(QUESTION)
    dc(page).fill("19")
    expect(page).to_have_url(re.compile("dc=19"))
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    expect(page.locator("odds-lab .headlines")).to_contain_text("19")
    friend = visit("/lab" + link.partition("/lab")[2])
    expect(chart(friend)).to_have_text(told(page), use_inner_text=True)
    expect(dc(friend)).to_have_value("19")


def test_two_questions_stand_side_by_side(visit: Callable[[str], Page]) -> None:
    page = visit(QUESTION)
    page.get_by_role("button", name="Compare").click()
    dc(page).fill("20")
    expect(page).to_have_url(re.compile(r"b\.dc=20"))
    expect(page.locator("odds-lab .headlines li")).to_have_count(2)
    expect(chart(page)).to_contain_text("−")
    page.get_by_role("button", name="Stop comparing").click()
    expect(page.locator("odds-lab .headlines li")).to_have_count(1)


def test_a_question_that_cannot_be_asked_is_refused_in_a_sentence(visit: Callable[[str], Page]) -> None:
    page = visit(QUESTION)
    before = told(page)
    dc(page).fill("9999")
    expect(page.locator("odds-lab").get_by_role("alert")).to_contain_text("dc")
    expect(chart(page)).to_have_text(before, use_inner_text=True)
    dc(page).fill("16")
    expect(page.locator("odds-lab .refusal")).to_have_text("")


@pytest.mark.parametrize("game", ["narraject", "tgimh", "chronicles"])
def test_every_game_opens_with_its_worked_example(visit: Callable[[str], Page], game: str) -> None:
    page = visit(f"/lab?game={game}")
    expect(page.get_by_label("Game")).to_have_value(game)


def test_a_race_of_two_clocks_is_a_question_like_any_other(visit: Callable[[str], Page]) -> None:
    """RW-11: which fills first, and when; a longer goal is reached less often before the threat."""
    page = visit("/lab?game=razorweave&roll=race&dc=16&modifier=2&goal=6&threat=4")
    expect(page.locator("odds-lab")).to_contain_text("Which Clock fills first")
    expect(page.locator("odds-lab")).to_contain_text("Rounds")
    before = told(page)
    page.get_by_role("spinbutton", name="Goal", exact=True).fill("8")
    expect(chart(page)).not_to_have_text(before, use_inner_text=True)
    expect(page).to_have_url(re.compile("goal=8"))
