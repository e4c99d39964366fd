"""The app under another ASGI server than ours: nothing in it needs uvicorn."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from astragal.serve.app import app
from astragal.serve.telemetry import NoRequestLog
from tests.serve.running import FREE


def news(socket: WebSocketTestSession, type: str = "news") -> Any:
    """The next frame of a type."""
    while (frame := socket.receive_json())["type"] != type:
        pass
    return frame


def test_sockets_are_plain_asgi_so_starlettes_own_client_reads_them(tmp_path: Path) -> None:
    with TestClient(app(tmp_path / "tables.db", FREE, NoRequestLog())) as client:
        table = client.post("/api/tables", json={"game": "narraject", "title": "Test", "name": "Mira"}).json()["table"]
        with client.websocket_connect(f"/api/tables/{table}/live") as socket:
            hello = socket.receive_json()
            assert (hello["type"], hello["you"]["name"]) == ("hello", "Mira")
            action = {"do": "note", "text": "The lamp hisses."}
            for key in ("once", "once"):
                reply = client.post(f"/api/tables/{table}/actions", json=action, headers={"Idempotency-Key": key})
                assert reply.status_code == 200
            told = news(socket)
            assert told["version"] == hello["version"] + 1
            assert [entry["lines"][0]["text"] for entry in told["entries"]] == ["Mira: The lamp hisses."]
            socket.send_text('{"type":"when"}')
            assert news(socket, "now")["at"] > 0
            socket.send_text("x" * 1000)
            assert "Too many" in news(socket, "bye")["why"]
            assert socket.receive()["code"] == 1008


def test_the_app_is_made_without_uvicorn() -> None:
    """Limits of connections are uvicorn's; they are an option around the app (``serve/server.py``)."""
    told = subprocess.run(
        [sys.executable, "-c", "import sys, astragal.serve.app; print([m for m in sys.modules if m == 'uvicorn'])"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == "[]"
