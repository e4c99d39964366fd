"""Tables: founded, brought in, looked at, read back and taken out."""

from __future__ import annotations

import asyncio
from tempfile import SpooledTemporaryFile
from typing import IO, Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType
from starlette.responses import PlainTextResponse, StreamingResponse

from astragal.errors import Illegal
from astragal.repository.stored_table import StoredTable
from astragal.serve.api.links import LinkShown, show_link
from astragal.serve.auth.cookie import SeatCookie
from astragal.serve.auth.links import ROLES
from astragal.serve.http.body import refuse_length, refuse_media, too_long
from astragal.serve.http.operation import Call, Reply
from astragal.serve.live.frames import Views
from astragal.serve.live.log import MOST, PAGE, before_version
from astragal.serve.live.log_snapshot import snapshot
from astragal.serve.state import ServerState
from astragal.table.access import GM, find_holder
from astragal.table.action import FoundAction, Inputs, Name
from astragal.table.log.export import MAX_FILE, bounded_lines, export_lines, export_sheet
from astragal.table.log.lines import EntryShown
from astragal.table.log.story import story
from astragal.table.view.build import holder_view
from astragal.table.view.model import MemberView

NDJSON = "application/x-ndjson"
IN_MEMORY = 1 << 20


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be founded; ``sample`` takes the game's sample campaign instead of an empty one."""

    game: Name
    title: Name
    name: Name
    options: Inputs = {}
    sample: bool = False


class FirstLinks(Struct, frozen=True):
    """What to open: the GM's own link, the one for players, the one for onlookers."""

    gm: str
    player: str
    onlooker: str


class Founded(Struct, frozen=True):
    """A new table with its first links."""

    table: str
    links: FirstLinks


class Snapshot(Struct, frozen=True):
    """Everything that a seat may see."""

    version: int
    you: MemberView
    parts: Views
    log: list[EntryShown]
    here: list[str]
    links: list[LinkShown] | UnsetType = UNSET


class LogPage(Struct, frozen=True, forbid_unknown_fields=True):
    """Which entries: those before a version of this seat's count."""

    before: Annotated[int, Meta(ge=1, le=2**53)] | UnsetType = UNSET
    limit: Annotated[int, Meta(ge=1, le=MOST)] = PAGE


class LogShown(Struct, frozen=True):
    """Entries, oldest first; ``first`` is the version of the first, to go on from."""

    entries: list[EntryShown]
    first: int
    more: bool


class SheetFile(Struct, frozen=True):
    """A character's sheet by itself."""

    astragal: str
    format: int
    game: str
    name: str
    sheet: dict[str, dict[str, dict[str, Any]]]


async def create(call: Call) -> Reply:
    """Found a table; whoever does sits down as its GM."""
    asked: NewTable = call.body
    repository = call.server.repository
    if asked.sample:
        stored_table = await asyncio.to_thread(repository.create_sample, asked.game, asked.name)
    else:
        found = FoundAction(game=asked.game, title=asked.title, name=asked.name, options=asked.options)
        stored_table = await asyncio.to_thread(repository.create, found)
    return await _opened(call.server, stored_table)


async def bring_in(call: Call) -> Reply:
    """Bring in a table that was exported; its first GM's seat is yours."""
    refuse_media(call.request, (NDJSON, "application/jsonl", "text/plain"))
    refuse_length(call.request, MAX_FILE)
    with SpooledTemporaryFile(IN_MEMORY) as file:
        size = 0
        async for chunk in call.request.stream():
            size += len(chunk)
            if size > MAX_FILE:
                raise too_long(MAX_FILE)
            file.write(chunk)
        file.seek(0)
        stored_table = await asyncio.to_thread(_brought_in, call.server, file)
    return await _opened(call.server, stored_table)


def _brought_in(server: ServerState, file: IO[bytes]) -> StoredTable:
    stored_table = server.repository.import_table(bounded_lines(file))  # type: ignore[arg-type]
    if not any(member.role == GM for member in stored_table.state.members.values()):
        server.repository.delete(stored_table.id)
        raise Illegal("The table in the file has no GM, so nobody could run it.")
    return stored_table


async def _opened(server: ServerState, stored_table: StoredTable) -> Reply:
    """The first links of a table, and the seat of its first GM."""
    hub = await server.registry.open(stored_table.id)
    gm = next(member.id for member in hub.state.members.values() if member.role == GM)
    at = server.settings.clock()
    made = {
        role: await asyncio.to_thread(hub.links.make, role, gm if role == GM else None, at + place)
        for place, role in enumerate(ROLES)
    }
    paths = FirstLinks(*(hub.links.path(link) for link in made.values()))
    return Reply(Founded(hub.id, paths), 201, SeatCookie(hub.id, gm, made["gm"].id))


async def show(call: Call) -> Reply:
    """Everything that your seat may see, and the last of the log."""
    found = snapshot(call.hub, call.member)
    if call.member.role == GM:
        found["links"] = [show_link(call.hub, link) for link in call.hub.links.all()]
    return Reply(found)


async def read_log(call: Call) -> Reply:
    """Earlier entries of the log."""
    page: LogPage = call.query
    before = None if page.before is UNSET else page.before
    return Reply(await asyncio.to_thread(before_version, call.hub, call.member, before, page.limit))


async def read_story(call: Call) -> PlainTextResponse:
    """The story so far, as Markdown."""
    hub, member = call.hub, call.member

    def told() -> str:
        entries = [entry for entry in hub.stored_table.history() if entry.version <= hub.version]
        return "\n".join(story(entries, hub.state, member)) + "\n"

    return PlainTextResponse(await call.server.compute(told), media_type="text/markdown")


async def take_out(call: Call) -> StreamingResponse:
    """The whole table as JSON Lines, to be kept or brought in elsewhere."""
    hub = call.hub
    state = hub.state
    entries = await asyncio.to_thread(hub.stored_table.history)
    lines = export_lines(hub.id, state, [entry for entry in entries if entry.version <= state.version])
    return StreamingResponse(lines, media_type=NDJSON, headers=_file(f"{hub.id}.jsonl"))


async def take_sheet(call: Call) -> Reply:
    """A sheet by itself, as far as your seat may see it."""
    state, member = call.hub.state, call.member
    holder = find_holder(state, member, call.path("holder"))
    seen = holder_view(state, member, holder.id)
    whole = {
        section: {name: item for name, item in items.items() if item != {"seen": "veiled"}}
        for section, items in (seen.sheet if seen else {}).items()
    }
    return Reply({**export_sheet(state, holder), "sheet": whole})


def _file(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}
