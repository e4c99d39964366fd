"""The operator's line: a server on a file writes for the commands beside it, and open tables show that at once.

It is a socket of its own, which nobody but the owner of the file can use. ``storage.sqlite.line`` is its other end.
"""

from __future__ import annotations

import asyncio
import hmac
from asyncio import StreamReader, StreamWriter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from astragal.errors import Stale
from astragal.serve.live.registry import TableRegistry
from astragal.serve.live.rows import LIVE
from astragal.serve.telemetry import RequestLog
from astragal.storage import SqliteStore
from astragal.storage.backup import REWRITTEN, why_rewritten
from astragal.storage.sqlite.claim import Claim
from astragal.storage.sqlite.line import HEAD, PIECE, SIZE, encode_outcome, listen, read_write

FAREWELL = 5.0
"""Seconds that a server that stops has to finish what it writes for commands."""


class Operator:
    """Writes for commands."""

    def __init__(self, store: SqliteStore, claim: Claim, registry: TableRegistry, log: RequestLog) -> None:
        self._store, self._claim, self._registry, self._log = store, claim, registry, log
        self._writing: set[asyncio.Task[Any]] = set()

    async def start(self) -> None:
        """Listen, and say where in the claim."""
        listening, place = listen(self._store.path)
        self._token = place.token.encode()
        self._socket = self._store.path.with_name(place.socket) if place.socket else None
        start = asyncio.start_unix_server if place.socket else asyncio.start_server
        self._server = await start(self._serve, sock=listening)
        self._claim.publish(place)

    async def close(self) -> None:
        """Take nothing more and finish what was begun. Commands that come later wait until the file is free."""
        self._claim.withdraw()
        self._server.close()
        if self._socket:
            self._socket.unlink(missing_ok=True)
        if self._writing:
            await asyncio.wait(self._writing, timeout=FAREWELL)

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        """One write of one command."""
        try:
            token, length, attached = HEAD.unpack(await reader.readexactly(HEAD.size))
            if hmac.compare_digest(token, self._token):
                self._writing.add(task := asyncio.current_task())  # type: ignore[arg-type]
                task.add_done_callback(self._writing.discard)  # type: ignore[union-attr]
                answer = encode_outcome(await self._outcome(reader, length, attached))
                writer.write(SIZE.pack(len(answer)) + answer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass  # the command has gone
        finally:
            writer.close()

    async def _outcome(self, reader: StreamReader, length: int, attached: int) -> Any:
        """What the write returns, or why it is refused; open tables have taken it in by then."""
        name, args = read_write(await reader.readexactly(length))
        with TemporaryDirectory(prefix="astragal-") as folder:
            if attached:
                args = (args[0], await _received(reader, attached, Path(folder)), *args[2:])
            try:
                outcome = await asyncio.wrap_future(self._store.do(name, *args))
            except Exception as error:
                if name == "append" and isinstance(error, Stale) and (hub := self._registry.hubs.get(args[0])):
                    await hub.owner.give_way()  # else a busy table would be faster each time
                return error
        self._log.write("operator", write=name)
        try:
            await self._show(name, args)
        except Exception as error:  # it is stored all the same
            self._log.error(error, "operator")
        return outcome

    async def _show(self, name: str, args: tuple[Any, ...]) -> None:
        """Have open tables take in what was written."""
        if not name.endswith("_setting"):
            if name != "save_snapshot":
                await self._registry.changed(args[0])
        elif args[0] == REWRITTEN:
            self._log.write("rewritten", why=why_rewritten(args[1]))
            await self._registry.open_anew()
        elif args[0].startswith(LIVE):
            await self._registry.changed(args[0].split("/")[1])


async def _received(reader: StreamReader, size: int, folder: Path) -> Path:
    """A file of this size that a command sends."""
    path = folder / "sent.db"
    with path.open("wb") as file:
        while size:
            piece = await reader.read(min(size, PIECE))
            if not piece:
                raise asyncio.IncompleteReadError(b"", size)
            await asyncio.to_thread(file.write, piece)
            size -= len(piece)
    return path
