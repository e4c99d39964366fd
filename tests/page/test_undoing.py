"""Undo after the dice: the player asks, the GM allows it wherever they are, and the dice are kept (T-1, T-2, P-11)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.page.group import Gather
from tests.page.seat import Seat


def test_a_player_asks_for_an_undo_and_the_gm_allows_it(gather: Gather) -> None:
    group = gather("Narraject", phone="Ada")
    mira, jonas = group.gm, group.jonas
    jonas.does({"do": "create", "name": "Kira"})
    jonas.does({"do": "roll", "who": "Kira", "inputs": {"d6": 2, "difficulty": 1}, "faces": "5 1 | 3"})
    jonas.press(jonas.button("Undo the last action"))
    expect(jonas.page.locator(".toast")).to_contain_text("You asked the GM to undo it.")

    plea = mira.page.locator(".plea")
    expect(plea).to_contain_text(re.compile("Jonas asks to undo:.*Kira's attempt"))
    mira.press(plea.get_by_role("button", name="Allow"))
    expect(plea).to_have_count(0)
    expect(jonas.stage.locator(".kept").first).to_contain_text("d6 5, 1 · Step Die 3")


def test_the_big_screen_shows_a_roll_that_an_undo_opened_again(gather: Gather) -> None:
    """Though its card was put aside there long ago."""
    group = gather("Narraject")
    mira, jonas = group.gm, group.jonas
    jonas.does({"do": "create", "name": "Kira"})
    screen = group.screen
    screen.page.clock.install()
    jonas.does({"do": "roll", "who": "Kira", "inputs": {"d6": 2, "difficulty": 1}, "faces": "5 1 | 3"})
    expect(screen.page.locator(".verdict")).to_be_visible()
    idle = "() => document.querySelector('room-view').table.stage.now.is === 'idle'"
    screen.lets_time_pass(lambda: bool(screen.page.evaluate(idle)))
    mira.does({"do": "undo"})
    expect(screen.page.locator(".verdict")).to_have_count(0)
    screen.shows("Kira")
    expect(screen.picture).not_to_contain_text("Nobody has rolled yet")


def test_what_was_undone_is_said_and_can_be_put_back(gather: Gather) -> None:
    group = gather("Narraject", phone="Ada")
    jonas = group.jonas
    jonas.does({"do": "note", "text": "It rains."})
    jonas.press(jonas.button("Undo the last action"))
    toast = jonas.page.locator(".toast").filter(has_text="Jonas undid a note of Jonas.")
    with jonas.acting():
        toast.get_by_role("button", name="Put it back").click()
    expect(jonas.page.locator(".toast").filter(has_text="Jonas put back a note of Jonas.")).to_have_count(1)


def thrown_by_hand(gather: Gather, **more: str) -> tuple[Seat, Seat]:
    """Jonas typed 5, 1 and a 3 for Kira; Mira is the GM."""
    group = gather("Narraject", **more)
    mira, jonas = group.gm, group.jonas
    jonas.does({"do": "create", "name": "Kira"})
    jonas.does({"do": "roll", "who": "Kira", "inputs": {"d6": 2, "difficulty": 1}, "faces": "5 1 | 3"})
    for seat in (mira, jonas):
        expect(seat.verdict.first).to_be_visible()  # the dice lie still
    return mira, jonas


def opens_card(seat: Seat, name: str = "Kira") -> Locator:
    log = seat.pane("Log")
    seat.press(log.get_by_role("button", name=re.compile(f"{name}.*: open the card")).last)
    return log.locator("open-card")


def sees_dice(seat: Seat, *faces: int) -> None:
    """The last roll in the log that stands has these dice."""
    dice = seat.pane("Log").locator(".ent:not(.struck)").last.locator(".mini-dice .die")
    expect(dice).to_have_count(len(faces))
    for n, face in enumerate(faces):
        expect(dice.nth(n)).to_have_attribute("aria-label", re.compile(f"^{face} on"))


@pytest.mark.parametrize("phone", ["Mira", "Jonas"])
def test_a_gm_corrects_typed_dice_from_the_card_of_the_roll(gather: Gather, phone: str) -> None:
    """T-1: two taps to the pad; the old and the new face stand in the log, and everybody sees the new throw."""
    mira, jonas = thrown_by_hand(gather, phone=phone)
    card = opens_card(jonas)
    expect(card).to_contain_text("Typed wrong? Mira can correct it.")
    expect(card.get_by_role("button", name="Correct typed dice")).to_have_count(0)

    mira.clears_stage()  # on a phone, what she watches may lie over the log
    mira.press(opens_card(mira).get_by_role("button", name="Correct typed dice"))
    pad = mira.stage.locator("dice-pad")
    expect(pad.get_by_role("button", name="Correct", exact=True)).to_be_disabled()
    mira.press(pad.get_by_role("button", name="Die 2 shows 1: change it"))
    mira.press(pad.locator(".pad").get_by_role("button", name="6", exact=True))
    expect(pad.locator(".caption")).to_have_text("1 → 6")
    mira.press(pad.get_by_role("button", name="Correct", exact=True))
    for seat in (mira, jonas):
        expect(
            seat.pane("Log").locator(".small-line").filter(has_text="Mira corrects typed dice: d6 1 → 6.")
        ).to_have_count(1)
        sees_dice(seat, 5, 6, 3)


def test_a_correction_that_is_left_puts_the_throw_back(gather: Gather) -> None:
    mira, jonas = thrown_by_hand(gather)
    mira.press(opens_card(mira).get_by_role("button", name="Correct typed dice"))
    pad = mira.stage.locator("dice-pad")
    with mira.acting():
        mira.press(pad.get_by_role("button", name="Back", exact=True))
    jonas.sees("Mira put back Kira's attempt")
    expect(jonas.stage.locator(".kept")).to_have_count(0)


def test_kept_dice_are_shown_on_the_pad_and_only_new_ones_are_typed(gather: Gather) -> None:
    """T-1: kept faces are not typed again; a die that was added is."""
    mira, jonas = thrown_by_hand(gather, phone="Jonas")
    mira.does({"do": "undo"})
    jonas.does({"do": "build", "inputs": {"d6": 3}})
    jonas.opens_pad()
    pad = jonas.stage.locator("dice-pad")
    expect(pad.locator(".typed-dice .kept")).to_have_count(3)
    assert [die.get_attribute("aria-label") for die in pad.locator(".typed-dice .kept .die").all()] == [
        "Kept: 5",
        "Kept: 1",
        "Kept: 3",
    ]
    expect(pad.locator(".caption")).to_contain_text("die 3 of 4")
    jonas.types("4")
    sees_dice(mira, 5, 1, 4, 3)


def test_kept_dice_show_their_faces_wherever_the_roll_is_gathered(gather: Gather) -> None:
    """T-1: on the GM's stage, on a phone and on the big screen; a die that was added is an outline."""
    group = gather("Narraject", phone="Jonas")
    mira, jonas = group.gm, group.jonas
    jonas.does({"do": "create", "name": "Kira"})
    jonas.does({"do": "roll", "who": "Kira", "inputs": {"d6": 2, "difficulty": 1}, "faces": "5 1 | 3"})
    mira.does({"do": "undo"})
    jonas.does({"do": "build", "inputs": {"d6": 3}})
    for place in (mira, jonas, group.screen):
        dice = place.page.locator(".raw-dice:visible, .tv-dice").locator(".die")
        expect(dice).to_have_count(4)
        assert [die.get_attribute("aria-label") for die in dice.all()] == ["Kept: 5", "Kept: 1", None, "Kept: 3"]
        expect(dice.nth(2)).to_have_text("d6")
    group.screen.shows("Kept dice come up again.")


