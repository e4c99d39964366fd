"""Request ids: in the answer, in the problem, in the log; a proxy's is taken over, a stranger's is not."""

from __future__ import annotations

import io
import json
import re
import socket
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from astragal.serve.telemetry import SIGNS, RequestLog, new_request_id
from tests.serve.running import FREE, Running

OWN = re.compile(f"[{SIGNS}]{{8}}").fullmatch


def test_an_id_is_eight_signs_that_nobody_mistakes() -> None:
    ids = {new_request_id() for _ in range(2_000)}
    assert len(ids) == 2_000
    assert all(OWN(id) for id in ids) and not set("01OIL") & set("".join(ids))


def test_an_answer_its_problem_and_its_log_line_have_the_same_id(tmp_path: Path) -> None:
    log = io.StringIO()
    with Running(tmp_path / "tables.db", request_log=RequestLog(log)) as server:
        gm = server.found()
        fine = gm.http.get(gm.at())
        refused = gm.http.post(gm.at("/actions"), json={"do": "throw"}, headers={"Idempotency-Key": "k"})
        elsewhere = gm.http.get("/nowhere")
    lines = {line["request"]: line for line in map(json.loads, log.getvalue().splitlines()) if "request" in line}
    assert OWN(fine.headers["x-request-id"])
    assert lines[fine.headers["x-request-id"]]["path"] == "/api/tables/{table}"
    id = refused.headers["x-request-id"]
    assert refused.json()["request"] == id
    assert (lines[id]["status"], lines[id]["path"]) == (404, "/api/tables/{table}/actions")
    assert elsewhere.json()["request"] == elsewhere.headers["x-request-id"]


def bug() -> Any:
    """A function with a mistake, in no file: one below ``tests`` would be a mistake of a game that lies there."""
    made: dict[str, Any] = {}
    exec(compile("async def breaks(*_): raise KeyError('a secret')", "<a bug>", "exec"), made)
    return made["breaks"]


def test_a_bug_is_logged_under_the_id_that_the_person_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = io.StringIO()
    with Running(tmp_path / "tables.db", request_log=RequestLog(log)) as server:
        gm = server.found()

        monkeypatch.setattr(server.server.registry.hubs[gm.table], "submit", bug())
        told = gm.act("note", 500, text="Hello.")
    line = next(line for line in map(json.loads, log.getvalue().splitlines()) if line["event"] == "error")
    assert line["request"] == told["request"] and line["error"] == "KeyError"
    assert "secret" not in json.dumps(told) and ".py" not in json.dumps(told)


@pytest.mark.parametrize("given", ["A" * 64, "req_1.2-3", "7F3K9Q2M"])
def test_a_proxys_id_is_taken_over(server: Running, given: str) -> None:
    answer = server.guest().http.get("/nowhere", headers={"X-Request-Id": given})
    assert answer.headers["x-request-id"] == given == answer.json()["request"]


@pytest.mark.parametrize("given", ["A" * 65, "", 'a"b', "a b", "<script>", "é"])
def test_an_id_that_is_no_id_is_replaced(server: Running, given: str) -> None:
    answer = server.guest().http.get("/nowhere", headers={b"X-Request-Id": given.encode("latin-1")})
    assert OWN(answer.headers["x-request-id"]) and OWN(answer.json()["request"])


def test_two_ids_in_one_request_are_none(server: Running) -> None:
    headers = [("X-Request-Id", "ONE"), ("X-Request-Id", "TWO")]
    assert OWN(server.guest().http.get("/nowhere", headers=headers).headers["x-request-id"])


def test_a_strangers_id_is_not_taken_over(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", FREE._replace(proxies=("192.0.2.0/24",))) as server:
        gm = server.found()
        sent = {"X-Request-Id": "FORGED"}
        assert OWN(gm.http.get("/healthz", headers=sent).headers["x-request-id"])
        with gm.connection(headers=sent) as connection:
            assert OWN(connection.socket.response.headers["x-request-id"])  # type: ignore[union-attr]


def test_a_socket_has_an_id_too_whether_it_opens_or_not(server: Running) -> None:
    gm = server.found()
    with gm.connection(headers={"X-Request-Id": "SOCKET"}) as connection:
        assert connection.socket.response.headers["x-request-id"] == "SOCKET"  # type: ignore[union-attr]
    stranger = server.guest()
    stranger.table = gm.table
    with pytest.raises(InvalidStatus) as refused:
        stranger.connection(headers={"X-Request-Id": "DENIED"})
    assert json.loads(refused.value.response.body)["request"] == "DENIED"


def test_what_is_no_request_at_all_is_refused_with_an_id(server: Running) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as raw:
        raw.sendall(b"nonsense\r\n\r\n")
        head, _, body = raw.makefile("rb").read().partition(b"\r\n\r\n")
    id = json.loads(body)["request"]
    assert OWN(id) and f"x-request-id: {id}".encode() in head
