"""TGIMH at the live table: a whole scene, with a player on a phone."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.page.group import Gather


def test_a_duel_on_the_toll_bridge(gather: Gather) -> None:
    """Each side gathers its own dice (TG-2) and pays with Will (TG-6), a foe's pride gives him 1 (TG-7); the winner
    makes a Condition of the scene (TG-9), and the loser's side crosses a box of the Power track (TG-10)."""
    group = gather("TGIMH", phone="Jonas")
    mira, jonas, ada = group.everybody
    jonas.makes_character("Ilse", "Ilse Varga")
    ada.makes_character("Odo", "Odo Brandt")
    mira.makes_character("Tollmaster", "The Tollmaster")
    mira.opens_scene("The toll bridge, at dusk")
    mira.starts_clock("The river rises", 4)

    jonas.gathers_dice("Ilse", against="Tollmaster")
    jonas.taps("First blade of the river towns")
    jonas.taps("Grandfather's sabre")
    mira.opens_roll("Ilse")
    mira.taps("Four hired halberds", whose="Tollmaster")
    mira.sets("Theirs", 3)
    before = jonas.chances_before()
    jonas.taps("Too proud to run")
    jonas.chances_moved(before)
    jonas.throws("9 8 8 4 3 2 1 | 9 6 5 5 2")
    expect(jonas.choice).to_contain_text("Ilse wins. Make a Condition of it?")
    jonas.answers("Make it", words="Backed against the rail")
    expect(jonas.choice).to_contain_text("Mira is deciding …")
    mira.answers("Cross box 2")
    group.all_see(("Ilse wins", "2 successes", "box 2 crossed", "Backed against the rail"))
    group.screen.shows("The toll bridge, at dusk", "Ilse wins", "2 successes", "The river rises")
    jonas.has("Ilse", "Will", "7 of 9")
    ada.has("Tollmaster", "Will", "10 of 9")
    expect(ada.sheet("Tollmaster").get_by_role("img", name="Box 2 of 5, crossed")).to_be_visible()
    expect(ada.pane("Table")).to_contain_text("Backed against the rail")

    group.fill_clock_and_take_it_back("The river rises", 4)


def test_the_loser_names_the_injury_and_a_crossed_box_leaves_no_choice(gather: Gather) -> None:
    """The loser crosses a box or names an Injury, from their own seat (TG-10); a crossed box is no choice (TG-11)."""
    group = gather("TGIMH", phone="Jonas")
    mira, jonas, ada = group.everybody
    jonas.makes_character("Ilse", "Ilse Varga")
    mira.makes_character("Tollmaster", "The Tollmaster")
    mira.opens_scene("The toll bridge, at dusk")

    def loses() -> None:
        jonas.gathers_dice("Ilse", against="Tollmaster")
        jonas.taps("First blade of the river towns")
        mira.opens_roll("Ilse")
        mira.taps("Four hired halberds", whose="Tollmaster")
        jonas.throws("9 5 2 | 9 7")
        expect(ada.verdict).to_contain_text("Ilse loses")
        expect(ada.verdict).to_contain_text("Mira is deciding …")
        group.screen.shows("The toll bridge, at dusk", "Ilse", "Ilse loses")
        mira.answers("No Condition")
        expect(ada.verdict).to_contain_text("Jonas is deciding …")

    loses()
    expect(jonas.choice).to_contain_text("What does Ilse bear?")
    jonas.answers("Take an Injury instead", words="Cracked ribs")
    group.all_see(("Ilse loses", "Cracked ribs, 1 die"))
    jonas.has("Ilse", "Cracked ribs", "Cracked ribs")
    for seat in group.everybody:
        seat.clears_stage()

    loses()
    jonas.answers("Cross box 1")
    group.all_see(("Ilse loses", "box 1 crossed"))
    for seat in group.everybody:
        seat.clears_stage()

    loses()
    expect(jonas.choice.get_by_role("button", name="Take an Injury instead")).to_have_count(0)
    jonas.answers("Cross box 2 and take an Injury", words="A limp")
    group.all_see(("Ilse loses", "box 2 crossed", "A limp, 2 dice"))


def test_a_stalemate_shifts_the_situation_and_a_scene_ends_with_what_the_gm_says(gather: Gather) -> None:
    """Equal pairs lie aside on every screen, and the GM is asked how the situation shifts (TG-5); closing a scene asks
    which Conditions end, and each end is a line in the log (TG-9, TG-13)."""
    group = gather("TGIMH", phone="Jonas")
    mira, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Ilse", "template": "Ilse Varga"})
    mira.does({"do": "create", "name": "Tollmaster", "template": "The Tollmaster"})
    mira.opens_scene("The toll bridge, at dusk")
    for name in ("Backed against the rail", "The lamps are out"):
        mira.does({"do": "edit", "holder": "scene", "section": "conditions", "item": name, "to": {}})

    jonas.gathers_dice("Ilse", against="Tollmaster")
    jonas.taps("First blade of the river towns")
    mira.opens_roll("Ilse")
    mira.taps("Four hired halberds", whose="Tollmaster")
    mira.sets("Theirs", 1)
    jonas.opens_pad()
    expect(jonas.stage.locator("dice-pad")).to_contain_text("Ilse, d10, die 1 of 6")
    jonas.types("9 8 4 9 8 4")
    for seat in group.everybody:
        expect(seat.verdict).to_contain_text("Stalemate")
        expect(seat.stage.locator(".rung.aside")).to_have_count(3)
    group.screen.shows("Stalemate", "The GM shifts the situation")
    mira.tells("A cart breaks through the rail.")
    group.all_see(("Ilse", "Stalemate", "A cart breaks through the rail."))
    ada.page.reload()
    expect(ada.stage.locator(".rung").last).to_be_visible()
    expect(ada.stage.locator(".ladder")).to_have_css("display", "flex")  # the looks of the felt come with the last roll

    mira.press(mira.pane("Table").get_by_role("button", name="End the scene"))
    dialog = mira.dialog("What ends with the scene? The rest stays.")
    dialog.get_by_label("The lamps are out").check()
    with mira.acting():
        mira.press(dialog.get_by_role("button", name="End the scene"))
    group.all_see("The lamps are out is gone")
    for seat in group.everybody:
        expect(seat.pane("Table")).to_contain_text("Backed against the rail")
