"""A real server with a real file, and guests who use it over HTTP and WebSockets."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
from websockets.sync.client import ClientConnection, connect

from astragal.serve.app import Extra, app
from astragal.serve.server import listen, make_server
from astragal.serve.settings import UNLIMITED, ServerSettings
from astragal.serve.state import ServerState
from astragal.serve.telemetry import NoRequestLog, RequestLog
from astragal.storage import Database
from astragal.storage.tables.limits import Limits

FREE = ServerSettings(
    actions=UNLIMITED,
    reads=UNLIMITED,
    questions=UNLIMITED,
    new_tables=UNLIMITED,
    joins=UNLIMITED,
    codes=UNLIMITED,
    all_codes=UNLIMITED,
    workers=0,
    all_new_tables=UNLIMITED,
    strangers=UNLIMITED,
    table_work=UNLIMITED,
    all_work=UNLIMITED,
    pause=0,
    chats=UNLIMITED,
    webhooks="nobody",
    webhook_every=0.02,
    limits=Limits(memory=8 << 30),  # the server shares its process with all tests of a worker
)
WAIT = 60


class Running:
    """A server in a thread of its own."""

    request_id = ""
    """What guests call every request, where answers are compared byte for byte."""

    def __init__(
        self,
        path: Path | Database,
        settings: ServerSettings = FREE,
        request_log: RequestLog | None = None,
        host: str = "127.0.0.1",
        extras: Iterable[Extra] = (),
        *,
        port: int = 0,
    ) -> None:
        listening = listen(host, port)
        self.port: int = listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        made = app(path, settings, request_log or NoRequestLog(), extras)
        self.server: ServerState = made.state.server
        self._server = make_server(made)
        self._guests: list[Guest] = []
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listening]}, daemon=True)
        self._thread.start()
        until(lambda: self._server.started)

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The server's event loop."""
        return self._server.servers[0].get_loop()

    def tell_to_stop(self) -> None:
        """As SIGTERM does; it may go on for a while."""
        self._server.should_exit = True

    def stop(self) -> float:
        """Seconds until it has stopped."""
        for guest in self._guests:
            guest.http.close()
        started = time.monotonic()
        self.tell_to_stop()
        self._thread.join(WAIT)
        assert not self._thread.is_alive()
        return time.monotonic() - started

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def in_loop(self, work: Callable[[], Any]) -> None:
        """Do something in the server's event loop."""
        self.loop.call_soon_threadsafe(work)

    def guest(self) -> Guest:
        self._guests.append(Guest(self))
        return self._guests[-1]

    def found(self, game: str = "narraject", **more: Any) -> Guest:
        """A new table's GM."""
        gm = self.guest()
        body = {"game": game, "title": "The Drowned Bell", "name": "Mira", **more}
        gm.table = (made := gm.post("/api/tables", body, 201))["table"]
        gm.links = made["links"]
        return gm


class Guest:
    """Somebody with a browser and its cookies."""

    keys = count(1)

    def __init__(self, server: Running) -> None:
        self.server = server
        headers = {"X-Request-Id": server.request_id} if server.request_id else None
        self.http = httpx.Client(
            base_url=server.url, timeout=30, verify=False, headers=headers
        )  # loading no certificates is ten times as fast
        self.table = ""
        self.links: dict[str, str] = {}
        self.member = ""

    def back_at(self, server: Running) -> Guest:
        """The same browser at a server that was started later."""
        back = server.guest()
        back.table, back.links, back.member = self.table, self.links, self.member
        back.http.cookies = self.http.cookies
        return back

    def get(self, path: str, status: int = 200) -> Any:
        answer = self.http.get(path)
        assert answer.status_code == status, answer.text
        return answer.json()

    def post(self, path: str, body: Any, status: int = 200, headers: dict[str, str] | None = None) -> Any:
        answer = self.http.post(path, json=body, headers=headers)
        assert answer.status_code == status, answer.text
        return answer.json()

    def at(self, rest: str = "") -> str:
        return f"/api/tables/{self.table}{rest}"

    def invite(self, role: str = "player", name: str | None = None) -> Guest:
        """Somebody who takes a seat by this table's link."""
        return self.server.guest().take_seat(self.table, self.links[role], name or role.capitalize())

    def take_seat(self, table: str, link: str, name: str | None = None) -> Guest:
        self.table = table
        body = {"token": link.partition("#")[2], **({"name": name} if name else {})}
        self.member = self.post(self.at("/seat"), body)["member"]
        return self

    def act(self, do: str, status: int = 200, key: str = "", **action: Any) -> Any:
        headers = {"Idempotency-Key": key or f"key-{next(self.keys)}"}
        return self.post(self.at("/actions"), {"do": do, **action}, status, headers)

    def view(self) -> Any:
        return self.get(self.at())

    @property
    def cookie(self) -> str:
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.http.cookies.jar)

    def connection(self, since: int | None = None, headers: dict[str, str] | None = None, last: str = "") -> LiveSocket:
        query = "" if since is None else f"?since={since}&last={last}"
        url = str(self.http.base_url).replace("http", "ws").rstrip("/")
        sent = {"Cookie": self.cookie, **(headers or {})}
        opening = connect(f"{url}{self.at('/live')}{query}", additional_headers=sent, max_size=None)
        return LiveSocket(opening.__enter__())


class LiveSocket:
    """The client's end of a connection, read frame by frame."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def raw(self, seconds: float = WAIT) -> str:
        """The next frame that is no ping."""
        end = time.monotonic() + seconds
        while True:
            text = self.socket.recv(max(0.0, end - time.monotonic()))
            assert isinstance(text, str)
            if text != '{"type":"ping"}':
                return text
            self.socket.send('{"type":"pong"}')

    def next(self, type: str = "", seconds: float = WAIT) -> Any:
        """The next frame of a type."""
        while True:
            frame = json.loads(self.raw(seconds))
            if not type or frame["type"] == type:
                return frame

    def quiet(self, seconds: float = 0.2) -> bool:
        """Whether nothing comes for a while."""
        try:
            self.raw(seconds)
        except TimeoutError:
            return True
        return False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.socket.close()


class Held:
    """Something that a server does only once the test lets it: a wait without a clock."""

    def __init__(self) -> None:
        self.reached, self._released = threading.Event(), threading.Event()

    async def wait(self) -> None:
        """To be awaited by the server."""
        self.reached.set()
        while not self._released.is_set():
            await asyncio.sleep(0.005)

    def release(self) -> None:
        self._released.set()


def until(holds: Callable[[], Any], seconds: float = WAIT) -> None:
    """Wait until this holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never held"
        time.sleep(0.005)
