"""Commands beside a server in a process of its own: they write through it, and pages see that at once."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from threading import Event

import httpx
import pytest
from websockets.sync.client import connect

from astragal.errors import Stale
from astragal.serve.access.auth import Links, load_signer
from astragal.serve.live import owner
from astragal.storage import Record, open_as_guest
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.stored_table import now
from astragal.table.action import NoteAction
from tests.cli.command import COMMAND, run, run_apart
from tests.page.server import UNHURRIED
from tests.serve.running import WAIT, Guest, LiveSocket, Running, until
from tests.serve.test_command import start


class Served:
    """A server's own process, with a new table and its GM; ``at`` shares the process of another."""

    def __init__(self, folder: Path, at: Served | None = None) -> None:
        self.folder = folder
        self.process: subprocess.Popen[str]
        self.url: str
        self.process, self.url = (at.process, at.url) if at else start(folder, *UNHURRIED)
        self.http = httpx.Client(base_url=self.url, timeout=WAIT)
        made = self.http.post("/api/tables", json={"game": "tgimh", "title": "Bell", "name": "Mira"}).json()
        self.table, self.links = made["table"], made["links"]
        self.path = f"/api/tables/{self.table}"

    def command(self, *words: str) -> str:
        answer = run(*words, "--data", str(self.folder))
        assert answer.code == 0, answer.err
        return answer.out

    def live(self) -> LiveSocket:
        headers = {"Cookie": f"seat={self.http.cookies['seat']}"}
        url = f"{self.url.replace('http', 'ws')}{self.path}/live"
        return LiveSocket(connect(url, additional_headers=headers, max_size=None).__enter__())

    def note(self, text: str) -> None:
        key = {"Idempotency-Key": text.replace(" ", "-")}
        sent = self.http.post(f"{self.path}/actions", json={"do": "note", "text": text}, headers=key)
        assert sent.status_code == 200, sent.text

    def texts(self) -> str:
        return self.http.get(self.path).text

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        self.process.send_signal(how)
        self.process.wait(WAIT)
        if self.process.stdout:
            self.process.stdout.close()
        self.http.close()


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    served = Served(folder)
    try:
        yield served
    finally:
        served.stop()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("beside")) as running:
        yield running


@pytest.fixture
def served(running: Served) -> Iterator[Served]:
    """A new table at the running server."""
    served = Served(running.folder, running)
    yield served
    served.http.close()


def test_commands_and_pages_act_at_the_same_time_and_every_page_hears_of_each_entry_once(served: Served) -> None:
    notes = [f"command {n} said" for n in range(6)]
    with served.live() as live:
        live.next("hello")
        with ThreadPoolExecutor(len(notes)) as threads:
            words = ("table", "do", served.table, "note")
            commands = [threads.submit(run_apart, *words, note, "--data", str(served.folder)) for note in notes]
            while not all(command.done() for command in commands):
                notes.append(f"page {len(notes)} said")
                served.note(notes[-1])
        assert [command.result().code for command in commands] == [0] * 6
        heard: list[str] = []
        version = 1
        while version < len(notes) + 1:
            frame = live.next("news")
            heard += [line["text"] for entry in frame["entries"] for line in entry["lines"]]
            assert frame["version"] == len(heard) + 1 > version
            version = frame["version"]
    assert all(sum(note in text for text in heard) == 1 for note in notes) and len(heard) == len(notes)


def test_a_command_has_its_turn_where_others_act_all_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owner, "COMMANDS_TURN", 30.0)
    over = Event()

    def act(someone: Guest, name: int) -> None:
        for n in count():
            if over.is_set():
                return
            someone.act("note", text="busy", key=f"{name}-{n}")

    with Running(tmp_path / "tables.db") as server, ThreadPoolExecutor(8) as threads:
        gm = server.found()
        busy = [threads.submit(act, gm.back_at(server), n) for n in range(8)]
        with open_as_guest(tmp_path / "tables.db") as store:
            table = Repository(store).open(gm.table)
            for n in range(5):
                table.act(next(iter(table.state.members)), NoteAction("command"), f"command {n}", now())
            over.set()
            assert store.commits.stale <= 5, "each was second at most once"
        for each in busy:
            each.result()


def test_a_command_that_was_slower_and_never_comes_back_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, "COMMANDS_TURN", 0.05)
    with Running(tmp_path / "tables.db") as server, open_as_guest(tmp_path / "tables.db") as store:
        gm = server.found()
        for n in range(3):
            with pytest.raises(Stale):
                store.append(gm.table, Record(1, f"late {n}", b"")).result(10)
        gm.act("note", text="And on.")


def test_a_table_that_a_command_deletes_is_closed_at_once(served: Served) -> None:
    with served.live() as live:
        live.next("hello")
        served.command("table", "delete", served.table, "--yes")
        assert live.next("bye")["why"] == "This table was deleted."
    assert served.http.get(served.path).status_code == 404


