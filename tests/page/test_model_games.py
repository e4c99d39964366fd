"""The games of examples/games on the page: it has no code for any of them. Their pictures are in the docs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.installed import register
from tests.page.chromium import context
from tests.page.group import Group
from tests.page.seat import Seat
from tests.page.server import Server, running_server
from tests.page.test_pictures import picture

GAMES = Path(__file__).parents[2] / "examples" / "games"


class Model(NamedTuple):
    """A game, somebody who plays it, what goes into a roll, the faces that lie there, and how it ends."""

    title: str
    character: str
    taps: tuple[str, ...]
    faces: str
    says: str
    against: str = ""
    answer: tuple[str, str] = ("", "")


MODELS = {
    "undertow": Model("Undertow", "Nell the Diver", ("Dive", "Strain for a die"), "6 4 2 2", "Clean job"),
    "palisade": Model("Palisade", "Hild Oakhand", (), "17 | 5", "Hit", "A marsh troll"),
    "lampkeepers": Model(
        "Lampkeepers", "Old Maren", ("Kindness", "Weather"), "flame+flame blank | dawn | gust chill", "Lit for good"
    ),
    "coldmarch": Model(
        "Cold March", "Sunniva", ("Body", "Climb", "Ice axe"), "1 3 4 | 5 | 1 2", "Success at a price",
        answer=("Push", "6 2 | 2 | 4"),
    ),
    "nightwatch": Model("Night Watch", "Brann", ("Far",), "calm swell calm gull", "Quiet, with news"),
}  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """All games but one are in a folder, and that one is installed as a package."""
    folder = tmp_path_factory.mktemp("models")
    packages = folder / "packages"
    shutil.copytree(GAMES / "coldmarch" / "coldmarch", packages / "coldmarch")
    register(packages, (GAMES / "coldmarch" / "pyproject.toml").read_text("utf-8"))
    with running_server(folder, packages, GAMES) as server:
        yield server


@pytest.mark.parametrize("name", MODELS)
def test_a_model_is_played_on_a_laptop_and_on_a_phone(name: str, browser: Browser, server: Server) -> None:
    model = MODELS[name]
    group = Group(browser, server, model.title, phone="Ada")
    mira, jonas, ada = group.everybody
    who = model.character.split()[-1] if model.against else model.character.split()[0]
    for seat, called in ((jonas, "Ran"), (ada, who)):
        seat.makes_character(called, model.character)
    if model.against:
        mira.makes_character("Gro", model.against)
    for seat, called in ((jonas, "Ran"), (ada, who)):
        seat.gathers_dice(called, against="Gro" if model.against else "")
        for source in model.taps:
            seat.taps(source)
        expect(seat.roll_button).to_be_enabled()
        seat.chances_before()
        expect(seat.page.locator('.line.chance[aria-busy="true"]')).to_have_count(0)
        if not seat.phone:
            picture(seat.page, f"{name}-desk")
        seat.throws(model.faces)
        if model.answer[0]:
            expect(seat.choice).to_be_visible()
            seat.answers(model.answer[0], faces=model.answer[1])
        expect(seat.verdict).to_contain_text(model.says)
        if seat.phone:
            picture(seat.page, f"{name}-phone")
        group.all_see(model.says)
    group.leave()
    assert group.troubles == []


def test_cards_in_the_log_never_look_like_dice(browser: Browser, server: Server) -> None:
    """A page is opened anew over a slow line: the log is there before what draws cards."""
    group = Group(browser, server, "Night Watch", alone=True)
    mira = group.gm
    mira.makes_character("Brann", "Brann")
    mira.does({"do": "move", "name": "sky", "who": "Brann", "faces": "calm"})
    seated = mira.page.context.storage_state()
    again = context(browser, storage_state=seated, service_workers="block").new_page()
    late: list[Route] = []
    again.route("**/assets/card-*.js", lambda route: late.append(route))  # noqa: PLW0108  it asks for a function in Python
    again.goto(mira.page.url)
    card = again.locator("log-pane svg.of-deck")
    expect(card).to_have_count(1)
    expect(card.locator("*")).to_have_count(0)
    for drawing in late:
        drawing.continue_()
    expect(card.locator("rect.base")).to_have_count(1)
    again.context.close()
    group.leave()
    assert group.troubles == []


def test_the_lab_asks_with_the_cards_that_are_left(browser: Browser, server: Server) -> None:
    page = context(browser).new_page()
    lab = Seat(page, "Somebody", server.address)
    page.goto(f"{server.address}/lab?game=nightwatch&roll=watch&eye=0")
    chart = page.locator("odds-lab odds-chart .charts").first
    expect(chart).to_contain_text("%")
    before = chart.inner_text()
    page.locator("question-form summary").click()
    for card in ("calm", "calm+gull", "gull", "wreck"):
        page.get_by_role("spinbutton", name=card, exact=True).fill("0")
        page.keyboard.press("Tab")
    expect(chart).not_to_have_text(before, use_inner_text=True)
    expect(chart).to_contain_text("100%")
    page.context.close()
    assert lab.troubles == []
