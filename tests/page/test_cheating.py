"""A server that cheats, in nine ways: each is noticed on the page, in a real browser, and on the command line."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Browser, expect

from astragal.storage import open_store
from astragal.storage.record import Record
from astragal.storage.tables.repository import Repository
from astragal.table.entry import Entry, encode_entry
from astragal.table.log.verify import check_file
from astragal.table.rolls.ticket import Tickets
from astragal.table.state import encode_state
from astragal.table.table import Table, folded
from tests.page.chromium import context
from tests.page.seat import Seat
from tests.page.test_checking import checks, compares
from tests.serve.running import Running
from tests.table.cheats import (
    CHEATS,
    as_thrown,
    other_face,
    proof_of,
    rethrown,
    thrown_of,
    with_other_key,
    with_other_turn,
    with_text,
)

NEW = {"game": "razorweave", "title": "The Drowned Bell", "name": "Mira"}
ACT = "action => document.querySelector('table-page').table.act(action)"
LiveCheat: TypeAlias = Callable[[Entry, list[Entry], Tickets], Entry]
"""What becomes of a throw: it gets the throw, the seat's throws before it, and the tickets."""


def twice(entry: Entry, before: list[Entry], _: Tickets) -> Entry:
    proof = proof_of(before[0])
    assert proof
    return rethrown(entry, key=bytes.fromhex(proof.key))


def after_an_aborted_one(entry: Entry, before: list[Entry], tickets: Tickets) -> Entry:
    """It was thrown, did not please, and was thrown again with the next ticket."""
    later = [tickets.ticket(entry.by, "", len(before) + n) for n in (1, 2)]
    return rethrown(entry, key=later[0].key, next=later[1].hash)


NOT_SHOWN = "The ticket is not one that this page was shown before it threw."
TURNS = "The throws of one action are not numbered as they fell"
OTHER = "Another ticket was shown before"
LIVE: dict[str, tuple[LiveCheat, str, str]] = {
    "faces chosen after the nonce": (lambda entry, *_: other_face(entry), "This does not hold.", "Faces do not follow"),
    "another key than the ticket": (lambda entry, *_: with_other_key(entry), NOT_SHOWN, OTHER),
    "dice chosen among several turns": (lambda entry, *_: with_other_turn(entry), TURNS, TURNS),
    "a ticket used twice": (twice, NOT_SHOWN, "A ticket was used before."),
    "typed dice claimed as verified": (
        lambda entry, _, tickets: as_thrown(entry, tickets), "This does not hold.", "Faces do not follow",
    ),
    "an aborted throw hidden": (after_an_aborted_one, NOT_SHOWN, OTHER),
}  # fmt: skip
"""Cheats with the second throw at a table; what its card says, and what the check of everything says."""


def test_what_is_tried_here_is_tried_without_a_browser_too() -> None:
    assert set(LIVE) <= set(CHEATS)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("cheat") / "tables.db") as server:
        yield server


def founder(browser: Browser, server: Running) -> Seat:
    """Somebody at a table of their own."""
    made = context(browser)
    table = made.request.post(f"{server.url}/api/tables", data=NEW).json()["table"]
    seat = Seat(made.new_page(), "Mira", server.url)
    seat.page.goto(f"{server.url}/t/{table}")
    expect(seat.page.get_by_role("button", name="Menu").first).to_be_visible()
    return seat


def acts(seat: Seat, **action: Any) -> None:
    """With the page's own nonce, as its buttons do."""
    expect(seat.page.locator(".app")).to_be_visible()  # the page may have been loaded only now
    with seat.acting():
        seat.page.evaluate(ACT, action)


def rolls(seat: Seat, n: int, **more: Any) -> None:
    acts(seat, do="roll", name="Guard", inputs={"dc": 10 + n}, **more)
    expect(seat.log.locator(".ent[data-roll]")).to_have_count(n)


def table_of(seat: Seat) -> str:
    return seat.page.url.rpartition("/t/")[2]


def exported(seat: Seat) -> list[bytes]:
    server = seat.page.url.partition("/t/")[0]
    return seat.page.request.get(f"{server}/api/tables/{table_of(seat)}/export").body().splitlines(keepends=True)


def cheating(cheat: LiveCheat, spare: int = 1) -> Callable[..., Entry]:
    """How a table decides where the server cheats with every throw but the first, which it may not spare either."""
    honest, before = Table.decide, list[Entry]()

    def decide(table: Table, *asked: Any, **more: Any) -> Entry:
        entry = honest(table, *asked, **more)
        if not thrown_of(entry):
            return entry
        before.append(cheat(entry, before, more["tickets"]) if len(before) >= spare else entry)
        return before[-1]

    return decide


