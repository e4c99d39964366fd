"""Games of others while a real server runs: added, spoilt, mended and edited; its log, tables and workers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from astragal.errors import Faulty
from astragal.games.folder import VARIABLE
from astragal.serve.workers import queue
from astragal.serve.workers.message import read_reply, write_reply
from tests.installed import register
from tests.serve.running import FREE, Running

LADDER = (Path(__file__).parents[1] / "written" / "ladder.toml").read_text("utf-8")
SPOILT = LADDER.replace('title = "Ladder"', "title = Ladder")
PATIENCE = 120
"""Seconds; a worker goes behind everything else on a busy machine."""
PUBLIC = "The game ladder has a mistake in it; astragal check ladder tells its author more."
PYPROJECT = """
[project]
name = "rumble"
version = "0.1"
[project.entry-points."astragal.games"]
rumble = "rumble:GAME"
"""


class House:
    """A folder of games, a folder of packages, and a server in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.games, self.packages, self.data = folder / "games", folder / "packages", folder / "data"
        for each in (self.games, self.packages):
            each.mkdir()
        self.log = folder / "log"

    def write(self, text: str) -> None:
        """The file of the game; two files of one size within a tick of the clock would look the same."""
        file = self.games / "ladder.toml"
        before = file.stat().st_mtime_ns if file.exists() else 0
        file.write_text(text, "utf-8")
        if file.stat().st_mtime_ns <= before:
            os.utime(file, ns=(before + 1, before + 1))

    @contextmanager
    def serving(self) -> Iterator[httpx.Client]:
        words = ["-m", "astragal", "serve", "--port", "0", "--data", str(self.data), "--games", str(self.games)]
        environment = {**os.environ, "PYTHONPATH": str(self.packages)}
        with self.log.open("a") as log:
            process = subprocess.Popen(
                [sys.executable, *words], stdout=subprocess.PIPE, stderr=log, text=True, env=environment
            )
        assert process.stdout
        try:
            url = process.stdout.readline().split()[-1].rstrip("/")
            with httpx.Client(base_url=url, timeout=PATIENCE, transport=httpx.HTTPTransport(retries=5)) as client:
                _until_there(client)
                yield client
        finally:
            process.terminate()
            process.wait(30)
            process.stdout.close()

    def logged(self) -> list[Any]:
        """What the log says of broken games."""
        lines = [json.loads(line) for line in self.log.read_text("utf-8").splitlines() if line.startswith("{")]
        return [line for line in lines if line["event"] == "broken game"]


def _until_there(client: httpx.Client) -> None:
    for _ in range(200):
        try:
            client.get("/healthz")
            return
        except httpx.TransportError:
            time.sleep(0.05)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def found(client: httpx.Client, game: str = "ladder") -> str:
    """The path of a new table."""
    answer = client.post("/api/tables", json={"game": game, "title": "T", "name": "Mira"})
    assert answer.status_code == 201, answer.text
    return f"/api/tables/{answer.json()['table']}"


def act(client: httpx.Client, table: str, **action: Any) -> httpx.Response:
    return client.post(f"{table}/actions", json=action, headers={"Idempotency-Key": os.urandom(8).hex()})


def listed(client: httpx.Client) -> tuple[set[str], dict[str, Any]]:
    """The games that work, and what strangers learn of those that do not."""
    answer = client.get("/api/games").json()
    return {game["name"] for game in answer["games"]}, {game["name"]: game for game in answer["broken"]}


def test_a_package_installed_while_the_server_runs_is_listed_logged_and_mended(house: House) -> None:
    with house.serving() as client:
        assert "rumble" not in client.get("/api/games").text
        (house.packages / "rumble.py").write_text("SECRET_PATH = 1\nGAME = missing\n", "utf-8")
        register(house.packages, PYPROJECT)
        works, broken = listed(client)
        assert works >= {"narraject", "tgimh", "chronicles", "razorweave"}
        assert broken["rumble"] == {
            "name": "rumble", "package": "", "error": "This game has a mistake; the server's log has the details.",
        }  # fmt: skip
        listed(client)
        (line,) = house.logged()
        assert (line["name"], line["package"]) == ("rumble", "rumble")
        assert line["error"] == "rumble.py, line 2: NameError: name 'missing' is not defined."
        refused = client.post("/api/odds", json={"game": "rumble"})
        assert refused.json()["detail"].startswith("The game rumble has a mistake in it; astragal check rumble")
        assert found(client, "tgimh")


