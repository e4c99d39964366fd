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
    jonas.throws("7")
    jonas.answers("Keep the failure")
    ada.throws("10 9 8 8 3 2 1 / 8")
    group.all_see(("Inez", "Exceptional success", "5 successes"))
    ada.has("Inez", "Inspired", "Inspired")
    for seat in group.everybody:
        seat.clears_stage()

    jonas.gathers_dice("Teodor", kind="Contest against somebody", against="Halloran")
    jonas.taps("Dexterity")
    jonas.taps("Crowds")
    mira.opens_roll("Teodor")
    mira.taps("Wits", whose="Halloran")
    mira.taps("Composure")
    jonas.throws("10 9 7 6 5 3 2 1 / 4")
    mira.throws("8 7 7 5 2 1")
    group.all_see("Teodor wins")
    for seat in group.everybody:
        seat.clears_stage()

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


def test_a_long_task_over_two_scenes_with_unequal_helpers_that_is_given_up(gather: Gather) -> None:
    """Each roll of a long task is gathered by itself (CD-13, R-29): other helpers, bad light, Willpower. Total, target
    and rolls left stand there at every seat; helpers throw in any order (CD-12, R-38) and take their own Beats."""
    group = gather("Chronicles", phone="Ada")
    mira, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Teodor", "template": "Teodor Lisk"})
    ada.does({"do": "create", "name": "Inez", "template": "Inez Calloway"})
    mira.does({"do": "create", "name": "Pell", "template": "Teodor Lisk"})

    jonas.gathers_dice("Teodor", kind="Work on a long task")
    jonas.picks("How much work?", "Very long")
    jonas.taps("Dexterity")
    jonas.taps("Locks")
    mira.opens_roll("Teodor")
    mira.helps("Teodor", "Pell")
    ada.helps("Teodor", "Inez")
    for seat in group.everybody:
        expect(seat.stage).to_contain_text("Inez: Dexterity 2, Larceny (no dots) −1")
        expect(seat.stage).to_contain_text("Pell: Dexterity 4, Larceny 3")
        expect(seat.stage).to_contain_text("of 15 · 8 rolls left")
    expect(jonas.stage.get_by_role("button", name="Mira throws first")).to_be_visible()

    ada.throws("7")
    expect(mira.verdict).to_contain_text("Inez fails. Make it worse, for a Beat?")
    expect(ada.verdict).to_contain_text("Pell is still to roll, and is taken to keep a failure")
    expect(ada.verdict.get_by_role("button", name="Keep the failure")).to_contain_text("%")
    ada.answers("Take a Beat")
    ada.has("Inez", "Beats", "1")
    mira.throws("8 6 5 4 3 2 1")
    expect(mira.stage.get_by_role("button", name="Throw for Jonas")).to_be_visible()
    jonas.throws("10 8 7 7 2 / 9")
    for seat in group.everybody:
        expect(seat.verdict).to_contain_text("3 successes, 3 of 15 in all, 7 rolls left")
    expect(mira.verdict).to_contain_text("What happens?")
    rows = mira.log.locator(".dice-of b")
    expect(rows).to_have_text(["Inez", "Pell", "Teodor"])

    mira.does({"do": "scene", "title": "The next night"})
    mira.does({"do": "edit", "holder": "scene", "section": "circumstances", "item": "Bad light", "to": {"dice": -1}})
    with jonas.acting():
        jonas.press(jonas.stage.get_by_role("button", name="Next roll"))
    for seat in (jonas, mira):
        seat.opens_roll("Teodor") if seat is mira else None
        expect(seat.stage).to_contain_text("of 15 · 7 rolls left")
    jonas.taps("Bad light")
    jonas.taps("Willpower")
    jonas.throws("8 7 7 6 5 4 3 2 1 1")
    expect(jonas.verdict).to_contain_text("1 success, 4 of 15 in all, 6 rolls left")
    jonas.has("Teodor", "Willpower", "3 of 4")
    jonas.does({"do": "move", "name": "give_up", "who": "Teodor"})
    expect(mira.log).to_contain_text("Teodor gives up Long task: 4 of 15 successes, 6 rolls left.")


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
