"""A game that somebody else wrote, without any code of its own for the page or the table."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.fifth_game import install
from tests.page.group import Group
from tests.page.server import running_server


def test_an_outside_game_is_on_the_start_page_and_is_played(browser: Browser, tmp_path: Path) -> None:
    """Coinflip of docs/add-a-game.md: too few heads leave a choice (CF-3), and the flip is told to all."""
    packages = tmp_path / "packages"
    install(packages)
    with running_server(tmp_path, packages, workers=True) as server:
        group = Group(browser, server, "Coinflip", phone="Ada")
        mira, jonas, ada = group.everybody
        mira.opens_scene("A bridge, and a toll")
        ada.gathers_dice("No character")
        ada.sets("Coins", 3)
        before = ada.chances_before()
        ada.sets("Needed", 3)
        ada.chances_moved(before)
        ada.throws("2 1 1")
        expect(jonas.verdict).to_contain_text("Failure")
        expect(ada.choice).to_contain_text("Too few heads. Push?")
        ada.answers("Flip the tails again", faces="2 2")
        group.all_see("Success")
        mira.press(mira.button("Undo the last action"))
        group.leave()
        assert group.troubles == []
