"""A restore while people play: the page takes up the new tickets, confirms them in the log, and says what was lost."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from astragal.cli.main import main
from astragal.table.log.verify import check_file
from tests.page.chromium import context
from tests.page.seat import Seat
from tests.page.test_cheating import acts, exported, founder, rolls
from tests.page.test_checking import compares
from tests.serve.running import Running


def reloads(seat: Seat) -> None:
    """Load the page again, until it is connected: from then on it hears of a restore."""
    with seat.page.expect_websocket() as line:
        seat.page.reload()
    line.value.wait_for_event("framereceived")


def restored(folder: Path, server: Running) -> Running:
    """A restore while the server is stopped, and the server that is started afterwards."""
    assert main(["restore", str(folder / "b.db"), "--data", str(folder)]) == 0
    return Running(folder / "tables.db", port=server.port)


def test_a_page_confirms_the_tickets_that_a_restore_brought(browser: Browser, tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db") as server:
        seat = founder(browser, server)
        rolls(seat, 1)
        expect(compares(seat)).to_contain_text("Everything that you were told fits together")
        reloads(seat)
        assert main(["backup", str(tmp_path / "b.db"), "--data", str(tmp_path)]) == 0
        acts(seat, do="note", text="This will be lost.")
        expect(compares(seat)).to_contain_text("Everything that you were told fits together")  # the page keeps the head
        reloads(seat)
    with restored(tmp_path, server):
        expect(seat.log).to_contain_text("Mira's page confirmed the new tickets. It had seen 1 entry more")
        rolls(seat, 2)
        found = check_file(exported(seat))
        assert found.log.throws == {"checked": 2}
        assert found.outcome == "unproven", "a lost entry may have been a throw that did not please"
        assert "had seen 1 open entry more" in str(found.findings)
        dialog = compares(seat)
        expect(dialog).to_contain_text("The table was restored or imported once.")
        expect(dialog).to_contain_text("A member’s page had seen entries that the restored log does not have")
        seat.page.context.close()


UNPROVEN = "Not proven across a restore"


def test_throws_that_are_not_proven_across_a_restore_are_marked(browser: Browser, tmp_path: Path) -> None:
    """A program that does not confirm its new tickets throws: the card on the stage, in the log and opened say so."""
    with Running(tmp_path / "tables.db") as server:
        gm = server.found("razorweave")
        seat = Seat(context(browser).new_page(), "Ada", server.url)
        seat.page.goto(server.url + gm.links["player"])
        seat.joins()
        gm.act("roll", name="Before", inputs={"dc": 10}, nonce="ab" * 16)
        expect(seat.card("Before")).not_to_contain_text(UNPROVEN)
        assert main(["backup", str(tmp_path / "b.db"), "--data", str(tmp_path)]) == 0
    with restored(tmp_path, server) as again:
        gm = gm.back_at(again)
        expect(seat.log).to_contain_text("Ada's page confirmed the new tickets.")
        told = gm.act("roll", name="After", inputs={"dc": 10}, nonce="cd" * 16)["entry"]["lines"]
        assert any(line["text"].endswith(", not proven across a restore.") for line in told)
        expect(seat.card("After")).to_contain_text(UNPROVEN)
        expect(seat.card("Before")).not_to_contain_text(UNPROVEN)
        expect(seat.verdict).to_contain_text(UNPROVEN)
        seat.press(seat.card("After").get_by_role("button", name="After acts: open the card"))
        expect(seat.log.locator("open-card .marks2")).to_contain_text(UNPROVEN)
        acts(seat, do="roll", inputs={"dc": 11})
        expect(seat.card("Ada")).not_to_contain_text(UNPROVEN)
        seat.page.context.close()
