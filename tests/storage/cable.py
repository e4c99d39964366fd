"""A cable between a store and its database, which a test cuts: also after the database has done what it was sent."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from types import TracebackType
from typing import Self
from urllib.parse import quote

from astragal.storage import Database
from tools.postgres import USER, Postgres


class Cable:
    """Forwards everything between a socket of its own and a database's."""

    def __init__(self, postgres: Postgres, folder: Path, name: str) -> None:
        self._target = str(postgres.folder / f".s.PGSQL.{postgres.port}")
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / ".s.PGSQL.5432"))
        self._listening.listen()
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self.swallowed = Event()
        """Set once an answer has been swallowed."""
        self._swallow = False
        self.edit: Callable[[bytes], bytes] = lambda answer: answer
        """What becomes of each answer on its way."""
        self.database = Database(f"postgresql://{USER}@/{name}?host={quote(str(folder), safe='')}")
        Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                here, _ = self._listening.accept()
                there = socket.socket(socket.AF_UNIX)
                there.connect(self._target)
                self._pairs.append((here, there))
                Thread(target=self._forward, args=(here, there, False), daemon=True).start()
                Thread(target=self._forward, args=(there, here, True), daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket, answers: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if answers and self._swallow:
                    self.swallowed.set()
                else:
                    target.sendall(self.edit(data) if answers else data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def swallow(self) -> None:
        """Let no answer through from now on."""
        self._swallow = True
        self.swallowed.clear()

    def cut(self) -> None:
        """Cut every connection; new ones are whole."""
        self._swallow = False
        pairs, self._pairs = self._pairs, []
        for pair in pairs:
            for end in pair:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listening.close()
        self.cut()
