"""The way of a roll: how many files one POST of a roll passes through, and that it goes in one direction.

What is counted: the files under src/astragal in which any Python function runs, on any thread, between
sending ``POST /api/tables/{table}/actions`` and receiving its reply. The app is called over ASGI and has
a store on disk; a character of the sample campaign rolls; the same roll was made twice before, so that
nothing is loaded; no WebSocket is open. The second way, to another seat's frame, is counted with one open.

docs/architecture.md draws the same way, file by file, in the order of the first call.
"""

from __future__ import annotations

import io
import re
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from starlette.testclient import TestClient

import astragal
from astragal.serve.app import app
from astragal.serve.live import upkeep
from astragal.serve.telemetry import RequestLog
from astragal.table.rolls.ticket import Tickets
from tests.serve.running import FREE
from tests.test_rooms import ROOMS

ROOT = f"{Path(astragal.__file__).parent}/"
PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"
DRAWN = re.compile(r"```text way-of-a-roll\n(.*?)```", re.DOTALL)
MEANWHILE = {"table/chain.py", "table/words.py"}
"""What is done while the store's thread writes: its place among that thread's files is chance."""
MAX_FILES = 48
"""Files that a roll may pass through, besides those of its game."""
MAX_GAME_FILES = 8

ROLLS: dict[str, dict[str, Any]] = {
    "razorweave": {"do": "roll", "kind": "check", "who": "Kira", "inputs": {"dc": 15}},
    "narraject": {"do": "roll", "who": "Ysolde", "inputs": {"d6": 4, "difficulty": 3}},
}
DRAWN_GAME = "razorweave"
"""The game whose roll the page draws."""

CALLBACKS = {
    ("rule/", "games/"): "the engine calls the functions of the game's tree",
    ("explain/", "games/"): "explanations call what the tree's nodes say of themselves",
    ("dice/reading.py", "games/"): "a reading calls what the game reads of the dice",
    ("rule/tree/play.py", "table/rolls/hand.py"): "play asks the table's hand for dice and answers",
    ("rule/tree/result.py", "table/rolls/basis.py"): "a field is worked out when somebody looks at it",
}
"""All calls from a lower room into a higher one, and why."""


class Trace:
    """The files that run, in the order of the first call, and the calls from file to file."""

    def __init__(self) -> None:
        self.files: dict[str, None] = {}
        self.functions: dict[tuple[str, str], None] = {}
        """Functions with a name, by file, in the order of the first call."""
        self.called: Counter[tuple[str, str]] = Counter()
        """How often each function was called, comprehensions too, by file."""
        self.calls: set[tuple[str, str]] = set()
        self.recording = False

    def profile(self, frame: FrameType, event: str, arg: object) -> None:
        """For ``sys.setprofile``."""
        if self.recording and event == "call" and (callee := file_of(frame)):
            self.files.setdefault(callee)
            self.called[callee, frame.f_code.co_qualname] += 1
            if not frame.f_code.co_name.startswith("<"):
                self.functions.setdefault((callee, frame.f_code.co_qualname))
            caller = frame.f_back
            while caller and not file_of(caller):
                caller = caller.f_back
            if caller:
                self.calls.add((file_of(caller), callee))


def file_of(frame: FrameType) -> str:
    """The path of a frame's code below src/astragal; empty for other code."""
    name = frame.f_code.co_filename
    return name.removeprefix(ROOT) if name.startswith(ROOT) else ""


@contextmanager
def profiled(trace: Trace) -> Iterator[None]:
    """Every thread that starts inside is traced."""
    threading.setprofile(trace.profile)
    try:
        yield
    finally:
        threading.setprofile(None)


def traced_roll(path: Path, game: str, watched: bool = False, body: dict[str, Any] | None = None) -> Trace:
    """A roll up to its answer, or until somebody's socket has its frame."""
    roll = body or ROLLS[game]
    trace = Trace()
    settings = FREE._replace(tickets=lambda table: Tickets("trace", b"trace"), ping_every=3600.0, poll_every=3600.0)
    with profiled(trace), TestClient(app(path, settings, RequestLog(io.StringIO()))) as client:
        new = {"game": game, "title": "Trace", "name": "Mira", "sample": True}
        table = client.post("/api/tables", json=new).json()["table"]
        with client.websocket_connect(f"/api/tables/{table}/live") if watched else nullcontext() as live:
            for turn in range(3):
                trace.recording = turn == 2
                reply = client.post(
                    f"/api/tables/{table}/actions", json=roll, headers={"Idempotency-Key": f"roll-{turn}"}
                )
                while live and live.receive_json()["type"] != "news":
                    pass
                trace.recording = False
                assert reply.status_code == 200, reply.text
    return trace


