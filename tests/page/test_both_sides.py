"""Several people gather one roll on the page: both sides are ready (T-8), claims are marked (T-7), sources add up."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.page.group import Gather


def test_a_duel_of_two_players_waits_until_the_other_is_ready(gather: Gather) -> None:
    group = gather("TGIMH", phone="Ada")
    mira, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Ilse", "template": "Ilse Varga"})
    ada.does({"do": "create", "name": "Odo", "template": "Odo Brandt"})
    mira.does({"do": "scene", "title": "The toll bridge, at dusk"})

    jonas.gathers_dice("Ilse", against="Odo")
    jonas.taps("First blade of the river towns")
    expect(jonas.stage.get_by_role("button", name="Waiting until Ada is ready")).to_be_disabled()
    expect(ada.stage.get_by_text("Ilse goes up against you. Put your dice in")).to_be_visible()
    expect(mira.stage.get_by_role("button", name="Ada is ready", exact=True)).to_be_visible()
    group.screen.shows("Waiting until Ada is ready")
    ada.stage.get_by_role("button", name="Ready", exact=True).click()
    expect(jonas.stage.get_by_role("button", name="Roll both")).to_be_enabled()
    jonas.taps("Grandfather's sabre")
    expect(jonas.stage.get_by_role("button", name="Waiting until Ada is ready")).to_be_disabled()
    mira.stage.get_by_role("button", name="Ada is ready", exact=True).click()
    jonas.throws("9 8 8 4 3")
    expect(ada.verdict).to_contain_text("Ilse wins")


def test_no_chance_is_told_before_both_sides_have_dice(gather: Gather) -> None:
    """A chance stood there while the other player still gathered. A player who is ready without dice has said so."""
    group = gather("TGIMH", phone="Ada")
    jonas, ada = group.jonas, group.ada
    jonas.does({"do": "create", "name": "Ilse", "template": "Ilse Varga"})
    ada.does({"do": "create", "name": "Odo", "template": "Odo Brandt"})
    jonas.gathers_dice("Ilse", against="Odo")
    jonas.taps("First blade of the river towns")
    for seat in group.everybody:
        expect(seat.stage).to_contain_text("Odo has put in no dice yet")
        expect(seat.stage).not_to_contain_text("%")
    group.screen.shows("Odo has put in no dice yet")
    ada.stage.get_by_role("button", name="Ready", exact=True).click()
    jonas.stage.get_by_role("button", name="Ready", exact=True).click()
    for seat in group.everybody:
        expect(seat.chances).to_contain_text("3 against 0")


def test_the_other_player_sees_their_own_side_near_and_whose_box_was_crossed(gather: Gather) -> None:
    group = gather("TGIMH", phone="Ada")
    mira, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Ilse", "template": "Ilse Varga"})
    ada.does({"do": "create", "name": "Odo", "template": "Odo Brandt"})
    mira.does({"do": "scene", "title": "The toll bridge, at dusk"})
    jonas.gathers_dice("Ilse", against="Odo")
    for seat, name in ((jonas, "Ilse"), (ada, "Odo")):
        expect(seat.stage.locator(".half.near .hh")).to_have_text(re.compile(name))
    jonas.taps("First blade of the river towns")
    ada.taps("Shoulders like a gate")
    for seat in (ada, jonas):
        seat.stage.get_by_role("button", name="Ready", exact=True).click()
    jonas.throws("9 8 4 | 9 8 7")
    expect(ada.verdict).to_contain_text("Odo wins")
    ada.answers("No Condition")
    jonas.answers("Cross box 1")
    for seat in group.everybody:
        expect(seat.verdict).to_contain_text("Power, box 1 crossed for Ilse")


def test_what_a_player_claims_is_marked_on_the_tray_and_on_the_card(gather: Gather) -> None:
    group = gather("Razorweave")
    mira, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Kira", "template": "Kira Voss"})
    jonas.gathers_dice("Kira")
    jonas.stage.get_by_role("button", name=re.compile("Easy")).click()
    for seat in (mira, jonas, ada):
        expect(seat.stage.get_by_text("DC 12, claimed by Jonas")).to_be_visible()
    jonas.throws("6 6 6 6")
    expect(ada.verdict).to_contain_text("DC 12, claimed by Jonas")


def test_tending_somebody_looks_like_care_and_shows_the_chance_to_ease_it(gather: Gather) -> None:
    """A Recovery (TG-14): no opponent, the chance to win, and beside it the chance that the Condition ends."""
    group = gather("TGIMH")
    jonas, ada = group.jonas, group.ada
    jonas.does({"do": "create", "name": "Ilse", "template": "Ilse Varga"})
    ada.does({"do": "create", "name": "Odo", "template": "Odo Brandt"})
    hurt = {"dice": 3, "injury": True}
    ada.does({"do": "edit", "holder": "Odo", "section": "conditions", "item": "Broken arm", "to": hurt})
    jonas.gathers_dice("Ilse", kind="Recover from a Condition")
    tray = jonas.stage
    expect(tray.get_by_text("Choose a Condition to ease").first).to_be_visible()
    expect(tray.get_by_text("Against", exact=True)).to_have_count(0)
    tray.get_by_role("group", name="For").get_by_role("button", name="Odo").click()
    expect(ada.stage).to_contain_text("Ilse tends Odo")
    jonas.does({"do": "build", "inputs": {"ours": 3}, "use": {"Odo's Broken arm": 1}})
    expect(tray).to_contain_text("50 %")
    expect(tray).to_contain_text("to ease it · 4 % that it ends")
    jonas.throws("9 8 1 | 3 2 1")
    for seat in group.everybody:
        expect(seat.verdict).to_contain_text("Ilse tends Odo's Broken arm")
        expect(seat.log).not_to_contain_text("against Odo")
