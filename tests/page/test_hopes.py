"""Every chance on the page says what it is of, and is the chance of that: on the tray, folded, and on the card."""

from __future__ import annotations

import re
from fractions import Fraction
from math import floor

import pytest
from playwright.sync_api import expect

from astragal.games.registry import game
from astragal.rule.chances.odds import odds
from tests.games.hopes import HOPES, chance_of, kind_named
from tests.page.group import Gather


def percent(chance: Fraction) -> str:
    """A chance as the page writes it."""
    return f"{floor(chance * 100 + Fraction(1, 2))} %"


@pytest.mark.parametrize("name", sorted({name for name, _ in HOPES}))
def test_each_kind_of_roll_says_what_its_chance_is_of(gather: Gather, name: str) -> None:
    mira = gather(game(name).title, alone=True).gm
    for kind in (kind for known, kind in HOPES if known == name):
        hope, declared = HOPES[name, kind], kind_named(name, kind)
        against = {"against_name": "Two guards"} if declared.opposed and not declared.helps_target else {}
        mira.does({"do": "open", "kind": kind, "name": "Guard", "inputs": hope.inputs, **against})
        figure = percent(chance_of(name, kind))
        expect(mira.chances.locator(".pc"), kind).to_have_text(figure)
        expect(mira.chances.locator(".of"), kind).to_have_text(re.compile(rf"^{re.escape(hope.label)}( · |$)"))
        mira.does({"do": "withdraw"})
        expect(mira.chances).to_have_count(0)


def test_a_folded_tray_says_what_its_chance_is_of(gather: Gather) -> None:
    jonas = gather("Razorweave", phone="Jonas").jonas
    jonas.does({"do": "create", "name": "Kira", "template": "Kira Voss"})
    jonas.does({"do": "open", "who": "Kira", "kind": "check", "inputs": {"dc": 16}})
    expect(jonas.chances.locator(".pc")).to_contain_text("%")
    jonas.press(jonas.stage.get_by_role("button", name="Fold the tray"))
    expect(jonas.page.locator(".stage .fold .pc")).to_have_text(re.compile(r"\d+ % to succeed fully"))


def test_p10_each_spend_says_the_chance_to_succeed_or_that_it_cannot(gather: Gather) -> None:
    """NJ-13: of 1 Mark of 2, a reroll of the Step Die may bring the other; the figure says of what it is."""
    group = gather("Narraject")
    jonas = group.jonas
    jonas.does({"do": "create", "name": "Kira"})
    jonas.does({"do": "roll", "who": "Kira", "inputs": {"d6": 2, "step": "10", "difficulty": 2}, "faces": "5 1 | 2"})
    reroll = jonas.choice.get_by_role("button", name=re.compile("^Reroll the d10"))
    expect(reroll.locator(".p")).to_contain_text(re.compile(r"\d+ %\s*to succeed"))
    rest = jonas.stage.locator(".vfoot").get_by_role("button", name=re.compile("^Leave it"))
    expect(rest).to_have_text("Leave it · 0 % to succeed")


def test_a_foes_roll_against_a_player_shows_the_foes_chance_at_every_seat(gather: Gather) -> None:
    """The figure is that of whoever the label names, and the bar has the players' colours."""
    group = gather("TGIMH", phone="Jonas")
    mira, jonas = group.gm, group.jonas
    jonas.does({"do": "create", "name": "Ilse", "template": "Ilse Varga"})
    mira.does({"do": "create", "name": "Tollmaster"})
    mira.does({"do": "open", "who": "Tollmaster", "against": "Ilse", "inputs": {"ours": 6, "theirs": 3}})
    wins = odds(kind_named("tgimh", "contest").ask(ours=6, theirs=3), "winner")["ours"]
    for seat in (mira, jonas):
        expect(seat.chances.locator(".pc")).to_have_text(percent(wins))
        expect(seat.chances.locator(".of")).to_have_text("Tollmaster wins")
        expect(seat.stage.locator(".tones")).to_have_attribute("aria-label", re.compile(rf"Failure {percent(wins)}"))
