"""TGIMH at the live table: a whole scene, with a player on a phone."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.page.group import Gather, Group


def test_a_duel_on_the_toll_bridge(gather: Gather) -> None:
    """Each side gathers its own dice (TG-2) and pays with Will (TG-6), a foe's pride gives him 1 (TG-7); the winner
    makes a Condition of the scene (TG-9), and the loser's side crosses a box of the Power track (TG-10)."""
    group = gather("TGIMH", phone="Jonas")
    mira, jonas, ada = group.everybody
    jonas.makes_character("Ilse", "Ilse Varga")
    ada.makes_character("Odo", "Odo Brandt")
    mira.makes_character("Tollmaster", "The Tollmaster")
    mira.does({"do": "hold", "holder": "Tollmaster", "seen": "all"})
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
    jonas.does({"do": "create", "name": "Ilse", "template": "Ilse Varga"})
    mira.does({"do": "create", "name": "Tollmaster", "template": "The Tollmaster"})
    mira.does({"do": "scene", "title": "The toll bridge, at dusk"})

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
    mira.does({"do": "scene", "title": "The toll bridge, at dusk"})
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


def hurt(gather: Gather) -> Group:
    """Ilse is Jonas's, on a phone, and Odo is Ada's; both bear Conditions, and so does the scene."""
    group = gather("TGIMH", phone="Jonas")
    mira, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Ilse", "template": "Ilse Varga"})
    ada.does({"do": "create", "name": "Odo", "template": "Odo Brandt"})
    mira.does({"do": "scene", "title": "The toll bridge, at dusk"})
    conditions: tuple[tuple[str, str, dict[str, object]], ...] = (
        ("Odo", "Broken arm", {"dice": 2, "injury": True}),
        ("Ilse", "Drunk", {"dice": 1}),
        ("Ilse", "Cut", {"dice": 1, "injury": True}),
        ("Ilse", "Old wound", {"dice": 1, "injury": True, "transient": False}),
        ("scene", "Fog", {"dice": 2}),
    )
    mira.does(
        *(
            {"do": "edit", "holder": holder, "section": "conditions", "item": item, "to": to}
            for holder, item, to in conditions
        )
    )
    return group


def test_a_condition_is_healed_or_used_and_the_sheet_says_which(gather: Gather) -> None:
    """A Recovery is against a Condition's own dice (TG-14), and another Condition gives dice for Will (TG-6)."""
    group = hurt(gather)
    jonas, ada = group.jonas, group.ada
    jonas.gathers_dice("Ilse", kind="Recover from a Condition", against="Odo")
    jonas.taps("Odo's Broken arm", group="Heal this")
    jonas.taps("Fog", group="Use it")
    own = jonas.page.locator(".side .tap-item").filter(has_text="Drunk").get_by_role("button", name="Use it")
    with jonas.acting():
        jonas.press(own)
    expect(own).to_have_attribute("aria-pressed", "true")
    condition, ilse = ada.stage.locator(".half").all()
    expect(condition.locator(".hh")).to_contain_text("Odo's Broken arm")
    expect(condition.locator(".raw-dice .die")).to_have_count(2)
    expect(ilse.locator(".raw-dice .die")).to_have_count(3)
    for words in ("Drunk 1", "Fog (scene) 2", "costs 2 Will"):
        expect(ilse).to_contain_text(words)
    jonas.throws("9 8 2 | 5 1")
    group.all_see(("Ilse", "Broken arm"))
    expect(ada.sheet("Odo")).not_to_contain_text("Broken arm")
    jonas.has("Ilse", "Will", "7 of 9")
    jonas.has("Ilse", "Drunk", "Drunk")


def test_a_refreshment_has_a_box_for_each_condition_ticked_as_it_is_transient(gather: Gather) -> None:
    """TG-15: Injuries and transient Conditions are ticked beforehand, a lasting one and the scene's are not."""
    group = hurt(gather)
    mira, jonas, ada = group.everybody
    mira.does({"do": "close"})
    pane = jonas.pane("Table")
    jonas.press(pane.locator("summary").filter(has_text="Have a Refreshment scene"))
    form = pane.locator("move-form").filter(has_text="Have a Refreshment scene")
    boxes = {box: form.get_by_role("checkbox", name=box) for box in ("Drunk", "Cut", "Old wound", "Fog")}
    assert {name: box.is_checked() for name, box in boxes.items()} == {
        "Drunk": True,
        "Cut": True,
        "Old wound": False,
        "Fog": False,
    }
    boxes["Drunk"].uncheck()
    boxes["Fog"].check()
    company = form.locator("label").filter(has=jonas.page.locator("select[name=against]"))
    expect(company.locator(".label")).to_have_text("With")
    company.locator("select").select_option("Odo")
    with jonas.acting():
        jonas.press(form.get_by_role("button", name="Have a Refreshment scene"))
    sheet = jonas.sheet("Ilse")
    expect(sheet).to_contain_text("Old wound")
    expect(sheet).to_contain_text("Drunk")
    expect(sheet).not_to_contain_text("Cut")
    expect(ada.pane("Table")).not_to_contain_text("Fog")


def test_r27_the_loser_reads_their_own_card_with_the_new_condition(gather: Gather) -> None:
    """Of two players, the loser's card says that they lose, in its tone, and what the winner made of it (TG-9)."""
    group = hurt(gather)
    jonas, ada = group.jonas, group.ada
    ada.does({"do": "open", "who": "Odo", "against": "Ilse", "inputs": {"ours": 3}})
    jonas.does({"do": "build", "inputs": {"theirs": 2}}, {"do": "ready"})
    ada.does({"do": "throw", "faces": "9 8 7 | 5 2"})
    expect(ada.verdict).to_contain_text("Odo wins")
    ada.answers("Make it", words="Backed against the rail")
    jonas.answers("Cross box 3")
    lost, won = (seat.stage.locator("article.verdict") for seat in (jonas, ada))
    expect(lost.locator("h2")).to_have_text("Ilse loses")
    expect(lost).to_have_class(re.compile("tone-bad"))
    expect(lost.locator(".gains")).to_contain_text("Backed against the rail, 3 dice")
    expect(won.locator("h2")).to_have_text("Odo wins")
    expect(won).to_have_class(re.compile("tone-good"))


def test_r27_backgrounds_carry_no_warning(gather: Gather) -> None:
    jonas = hurt(gather).jonas
    jonas.does({"do": "open", "who": "Ilse", "kind": "recovery"})
    part = jonas.sheet("Ilse").get_by_role("region", name="Backgrounds")
    expect(part).to_contain_text("A title laid down")
    expect(part.locator(".cond")).to_have_count(1)
    expect(part.locator("svg")).to_have_count(0)
