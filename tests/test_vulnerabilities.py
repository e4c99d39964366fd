"""``make audit``: asks about everything that is pinned, and says plainly where it could not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

from tools import vulnerabilities
from tools.vulnerabilities import main, packages

BAD = "lit"


class _Database(BaseHTTPRequestHandler):
    """Knows of one vulnerability, or answers as a mirror does that has no such service."""

    status = 200
    asked: list[Any] = []

    def do_POST(self) -> None:
        queries = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
        self.asked.extend(queries)
        results = [{"vulns": [{"id": "X-1"}]} if each["package"]["name"] == BAD else {} for each in queries]
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(json.dumps({"results": results}).encode())

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[_Database]]:
    server = HTTPServer(("127.0.0.1", 0), _Database)
    monkeypatch.setattr(vulnerabilities, "SERVICE", f"http://127.0.0.1:{server.server_port}/")
    monkeypatch.setattr(_Database, "asked", [])
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield _Database
    server.shutdown()
    thread.join()
    server.server_close()


def test_every_pinned_package_is_asked_about_and_a_vulnerable_one_fails(
    database: type[_Database], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(vulnerabilities, "BATCH", 50)
    assert main() == 1
    said = capsys.readouterr().out
    assert "lit 3." in said and ": X-1\n1 of " in said and "have known vulnerabilities." in said
    assert len(database.asked) == len(packages()) > 100
    names = {(each["package"]["ecosystem"], each["package"]["name"]) for each in database.asked}
    assert {("PyPI", "uvicorn"), ("npm", "lit"), ("npm", "vite")} <= names


def test_nothing_known_is_fine(
    database: type[_Database], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(globals(), "BAD", "none")
    assert main() == 0
    assert capsys.readouterr().out.startswith("0 of ")


def test_a_network_that_does_not_allow_it_is_said(
    database: type[_Database], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(database, "status", 405)
    assert main() == 0
    said = capsys.readouterr().out
    assert "cannot be reached from here (HTTPError), so nothing is known of" in said and said.count("\n") == 1
