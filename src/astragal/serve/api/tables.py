"""Tables: created, viewed, read back, imported and exported."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Iterable, Iterator
from secrets import token_urlsafe
from tempfile import SpooledTemporaryFile
from typing import IO, Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from starlette.requests import HTTPConnection
from starlette.responses import StreamingResponse

from astragal.errors import Forbidden, Illegal, Unavailable
from astragal.explain.translation import speaker
from astragal.serve.access.auth import ROLES, SeatCookie
from astragal.serve.api.links import LinkShown, show_link
from astragal.serve.http.endpoint import check_length, check_media
from astragal.serve.http.operation import Call, Reply
from astragal.serve.limits.bodies import too_long
from astragal.serve.limits.gate import ALL
from astragal.serve.live.frames import Everything
from astragal.serve.live.seat_log import MAX_PAGE, PAGE, before_version, full_view
from astragal.serve.settings import ServerSettings
from astragal.serve.state import ServerState
from astragal.serve.telemetry import memory_in_use
from astragal.storage import Store
from astragal.storage.tables.keys import load_head_key
from astragal.storage.tables.stored_table import StoredTable
from astragal.table.access import GM, find_holder
from astragal.table.action import FoundAction, Inputs, Name
from astragal.table.log.appendix import Appendix, sealed_story
from astragal.table.log.export import MAX_FILE, bounded_lines, export_sheet
from astragal.table.log.seal import Signing
from astragal.table.log.shown import EntryShown
from astragal.table.log.story import Story
from astragal.table.ruleset import ruleset_of
from astragal.table.view.build import holder_view

NDJSON = "application/x-ndjson"
CHUNK = 64 << 10
"""Bytes of a long answer that are made at a time."""
ENTRIES = 50
"""Entries of a story that are read at a time; they take a few milliseconds."""
MAX_IN_MEMORY = 1 << 20
"""Bytes of an upload kept in memory; a longer one goes to a temporary file."""
NO_ROOM = "The server has no room for the file now. Try again later, or ask the person who runs this server."

_encode = msgspec.json.Encoder().encode


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be created; with ``sample``, with the game's sample campaign played on it."""

    game: Name
    title: Name
    name: Name
    options: Inputs = {}
    sample: bool = False


class FoundHeaders(Struct, frozen=True, rename={"founder": "Founder-Token"}):
    """The token of the founder's link, on servers that require it."""

    founder: Annotated[str, Meta(max_length=100)] | UnsetType = UNSET


class FirstLinks(Struct, frozen=True):
    """The addresses to open: the GM's own, the one for players, the one for onlookers."""

    gm: str
    player: str
    onlooker: str


class CreatedTable(Struct, frozen=True):
    """A new table with its first links."""

    table: str
    links: FirstLinks


class Snapshot(Everything, frozen=True):
    """Everything that a seat may see."""

    links: list[LinkShown] | UnsetType = UNSET


class LogPage(Struct, frozen=True, forbid_unknown_fields=True):
    """Which entries: those before a version of this seat."""

    before: Annotated[int, Meta(ge=1, le=2**53)] | UnsetType = UNSET
    limit: Annotated[int, Meta(ge=1, le=MAX_PAGE)] = PAGE


class LogShown(Struct, frozen=True):
    """Entries, oldest first; ``first`` is the version of the first, for the next page."""

    entries: list[EntryShown]
    first: int
    more: bool


class StoryPart(Struct, frozen=True, forbid_unknown_fields=True):
    """The language of the story, and its length.

    ``last`` is the number of entries of the log, by default all. Texts without a translation are in English.
    """

    language: Annotated[str, Meta(pattern="^[a-z]{2,3}$")] = "en"
    last: Annotated[int, Meta(ge=1, le=MAX_PAGE)] | UnsetType = UNSET
    dice: bool = False
    """True for an appendix with the proofs of all throws and a seal, for ``astragal verify``."""


class ImportPart(Struct, frozen=True, forbid_unknown_fields=True):
    """How to import a table."""

    unsealed: bool = False
    """True to accept a file whose seal is broken or missing; the table's log then says so."""


