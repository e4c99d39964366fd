"""Tickets, chains and seals on a real server: what a seat gets, and what operators do to a table."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from astragal.cli.main import main
from astragal.storage import open_store
from astragal.storage.backup import restore
from astragal.storage.tables.keys import handovers, load_head_key, rotate_head_key
from astragal.storage.tables.repository import Repository
from astragal.table.action import ConfirmAction, FoundAction, JoinAction, NoteAction, RollAction
from astragal.table.chain import START, WHOLE, leaf_of, link, whole_leaf
from astragal.table.entry import Entry
from astragal.table.log.seal import handover_text, head_text, is_signed
from astragal.table.log.verify import check_file
from tests.serve.running import Guest, Running


def throws_of(entry: dict[str, Any]) -> list[dict[str, Any]]:
    return [thrown for line in entry["lines"] for thrown in line.get("thrown", [])]


def test_a_seat_holds_tickets_and_throws_with_the_one_that_it_was_shown(server: Running) -> None:
    gm = server.found("razorweave", sample=True)
    held = gm.view()["tickets"]
    with gm.connection() as connection:
        assert json.loads(connection.raw())["tickets"] == held
    entry = gm.act("roll", who="Kira", inputs={"dc": 14}, nonce="mine")["entry"]
    [thrown] = throws_of(entry)
    nonce, key, following, *_ = thrown["proof"]
    assert nonce == "mine"
    assert sha256(bytes.fromhex(key)).hexdigest() == held[""]
    assert gm.view()["tickets"] == {**held, "": following}


def leaf_told(entry: dict[str, Any], audience: str, content: str) -> str:
    """The leaf of what a page was told, found without the log."""
    if audience == WHOLE:
        return whole_leaf(content.encode())
    id, at, by, events = json.loads(content)
    told = {"version": 0, "id": id, "key": "", "by": by, "at": at, "do": "", "events": events}
    return leaf_of(msgspec.convert(told | {"removed": entry["removed"]}, Entry), audience)


def checked(guest: Guest, table: str, limit: int) -> dict[str, tuple[int, str]]:
    """The heads that the pages of a seat's chains make; the server's signatures must be of them."""
    since = 0
    chains: dict[str, tuple[int, str]] = {}
    while True:
        page = guest.get(guest.at(f"/chain?since={since}&limit={limit}"))
        for entry in page["entries"]:
            since += 1
            for audience, content in entry["contents"].items():
                n, head = chains.get(audience, (0, START))
                chains[audience] = (n + 1, link(head, leaf_told(entry, audience, content)))
        if since >= page["version"]:
            break
    for audience, signed in page["heads"].items():
        n, head = chains.get(audience, (0, START))
        assert (signed["n"], signed["head"]) == (n, head)
        assert is_signed(head_text(table, audience, n, head), page["key"], signed["signature"])
    return chains


def test_what_a_seat_is_told_makes_the_heads_that_the_server_signs(server: Running) -> None:
    gm = server.found("razorweave", sample=True)
    player = gm.invite()
    gm.act("note", text="Nobody hears this.", seen="gm")
    gm.act("roll", who="Kira", inputs={"dc": 14}, seen="blind", nonce="blind")
    player.act("note", text="Only mine.", seen="owner")
    player.act("note", text="Everybody's.")
    for limit in (1, 7, 200):
        ours, theirs = checked(gm, gm.table, limit), checked(player, gm.table, limit)
        assert ours[""] == theirs[""]
        assert "gm" not in theirs
        assert "*" not in theirs
        assert len(theirs) == 2


def test_a_page_of_a_chain_is_bounded(server: Running) -> None:
    gm = server.found("razorweave", sample=True)
    for query in ("since=-1", "limit=0", "limit=201", "since=x"):
        assert gm.http.get(gm.at(f"/chain?{query}")).status_code in (400, 422)
    assert httpx.get(str(gm.http.base_url.join(gm.at("/chain")))).status_code in (401, 403)


def test_an_export_of_the_server_is_right_and_one_with_another_byte_is_not(server: Running, tmp_path: Path) -> None:
    gm = server.found("razorweave", sample=True)
    gm.act("roll", who="Kira", inputs={"dc": 14}, nonce="mine")
    file = tmp_path / "table.jsonl"
    file.write_bytes(gm.http.get(gm.at("/export")).content)
    assert main(["verify", str(file)]) == 0
    n, head = check_file(file.read_bytes().splitlines(keepends=True)).log.chains[""]
    assert main(["verify", str(file), "--head", f"{n}:{head}", "--json"]) == 0
    assert main(["verify", str(file), "--head", f"{n}:{'0' * 64}"]) == 1
    assert main(["verify", str(file), "--key", "0" * 64]) == 1
    assert main(["verify", str(file), "--head", "nonsense"]) == 2
    file.write_bytes(file.read_bytes().replace(b'"nonce', b'"nonsense', 1).replace(b'"dc":14', b'"dc":15', 1))
    assert main(["verify", str(file)]) == 1


def test_a_story_with_its_dice_is_checked_and_one_with_another_face_is_not(server: Running, tmp_path: Path) -> None:
    gm = server.found("razorweave", sample=True)
    player = gm.invite()
    gm.act("roll", who="Kira", inputs={"dc": 14}, nonce="mine")
    gm.act("roll", who="Kira", inputs={"dc": 14}, seen="gm", nonce="hidden")
    file = tmp_path / "story.md"
    text = player.http.get(player.at("/story?dice=true")).text
    assert text.startswith(player.http.get(player.at("/story")).text.rstrip())
    assert '"mine"' in text
    assert '"hidden"' not in text
    file.write_text(text, "utf-8")
    assert main(["verify", str(file)]) == 0
    first = text.index('{"faces":[[[') + len('{"faces":[[[')
    file.write_text(f"{text[:first]}{int(text[first]) % 6 + 1}{text[first + 1 :]}", "utf-8")
    assert main(["verify", str(file)]) == 1
    file.write_text("# No dice", "utf-8")
    assert main(["verify", str(file)]) == 2


def table_of(repository: Repository) -> tuple[Any, str, str]:
    stored = repository.create(FoundAction(game="razorweave", title="Road", name="Mira"))
    gm = next(iter(stored.state.members))
    jonas = stored.act("", JoinAction(name="Jonas"), "join", 1).entry.by
    stored.act(jonas, NoteAction(text="My secret words."), "note", 2)
    return stored, gm, jonas


def rolled(stored: Any, by: str, key: str) -> Any:
    entry = stored.act(by, RollAction(name="Guard", inputs={"dc": 12}, nonce="mine"), key, 3).entry
    return next(event.proof for event in entry.events if getattr(event, "proof", None))


def test_words_that_were_removed_show_as_removed_and_the_chains_go_on(tmp_path: Path) -> None:
    with open_store(tmp_path / "tables.db") as store:
        repository = Repository(store)
        stored, gm, jonas = table_of(repository)
        rolled(stored, gm, "roll")
        chains = stored.state.chains
        repository.erase(stored.id, stored.state.members[jonas])
        after = repository.open(stored.id)
        assert after.state.chains == chains
        lines = list(after.export())
        assert b"My secret words" not in b"".join(lines)
        found = check_file(lines, chains[""])
        assert found.is_right
        assert "1 text was removed by the server's operator. Nothing else was." in str(found.findings)
        rolled(after, gm, "later")
        assert check_file(after.export(), chains[""]).is_right


def test_a_restored_table_uses_no_key_again_and_the_check_says_so(tmp_path: Path) -> None:
    path, backup = tmp_path / "tables.db", tmp_path / "backup.db"
    with open_store(path) as store:
        stored, gm, _ = table_of(Repository(store))
        rolled(stored, gm, "before")
        store.backup(backup)
        used = rolled(stored, gm, "after")
    restore(backup, path)
    with open_store(path) as store:
        again = Repository(store).open(stored.id)
        assert rolled(again, gm, "again").key != used.key
        found = check_file(again.export())
        assert found.outcome == "unproven"
        assert "tickets are new" in str(found.findings)
        assert found.log.throws == {"checked": 1, "restored": 1}
        again.act(gm, ConfirmAction(book=again.state.book), "confirm", 4)
        rolled(again, gm, "confirmed")
        assert check_file(again.export()).log.throws == {"checked": 2, "restored": 1}


def test_the_secret_goes_with_its_table_and_is_in_no_export(tmp_path: Path) -> None:
    with open_store(tmp_path / "tables.db") as store:
        repository = Repository(store)
        stored, gm, _ = table_of(repository)
        rolled(stored, gm, "roll")
        [name] = store.setting_names("tickets/")
        secret = store.setting(name)
        assert secret and len(secret) == 32
        file = b"".join(stored.export())
        assert secret not in file
        assert secret.hex().encode() not in file
        repository.delete(stored.id)
        assert store.setting_names("tickets/") == []


@pytest.mark.parametrize("keep_old", [True, False])
def test_an_older_key_vouches_for_its_heir_unless_it_is_forgotten(tmp_path: Path, keep_old: bool) -> None:
    with open_store(tmp_path / "tables.db") as store:
        old = load_head_key(store).public
        assert load_head_key(store).public == old
        rotate_head_key(store, keep_old)
        new = load_head_key(store).public
        assert new != old
        said = handovers(store)
        assert len(said) == keep_old
        assert all(is_signed(handover_text(old, new), old, each.signature) for each in said)
