"""What the GM hides reaches no player's browser: neither the page nor a frame of the socket."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.page.group import Gather
from tests.page.seat import Seat


def reaches(seat: Seat, *secrets: str) -> list[str]:
    """The secrets that are anywhere in a page, or came over its socket."""
    known = "\n".join([seat.whole_page, *seat.frames])
    return [secret for secret in secrets if secret in known]


def test_a_hidden_roll_is_nowhere_until_it_is_revealed(gather: Gather) -> None:
    group = gather("Narraject", phone="Ada")
    mira, jonas, ada = group.everybody
    mira.gathers_dice("Quick pool, no character", seen="GM only")
    mira.sets("d6", 3)
    mira.sets("Difficulty", 4)
    mira.throws("6 6 5 | 5")
    mira.sees("(4 against 4)")
    mira.answers("Leave it")

    mira.writes("Something moved behind the altar.")
    for player in (jonas, ada):
        player.sees("Something moved behind the altar.")
        assert reaches(player, "rolls/", "Attempt", "3d6 and", "4 against 4") == []

    mira.reveals()
    group.all_see("3d6 and a d6 against Difficulty 4", "(4 against 4)")


def test_a_hidden_difficulty_leaves_the_dice_to_all_and_the_outcome_to_the_gm(gather: Gather) -> None:
    """NJ-7: whether the Marks suffice is what the GM knows; NJ-13: so settling the roll is the GM's, too."""
    group = gather("Narraject", phone="Ada")
    mira, jonas, ada = group.everybody
    ada.does({"do": "create", "name": "Tobren", "template": "Tobren Quill"})
    mira.gathers_dice("Tobren")
    with mira.acting():
        mira.press(mira.page.get_by_role("button", name="Hide Difficulty from players"))
    mira.sets("Difficulty", 4)

    ada.taps("Wits", 2)
    expect(ada.pane("Roll")).to_contain_text("Part of this roll is hidden.")
    ada.throws("6 5 | 4")
    jonas.opens_roll("Tobren")
    for player in (jonas, ada):
        pane = player.pane("Roll")
        expect(pane.get_by_role("img", name="6 on a d6")).to_be_visible()
        expect(pane).to_contain_text("The GM knows the result.")
        assert reaches(player, "against Difficulty 4", '"difficulty":4', "against 4", "Near miss") == []

    mira.answers("Leave it")
    mira.reveals()
    group.all_see("2d6 and a d6 against Difficulty 4", "(2 against 4)")


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

    mira.press(mira.button("Show Something wakes to everybody"))
    for player in (jonas, ada):
        expect(player.clock("Something wakes")).to_contain_text("1 of 7")


def test_whoever_rolls_blind_does_not_see_the_dice(gather: Gather) -> None:
    group = gather("Narraject", phone="Ada")
    mira, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Ysolde", "template": "Ysolde Marrin"})
    jonas.gathers_dice("Ysolde", seen="Blind: GM only")
    jonas.sets("Difficulty", 1)
    jonas.taps("Might", 2)
    jonas.rolls()
    expect(jonas.pane("Roll")).to_contain_text("Rolled blind. The GM sees the result.")

    mira.opens_roll("Ysolde")
    mira.answers("Leave it")
    verdict = mira.log.locator(".verdict").last.inner_text()
    for player in (jonas, ada):
        assert reaches(player, '"face":', verdict) == []

    mira.reveals()
    group.all_see(verdict)