class SheetFile(Struct, frozen=True):
    """A character's sheet by itself."""

    astragal: str
    format: int
    game: str
    name: str
    sheet: dict[str, dict[str, dict[str, Any]]]


async def create(call: Call) -> Reply:
    """Create a table; its creator is the GM."""
    asked: NewTable = call.body
    repository = call.server.repository
    await check_may_create(repository.store, call.server.settings, call.request)
    await call.server.rates.take_everywhere("all_new_tables", ALL)
    call.server.registry.make_room()
    async with call.server.founding:
        if asked.sample:
            stored_table = await asyncio.to_thread(repository.create_sample, asked.game, asked.name, True)
        else:
            found = FoundAction(game=asked.game, title=asked.title, name=asked.name, options=asked.options)
            stored_table = await asyncio.to_thread(repository.create, found)
        return await _created(call.server, stored_table)


async def import_table(call: Call) -> Reply:
    """Import an exported table; you get the seat of its first GM."""
    await check_may_create(call.server.repository.store, call.server.settings, call.request)
    await call.server.rates.take_everywhere("all_new_tables", ALL)
    call.server.registry.make_room()
    check_media(call.request, (NDJSON, "application/jsonl", "text/plain"))
    check_length(call.request, MAX_FILE)
    with SpooledTemporaryFile(MAX_IN_MEMORY) as file:
        async with call.server.uploads.receiving() as upload:
            upload.hold(1)  # one of the imports that are allowed
            await _upload(call, file)
            await call.server.importing.acquire()  # while it waits, the import can still be dropped
        try:
            stored_table = await asyncio.to_thread(_imported, call.server, file, call.query.unsealed)
        finally:
            call.server.importing.release()
    return await _created(call.server, stored_table)


async def _upload(call: Call, file: IO[bytes]) -> None:
    """Keep a body of bounded size in a file; one thread for all imports writes to the disk."""
    size = 0
    async for chunk in call.request.stream():
        size += len(chunk)
        if size > MAX_FILE:
            raise too_long(MAX_FILE)
        if size <= MAX_IN_MEMORY:
            file.write(chunk)
        else:
            async with call.server.uploading:
                await asyncio.to_thread(_write, file, chunk)
    await asyncio.to_thread(_write, file, b"", True)


def _write(file: IO[bytes], chunk: bytes, last: bool = False) -> None:
    try:
        file.write(chunk)
        if last:
            file.seek(0)
    except OSError as error:
        raise Unavailable(NO_ROOM) from error


def _imported(server: ServerState, file: IO[bytes], unsealed: bool) -> StoredTable:
    stored_table = server.repository.import_table(bounded_lines(file), unsealed, server.settings.clock())  # type: ignore[arg-type]
    if not any(member.role == GM for member in stored_table.state.members.values()):
        server.repository.delete(stored_table.id)
        raise Illegal("The table in the file has no GM, so no one could run it.")
    return stored_table


async def _created(server: ServerState, stored_table: StoredTable) -> Reply:
    """The reply with a table's first links, and the seat of its first GM."""
    server.registry.replace(stored_table)
    hub = await server.registry.open_for_guest(stored_table.id)
    gm = next(member.id for member in hub.state.members.values() if member.role == GM)
    at = server.settings.clock()
    members = {role: gm if role == GM else None for role in ROLES}
    links = await asyncio.to_thread(hub.links.create_all, members, at)
    paths = FirstLinks(*(hub.links.path(link) for link in links))
    return Reply(CreatedTable(hub.id, paths), 201, SeatCookie(hub.id, gm, links[ROLES.index(GM)].id))


async def show(call: Call) -> Reply:
    """Everything that your seat may see, with the latest entries of the log."""
    links = [show_link(call.hub, link) for link in call.hub.links.all()] if call.member.role == GM else None
    more = {} if links is None else {"links": links}
    _, found = await full_view(call.hub, call.member, lambda found: msgspec.Raw(_encode({**found, **more})))
    return Reply(found)


async def read_log(call: Call) -> Reply:
    """Earlier entries of the log."""
    page: LogPage = call.query
    before = None if page.before is UNSET else page.before
    return Reply(await before_version(call.hub, call.member, before, page.limit))


