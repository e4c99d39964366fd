"""Dice that anybody can check: on the thrower's page, on somebody else's phone, offline, and where somebody cheats."""

from __future__ import annotations

import os
import re
from pathlib import Path

from playwright.sync_api import Locator, expect

import astragal.serve
from tests.page.group import Gather
from tests.page.seat import Seat

OFFLINE = Path(astragal.serve.__file__).with_name("page") / "verify.html"
PICTURES = Path(os.environ["CHECK_PICTURES"]) if "CHECK_PICTURES" in os.environ else None


def checks(seat: Seat) -> Locator:
    """The check of the latest roll, opened from its card in the log."""
    card = seat.log.locator(".ent[data-roll]").last
    seat.press(card.locator(".open-card"))
    seat.press(seat.log.get_by_role("button", name="Check this roll"))
    return seat.dialog("Check this roll")


def compares(seat: Seat) -> Locator:
    """The check of everything that the seat was told, with the words."""
    seat.press(seat.page.get_by_role("button", name="Menu").first)
    seat.press(seat.page.get_by_role("button", name="Check and compare"))
    dialog = seat.dialog("Check and compare")
    expect(dialog.locator(".code-words li")).to_have_count(6)
    return dialog


def picture(seat: Seat, name: str) -> None:
    if PICTURES:
        seat.page.screenshot(path=PICTURES / f"{name}.png")


def rolls(seat: Seat, dc: int) -> None:
    """With the page's own nonce, as the button does."""
    sent = "({dc}) => document.querySelector('table-page').table.act({do: 'roll', who: 'Kira', inputs: {dc}})"
    with seat.acting():
        seat.page.evaluate(sent, {"dc": dc})


def test_a_roll_is_checked_by_whoever_threw_it_and_by_everybody_else(gather: Gather, tmp_path: Path) -> None:
    group = gather("Razorweave", phone="Ada")
    mira, jonas, ada = group.everybody
    jonas.does({"do": "create", "name": "Kira"})
    rolls(jonas, 14)
    dialog = checks(jonas)
    expect(dialog).to_contain_text("Checked: these dice follow")
    expect(dialog).to_contain_text("The ticket was shown to this page before it threw.")
    jonas.closes(dialog)
    dialog = checks(ada)
    expect(dialog).to_contain_text("Checked: these dice follow")
    expect(dialog).not_to_contain_text("shown to this page")
    picture(ada, "check-roll")
    ada.closes(dialog)

    words = []
    for seat in (jonas, ada):
        dialog = compares(seat)
        expect(dialog).to_contain_text("Everything that you were told fits together")
        words.append(dialog.locator(".code-words").inner_text())
        picture(seat, f"compare-{seat.name}")
        seat.closes(dialog)
    assert words[0] == words[1]

    answer = mira.page.request.get(f"{mira.page.url.split('/t/')[0]}/api/tables/{_table(mira)}/export")
    (tmp_path / "table.jsonl").write_bytes(answer.body())
    page = mira.page.context.new_page()
    page.goto(OFFLINE.as_uri())
    page.locator("input[type=file]").set_input_files(tmp_path / "table.jsonl")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("section")).to_contain_text("Nothing is wrong.")
    expect(page.locator("section")).to_contain_text(re.sub(r"\s+", " ", words[0]).strip())

    jonas.page.goto(f"{jonas.page.url}/story")
    with jonas.page.expect_download() as saved:
        jonas.page.get_by_role("link", name="Save with the dice").click()
    saved.value.save_as(tmp_path / "story.md")
    page.locator("input[type=file]").set_input_files(tmp_path / "story.md")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("section")).to_contain_text("The Razorweave evening")
    expect(page.locator("section")).to_contain_text("Nothing is wrong.")
    expect(page.locator("section")).to_contain_text("1 checked")

    changed = answer.body().replace(b'"dc":14', b'"dc":15')
    (tmp_path / "table.jsonl").write_bytes(changed)
    page.locator("input[type=file]").set_input_files(tmp_path / "table.jsonl")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("section")).to_contain_text("The file was changed after it was sealed.")


def _table(seat: Seat) -> str:
    found = re.search(r"/t/([\w-]+)", seat.page.url)
    assert found
    return found[1]


OTHER_DICE = """body => body.log?.forEach(entry => entry.lines.forEach(line => line.thrown?.forEach(({faces}) => {
    line.dice[0][2] = faces[0][0][0] = faces[0][0][0] % 6 + 1;
})))"""
"""Another face on the first die of every throw, in the dice and in what is said of how they fell."""
CHEAT = """{
    const honest = window.fetch, change = %s;
    window.fetch = async (path, ...rest) => {
        const answer = await honest(path, ...rest);
        if (!/\\/api\\/tables\\/[\\w-]+(\\/chain.*)?$/.test(path)) return answer;
        const body = await answer.json();
        change(body);
        return Response.json(body);
    };
}"""


def test_a_server_that_tells_other_dice_is_caught(gather: Gather) -> None:
    group = gather("Razorweave", phone="Ada")
    jonas, ada = group.jonas, group.ada
    jonas.does({"do": "create", "name": "Kira"})
    rolls(jonas, 14)
    ada.closes(compares(ada))
    ada.page.add_init_script(CHEAT % OTHER_DICE)
    ada.page.reload()
    dialog = checks(ada)
    expect(dialog).to_contain_text("This does not hold.")
    picture(ada, "check-wrong")
    ada.closes(dialog)
    dialog = compares(ada)
    expect(dialog).to_contain_text("The log shows other dice than those that were chained.")