@pytest.fixture(scope="module")
def monkeymodule() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory, monkeymodule: pytest.MonkeyPatch) -> dict[str, Trace]:
    before = sys.getprofile()
    folder = tmp_path_factory.mktemp("trace")
    monkeymodule.setattr(upkeep, "CHECK_EVERY", 3600.0)  # it belongs to no request
    found = {game: traced_roll(folder / f"{game}.db", game) for game in ROLLS}
    assert sys.getprofile() is before
    return found


@pytest.mark.parametrize("game", ROLLS)
def test_a_roll_passes_through_few_files(traces: dict[str, Trace], game: str) -> None:
    files = [file for file in traces[game].files if not file.startswith("games/")]
    assert len(files) <= MAX_FILES, "\n".join(files)
    assert len(traces[game].files) - len(files) <= MAX_GAME_FILES
    assert len(traces[DRAWN_GAME].files) < 55


@pytest.mark.parametrize("game", ROLLS)
def test_both_threads_are_traced(traces: dict[str, Trace], game: str) -> None:
    assert {"serve/http/endpoint.py", "storage/sqlite/log.py", f"games/{game}/text.py"} <= set(traces[game].files)


@pytest.mark.parametrize("game", ROLLS)
def test_calls_go_down_the_rooms_and_callbacks_are_named(traces: dict[str, Trace], game: str) -> None:
    upwards = sorted(call for call in traces[game].calls if level(call[0]) < level(call[1]))
    assert [call for call in upwards if not is_callback(*call)] == []


def level(file: str) -> int:
    """The place of a file's room in the order of imports; the top of the package is below all rooms."""
    room = file.partition("/")[0]
    return ROOMS.index(room) if room in ROOMS else -1


def is_callback(caller: str, callee: str) -> bool:
    return any(caller.startswith(lower) and callee.startswith(higher) for lower, higher in CALLBACKS)


def test_every_callback_happens(traces: dict[str, Trace]) -> None:
    calls = {call for trace in traces.values() for call in trace.calls}
    unused = [pair for pair in CALLBACKS if not any(a.startswith(pair[0]) and b.startswith(pair[1]) for a, b in calls)]
    assert unused == []


def test_the_page_draws_the_way_in_order(traces: dict[str, Trace]) -> None:
    drawing = DRAWN.search(PAGE.read_text("utf-8"))
    assert drawing
    drawn = [line.split()[0] for line in drawing[1].splitlines()]
    found = list(traces[DRAWN_GAME].files)
    for at_any_time in MEANWHILE & {*drawn} & {*found}:
        drawn.remove(at_any_time)
        found.remove(at_any_time)
    assert drawn == found, "The way is now:\n" + "\n".join(traces[DRAWN_GAME].files)


OWNING = ("storage/tables/", "serve/live/", "storage/sqlite/writer.py")
"""Where a table is kept, stored and told."""
MAX_FUNCTIONS = 60
"""Functions of these on the way from a POST to another seat's frame."""
COUNTED = {
    "a check": ("razorweave", ROLLS["razorweave"], 565, 1_240),
    "an attempt": ("narraject", ROLLS["narraject"], 610, 1_680),
    "an attempt with one thing from the sheet": ("narraject", {**ROLLS["narraject"], "use": {"Might": 1}}, 720, 3_315),
}
"""Rolls with the most functions and calls that they may take, comprehensions too, from the POST to another's frame.

Of an attempt, the two before it wait for answers, and their views are made again when it changes the sheet.
"""
STORED_TO_SENT = [
    "Owner._take_in",
    "StoredTable.keep",
    "Hub._publish",
    "Broadcast.__init__",
    "Hub._send_all",
    "Broadcast.frame_for",
    "encode_frame",
    "Connection.offer",
    "Connection._write",
    "Connection._next",
    "Connection._send",
]
"""The way from the store's answer to the socket, without what makes the frame."""


def test_from_a_post_to_another_seats_frame_there_are_few_functions(tmp_path: Path) -> None:
    trace = traced_roll(tmp_path / "watched.db", DRAWN_GAME, watched=True)
    found = [name for file, name in trace.functions if file.startswith(OWNING)]
    assert len(found) <= MAX_FUNCTIONS, "\n".join(found)
    assert [name for name in found if name in STORED_TO_SENT] == STORED_TO_SENT


@pytest.mark.parametrize("roll", COUNTED)
def test_a_roll_takes_few_functions_and_calls(tmp_path: Path, roll: str) -> None:
    game, body, most_functions, most_calls = COUNTED[roll]
    called = traced_roll(tmp_path / "counted.db", game, watched=True, body=body).called
    often = "\n".join(f"{n:4} {file} {function}" for (file, function), n in called.most_common(20))
    assert (len(called) <= most_functions, called.total() <= most_calls) == (True, True), (
        f"{len(called)} functions, {called.total()} calls, most often:\n{often}"
    )
