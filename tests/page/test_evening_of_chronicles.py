"""Chronicles at the live table: a whole scene, with the GM on a phone."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.page.group import Gather


def test_teamwork_a_watchman_and_a_failure_taken_for_a_beat(gather: Gather) -> None:
    """Teamwork (CD-12), an exceptional success (CD-10), a contest of two pools (CD-13), Willpower (CD-14), and a plain
    failure that its player makes dramatic (CD-10)."""
    group = gather("Chronicles", phone="Mira")
    mira, jonas, ada = group.everybody
    jonas.makes_character("Teodor", "Teodor Lisk")
    ada.makes_character("Inez", "Inez Calloway")
    mira.makes_character("Halloran", "Mr Halloran")
    mira.opens_scene("The door below the dome, in the rain")
    mira.starts_clock("Halloran makes his round", 4)

    ada.gathers_dice("Inez")
    jonas.helps("Inez", "Teodor")
    ada.taps("Wits")
    ada.taps("Investigation")
    before = ada.chances_before()
    ada.taps("Trauma bag")
    ada.chances_moved(before)
    ada.begins()
    jonas.throws("7")
    jonas.answers("Keep the failure")
    ada.throws("10 9 8 8 3 2 1 / 8")
    group.all_see(("Inez", "Exceptional success", "5 successes"))
    ada.has("Inez", "Inspired", "Inspired")

    jonas.gathers_dice("Teodor", kind="Contest against somebody", against="Halloran")
    jonas.taps("Dexterity")
    jonas.taps("Crowds")
    mira.opens_roll("Teodor")
    mira.taps("Wits", whose="Halloran")
    mira.taps("Composure")
    jonas.throws("10 9 7 6 5 3 2 1 / 4")
    mira.throws("8 7 7 5 2 1")
    group.all_see("Teodor wins")

    jonas.gathers_dice("Teodor")
    jonas.taps("Dexterity")
    jonas.taps("Locks")
    jonas.taps("Willpower")
    jonas.throws("7 7 6 6 5 5 4 3 2 1 1")
    expect(ada.verdict).to_contain_text("Failure")
    expect(ada.verdict).to_contain_text("Jonas is deciding …")
    jonas.answers("Take a Beat")
    group.all_see(("Teodor", "Dramatic failure", "+1 Beats"))
    jonas.has("Teodor", "Willpower", "3 of 4")
    mira.has("Teodor", "Beats", "1")

    group.fill_clock_and_take_it_back("Halloran makes his round", 4)