async def read_story(call: Call) -> StreamingResponse:
    """The story so far, as Markdown."""
    state, member = call.hub.state, call.member
    part: StoryPart = call.query
    say = await asyncio.to_thread(speaker, ruleset_of(state.game).game, part.language)
    last = None if part.last is UNSET else part.last
    log = call.hub.stored_table.seat_log(state, member)
    key: Signing | None = None
    if part.dice:
        held = call.server.settings.head_key
        key = held if held is not None else await asyncio.to_thread(load_head_key, call.server.repository.store)

    def pieces() -> Iterator[bytes]:
        story, dice = Story(state, member, say), Appendix(state, member)
        # Dice are checked by tickets that were announced before them, so the appendix covers the whole log.
        before = log.last - last if key and last else 0
        for n, entry in enumerate(log.pages(None if key else last), 1):
            if n > before:
                story.take(entry)
            if key:
                dice.take(entry)
            if n % ENTRIES == 0:
                yield b""  # nothing to send yet, but other reads get a turn
        if key:
            yield from _chunks(sealed_story(story.lines(), dice.lines(), call.hub.id, key))
        else:
            yield from _chunks(f"{line}\n".encode() for line in story.lines())

    return await _streamed(call, pieces(), "text/markdown")


async def export_table(call: Call) -> StreamingResponse:
    """The whole table as JSON Lines, to keep or to import elsewhere."""
    lines = await asyncio.to_thread(call.hub.stored_table.export)
    return await _streamed(
        call, _chunks(lines), NDJSON, {"Content-Disposition": f'attachment; filename="{call.hub.id}.jsonl"'}
    )


async def _streamed(
    call: Call, pieces: Iterator[bytes], media: str, headers: dict[str, str] | None = None
) -> StreamingResponse:
    """A long answer. Its first piece is made before anything is sent, so a failing store gives a problem."""
    return StreamingResponse(await call.stream(pieces), media_type=media, headers=headers)


def _chunks(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines, joined into chunks."""
    chunk, size = [], 0
    for line in lines:
        chunk.append(line)
        size += len(line)
        if size >= CHUNK:
            yield b"".join(chunk)
            chunk, size = [], 0
    yield b"".join(chunk)


async def export_one_sheet(call: Call) -> Reply:
    """One sheet, as your seat may see it."""
    state, member = call.hub.state, call.member
    holder = find_holder(state, member, call.path("holder"))
    seen = holder_view(state, member, holder.id)
    whole = {
        section: {name: item for name, item in items.items() if item != {"seen": "veiled"}}
        for section, items in (seen.sheet if seen else {}).items()
    }
    return Reply({**export_sheet(state, holder), "sheet": whole})


FOUNDER = "serve/founder"
"""Name of the setting that holds the token of the founder's link."""
HEADER = "founder-token"
TOKEN_BYTES = 24
NOBODY = "Tables cannot be created on this server. You can play at existing tables with a link."
NO_LINK = "You need this server's founder link to create tables. Ask the person who runs this server."
NO_MEMORY = "The server has no memory left for another table. Try again later."


def founder_path(store: Store, renew: bool = False) -> str:
    """The founder's link, created if there is none; ``renew`` replaces it, and the old one stops working."""
    token = token_urlsafe(TOKEN_BYTES).encode()
    if renew:
        store.set_setting(FOUNDER, token).result()
    return f"/#founder={store.setting_once(FOUNDER, token).decode()}"


async def check_may_create(store: Store, settings: ServerSettings, request: HTTPConnection) -> None:
    """Refuse a request that may not create or import a table here."""
    if settings.founding == "nobody":
        raise Forbidden(NOBODY)
    if settings.founding == "link":
        token = await asyncio.to_thread(store.setting, FOUNDER)
        given = request.headers.get(HEADER, "").encode("utf-8", "replace")
        if not token or not hmac.compare_digest(token, given):
            raise Forbidden(NO_LINK)
    if memory_in_use() > settings.limits.memory:
        raise Unavailable(NO_MEMORY)
