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
    group.all_see(("Teodor", "Dramatic failure", "+1 Beat"))
    jonas.has("Teodor", "Willpower", "3 of 4")
    mira.has("Teodor", "Beats", "1")

    group.fill_clock_and_take_it_back("Halloran makes his round", 4)


def test_a_long_task_with_unequal_helpers_that_is_given_up(gather: Gather) -> None:
    """Total, target and rolls left stand there from the first dice to the last, at every seat (CD-13); each helper
    rolls what their own sheet says (CD-12), and takes their own Beat (CD-10)."""
    group = gather("Chronicles", phone="Ada")
    mira, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Teodor", "template": "Teodor Lisk"})
    ada.does({"do": "create", "name": "Inez", "template": "Inez Calloway"})
    mira.does({"do": "create", "name": "Pell", "template": "Teodor Lisk"})

    jonas.gathers_dice("Teodor", kind="Work on a long task")
    jonas.picks("How much work?", "Very long")
    jonas.taps("Dexterity")
    jonas.taps("Locks")
    ada.helps("Teodor", "Inez")
    mira.opens_roll("Teodor")
    mira.helps("Teodor", "Pell")
    for seat in group.everybody:
        expect(seat.stage).to_contain_text("Inez: Dexterity 2, Larceny (no dots) −1")
        expect(seat.stage).to_contain_text("Pell: Dexterity 4, Larceny 3")
    jonas.begins()
    for seat in group.everybody:
        expect(seat.stage).to_contain_text("of 15 · 8 rolls left")
    group.screen.shows("of 15 · 8 rolls left", "Ada throws next.")

    ada.throws("7")
    expect(mira.verdict).to_contain_text("Inez fails. Make it worse, for a Beat?")
    ada.answers("Take a Beat")
    ada.has("Inez", "Beats", "1")
    expect(ada.verdict).to_contain_text("Mira throws next.")
    mira.throws("8 6 5 4 3 2 1")
    for seat in (jonas, ada):
        expect(seat.stage).to_contain_text("Your throw" if seat is jonas else "Jonas throws next.")
    expect(mira.stage.get_by_role("button", name="Throw for Jonas")).to_be_visible()
    jonas.throws("10 8 7 7 2 / 9")
    for seat in group.everybody:
        expect(seat.stage).to_contain_text("of 15 · 7 rolls left")
        expect(seat.verdict).to_contain_text("3 of 15 successes in 1 roll, 7 rolls left")
    jonas.answers("Give it up")
    group.all_see(("Teodor", "Given up", "Real dice, typed by Ada, Mira and Jonas"))
    group.screen.shows("Given up", "of 15 · 7 rolls left")


def test_a_contest_tells_both_sides_apart(gather: Gather) -> None:
    """Both sides by count, each in its own words; a helper's dice lie beside those that count (CD-12, CD-13)."""
    group = gather("Chronicles", phone="Ada")
    mira, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Teodor", "template": "Teodor Lisk"})
    ada.does({"do": "create", "name": "Inez", "template": "Inez Calloway"})
    mira.does({"do": "create", "name": "Halloran", "template": "Mr Halloran"})
    jonas.gathers_dice("Teodor", kind="Contest against somebody", against="Halloran")
    jonas.taps("Dexterity")
    jonas.taps("Crowds")
    ada.opens_roll("Teodor")
    with ada.acting():
        ada.press(ada.stage.get_by_role("button", name="Help as Inez"))
    mira.opens_roll("Teodor")
    mira.taps("Wits", whose="Halloran")
    mira.taps("Composure")
    group.screen.shows("Teodor goes up against Halloran", "8 against 6")
    expect(group.screen.picture.locator(".tv-dice")).to_have_count(2)

    jonas.begins()
    ada.throws("8")
    jonas.throws("7 7 7 1 2 3 4 5 6")
    mira.throws("8 8 8 8 9 9")
    for seat in group.everybody:
        expect(seat.verdict).to_contain_text("Teodor loses")
        expect(seat.verdict).to_contain_text("0 successes against 6")
        expect(seat.stage.locator(".helped-with")).to_contain_text("Inez")
        expect(seat.stage.locator(".two-rows").get_by_role("img", name="8 on a d10, success")).to_have_count(4)
    jonas.answers("Take a Beat")
    group.all_see(("Teodor loses", "Dramatic failure for Teodor", "Exceptional success for Halloran"))
    group.screen.shows("Dramatic failure for Teodor", "Exceptional success for Halloran")
    jonas.clears_stage()
    expect(jonas.stage.get_by_role("button", name="Roll again")).to_have_text("Roll again Dexterity + Crowds")
