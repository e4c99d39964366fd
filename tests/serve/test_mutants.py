"""Promises of the server that a mutant once broke without any test noticing."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from astragal.errors import Illegal
from astragal.serve.http.endpoint import MAX_BODY, MAX_DEPTH
from astragal.serve.http.static import Page
from astragal.serve.live.connection import MAX_MESSAGE, MAX_MESSAGES
from astragal.serve.workers.message import MAX_ANSWER, encode_answer
from tests.serve.running import Guest, Running


def test_a_revoked_link_stays_revoked_after_a_restart(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db") as server:
        gm = server.found()
        link = gm.post(gm.at("/links"), {"role": "player"}, 201)
        player = server.guest().take_seat(gm.table, link["path"], "Jonas")
        cookies = dict(player.http.cookies)
        assert gm.http.delete(gm.at(f"/links/{link['id']}")).status_code == 204
    with Running(tmp_path / "tables.db") as server:
        again = server.guest()
        again.http.cookies.update(cookies)
        again.table = gm.table
        again.get(again.at(), 403)
        token = link["path"].partition("#")[2]
        server.guest().post(gm.at("/seat"), {"token": token, "name": "Eve"}, 403)


def test_statistics_name_no_hidden_character(gm: Guest) -> None:
    player = gm.invite()
    gm.act("create", name="Malachai", seen="all", owner="")
    gm.act("roll", who="Malachai", inputs={"d6": 3, "step": 8, "difficulty": 1})
    assert "Malachai" in json.dumps(player.get(player.at("/stats")))
    gm.act("hold", holder="Malachai", seen="gm")
    assert "Malachai" not in json.dumps(player.get(player.at("/stats")))
    assert "Malachai" in json.dumps(gm.get(gm.at("/stats")))


def test_a_socket_that_says_too_much_is_closed(gm: Guest) -> None:
    with gm.connection() as connection:
        connection.next("hello")
        for _ in range(MAX_MESSAGES + 1):
            connection.socket.send('{"type":"pong"}')
        assert "Too many" in connection.next("bye")["why"]
        with pytest.raises(ConnectionClosed):
            connection.next()


def test_a_socket_that_says_something_long_is_closed(gm: Guest) -> None:
    with gm.connection() as connection:
        connection.next("hello")
        connection.socket.send("x" * (MAX_MESSAGE + 1))
        assert "too long" in connection.next("bye")["why"]


def test_a_body_of_unknown_length_is_bounded(server: Running) -> None:
    with socket.create_connection(("127.0.0.1", server.port), 5) as client:
        client.sendall(
            b"POST /api/odds HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        chunk = b" " * 32768
        for _ in range(MAX_BODY // len(chunk) + 2):
            client.sendall(b"%x\r\n" % len(chunk) + chunk + b"\r\n")
        assert client.recv(1000).startswith(b"HTTP/1.1 413")


def test_json_is_not_nested_deeply(server: Running) -> None:
    deep = json.loads("[" * (MAX_DEPTH + 5) + "]" * (MAX_DEPTH + 5))
    body = {"game": "chronicles", "inputs": {"pool": deep}}
    assert "deep" in server.guest().post("/api/odds", body, 400)["detail"]
    shallow = {"game": "chronicles", "inputs": {"pool": 3, "task": "[" * 100}}
    assert server.guest().post("/api/odds", shallow)["facts"]


def test_a_long_query_is_refused(server: Running) -> None:
    assert server.guest().http.get("/?" + "q" * 9_000).status_code == 414


def test_an_answer_is_bounded() -> None:
    with pytest.raises(Illegal, match="bytes"):
        encode_answer("x" * MAX_ANSWER)
    assert bytes(encode_answer("x")) == b'"x"'


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "page").mkdir()
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    (tmp_path / "page" / "leak.txt").symlink_to(tmp_path / "secret.txt")
    assert Page(tmp_path / "page")._find("leak.txt") is None


def test_a_stranger_gets_no_seat_by_any_cookie(server: Running, gm: Guest) -> None:
    for cookie in ("", "seat=", "seat=.", "seat=x.y", "seat=" + "a" * 3000):
        assert httpx.get(f"{server.url}{gm.at()}", headers={"Cookie": cookie}).status_code == 403
