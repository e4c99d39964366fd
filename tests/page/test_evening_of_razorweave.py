"""Razorweave at the live table: a whole scene, on two desks and a phone."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.page.group import Gather


def test_two_strikes_a_helper_and_a_bell(gather: Gather) -> None:
    """A helper is Edge (RW-12), a devastating Strike's Condition is the player's to choose, a glancing one's price the
    GM's (RW-8, RW-9), and a Clock is told once when it is full (RW-10)."""
    group = gather("Razorweave", phone="Ada")
    mira, jonas, ada = group.everybody
    jonas.makes_character("Kira", "Kira Voss")
    ada.makes_character("Dex", "Dex Harrow")
    mira.makes_character("Ruhl", "Captain Ruhl")
    mira.opens_scene("The granary, before dawn")
    mira.starts_clock("The bell rings", 4)

    jonas.gathers_dice("Kira", against="Ruhl")
    ada.helps("Kira", "Dex")
    jonas.sets("DC", 14)
    jonas.chooses("Strike")
    jonas.taps("Agility")
    before = jonas.chances_before()
    jonas.taps("Knives")
    jonas.chances_moved(before)
    jonas.throws("6 5 3 2 1")
    expect(ada.verdict).to_contain_text("Critical success")
    expect(ada.verdict).to_contain_text("Jonas is deciding …")
    expect(mira.verdict).to_contain_text("Jonas is deciding …")
    group.screen.shows("The granary, before dawn", "The bell rings", "Kira", "Critical success")
    jonas.answers("Disarmed")
    group.all_see(("Kira", "Critical success", "20 against 14", "devastating Strike", "Ruhl's Resolve breaks: 3 of 4"))

    ada.gathers_dice("Dex", against="Ruhl")
    ada.sets("DC", 16)
    ada.chooses("Strike")
    ada.taps("Might")
    ada.taps("Disarmed", group="Edge: Ruhl's Conditions")
    ada.throws("4 3 3 2 1")
    expect(ada.choice).to_contain_text("Mira is deciding …")
    mira.opens_roll("Dex")
    mira.answers("Their position", words="behind the sacks")
    group.all_see(("Dex", "Partial success", "14 against 16", "A glancing Strike"))
    for seat in group.everybody:
        seat.has("Ruhl", "Resolve", "0 of 4 left")
        expect(seat.pane("Table")).to_contain_text("behind the sacks")

    group.fill_clock_and_take_it_back("The bell rings", 4)


def test_the_rules_ask_before_a_strike_at_somebody_down_and_before_a_retry(gather: Gather) -> None:
    """Whoever is down is struck only with a reason (RW-9); what failed is tried again only if something has changed
    (RW-13). Both are asked in the tray, at the seat of whoever rolls."""
    group = gather("Razorweave", phone="Ada")
    mira, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Kira", "template": "Kira Voss"})
    mira.does({"do": "create", "name": "Ruhl", "template": "Captain Ruhl"})
    mira.does(
        {"do": "edit", "holder": "Ruhl", "section": "resolve", "item": "Resolve", "to": {"filled": 4, "segments": 4}}
    )

    jonas.gathers_dice("Kira", against="Ruhl")
    jonas.sets("DC", 12)
    jonas.chooses("Strike")
    expect(jonas.roll_button).to_have_text("Say why, although somebody is down")
    expect(jonas.roll_button).to_be_disabled()
    jonas.replies("Somebody is down already. Why all the same?", "he reaches for the bell rope")
    jonas.throws("4 4 4 4")
    group.all_see(("Kira", "Ruhl"))
    for seat in group.everybody:
        seat.clears_stage()

    hatch = {"do": "roll", "who": "Kira", "kind": "check", "inputs": {"dc": 18, "intent": "open the hatch"}}
    jonas.does({**hatch, "faces": "1 2 3 4"})
    expect(ada.verdict).to_contain_text("failure", ignore_case=True)
    for seat in group.everybody:
        seat.clears_stage()
    jonas.press(jonas.stage.get_by_role("button", name="Roll again"))
    expect(jonas.roll_button).to_have_text("Say what has changed")
    jonas.replies("This failed before. What has changed?", "Dex brought a crowbar")
    jonas.throws("6 6 6 5")
    group.all_see(("Kira", "open the hatch", "success"))


def test_a_split_risk_and_a_set_up_that_is_used_up(gather: Gather) -> None:
    """Each who shares a risk rolls from their own seat with their own traits, and has a row of dice (RW-12); what
    somebody sets up for another is in that one's tray by itself, once (RW-12)."""
    group = gather("Razorweave", phone="Ada")
    mira, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Kira", "template": "Kira Voss"})
    ada.does({"do": "create", "name": "Dex", "template": "Dex Harrow"})

    jonas.gathers_dice("Kira", kind="Split the risk: several roll")
    jonas.sets("DC", 14)
    jonas.taps("Agility")
    jonas.taps("Climbing")
    ada.opens_roll("Kira")
    expect(ada.stage).not_to_contain_text("Tap anything on your sheet")
    with ada.acting():
        ada.press(ada.stage.get_by_role("button", name="Roll too, as Dex"))
    ada.taps("Might", whose="Dex")
    for seat in group.everybody:
        expect(seat.stage).to_contain_text("Kira: Agility +3, Climbing +1")
        expect(seat.stage).to_contain_text("Dex: Might +2")
    jonas.throws("6 5 4 1")
    group.screen.shows("Kira shares the risk", "Ada throws next.")
    ada.throws("1 1 1 2")
    for seat in group.everybody:
        expect(seat.verdict).to_contain_text("1 of 2 succeed")
        expect(seat.verdict).to_contain_text("Dex: critical failure")
        expect(seat.stage.locator(".each-rolls li").filter(has_text="Dex").get_by_role("img")).to_have_count(4)
    group.all_see(("Kira: critical success", "Real dice, typed by Jonas and Ada"))
    for seat in group.everybody:
        seat.clears_stage()

    about = {"do": "roll", "who": "Kira", "kind": "check", "inputs": {"dc": 12, "set_up": "Dex"}}
    jonas.does({**about, "faces": "6 6 5 4"})
    expect(mira.verdict).to_contain_text("Kira's set-up for Dex")
    for seat in group.everybody:
        seat.clears_stage()
    ada.gathers_dice("Dex")
    ada.sets("DC", 14)
    for seat in group.everybody:
        expect(seat.stage).to_contain_text("Edge 2: Kira's set-up for Dex")
    ada.throws("6 6 5 4 3 1")
    group.all_see(("Dex", "Critical success", "What was set up is used"))
    for seat in group.everybody:
        seat.clears_stage()
    ada.gathers_dice("Dex")
    expect(ada.stage).not_to_contain_text("Kira's set-up")

    jonas.does({"do": "roll", "who": "Kira", "kind": "oracle", "faces": "5 5 3"})
    group.all_see(("Kira", "DC 14", "Is there preparation or another advantage? mixed"))
