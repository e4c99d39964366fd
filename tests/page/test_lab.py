"""The odds lab: a question in the address, answered by charts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.page.chromium import context
from tests.page.seat import Seat
from tests.page.server import Server

QUESTION = "/lab?game=razorweave&roll=check&dc=16&attribute=2"


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Callable[[str], Page]]:
    """A page of the lab, on a desk; afterwards nothing may have gone wrong in it."""
    seats: list[Seat] = []

    def visited(path: str) -> Page:
        page = context(browser, permissions=["clipboard-read", "clipboard-write"]).new_page()
        seats.append(Seat(page, "Somebody", server.address))
        page.goto(server.address + path)
        expect(chart(page)).to_contain_text("%")
        return page

    yield visited
    for seat in seats:
        seat.page.context.close()
    assert [trouble for seat in seats for trouble in seat.troubles] == []


def chart(page: Page) -> Locator:
    return page.locator("odds-lab odds-chart .charts").first


def dc(page: Page) -> Locator:
    return page.get_by_role("spinbutton", name="How hard?", exact=True)


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
    page.get_by_role("button", name="Another question").click()
    dc(page).fill("20")
    expect(page).to_have_url(re.compile(r"b\.dc=20"))
    expect(page.locator("odds-lab .headlines li")).to_have_count(2)
    expect(chart(page)).to_contain_text("−")
    page.get_by_role("button", name="Remove B").click()
    expect(page.locator("odds-lab .headlines li")).to_have_count(1)


def test_any_number_of_questions_stands_side_by_side(visit: Callable[[str], Page]) -> None:
    """Each has a letter, a line in the head, and a bar in every row of the charts; a link brings them all back."""
    page = visit(QUESTION)
    for at, hard in enumerate(("18", "20", "22", "14", "12", "10", "24"), start=2):
        page.get_by_role("button", name="Another question").click()
        dc(page).fill(hard)
        expect(page.locator("odds-lab .headlines li")).to_have_count(at)
    expect(page).to_have_url(re.compile(r"h\.dc=24"))
    expect(chart(page).locator("tbody tr").first.locator(".odds-bar")).to_have_count(8)
    page.get_by_role("radio", name="C", exact=True).check(force=True)
    expect(dc(page)).to_have_value("20")
    page.get_by_role("button", name="Remove C").click()
    expect(page.locator("odds-lab .headlines li")).to_have_count(7)
    friend = visit("/lab" + page.url.partition("/lab")[2])
    expect(friend.locator("odds-lab .headlines li")).to_have_count(7)
    expect(chart(friend)).to_have_text(told(page), use_inner_text=True)


def test_dice_notation_is_a_question_like_any_other(visit: Callable[[str], Page]) -> None:
    """Typed or out of a link, beside a game's roll; what cannot be read is refused in a sentence."""
    page = visit("/lab?dice=2d6")
    expect(page.locator("odds-lab .headlines")).to_contain_text("2d6")
    expect(chart(page).get_by_role("row", name=re.compile("^7 "))).to_contain_text("16.7%")
    page.get_by_label("Dice", exact=True).fill("3d6 >= 11")
    expect(chart(page).get_by_role("row", name=re.compile("^yes "))).to_contain_text("50.0%")
    expect(page).to_have_url(re.compile(r"dice=3d6"))
    page.get_by_label("Dice", exact=True).fill("3d6 >=")
    refusal = page.locator("odds-lab .headlines").get_by_role("alert")
    expect(refusal).to_contain_text("This is not dice notation")
    assert refusal.locator(".place").inner_text() == "3d6 >=\n      ^"
    page.get_by_label("Dice", exact=True).fill("3d6 ? 2")
    expect(refusal.locator(".place")).to_have_text("3d6 ? 2\n    ^", use_inner_text=True)
    page.get_by_label("Game").select_option("razorweave")
    expect(dc(page)).to_be_visible()
    page.get_by_label("Game").select_option("Dice notation")
    expect(page.locator("odds-lab .headlines")).to_contain_text("4d6")


def test_chances_stand_on_an_axis_from_nothing_to_certain(visit: Callable[[str], Page]) -> None:
    """A bar is as long as its chance: a row of one half reaches the middle, however rare the others are."""
    page = visit(QUESTION)
    expect(page.locator("odds-chart .scale").first).to_have_text("0 to 100 %")
    rows = page.locator("odds-chart tbody tr")
    lengths = """rows => rows.map(row => row.querySelector(".odds-bar").style.getPropertyValue("--share"))"""
    shares = [float(share) for share in rows.evaluate_all(lengths)]
    percents = [float(text.strip("%<>")) for text in rows.locator("td.share").all_inner_texts()]
    assert len(shares) > 5
    assert [pair for pair in zip(shares, percents, strict=True) if abs(pair[0] * 100 - pair[1]) > 0.06] == []


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
    page.get_by_role("spinbutton", name="Size of the goal Clock", exact=True).fill("8")
    expect(chart(page)).not_to_have_text(before, use_inner_text=True)
    expect(page).to_have_url(re.compile("goal=8"))


def test_a_number_is_asked_by_its_sources(visit: Callable[[str], Page]) -> None:
    """NJ-2: dice come from named sources; 1/3 spends 1 of 3 points, and the link keeps it."""
    page = visit("/lab?game=narraject&roll=attempt&d6=2+Agility&d6=1%2F3+gear&difficulty=3")
    headlines = page.locator("odds-lab .headlines")
    expect(headlines).to_contain_text("3d6")
    page.get_by_role("button", name="Add a source").click()
    expect(headlines).to_contain_text("4d6")
    page.get_by_label("Dice (d6), source 3: name").fill("dark clothes")
    page.get_by_role("button", name="Dice (d6), dark clothes: one more").click()
    expect(headlines).to_contain_text("5d6")
    expect(page).to_have_url(re.compile(r"d6=2\+Agility&d6=1%2F3\+gear&d6=2\+dark\+clothes"))
    page.get_by_role("button", name="Remove Agility").click()
    expect(headlines).to_contain_text("3d6")
    page.get_by_text("more options").click()
    page.get_by_role("button", name="by source …").click()
    expect(page).to_have_url(re.compile(r"help_dice=1\+Source\+1"))


@pytest.mark.parametrize(
    ("question", "name", "called", "to"),
    [
        ("game=tgimh&roll=contest&ours=-2+rain&ours=5&theirs=4&crossed=1+3&will=0", "theirs", "Their dice", "5"),
        ("game=chronicles&roll=attempt&pool=5&rote=yes&again=9&task=the+old+lock", "pool", "Dice in all", "6"),
        (
            "game=narraject&roll=attempt&d6=3&edition=hits&trait=Wreck+diving%3Dexpert&trait=Rope%3Dtrained",
            "d6",
            "Dice (d6)",
            "4",
        ),
    ],
)
def test_the_address_keeps_inputs_of_every_kind(
    visit: Callable[[str], Page], question: str, name: str, called: str, to: str
) -> None:
    page = visit(f"/lab?{question}")
    page.get_by_role("spinbutton", name=called, exact=True).fill(to)
    expect(page).to_have_url(re.compile(rf"[?&]{name}={to}(&|$)"))
    kept = re.sub(rf"(?<=&){name}=[^&]*", f"{name}={to}", question)
    assert page.url.partition("?")[2] == kept


def test_a_rule_s_number_opens_its_text(visit: Callable[[str], Page]) -> None:
    page = visit(QUESTION)
    page.get_by_role("button", name="Rule RW-2").click()
    expect(page.get_by_role("dialog", name="RW-2")).to_contain_text("DC")