def test_undo_is_in_reach_on_a_phone_while_its_own_verdict_is_read(gather: Gather) -> None:
    """T-2: the card of one's own roll covers neither the bar with Undo nor the menu."""
    group = gather("Narraject", phone="Jonas")
    jonas = group.jonas
    jonas.does({"do": "create", "name": "Kira"})
    jonas.does({"do": "roll", "who": "Kira", "inputs": {"d6": 2, "difficulty": 1}, "faces": "5 1 | 3"})
    expect(jonas.stage.locator("verdict-card")).to_be_visible()
    jonas.press(jonas.button("Undo the last action"))
    expect(group.gm.page.locator(".plea")).to_contain_text("Jonas asks to undo")


def test_a_roll_whose_dice_are_all_kept_is_thrown_with_the_button(gather: Gather) -> None:
    """T-1: nothing is new, so nothing is typed."""
    mira, jonas = thrown_by_hand(gather, phone="Jonas")
    mira.does({"do": "undo"})
    jonas.uses_own_dice()
    expect(jonas.roll_button).to_have_text("Roll")
    jonas.rolls()
    expect(jonas.stage.locator("dice-pad")).to_have_count(0)
    expect(jonas.verdict).to_be_visible()


def test_a_gm_reveals_a_hidden_move_from_the_log_and_what_waited_happens(gather: Gather) -> None:
    group = gather("Chronicles")
    mira, jonas = group.gm, group.jonas
    jonas.does({"do": "create", "name": "Kira"})
    jonas.does({"do": "edit", "holder": "Kira", "section": "conditions", "item": "Shaken", "to": {"dice": -1}})
    mira.does({"do": "move", "name": "resolve", "who": "Kira", "inputs": {"condition": "Shaken"}, "seen": "gm"})
    log = mira.pane("Log")
    waits = log.locator(".small-line").filter(has_text="Shaken is gone waits until you reveal this move.")
    mira.press(waits.get_by_role("button", name="Show everybody"))
    expect(jonas.pane("Log")).to_contain_text("Revealed: End a Condition.")
    expect(waits.get_by_role("button", name="Show everybody")).to_have_count(0)
