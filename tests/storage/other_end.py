"""The other end of the line: a server that writes for commands, and may be told to fail."""

from __future__ import annotations

import socket
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from types import TracebackType
from typing import Self

from astragal.storage import SqliteStore
from astragal.storage.sqlite.lock import lock_store
from astragal.storage.sqlite.remote_write import HEAD, SIZE, encode_outcome, listen, read_write


class Server:
    """Has a store's file and does writes for guests, one after the other, without any table in use."""

    def __init__(self, path: Path) -> None:
        self._claim = lock_store(path)
        self.store = SqliteStore(path)
        self._listening, address = listen(path)
        self.address, self._path = address, path
        self._listening.listen()
        self._claim.publish(address)
        self.done: list[str] = []
        self.lost = 0
        """So many answers are lost: the write is done, and the connection ends."""
        self.deaf = 0
        """So many requests are lost: the connection ends, and nothing is done."""
        self._thread = Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                line, _ = self._listening.accept()
            except OSError:
                return
            with line:
                if self.deaf:
                    self.deaf -= 1
                else:
                    self._answer(line)

    def _answer(self, line: socket.socket) -> None:
        with line.makefile("rb") as request, TemporaryDirectory() as folder:
            token, length, size = HEAD.unpack(request.read(HEAD.size))
            assert token == self.address.token.encode()
            name, args = read_write(request.read(length))
            if size:
                sent = Path(folder) / "sent.db"
                sent.write_bytes(request.read(size))
                args = (args[0], sent, *args[2:])
            try:
                outcome = self.store.do(name, *args).result(10)
            except Exception as error:
                outcome = error
        self.done.append(name)
        if self.lost:
            self.lost -= 1
            return
        answer = encode_outcome(outcome)
        with suppress(OSError):  # the guest may have given up
            line.sendall(SIZE.pack(len(answer)) + answer)

    def stop(self) -> None:
        self._claim.withdraw()
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join()
        self.store.close()
        self._claim.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