def test_erased_words_leave_open_pages_at_once(served: Served) -> None:
    served.note("My street is Elm Street.")
    with served.live() as live:
        assert "Elm" in str(live.next("hello"))
        served.command("table", "erase", served.table, "Mira", "--yes")
        assert "Reconnecting" in live.next("bye")["why"]
    assert "Elm" not in served.texts()


def test_a_link_that_is_revoked_closes_its_sockets_at_once(served: Served) -> None:
    with served.live() as live, open_as_guest(served.folder / "tables.db") as store:
        live.next("hello")
        links = Links(store, load_signer(store), served.table)
        links.revoke(next(link.id for link in links.all() if link.role == "gm"))
        assert live.next("bye")
    assert served.http.get(served.path).status_code == 403


def test_a_table_comes_and_goes_by_file_and_its_new_link_opens_it(served: Served, tmp_path: Path) -> None:
    file = str(tmp_path / "bell.jsonl")
    served.command("table", "export", served.table, file)
    served.command("table", "delete", served.table, "--yes")
    said = served.command("table", "import", file)
    assert said.endswith(f"with 2 entries: {served.table}\n"), "one of them says that it was imported"
    assert served.http.get(served.path).status_code == 403, "the earlier table's seats are not this one's"
    token = served.command("table", "link", served.table).split("#")[1].strip()
    assert served.http.post(f"{served.path}/seat", json={"token": token}).json()["role"] == "gm"
    made = served.command("table", "new", "tgimh", "--sample").strip()
    assert served.http.get(f"/api/tables/{made}").status_code == 403
    hook = served.command("table", "webhooks", served.table, "--add", "https://example.org/hook")
    assert "https://example.org/" in hook and "https://example.org" in served.http.get(f"{served.path}/chat").text


def test_what_needs_the_file_alone_says_that_a_server_runs_and_what_to_do(served: Served, tmp_path: Path) -> None:
    served.command("backup", str(tmp_path / "b.db"))
    refused = run_apart("restore", str(tmp_path / "b.db"), "--data", str(served.folder))
    assert (refused.code, refused.err.count("stop the server, restore, and start it again")) == (2, 1)
    file = str(served.folder / "tables.db")
    refused = run_apart("migrate", "--from", file, "--to", "postgresql://nobody@127.0.0.1:1/none")
    assert (refused.code, refused.err.count("stop it, migrate, and start it on the other")) == (2, 1)
    served.note("It still serves.")


def test_nothing_of_the_operators_line_is_on_the_public_port(served: Served) -> None:
    for path in ("/operator", "/operator/append", "/operator/act"):
        assert served.http.post(path, json={}).status_code in (404, 405)
    files = {file.name: file.stat().st_mode & 0o777 for file in served.folder.iterdir()}
    assert files["tables.db.socket"] == files["tables.db.server"] == 0o600
    assert served.command("table", "list")


def beside(served: Served, *words: str) -> subprocess.Popen[str]:
    """A command that waits for a server that no longer does anything."""
    served.process.send_signal(signal.SIGSTOP)
    command = subprocess.Popen(
        [*COMMAND, *words, "--data", str(served.folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    until(lambda: _is_asked(served))
    return command


def _is_asked(served: Served) -> bool:
    """Whether a command has sent something to the server's socket."""
    name = str(served.folder / "tables.db.socket")
    lines = Path("/proc/net/unix").read_text().splitlines()
    return sum(line.endswith(name) for line in lines) > 1


def test_an_action_is_stored_once_although_the_server_dies_in_the_middle(tmp_path: Path) -> None:
    served = Served(tmp_path)
    command = beside(served, "table", "do", "note", "Stored by the command.")
    served.stop(signal.SIGKILL)
    out, err = command.communicate(timeout=WAIT)
    assert (command.returncode, err) == (0, "") and "Stored by the command." in out
    assert (tmp_path / "tables.db.socket").exists(), "that is what a crash leaves"
    with serving(tmp_path) as again:
        assert again.command("table", "log", served.table).count("Stored by the command.") == 1
        again.command("table", "do", served.table, "note", "Through the next server.")
    assert not (tmp_path / "tables.db.socket").exists()


def test_a_deletion_in_doubt_says_what_to_look_at(tmp_path: Path) -> None:
    served = Served(tmp_path)
    command = beside(served, "table", "delete", served.table, "--yes")
    served.stop(signal.SIGKILL)
    _, err = command.communicate(timeout=WAIT)
    assert command.returncode == 2
    assert "ended before it answered, so it is not known whether this was stored. Check before" in err
    assert served.table in run_apart("table", "list", "--data", str(tmp_path)).out


def test_a_deep_folder_is_served_and_commanded_like_any_other(tmp_path: Path) -> None:
    folder = tmp_path / ("deep" * 40) / "tables"
    with serving(folder) as served, served.live() as live:
        live.next("hello")
        served.command("table", "do", "note", "From far below.")
        assert "From far below." in str(live.next("news"))
        assert (folder / "tables.db.socket").is_socket()
