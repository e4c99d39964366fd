"""Writes of commands: a server on a file does them for commands that run next to it, so open tables show the change.

They arrive at a socket of their own, which only the owner of the file can use; ``storage.sqlite.remote_write`` sends
them.
"""

from __future__ import annotations

import asyncio
import hmac
from asyncio import StreamReader, StreamWriter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from astragal.errors import Stale
from astragal.serve.live.registry import LIVE, TableRegistry
from astragal.serve.telemetry import RequestLog
from astragal.storage import SqliteStore
from astragal.storage.backup import REWRITTEN, why_rewritten
from astragal.storage.sqlite.lock import StoreLock
from astragal.storage.sqlite.remote_write import HEAD, PIECE, SIZE, encode_outcome, listen, read_write

FAREWELL = 5.0
"""Seconds that a stopping server has to finish writes for commands."""


class CommandWriter:
    """Does the writes of commands, and shows them at open tables."""

    def __init__(self, store: SqliteStore, lock: StoreLock, registry: TableRegistry, log: RequestLog) -> None:
        self._store, self._lock, self._registry, self._log = store, lock, registry, log
        self._writing: set[asyncio.Task[Any]] = set()

    async def start(self) -> None:
        """Listen, and publish the address in the lock file."""
        listening, address = listen(self._store.path)
        self._token = address.token.encode()
        self._socket = self._store.path.with_name(address.socket) if address.socket else None
        start = asyncio.start_unix_server if address.socket else asyncio.start_server
        self._server = await start(self._serve, sock=listening)
        self._lock.publish(address)

    async def close(self) -> None:
        """Accept no more writes, and finish those in progress. Later commands wait until the file is free."""
        self._lock.withdraw()
        self._server.close()
        if self._socket:
            self._socket.unlink(missing_ok=True)
        if self._writing:
            await asyncio.wait(self._writing, timeout=FAREWELL)

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Do one write of one command."""
        try:
            token, length, attached = HEAD.unpack(await reader.readexactly(HEAD.size))
            if hmac.compare_digest(token, self._token):
                self._writing.add(task := asyncio.current_task())  # type: ignore[arg-type]
                task.add_done_callback(self._writing.discard)  # type: ignore[union-attr]
                answer = encode_outcome(await self._outcome(reader, length, attached))
                writer.write(SIZE.pack(len(answer)) + answer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass  # the command has ended
        finally:
            writer.close()

    async def _outcome(self, reader: StreamReader, length: int, attached: int) -> Any:
        """The result of the write, or the refusal; by then, open tables show the change."""
        name, args = read_write(await reader.readexactly(length))
        with TemporaryDirectory(prefix="astragal-") as folder:
            if attached:
                args = (args[0], await _received(reader, attached, Path(folder)), *args[2:])
            try:
                outcome = await asyncio.wrap_future(self._store.do(name, *args))
            except Exception as error:
                if name == "append" and isinstance(error, Stale) and (hub := self._registry.hubs.get(args[0])):
                    await hub.owner.wait_for_command()  # otherwise a busy table would be faster each time
                return error
        self._log.write("operator", write=name)
        try:
            await self._show(name, args)
        except Exception as error:  # the write is stored anyway
            self._log.error(error, "operator")
        return outcome

    async def _show(self, name: str, args: tuple[Any, ...]) -> None:
        """Make open tables read the change."""
        if not name.endswith("_setting"):
            if name != "save_snapshot":
                await self._registry.changed(args[0])
        elif args[0] == REWRITTEN:
            self._log.write("rewritten", why=why_rewritten(args[1]))
            await self._registry.reopen_all()
        elif args[0].startswith(LIVE):
            await self._registry.changed(args[0].split("/")[1])


async def _received(reader: StreamReader, size: int, folder: Path) -> Path:
    """A file of this size, sent by a command."""
    path = folder / "sent.db"
    with path.open("wb") as file:
        while size:
            piece = await reader.read(min(size, PIECE))
            if not piece:
                raise asyncio.IncompleteReadError(b"", size)
            await asyncio.to_thread(file.write, piece)
            size -= len(piece)
    return path