@pytest.mark.parametrize("name", LIVE)
def test_a_server_that_cheats_with_a_throw_is_caught(
    browser: Browser, running: Running, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    cheat, on_card, in_all = LIVE[name]
    monkeypatch.setattr(Table, "decide", cheating(cheat))
    seat = founder(browser, running)
    rolls(seat, 1)
    rolls(seat, 2, **({"faces": "1 2 3 4"} if "typed" in name else {}))
    dialog = checks(seat)
    expect(dialog).to_contain_text(on_card)
    seat.closes(dialog)
    expect(compares(seat)).to_contain_text(in_all)
    assert not check_file(exported(seat)).is_right
    seat.page.context.close()


def test_what_was_promised_and_what_got_no_answer_is_known_after_a_reload(
    browser: Browser, running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of a seat's first throw, whose ticket nobody else has seen."""
    seat = founder(browser, running)
    rolls(seat, 1)
    acts(seat, do="roll", name="Guard", inputs={"dc": 12}, seen="gm")
    monkeypatch.setattr(Table, "decide", cheating(lambda entry, *_: with_other_key(entry), spare=0))
    other = founder(browser, running)
    rolls(other, 1)
    other.page.route("**/actions", lambda route: route.abort())
    with other.page.expect_request("**/actions"):
        other.page.evaluate(f"action => void ({ACT})(action)", {"do": "roll", "name": "Guard", "inputs": {"dc": 12}})
    for page in (seat.page, other.page):
        page.reload()
    expect(checks(seat)).to_contain_text("The ticket was shown to this page before it threw.")
    dialog = checks(other)
    expect(dialog).to_contain_text(NOT_SHOWN)
    other.closes(dialog)
    dialog = compares(other)
    expect(dialog).to_contain_text("A ticket is not the one that this page was shown before it threw.")
    expect(dialog).to_contain_text("1 throw of this page got no answer")
    for page in (seat.page, other.page):
        page.context.close()


def rewrite_note(path: Path, table: str) -> None:
    """Other words in the note, as whoever runs the server can write them."""
    with open_store(path) as store:
        before = Repository(store).open(table).history()
        after = [with_text(entry, "A quiet night.") if entry.do == "note" else entry for entry in before]
        store.rewrite(table, [Record(entry.version, entry.key, encode_entry(entry)) for entry in after]).result()
        state = folded(after)
        store.save_snapshot(table, state.version, encode_state(state)).result()


def drop_latest(path: Path, table: str) -> None:
    """The latest entry is gone, and with it whatever tells of it."""
    with sqlite3.connect(path) as file:
        (number,) = file.execute("SELECT number FROM tables WHERE name = ?", (table,)).fetchone()
        (last,) = file.execute("SELECT max(place) FROM log WHERE place >> 32 = ?", (number,)).fetchone()
        file.execute("DELETE FROM log WHERE place = ?", (last,))
        file.execute("DELETE FROM seen WHERE number = ? AND version = ?", (number, last & 0xFFFFFFFF))
        file.execute("DELETE FROM snapshots WHERE number = ?", (number,))
    file.close()


@pytest.mark.parametrize(
    "change, says", [(rewrite_note, "The head that was kept is another"), (drop_latest, "Entries are missing")]
)
def test_a_server_that_changes_history_is_caught(
    browser: Browser, tmp_path: Path, change: Callable[[Path, str], None], says: str
) -> None:
    """Rewritten, dropped, or told to another seat in other words: by the kept head, and by comparing words."""
    path = tmp_path / "tables.db"
    with Running(path) as server:
        seat = founder(browser, server)
        acts(seat, do="note", text="What a night.")
        rolls(seat, 1)
        dialog = compares(seat)
        words = dialog.locator(".code-words").inner_text()
        seat.press(dialog.get_by_text("All numbers"))
        n, _, head = dialog.locator("code").first.inner_text().partition(":")
        seat.closes(dialog)
        assert check_file(exported(seat), (int(n), head)).is_right
    change(path, table_of(seat))
    with Running(path, port=server.port) as server:
        seat.page.reload()
        dialog = compares(seat)
        expect(dialog).to_contain_text(says)
        assert dialog.locator(".code-words").inner_text() != words, "somebody else's words are others"
        found = check_file(exported(seat), (int(n), head))
        assert [finding.text for finding in found.findings if re.search("head .* was kept|head that was", finding.text)]
        assert check_file(exported(seat)).is_right, "the seal is the server's own"
        seat.page.context.close()
