"""The protocol over standard input and output: for a link, for a table of a data folder, or for questions alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from astragal.agents.api import Api, fresh_nonce
from astragal.agents.endpoint import INSTALL, is_installed
from astragal.agents.in_process import InProcess
from astragal.errors import Unavailable
from astragal.serve.access.auth import Links, Role, SeatCookie, load_signer
from astragal.serve.app import app
from astragal.serve.settings import ServerSettings
from astragal.serve.telemetry import NoRequestLog
from astragal.storage import open_store
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.stored_table import now
from astragal.table.state import Member

HERE = "127.0.0.1"
LOCAL = ServerSettings(poll_every=0.2, webhooks="nobody")
"""Actions of other programs are noticed sooner than at a server. Webhooks are left to a server."""


def serve_link(link: str) -> None:
    """Serve the seat of a link, at the link's server."""
    _check_installed()
    from astragal.agents.remote import remote_api

    asyncio.run(_serve(remote_api(link)))


def serve_table(repository: Repository, table: str, member: Member) -> None:
    """Serve a member's seat at a table of a data folder."""
    _check_installed()
    asyncio.run(_serve(_local_api(repository, _own_seat(repository, table, member))))


def serve_questions() -> None:
    """Serve questions that need no table."""
    _check_installed()
    with TemporaryDirectory(prefix="astragal-") as folder, open_store(Path(folder) / "tables.db") as store:
        asyncio.run(_serve(_local_api(Repository(store))))


def _check_installed() -> None:
    if not is_installed():
        raise Unavailable(INSTALL)


def _own_seat(repository: Repository, table: str, member: Member) -> SeatCookie:
    """The member's seat, by a link of their own, which is made if there is none."""
    links = Links(repository.store, load_signer(repository.store), table)
    own = [link for link in links.all() if link.member == member.id]
    role: Role = member.role  # type: ignore[assignment]
    link = own[-1] if own else links.create(role, member.id, now())
    return SeatCookie(table, member.id, link.id)


@asynccontextmanager
async def _local_api(repository: Repository, seat: SeatCookie | None = None) -> AsyncIterator[Api]:
    """The API on a repository, without a network."""
    made = app(repository, LOCAL, NoRequestLog())
    async with made.router.lifespan_context(made):
        signed = (made.state.server.signer, seat) if seat else None
        yield Api(InProcess(made.router, HERE, signed), seat.table if seat else "", fresh_nonce)


async def _serve(opening: AbstractAsyncContextManager[Api]) -> None:
    """Answer until the input ends."""
    from mcp.server.stdio import stdio_server

    from astragal.agents.server import AgentServer

    async with opening as api:
        server = AgentServer(lambda request: api, _report).server
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())


def _report(error: Exception) -> None:
    """Print bugs to standard error, for the person who started the program."""
    import sys
    import traceback

    traceback.print_exception(error, file=sys.stderr)