def test_a_file_spoilt_at_a_restart_leaves_other_tables_alone_and_its_own_come_back(house: House) -> None:
    house.write(LADDER)
    with house.serving() as client:
        table, other = found(client), found(client, "tgimh")
        act(client, table, do="create", name="Wren")
        seats = [(cookie.name, str(cookie.value), cookie.path) for cookie in client.cookies.jar]
    house.write(SPOILT)
    with house.serving() as client:
        for name, value, path in seats:
            client.cookies.set(name, value, path=path)
        refused = client.get(table)
        assert (refused.status_code, refused.json()["detail"]) == (503, PUBLIC)
        refused = act(client, table, do="note", text="Here?")
        assert (refused.status_code, refused.json()["detail"]) == (503, PUBLIC)
        assert act(client, other, do="note", text="Here.").status_code == 200
        assert list(listed(client)[1]) == ["ladder"]
        assert ["ladder.toml, line 2: this value cannot be read" in line["error"] for line in house.logged()] == [True]
        house.write(LADDER)
        assert "ladder" in listed(client)[0]
        assert "Wren" in client.get(table).text
        assert act(client, table, do="roll", who="Wren", faces="6 6").status_code == 200


def test_workers_know_the_games_of_a_folder_and_notice_an_edit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long questions of a table go to a worker, which reads the file for itself."""
    house = House(tmp_path)
    monkeypatch.setenv(VARIABLE, str(house.games))
    monkeypatch.setattr(queue, "QUICK", 0.001)
    large = LADDER.replace('pool = "2d6"', 'pool = "(9 + bonus)d6"')
    large = large.replace("pool + stat + bonus", "pool kh1 + pool kl2 + stat")
    house.write(large)
    with Running(tmp_path / "tables.db", FREE._replace(workers=1, question_timeout=PATIENCE)) as server:
        gm = server.found("ladder")
        gm.http.timeout = httpx.Timeout(PATIENCE)
        gm.act("create", name="Wren")
        gm.act("open", kind="climb", who="Wren", inputs={"bonus": 3})
        odds = next(gm.at(f"/{path}/odds") for path in gm.view()["parts"] if path.startswith("rolls/"))
        assert "12d6" in gm.get(odds)["headline"]
        assert server.server.members.workers
        (worker,) = server.server.members.workers.pids
        house.write(large.replace("(9 + bonus)", "(10 + bonus)"))
        gm.get("/api/games")
        assert "13d6" in gm.get(odds)["headline"]
        assert server.server.members.workers.pids == [worker]


def test_a_mistake_that_a_worker_meets_names_the_game_alone() -> None:
    """What comes back from a worker is told to strangers as if the server had met it."""
    with pytest.raises(Faulty) as raised:
        read_reply(write_reply(Faulty("ladder", "ladder.toml, line 2: title is a secret.")))
    assert (raised.value.sentence, raised.value.public) == ("ladder.toml, line 2: title is a secret.", PUBLIC)


EDITS = {
    "an outcome": ('when = "total >= 7"', 'when = "total >= 6"'),
    "the name of an input": ("[roll.inputs.stat]", "[roll.inputs.strength]"),
    "bounds": ("max = 3\ndefault = 0\nrule", "max = 1\ndefault = 0\nrule"),
    "the dice": ('pool = "2d6"', 'pool = "3d6"'),
    "the name of the roll": ('name = "climb"', 'name = "scale"'),
    "the sheet": ('name = "luck"', 'name = "fortune"'),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_a_roll_that_is_open_while_the_file_is_edited_goes_on_or_is_refused_with_a_sentence(
    house: House, edit: tuple[str, str]
) -> None:
    house.write(LADDER)
    text = LADDER.replace(*edit)
    if edit[0] == "[roll.inputs.stat]":
        text = text.replace('["stat"]', '["strength"]').replace("pool + stat", "pool + strength")
        text = text.replace('into = "stat"', 'into = "strength"').replace("input stat", "input strength")
        text = text.replace("{ stat =", "{ strength =")
    if edit[0] == 'name = "luck"':
        text = text.replace('what = "luck"', 'what = "fortune"').replace("sheet.luck", "sheet.fortune")
    with house.serving() as client:
        table = found(client)
        act(client, table, do="create", name="Wren")
        opened = act(client, table, do="open", kind="climb", who="Wren", inputs={"stat": 3})
        assert opened.status_code == 200, opened.text
        thrown = act(client, table, do="roll", who="Wren", inputs={"stat": 1}, faces="3 4")
        assert thrown.status_code == 200, thrown.text
        house.write(text)
        assert "ladder" in listed(client)[0]
        for path in (table, f"{table}/log"):
            seen = client.get(path)
            assert seen.status_code == 200, (path, seen.text)
        for action in ({"do": "build", "inputs": {"bonus": 1}}, {"do": "throw"}, {"do": "note", "text": "Still here."}):
            answer = act(client, table, **action)
            assert answer.status_code in (200, 409, 422, 404), (action, answer.status_code, answer.text)
            if answer.status_code != 200:
                assert answer.json()["detail"].endswith("."), answer.text
        assert answer.status_code == 200
        assert client.get(table).status_code == 200
