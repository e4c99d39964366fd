"""The balancer alone, before servers that are none: what a server leaves unanswered, it sends to another if it may."""

from __future__ import annotations

import socket
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import sleep

import pytest

from tools.balancer import Balancer
from tools.cluster import LEAVING
from tools.program import free_port

TABLES = [f"table{n}" for n in range(12)]
"""Enough that both servers have some."""
APART = 0.03
"""Seconds between a request's head and its body, as many clients send them."""
BODY = b'{"do":"note","text":"Hello"}'


class _Handler(BaseHTTPRequestHandler):
    """Counts what comes. One that is broken reads a request and hangs up, as a server that stops just then."""

    protocol_version = "HTTP/1.1"
    came: Counter[str]
    broken = leaving = False

    def do_GET(self) -> None:
        """Answer the balancer's question whether this server is ready."""
        self._answer(404 if self.leaving else 200)

    def do_POST(self) -> None:
        """Answer an action, or do not."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self.came[self.headers.get("X-Table") or self.path.split("/")[3]] += 1
        if self.broken:
            self.close_connection = True
        else:
            self._answer()

    def _answer(self, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: whoever looks whether this server listens resets the connection."""


class Pair:
    """A sound server and a broken one behind a balancer."""

    def __init__(self, folder: Path) -> None:
        self.sound, self.broken = Counter[str](), Counter[str]()
        self._broken = type("Broken", (_Handler,), {"came": self.broken, "broken": True})
        handlers = (type("Sound", (_Handler,), {"came": self.sound}), self._broken)
        self._servers = [_Server(("127.0.0.1", 0), handler) for handler in handlers]
        self._port = free_port()
        self.balancer = Balancer(folder, self._port, [f"127.0.0.1:{each.server_port}" for each in self._servers])
        for server in self._servers:
            threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        self.balancer.start()

    def post(self, table: str, *headers: str, path: str = "") -> int:
        """The status of an action whose body comes after its head; 0 where there is no answer."""
        path = path or f"/api/tables/{table}/actions"
        lines = (f"POST {path} HTTP/1.1", "Host: x", f"Content-Length: {len(BODY)}", *headers)
        with socket.create_connection(("127.0.0.1", self._port), 10) as connection:
            connection.sendall("\r\n".join((*lines, "", "")).encode())
            sleep(APART)
            connection.sendall(BODY)
            return int((connection.recv(100).split() or [b"", b"0"])[1])

    def leave(self) -> None:
        """The broken server says that it is stopping, and still listens."""
        self._broken.leaving = True  # type: ignore[attr-defined]

    def close(self) -> None:
        """End all of it."""
        self.balancer.stop()
        for server in self._servers:
            server.shutdown()
            server.server_close()


@pytest.fixture(scope="module")
def pair(tools: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    made = Pair(tmp_path_factory.mktemp("pair"))
    yield made
    made.close()


def test_an_action_that_a_server_did_not_answer_goes_to_another_though_its_body_came_late(pair: Pair) -> None:
    answers = {table: pair.post(table, f"Idempotency-Key: {table}") for table in TABLES}
    assert set(answers.values()) == {200}, answers
    assert set(pair.sound) == set(TABLES)
    assert pair.broken, "no table went to the broken server, so nothing was shown"


@pytest.mark.parametrize("link", ["https://table.example.org/t/{}#tokenX", "{}#token", "{}.token-x_y"])
def test_an_assistant_comes_to_the_server_of_its_table(pair: Pair, link: str) -> None:
    for came in (pair.sound, pair.broken):
        came.clear()
    for table in TABLES:
        for path in ("", "/mcp"):
            pair.post(table, f"X-Table: {table}", f"Authorization: Bearer {link.format(table)}", path=path)
    at_broken = {table for table in TABLES if pair.broken[table]}
    assert 0 < len(at_broken) < len(TABLES)
    assert all(pair.broken[table] == 2 and pair.sound[table] == 1 for table in at_broken), "only /mcp is sent again"
    assert all(pair.sound[table] == 2 for table in set(TABLES) - at_broken)


def test_what_has_no_key_is_sent_once(pair: Pair) -> None:
    pair.sound.clear()
    pair.broken.clear()
    answers = [pair.post(table) for table in TABLES]
    assert set((pair.sound + pair.broken).values()) == {1}
    assert set(answers) == {200, 502}


def test_the_balancers_log_tells_of_trouble_and_names_neither_a_table_nor_a_visitor(pair: Pair) -> None:
    said = pair.balancer.log()
    assert "POST by tables/s2: 502" in said
    assert "request " in said
    assert not any(table in said for table in TABLES)


def test_a_server_that_says_that_it_stops_gets_nothing_more_within_two_seconds(pair: Pair) -> None:
    pair.leave()
    sleep(LEAVING)
    pair.broken.clear()
    assert {pair.post(table) for table in TABLES} == {200}
    assert not pair.broken
