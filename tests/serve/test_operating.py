"""Commands of whoever runs the server, while it runs: backups, keys, links, erasing; and what a stop leaves."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from astragal.errors import Unavailable
from astragal.serve.app import app
from astragal.storage import open_store
from astragal.table.log.verify import check_file
from tests.cli.command import run_apart
from tests.serve.running import FREE, Guest, Running

UNPOLLED = FREE._replace(poll_every=600)
"""What commands do is known without a look at the store."""


def command(folder: Path, *words: str) -> str:
    answer = run_apart(*words, "--data", str(folder))
    assert answer.code == 0, answer.err
    return answer.out


def status(guest: Guest) -> int:
    return guest.http.get(guest.at()).status_code


def test_a_clean_stop_leaves_everything_in_one_file(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db") as server:
        gm = server.found()
        with gm.connection():
            for n in range(20):
                gm.act("note", text=f"{n}")
            server.stop()
    assert {file.name for file in tmp_path.iterdir()} <= {"tables.db", "tables.db.server"}
    shutil.copyfile(tmp_path / "tables.db", tmp_path / "copy.db")
    with open_store(tmp_path / "copy.db") as store:
        assert store.info(gm.table).version == 21


def test_an_error_during_the_stop_is_logged_and_the_store_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logged: list[str] = []
    with Running(tmp_path / "tables.db") as server:
        gm = server.found()
        monkeypatch.setattr(server.server.request_log, "error", lambda error, path: logged.append(f"{path}: {error}"))

        async def fail(message: str) -> None:
            raise RuntimeError("a bug")

        monkeypatch.setattr(server.server.registry, "disconnect", fail)
        server.stop()
    assert logged == ["shutdown: a bug"] * 2
    assert not (tmp_path / "tables.db-wal").exists()
    with open_store(tmp_path / "tables.db") as store:
        assert store.info(gm.table).version == 1


def test_a_second_server_on_the_same_folder_is_refused_and_the_command_line_is_not(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db") as server:
        gm = server.found()
        with pytest.raises(Unavailable, match="Another server is running on"):
            app(tmp_path / "tables.db")
        assert gm.table in command(tmp_path, "table", "list")
        gm.act("note", text="still here")
    with Running(tmp_path / "tables.db"):
        pass


def test_a_revoked_link_stays_revoked_after_a_restart(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db") as server:
        gm = server.found()
        player = gm.invite("player", "Jonas")
        cookies = dict(player.http.cookies.items())
        link = next(each for each in gm.view()["links"] if each["path"] == gm.links["player"])
        assert gm.http.delete(gm.at(f"/links/{link['id']}")).status_code == 204
    with Running(tmp_path / "tables.db") as server:
        again = server.guest()
        again.table = gm.table
        for name, value in cookies.items():
            again.http.cookies.set(name, value, path=again.at())
        assert status(again) == 403
        token = {"token": gm.links["player"].partition("#")[2], "name": "Ada"}
        assert again.http.post(again.at("/seat"), json=token).status_code == 403


def test_links_of_a_deleted_table_open_no_later_table_of_its_id(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", UNPOLLED) as server:
        gm = server.found()
        player = gm.invite("player", "Jonas")
        file = gm.http.get(gm.at("/export")).content
        command(tmp_path, "table", "delete", gm.table, "--yes")
        other = server.guest()
        made = other.http.post("/api/tables/import", content=file, headers={"Content-Type": "application/x-ndjson"})
        assert made.json()["table"] == gm.table
        other.table = gm.table
        assert status(other) == 200
        for old in (gm, player):
            assert status(old) == 403
        for link in gm.links.values():
            token = {"token": link.partition("#")[2], "name": "Ada"}
            assert other.http.post(other.at("/seat"), json=token).status_code == 403


def test_a_table_that_is_deleted_beside_the_server_says_goodbye(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", UNPOLLED) as server:
        gm = server.found()
        with gm.connection() as live:
            live.next("hello")
            command(tmp_path, "table", "delete", gm.table, "--yes")
            assert live.next("bye")["why"] == "This table was deleted."
        assert status(gm) == 404


def test_a_lost_seat_is_given_back_by_a_command(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", UNPOLLED) as server:
        gm = server.found()
        jonas = gm.invite("player", "Jonas")
        path = command(tmp_path, "table", "link", gm.table).split()[-1]
        back = server.guest().take_seat(gm.table, path)
        assert back.view()["you"]["role"] == "gm"
        path = command(tmp_path, "table", "link", gm.table, "--member", "Jonas").split()[-1]
        assert server.guest().take_seat(gm.table, path).member == jonas.member
        path = command(tmp_path, "table", "link", gm.table, "--role", "gm").split()[-1]
        assert server.guest().take_seat(gm.table, path, "Vera").view()["you"] | {"id": ""} == {
            "id": "",
            "name": "Vera",
            "role": "gm",
        }


def test_keys_are_rotated_while_the_server_runs(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", UNPOLLED) as server:
        gm = server.found()
        secrets = server.server.signer._secrets
        command(tmp_path, "keys", "--rotate")
        assert server.server.signer._secrets != secrets
        assert status(gm) == 200
        assert gm.invite("player", "Jonas").view()["you"]["name"] == "Jonas"
        new = next(each["path"] for each in gm.view()["links"] if each["role"] == "player")
        assert new != gm.links["player"]
        command(tmp_path, "keys", "--rotate", "--forget")
        assert status(gm) == 403
        token = {"token": gm.links["player"].partition("#")[2], "name": "Ada"}
        assert gm.http.post(gm.at("/seat"), json=token).status_code == 403


def test_a_backup_is_made_while_the_server_runs_and_put_back_while_it_does_not(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", UNPOLLED) as server:
        gm = server.found()
        gm.act("note", text="before")
        assert "1 table with" in command(tmp_path, "backup", str(tmp_path / "b.db"))
        gm.act("note", text="after")
        refused = run_apart("restore", str(tmp_path / "b.db"), "--data", str(tmp_path))
        assert refused.code == 2
        assert refused.err.endswith("Nothing was changed; stop the server, restore, and start it again.\n")
        gm.act("note", text="and after")
    assert "The old data is in" in command(tmp_path, "restore", str(tmp_path / "b.db"))
    with Running(tmp_path / "tables.db") as server:
        again = gm.back_at(server)
        texts = str(again.view()["log"])
        assert "before" in texts and "after" not in texts
        again.act("note", text="and on")
    with open_store(tmp_path / "tables.db") as store:
        assert store.info(gm.table).version == 4, "one of them announces the restore"


def test_a_page_that_returns_after_a_restore_gets_everything_though_its_version_is_the_same(tmp_path: Path) -> None:
    def named(view: dict[str, Any]) -> str:
        return "{id}.{at}".format(**view["log"][-1])

    with Running(tmp_path / "tables.db") as server:
        gm = server.found()
        command(tmp_path, "backup", str(tmp_path / "b.db"))
        gm.act("note", text="after the backup")
        had = gm.view()
    command(tmp_path, "restore", str(tmp_path / "b.db"))
    with Running(tmp_path / "tables.db") as server:
        again = gm.back_at(server)
        now = again.view()
        assert now["version"] == had["version"]
        with again.connection(had["version"], last=named(had)) as live:
            assert live.next()["type"] == "hello"
        with again.connection(now["version"], last=named(now)) as live:
            assert live.next()["type"] == "here"
        again.act("note", text="and on")
        with again.connection(had["version"], last=named(had)) as live:
            assert live.next()["type"] == "hello"
        with again.connection(now["version"], last=named(now)) as live:
            assert [entry["lines"][0]["text"] for entry in live.next("news")["entries"]] == ["Mira: and on"]


def test_a_person_is_erased_and_the_log_keeps_its_shape(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", UNPOLLED) as server:
        gm = server.found()
        jonas = gm.invite("player", "Jonas Krug")
        jonas.act("note", text="My street is Elm Street.")
        gm.act("note", text="Jonas Krug said so.")
        before = gm.get(gm.at("/log"))
        said = command(tmp_path, "table", "erase", gm.table, "Jonas Krug", "--yes")
        assert "2 entries were changed" in said and "The name is still in entries 4." in said
        assert "Elm" not in gm.http.get(gm.at()).text
        after = gm.get(gm.at("/log"))
        assert [entry["id"] for entry in after["entries"]] == [entry["id"] for entry in before["entries"]]
        assert "(removed)" in str(after) and "Elm" not in gm.http.get(gm.at("/export")).text
        jonas.act("note", text="Still seated.")
    assert b"Elm Street" not in (tmp_path / "tables.db").read_bytes()


def test_every_name_and_all_words_of_a_person_are_erased(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", UNPOLLED) as server:
        gm = server.found("razorweave")
        jonas = gm.invite("player", "Jonas Krug")
        gm.act("note", text="Jonas Krug is late.")
        jonas.act("seat", member="Jonas Krug", name="J. Krug")
        jonas.act("create", name="Kira")
        jonas.act("edit", holder="Kira", section="conditions", item="Wet", to={"note": "cold"}, why="From Elm Street")
        gm.act("edit", holder="Kira", section="conditions", item="Lucky", to={}, why="A gift of the GM")
        jonas.act("roll", who="Kira", inputs={"dc": 14}, faces="6 5 4 4", seen="owner")
        (roll,) = (path.partition("/")[2] for path in jonas.view()["parts"] if path.startswith("rolls/"))
        jonas.act("describe", roll=roll, text="As fast as on Elm Street.")
        gm.act("reveal")
        gm.act("note", text="So J. Krug did it.")
        before = gm.get(gm.at("/log"))
        said = command(tmp_path, "table", "erase", gm.table, "J. Krug", "--yes")
        assert "The name is still in entries 3, 11." in said
        assert "Elm" not in gm.http.get(gm.at()).text
        export = gm.http.get(gm.at("/export")).text
        assert "Elm" not in export and "A gift of the GM" in export and export.count("Krug") == 2
        assert len(gm.get(gm.at("/log"))["entries"]) == len(before["entries"])
    assert b"Elm Street" not in (tmp_path / "tables.db").read_bytes()


def test_what_a_persons_rolls_were_for_is_erased_wherever_it_is_repeated(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", UNPOLLED) as server:
        gm = server.found("razorweave")
        jonas, ada = gm.invite("player", "Jonas"), gm.invite("player", "Ada")
        jonas.act("create", name="Kira")
        ada.act("create", name="Bran")
        gm.act("scene", title="The wall")
        over = {"dc": 14, "intent": "over the wall to Elm Street"}
        jonas.act("roll", who="Kira", inputs=over, faces="1 1 1 1")  # what fails is remembered, until it works
        jonas.act("roll", who="Kira", inputs={**over, "retry": "with a rope from Elm Street"}, faces="6 6 5 5")
        jonas.act("roll", who="Kira", inputs={"dc": 14, "intent": "dash"}, faces="1 1 1 1")
        jonas.act("open", who="Kira", inputs={"dc": 12, "intent": "Hide in Elm Street"})
        gm.act("throw", faces="6 6 5 5")
        ada.act("roll", who="Bran", inputs={"dc": 14, "intent": "dash"}, faces="6 6 5 5")
        gm.act("note", text="A dash is a run.")
        before = gm.get(gm.at("/log"))
        sheets = {path: part for path, part in gm.view()["parts"].items() if path.startswith("holders/")}
        command(tmp_path, "table", "erase", gm.table, "Jonas", "--yes")
        assert "Elm" not in gm.http.get(gm.at()).text
        export = gm.http.get(gm.at("/export")).text
        assert "Elm" not in export and "(removed 2)" in export, "different words stay different"
        log = gm.get(gm.at("/log"))
        assert [entry["id"] for entry in log["entries"]] == [entry["id"] for entry in before["entries"]]
        assert str(log).count("dash") == str(before["entries"][-2:]).count("dash"), "what others said stays"
        after = {path: part for path, part in gm.view()["parts"].items() if path.startswith("holders/")}
        assert after.keys() == sheets.keys()
        for each in (sheets, after):
            assert sum(len(part["sheet"].get("tried", {})) for part in each.values()) == 1
        jonas.act("note", text="Still seated.")


def test_what_a_person_said_in_answers_and_called_their_edge_is_erased(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", UNPOLLED) as server:
        gm = server.found("razorweave")
        jonas, ada = gm.invite("player", "Jonas"), gm.invite("player", "Ada")
        jonas.act("create", name="Kira")
        ada.act("create", name="Bran")
        typed = {"dc": 14, "edge": "1 the lamp of Elm Street, 1 rope", "burden": {"mud of Elm Street": 1}}
        jonas.act("roll", who="Kira", inputs=typed, faces="6 5 4 4 4")
        jonas.act("open", who="Kira", inputs={"dc": 14})
        jonas.act("build", inputs={"edge": "2 friends in Elm Street"})
        jonas.act("throw", faces="6 5 4 4 4 1")
        ada.act("roll", who="Bran", inputs={"dc": 14, "edge": "1 a good rope"}, faces="6 5 4 4 4")
        blow = ["condition: Lost in Elm Street"]
        jonas.act("roll", who="Kira", against="Bran", inputs={"dc": 14, "strike": True}, faces="6 5 5 3", answers=blow)
        assert "Elm" in str(gm.view()["parts"])
        before = gm.view()["parts"]
        command(tmp_path, "table", "erase", gm.table, "Jonas", "--yes")
        assert "Elm" not in gm.http.get(gm.at()).text
        export = gm.http.get(gm.at("/export")).text
        assert "Elm" not in export and "a good rope" in export
        assert gm.view()["parts"].keys() == before.keys()
        jonas.act("roll", who="Kira", inputs={"dc": 14}, faces="6 5 4 4")


def test_what_a_gm_offered_is_erased_from_the_answer_of_the_player_who_took_it(tmp_path: Path) -> None:
    """It ended in an error, and the cost stayed in what the roll came to (T-10)."""
    with Running(tmp_path / "tables.db", UNPOLLED) as server:
        gm = server.found("narraject")
        jonas = gm.invite("player", "Jonas")
        jonas.act("create", name="Kira")
        jonas.act("roll", who="Kira", inputs={"d6": 2, "difficulty": 2}, faces="5 2 | 3")
        gm.act("answer", answer="offer: They know Elm Street")
        jonas.act("answer", answer="accept")
        assert "At a cost: They know Elm Street" in gm.http.get(gm.at("/story")).text
        command(tmp_path, "table", "erase", gm.table, "Mira", "--yes")
        for path in ("", "/export", "/story"):
            assert "Elm" not in gm.http.get(gm.at(path)).text
        assert check_file(gm.http.get(gm.at("/export")).content.splitlines(keepends=True)).is_right


def test_the_note_of_a_gms_request_is_erased_from_the_rolls_that_answer_it(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", UNPOLLED) as server:
        gm = server.found("razorweave")
        jonas = gm.invite("player", "Jonas")
        jonas.act("create", name="Kira")
        gm.act("ask", who=["Kira"], kind="check", inputs={"dc": 12}, note="Find the house in Elm Street.")
        request = next(path for path in jonas.view()["parts"] if path.startswith("requests/")).partition("/")[2]
        jonas.act("roll", request=request, who="Kira", faces="6 6 5 5")
        assert "Elm" in gm.http.get(gm.at()).text
        command(tmp_path, "table", "erase", gm.table, "Mira", "--yes")
        assert "Elm" not in gm.http.get(gm.at()).text
        assert "Elm" not in gm.http.get(gm.at("/export")).text


def test_tables_are_kept_for_a_set_time_only(tmp_path: Path) -> None:
    long_ago = FREE._replace(clock=lambda: 1_000_000_000_000)
    with Running(tmp_path / "tables.db", long_ago) as server:
        old = server.found()
        old.act("note", text="long ago")
    with Running(tmp_path / "tables.db") as server:
        new = server.found()
        new.act("note", text="now")
    days = ("table", "expire", "--days", "365")
    assert f'Would be deleted: "The Drowned Bell" ({old.table})' in command(tmp_path, *days)
    assert old.table in command(tmp_path, *days, "--to", str(tmp_path / "old"), "--yes")
    assert "No table is that old" in command(tmp_path, *days, "--yes")
    assert new.table in command(tmp_path, "table", "list")
    assert "long ago" in (tmp_path / "old" / f"{old.table}.jsonl").read_text()


LONG_AGO = FREE._replace(clock=lambda: 1_000_000_000_000)
EXPIRE = ("table", "expire", "--days", "365", "--yes")


def found_long_ago(folder: Path) -> str:
    with Running(folder / "tables.db", LONG_AGO) as server:
        gm = server.found()
        gm.act("note", text="long ago")
        return gm.table


def test_a_table_that_was_put_away_comes_back_as_it_was(tmp_path: Path) -> None:
    table = found_long_ago(tmp_path)
    before = command(tmp_path, "table", "export", table, "-")
    with Running(tmp_path / "tables.db", UNPOLLED):
        said = command(tmp_path, *EXPIRE, "--to", str(tmp_path / "old"))
        file = tmp_path / "old" / f"{table}.jsonl"
        assert said == f'Deleted: "The Drowned Bell" ({table}), exported to {file}\n'
        assert "no table" in run_apart("table", "list", "--data", str(tmp_path)).out.lower()
        command(tmp_path, "table", "import", str(file))
        *entries, imported, _ = command(tmp_path, "table", "export", table, "-").splitlines()[1:]
        assert entries == before.splitlines()[1:-1]
        assert '"why":"imported","seal":"right"' in imported


def test_what_was_put_away_earlier_is_not_overwritten(tmp_path: Path) -> None:
    table, old = found_long_ago(tmp_path), tmp_path / "old"
    shutil.copyfile(tmp_path / "tables.db", tmp_path / "before.db")
    for _ in range(2):
        command(tmp_path, *EXPIRE, "--to", str(old))
        shutil.copyfile(tmp_path / "before.db", tmp_path / "tables.db")
    assert sorted(file.name for file in old.iterdir()) == sorted((f"{table}.jsonl", f"{table}-2.jsonl"))


def test_a_table_that_cannot_be_put_away_stays_and_the_others_go(tmp_path: Path) -> None:
    damaged, sound = found_long_ago(tmp_path), found_long_ago(tmp_path)
    with open_store(tmp_path / "tables.db") as store:
        store._log.connection.execute("UPDATE log SET body = x'00' WHERE place = (SELECT min(place) FROM log)")
    answer = run_apart(*EXPIRE, "--to", str(tmp_path / "old"), "--data", str(tmp_path))
    assert answer.code == 1
    assert f'Kept: "The Drowned Bell" ({damaged}): ' in answer.out and f"({sound}), exported to" in answer.out
    with open_store(tmp_path / "tables.db") as store:
        assert [each.table for each in store.tables()] == [damaged]


def test_nothing_is_deleted_without_its_export(tmp_path: Path) -> None:
    table = found_long_ago(tmp_path)
    (tmp_path / "file").touch()
    answer = run_apart(*EXPIRE, "--to", str(tmp_path / "file" / "old"), "--data", str(tmp_path))
    assert answer.code == 1 and "cannot be created" in answer.out
    assert table in command(tmp_path, "table", "list")
