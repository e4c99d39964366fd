"""The games of examples/games on the page: it has no code for any of them. Their pictures are in the docs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, expect

from tests.installed import register
from tests.page.group import Group
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
}  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Three games are in a folder, and one is installed as a package."""
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
    # On a busy machine a chance may come too late, and the page does without it.
    assert [trouble for trouble in group.troubles if "503" not in trouble] == []
