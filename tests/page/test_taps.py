"""How many taps the most common actions take, counted, and compared with the table in docs/page.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.page.group import Gather, Group
from tests.page.seat import Seat

PAGE = Path(__file__).parents[2] / "docs" / "page.md"
COUNT = """() => {
    window.taps = 0;
    window.counts ??= (addEventListener("click", (event) => { window.taps += event.isTrusted; }, true), true);
}"""
MOST = {
    "Roll again": 2,
    "One trait, then Roll": 2,
    "Two traits, then Roll": 3,
    "Answer the GM's request as suggested": 1,
    "Help with a stat": 2,
    "Tick a Clock": 1,
    "Type five real dice": 7,
    "Take a choice after the roll": 1,
}
"""What was promised; the table may promise less, and nothing takes more."""


def promised() -> dict[str, int]:
    """The table of taps as the docs print it."""
    return {
        action: int(taps) for action, taps in re.findall(r"^\| ([^|]+?) \| (\d+) \|$", PAGE.read_text("utf-8"), re.M)
    }


@contextmanager
def taps(seat: Seat, action: str, seen: set[str]) -> Iterator[None]:
    """What is done in the block takes as many taps as the docs say."""
    seat.page.evaluate(COUNT)
    yield
    counted = seat.page.evaluate("window.taps")
    assert counted == promised()[action], f"{action}: {counted} taps"
    seen.add(action)


def seated(gather: Gather) -> Group:
    """Mira runs Narraject; Jonas on his phone plays Ysolde, Ada plays Tobren."""
    group = gather("Narraject", phone="Jonas")
    mira, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Ysolde", "template": "Ysolde Marrin"})
    ada.does({"do": "create", "name": "Tobren", "template": "Tobren Quill"})
    clock = {"segments": 6, "kind": "threat"}
    mira.does({"do": "edit", "holder": "table", "section": "clocks", "item": "The tide", "to": clock})
    jonas.does({"do": "roll", "who": "Ysolde", "use": {"Might": 2}, "inputs": {"difficulty": 3}, "faces": "6 6 | 6"})
    settle(jonas)
    return group


def rolls_again(jonas: Seat) -> None:
    jonas.press(jonas.stage.get_by_role("button", name=re.compile("^Roll again")))
    jonas.rolls()


def rolls_with(jonas: Seat, *traits: str) -> None:
    for trait in traits:
        with jonas.acting():
            jonas.press(jonas.page.locator(".side .tap-item").filter(has_text=trait).get_by_role("button").first)
    jonas.rolls()


def types_five(jonas: Seat) -> None:
    jonas.press(jonas.roll_button)
    pad = jonas.stage.locator("dice-pad .pad")
    for face in ("5", "4", "3", "2"):
        jonas.press(pad.get_by_role("button", name=face, exact=True))
    with jonas.acting():
        jonas.press(pad.get_by_role("button", name="1", exact=True))


def test_the_most_common_actions_take_the_promised_taps(gather: Gather) -> None:
    group = seated(gather)
    mira, jonas, ada = group.everybody
    seen: set[str] = set()

    with taps(jonas, "Roll again", seen):
        rolls_again(jonas)
    settle(jonas)
    with taps(jonas, "One trait, then Roll", seen):
        rolls_with(jonas, "Heart")
    settle(jonas)
    with taps(jonas, "Two traits, then Roll", seen):
        rolls_with(jonas, "Might", "Wreck diving")
    settle(jonas)

    mira.clears_stage()
    with taps(mira, "Ask for a roll, with a suggestion and a difficulty", seen):
        mira.press(mira.stage.get_by_role("button", name="Ask for a roll"))
        mira.press(mira.stage.get_by_role("group", name="Suggest").get_by_role("button", name="Wits", exact=True))
        mira.press(mira.stage.locator(".steps").get_by_role("button", name=re.compile("^2")))
        with mira.acting():
            mira.press(mira.stage.locator("new-roll .roll"))
    expect(jonas.stage.locator(".ask-note")).to_be_visible()
    with taps(jonas, "Answer the GM's request as suggested", seen):
        jonas.rolls()
    settle(jonas)
    ada.rolls()
    settle(ada)

    jonas.taps("Agility", 2, whose="Ysolde")
    ada.clears_stage()
    ada.opens_roll("Ysolde")
    with taps(ada, "Help with a stat", seen):
        with ada.acting():
            ada.press(ada.stage.get_by_role("button", name="Help as Tobren"))
        with ada.acting():
            ada.press(ada.stage.get_by_role("group", name="What you help with").get_by_role("button").first)
    jonas.taps("Storm lamp")
    jonas.uses_own_dice()
    with taps(jonas, "Type five real dice", seen):
        types_five(jonas)
    expect(jonas.choice).to_be_visible()
    with taps(jonas, "Take a choice after the roll", seen), jonas.acting():
        jonas.press(jonas.stage.get_by_role("button", name="Leave it"))
    settle(jonas)

    mira.clears_stage()
    with taps(mira, "Tick a Clock", seen), mira.acting():
        mira.press(mira.stage.locator(".clock").filter(has_text="The tide"))
    with taps(mira, "Undo a roll", seen):
        mira.press(mira.log.locator(".ent .open-card").last)
        with mira.acting():
            mira.press(mira.log.get_by_role("button", name="Undo", exact=True))

    assert seen == set(promised()), "the table and this test name the same actions"
    assert len(seen) >= 10


def settle(seat: Seat) -> None:
    """Leave the choice, if there is one, and clear the stage."""
    expect(seat.stage.locator("verdict-card .verdict")).to_be_visible()
    leave = seat.stage.get_by_role("button", name="Leave it")
    if leave.is_visible():
        with seat.acting():
            seat.press(leave)
    seat.clears_stage()


@pytest.mark.parametrize("action", MOST)
def test_nothing_takes_more_than_was_promised(action: str) -> None:
    table: Callable[[], dict[str, int]] = promised
    assert table()[action] <= MOST[action]
