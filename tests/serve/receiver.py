"""A program that takes what is posted to it, over real HTTP, and answers as it was told to."""

from __future__ import annotations

import json
import threading
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, NamedTuple, Self

from tests.serve.running import until


class Post(NamedTuple):
    """One request: its method, path, headers by their small names, and bytes."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Receiver:
    """Listens at a free port of 127.0.0.1. ``answers`` are statuses with headers for the next posts; then 204."""

    def __init__(self) -> None:
        self.posts: list[Post] = []
        self.answers: deque[tuple[int, dict[str, str]]] = deque()
        self.open = threading.Event()
        """While it is not set, nobody is answered."""
        self.open.set()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def handle_post(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.posts.append(Post(self.command, self.path, headers, body))
                receiver.open.wait(30)
                status, more = receiver.answers.popleft() if receiver.answers else (204, {})
                self.send_response(status)
                for name, value in more.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_POST = do_PUT = handle_post  # noqa: N815

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/hook?key=1"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    def wait(self, n: int) -> list[Post]:
        """The posts, once there are so many."""
        until(lambda: len(self.posts) >= n, 20)
        return self.posts

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.open.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
