"""What the GM hides reaches no player's browser: neither the page nor a frame of the socket."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.page.axe import SCHEMES
from tests.page.group import Gather
from tests.page.seat import Seat
from tests.page.test_checking import checks

CONTRAST = """(which) => {
    const part = (n) => (n <= 10.31475 ? n / 3294.6 : ((n / 255 + 0.055) / 1.055) ** 2.4);
    const light = (colour) => {
        const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map(part);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    return Math.min(...[...document.querySelectorAll(which)].map((one) => {
        const { color, backgroundColor } = getComputedStyle(one);
        const [less, more] = [light(color), light(backgroundColor)].sort((a, b) => a - b);
        return more / less;
    }));
}"""
"""The least contrast of the text of some elements with their background."""


def reaches(seat: Seat, *secrets: str) -> list[str]:
    """The secrets that are anywhere in a page, or came over its socket."""
    known = "\n".join([seat.whole_page, *seat.frames])
    return [secret for secret in secrets if re.search(_pattern(secret), known)]


def _pattern(secret: str) -> str:
    """Dice such as 3d6 only as a word of their own, since an id may have those signs in it too."""
    escaped = re.escape(secret)
    return rf"\b{escaped}\b" if set(secret) <= set("0123456789abcdef") else escaped


def test_a_hidden_roll_is_nowhere_until_it_is_revealed(gather: Gather) -> None:
    group = gather("Narraject", phone="Ada")
    mira, jonas, ada = group.everybody
    mira.gathers_dice("Quick pool, no character", seen="GM only")
    mira.sets("d6", 3)
    mira.sets("Difficulty", 4)
    mira.throws("6 6 5 | 5")
    expect(mira.verdict).to_contain_text("Success")
    expect(mira.stage).to_contain_text("Only you see this")
    mira.answers("Leave it")

    mira.writes("Something moved behind the altar.")
    for player in (jonas, ada):
        player.sees("Something moved behind the altar.")
        assert reaches(player, "rolls/", "Attempt", "3d6", "4 against 4", "4 needed") == []

    mira.reveals()
    for player in (jonas, ada):
        player.sees("Success", "4 needed")
    expect(checks(ada)).to_contain_text("Typed by Mira. Nobody can check typed dice.")


def test_a_hidden_difficulty_leaves_the_dice_to_all_and_the_outcome_to_the_gm(gather: Gather) -> None:
    """NJ-7: whether the Marks suffice is what the GM knows; NJ-13: the player may still spend IP, or settle."""
    group = gather("Narraject", phone="Ada")
    mira, jonas, ada = group.everybody
    ada.does({"do": "create", "name": "Tobren", "template": "Tobren Quill"})
    mira.gathers_dice("Tobren")
    mira.hides("Difficulty")
    mira.sets("Difficulty", 4)

    ada.taps("Wits", 2)
    expect(ada.stage).to_contain_text("Mira hides how hard it is")
    ada.throws("6 5 | 4")
    for player in (jonas, ada):
        expect(player.stage.get_by_role("img", name="6 on a d6")).to_be_visible()
        expect(player.verdict).to_contain_text("Mira hides how hard it is")
        assert reaches(player, "against Difficulty 4", '"difficulty":4', "against 4", "4 needed", "Near miss") == []

    ada.answers("Leave it")
    mira.reveals()
    group.all_see(("Tobren", "Near miss"))


def test_of_a_veiled_clock_only_the_name_is_known(gather: Gather) -> None:
    group = gather("Narraject", phone="Ada")
    mira, jonas, ada = group.everybody
    mira.starts_clock("Something wakes", 7, seen="Name only")
    mira.ticks("Something wakes")
    mira.writes("The water is warmer than it was.")
    for player in (jonas, ada):
        player.sees("The water is warmer than it was.")
        expect(player.clock("Something wakes")).to_contain_text("?")
        assert reaches(player, "of 7", '"segments":7', '"filled":1', "Something wakes +1") == []

    mira.press(mira.pane("Table").get_by_role("button", name="Show Something wakes to everybody"))
    for player in (jonas, ada):
        expect(player.clock("Something wakes")).to_contain_text("1 of 7")


def test_whoever_rolls_blind_does_not_see_the_dice(gather: Gather) -> None:
    group = gather("Narraject", phone="Ada")
    mira, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Ysolde", "template": "Ysolde Marrin"})
    jonas.gathers_dice("Ysolde", seen="Only Mira")
    jonas.sets("Difficulty", 1)
    jonas.taps("Might", 2)
    jonas.rolls()
    expect(jonas.stage).to_contain_text("The dice are under the cup.")
    expect(jonas.stage).to_contain_text("Only Mira sees how it went.")

    expect(mira.stage).to_contain_text("Under the cup. Ysolde knows only that it was rolled.")
    mira.answers("Leave it")
    verdict = mira.verdict.get_by_role("heading", level=2).inner_text()
    for player in (jonas, ada):
        assert reaches(player, '"face":', verdict) == []

    mira.reveals()
    group.all_see(verdict)


def test_a_gm_picks_a_hidden_clock_by_its_name_and_players_never_read_it(gather: Gather) -> None:
    """RW-9: the Clocks that a GM sees are there to tap after a miss; players learn only that a threat grows."""
    duke = "The Duke betrays us"
    group = gather("Razorweave", phone="Ada")
    mira, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Kira", "template": "Kira Voss"})
    mira.does(
        {"do": "create", "name": "Ruhl", "template": "Captain Ruhl"},
        *(
            {"do": "edit", "holder": "table", "section": "clocks", "item": name, "to": {"segments": 4, **more}}
            for name, more in (("Alarm", {"kind": "threat"}), (duke, {"kind": "threat", "seen": "gm"}))
        ),
    )
    strike = {"do": "roll", "who": "Kira", "against": "Ruhl", "inputs": {"dc": 16, "strike": True}}
    jonas.does({**strike, "faces": "2 2 3 3"})
    expect(mira.choice).to_contain_text("threat", ignore_case=True)
    picks = mira.stage.locator(".picks")
    expect(picks.get_by_role("button")).to_have_text(["Alarm", duke])
    for scheme in SCHEMES:
        mira.page.emulate_media(color_scheme=scheme)
        assert mira.page.evaluate(CONTRAST, ".picks button") > 4.5, "names were white on white, or dark on dark"
    for player in (jonas, ada):
        expect(player.verdict).to_contain_text("Mira is deciding …")
        expect(player.stage.locator(".picks")).to_have_count(0)
    with mira.acting():
        mira.press(picks.get_by_role("button", name=duke))
    expect(mira.clock(duke)).to_contain_text("1 of 4")
    expect(mira.clock("Alarm")).to_contain_text("0 of 4")
    for player in (jonas, ada):
        card = player.pane("Log").locator(".ent").last
        player.press(card.locator(".open-card"))
        player.press(player.pane("Log").locator("open-card summary").filter(has_text="Why?"))
        expect(player.pane("Log").locator("open-card")).to_contain_text("A threat grows")
        assert reaches(player, duke) == []


def test_the_phone_says_that_the_machine_throws_before_anybody_reaches_for_dice(gather: Gather) -> None:
    """T-3: a hidden number of dice cannot be typed; a seat that types its dice is told before, and has no pad."""
    group = gather("Narraject", phone="Jonas")
    mira, jonas = group.gm, group.jonas
    jonas.does({"do": "create", "name": "Kira"})
    jonas.page.evaluate("localStorage.setItem('astragal.typed', 'true')")
    mira.does({"do": "open", "who": "Kira", "inputs": {"d6": 3, "difficulty": 1}, "hide": ["d6"]})
    expect(jonas.stage.locator(".tray")).to_contain_text("The machine throws this one: you may not see")
    expect(jonas.roll_button).to_have_text("Roll")
    assert reaches(jonas, "3d6") == []
    jonas.rolls()
    expect(jonas.stage.locator("dice-pad")).to_have_count(0)
    mira.sees("Kira")
