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
    expect(mira.verdict).to_contain_text("1 Mark, 3 needed")
    expect(jonas.choice).to_contain_text("Ada is deciding …")
    expect(jonas.choice.get_by_role("button", name="Reroll")).to_have_count(0)
    group.screen.shows("The sunken chapel, at low tide", "The tide comes back", "Tobren", "Near miss")
    ada.answers("Reroll the d12", faces="11")
    ada.answers("Leave it")
    group.all_see(("Tobren", "Near miss", "Real dice, typed by Ada"))
    ada.has("Tobren", "Wits", "4 of 5")
    ada.has("Tobren", "IP", "2")
    jonas.has("Ysolde", "Wits", "1 of 2")
    jonas.sees("Tobren", "+1 IP for Ada")

    group.fill_clock_and_take_it_back("The tide comes back", 4)


def test_the_gm_asks_both_and_offers_a_success_at_a_cost(gather: Gather) -> None:
    """A request that nobody overlooks; a near miss with the GM's offer in words, taken from the player's seat (NJ-9),
    and words for what the Step Die says (NJ-10)."""
    group = gather("Narraject", phone="Ada")
    mira, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Ysolde", "template": "Ysolde Marrin"})
    ada.does({"do": "create", "name": "Tobren", "template": "Tobren Quill"})
    mira.does({"do": "scene", "title": "The sunken chapel, at low tide"})
    rope = "Hold the rope while the tide pulls"

    ada.pane("Log")
    mira.asks(rope, "Tricky")
    for player, character in ((jonas, "Ysolde"), (ada, "Tobren")):
        expect(player.request).to_contain_text(f"Mira asks {character}")
        expect(player.request).to_contain_text(rope)
        expect(player.request).to_contain_text("Mira set it to Tricky 2")
    for character in ("Ysolde", "Tobren"):
        expect(mira.waiting(character)).to_contain_text("still to roll")

    ada.press(ada.request.get_by_role("button", name="Gather the dice"))
    ada.taps("Wits", 2)
    expect(mira.waiting("Tobren")).to_contain_text("Ada gathers")
    expect(ada.stage.get_by_role("button", name="Simple")).to_have_count(0)
    ada.throws("5 4 | 2")
    for seat in group.everybody:
        seat.opens_roll("Tobren")
        expect(seat.verdict).to_contain_text("Near miss")
        expect(seat.verdict).to_contain_text(rope)

    mira.answers("Offer a success at a cost", words="the sextant goes overboard")
    expect(ada.verdict).to_contain_text("The GM offers a success at a cost: the sextant goes overboard")
    expect(jonas.verdict).to_contain_text("Ada is deciding …")
    ada.answers("Take it")
    group.all_see(("Tobren", rope, "Partial success", "At a cost: the sextant goes overboard"))
    group.screen.shows("Mira asks Ysolde", rope)
    expect(ada.verdict).to_contain_text("Mira is asked: Despite yourself: what unexpected thing comes up?")
    mira.tells("The chapel bell answers from below.")
    for seat in group.everybody:
        seat.clears_stage()
    group.all_see(("Tobren", "The chapel bell answers from below."))
    expect(jonas.request).to_contain_text(rope)
