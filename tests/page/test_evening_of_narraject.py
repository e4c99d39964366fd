"""Narraject at the live table: a whole scene, on two desks and a phone."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.page.group import Gather


def test_a_helper_a_step_die_rolled_again_and_a_tide_that_comes_back(gather: Gather) -> None:
    """Points of two people's stats (NJ-2, NJ-5, NJ-6), a reroll for 1 IP (NJ-13), IP for the highest die (NJ-10)."""
    group = gather("Narraject", phone="Ada")
    mira, jonas, ada = group.everybody
    jonas.makes_character("Ysolde", "Ysolde Marrin")
    ada.makes_character("Tobren", "Tobren Quill")
    mira.opens_scene("The sunken chapel, at low tide")
    mira.starts_clock("The tide comes back", 4)

    ada.gathers_dice("Tobren")
    ada.sets("Difficulty", 3)
    ada.taps("Wits")
    before = ada.chances_before()
    ada.taps("Ciphers")
    ada.chances_moved(before)
    jonas.helps("Tobren", "Ysolde")
    jonas.taps("Wits", whose="Ysolde")

    ada.throws("5 4 2 | 1")
    expect(mira.verdict).to_contain_text("Near miss")
    expect(jonas.choice).to_contain_text("Ada is deciding …")
    ada.answers("Reroll the d12", faces="11")
    ada.answers("Leave it")
    group.all_see(("Tobren", "Near miss", "Real dice, typed by Ada"))
    ada.has("Tobren", "Wits", "4 of 5")
    ada.has("Tobren", "IP", "2")
    jonas.has("Ysolde", "Wits", "1 of 2")
    jonas.sees("Tobren", "+1 IP for Ada")

    group.fill_clock_and_take_it_back("The tide comes back", 4)
