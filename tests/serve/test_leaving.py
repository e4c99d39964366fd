"""A server that is told to stop goes on for a while, says so to whoever asks whether it is ready, and then stops."""

from __future__ import annotations

import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.serve.cluster.fleet import at
from tests.serve.running import FREE, WAIT, Running, until
from tests.serve.test_command import start
from tests.storage.stores import locked

LEAVING = FREE._replace(leaving=0.6)


def test_it_serves_on_and_says_that_it_stops_and_that_no_connection_is_kept(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", LEAVING) as server:
        gm = server.found()
        before = gm.http.get("/healthz")
        assert "connection" not in before.headers
        server.tell_to_stop()
        until(lambda: server.server.leaving)
        said = gm.http.get("/healthz")
        assert said.status_code == 404 and "stopping" in said.json()["detail"]
        assert said.headers["connection"] == "close"
        assert gm.act("note", text="Not refused.")["entry"]
        assert gm.connection()


def test_an_action_that_cannot_be_stored_before_the_end_gets_no_answer_and_may_be_sent_again(tmp_path: Path) -> None:
    """An answer would be an error of the server's; without one, a balancer or the page sends it again with its key."""
    path = tmp_path / "tables.db"
    with Running(path) as server:
        gm = server.found()
        with ThreadPoolExecutor(1) as thread, locked(path):
            waiting = thread.submit(gm.act, "note", text="Waits for the disk.", key="waits")
            until(lambda: server.server.connections.total and waiting.running())
            time.sleep(0.3)
            server.tell_to_stop()
            with pytest.raises(httpx.TransportError):
                waiting.result(WAIT)
    with Running(path) as again:
        assert at(again, gm).act("note", text="Waits for the disk.", key="waits")["repeated"]


def test_ctrl_c_is_quick_however_long_it_would_go_on(tmp_path: Path) -> None:
    process, url = start(tmp_path, "--time", "leaving=60")
    assert httpx.get(f"{url}/healthz", timeout=WAIT).status_code == 200
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.wait(WAIT)
    assert time.monotonic() - begun < 15
    if process.stdout:
        process.stdout.close()
