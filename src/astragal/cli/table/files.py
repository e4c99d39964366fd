"""``astragal table export`` and ``import``: tables and sheets in files."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any, BinaryIO

from astragal.cli.parser import Option, Parsed, Parser
from astragal.cli.render.screen import Screen
from astragal.cli.table.runner import NewLines, show_entry
from astragal.cli.table.seat import (
    AS,
    DATA,
    DATABASE,
    JSON,
    Seat,
    find_table,
    open_repository,
    print_json,
    seat_at,
    sit_down,
)
from astragal.cli.watch import ProgressLine
from astragal.errors import Illegal, Malformed, Unsealed
from astragal.rule.inputs.total import counted
from astragal.storage import TableInfo
from astragal.storage.tables.repository import UNSEALED, Repository
from astragal.storage.tables.staged import Staged, staged
from astragal.table.access import find_holder
from astragal.table.action import CreateAction
from astragal.table.log.export import MAX_LINE, bounded_lines, export_sheet, read_sheet_file
from astragal.table.log.lines import shown

if TYPE_CHECKING:
    from astragal.serve.links_file import LinksFile

LINKS_WRITTEN = (
    "Its links are in {file}, with the keys that sign links and seats here: whoever has the file can take any seat. "
    "Delete it after the move."
)


def run_export(words: list[str]) -> int:
    """Write a table, or one character's sheet, into a file."""
    examples = ("astragal table export bell.jsonl", 'astragal table export "The Drowned Bell" kira.json --sheet Kira')
    parser = Parser("table export", "A table as JSON Lines; FILE may be - to print it.", ("TABLE", "FILE"), examples)
    sheet = Option("sheet", "NAME", "this character's sheet alone, as JSON")
    links = Option("links", "FILE", "write the table's links into a second file, to move the table elsewhere")
    parser.add("how", sheet, links, DATA, DATABASE, JSON)
    parsed = parser.parse(words)
    if not parsed.places:
        raise Malformed("Say which file: astragal table export FILE; - prints it.")
    *table, file = parsed.places
    with sit_down(parsed, next(iter(table), None)) as seat:
        with ProgressLine("export") if file != "-" else nullcontext():
            write_file(file, _exported(seat, parsed.text("sheet")))
        id = seat.stored_table.id
        if parsed.text("links") is not None:
            _write_links(parsed, id)
    if file == "-":
        return 0
    what = "The sheet" if parsed.flag("sheet") else "The table"
    if parsed.flag("json"):
        print_json({"table": id, "file": file})
    else:
        print(f"{what} is in {file}.")
        if (links_file := parsed.text("links")) is not None:
            print(LINKS_WRITTEN.format(file=links_file))
    return 0


def _write_links(parsed: Parsed, table: str) -> None:
    """Write the links, readable by their owner only: whoever has them can open every seat."""
    from astragal.serve.links_file import export_links

    with open_repository(parsed) as repository:
        data = export_links(repository.store, table)
    path = Path(parsed.text("links") or "")
    try:
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(data)
    except OSError as error:
        raise Malformed(f'"{str(path)[:80]}" cannot be written: {_reason(error)}.') from None


def _exported(seat: Seat, sheet: str | None) -> Iterable[bytes]:
    if sheet is None:
        return seat.stored_table.export()
    holder = find_holder(seat.state, seat.member, sheet)
    if holder.kind != "character":
        raise Illegal("Only characters have a sheet that can be taken elsewhere.")
    text = json.dumps(export_sheet(seat.state, holder), ensure_ascii=False, indent=2)
    return [f"{text}\n".encode()]


def write_file(file: str, lines: Iterable[bytes]) -> None:
    """Write a file whole or not at all: an older one stays until the new one is complete."""
    if file == "-":
        sys.stdout.flush()
        if sys.stdout.isatty():
            sys.stdout.writelines(line.decode() for line in lines)
        else:
            sys.stdout.buffer.writelines(lines)
        return
    path = Path(file)
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as there:
                there.writelines(lines)
            return
        _write_beside(path, lines)
    except (OSError, ValueError) as error:
        raise Malformed(f'"{file[:80]}" cannot be written: {_reason(error)}.') from None


def _write_beside(path: Path, lines: Iterable[bytes]) -> None:
    with NamedTemporaryFile(dir=path.parent, prefix=".astragal-", delete=False) as beside:
        try:
            beside.writelines(lines)
            beside.flush()
            os.fsync(beside.fileno())
            beside.close()
            os.replace(beside.name, path)  # noqa: PTH105 (the name, not the path, is what the file object has)
        except BaseException:
            Path(beside.name).unlink(missing_ok=True)
            raise


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror or "it is no file") if isinstance(error, OSError) else str(error)


def run_import(words: list[str]) -> int:
    """Read a table from a file, or a sheet into a table."""
    examples = ("astragal table import bell.jsonl", 'astragal table import kira.json --into "The Drowned Bell"')
    parser = Parser("table import", "A table out of a file; FILE may be - for standard input.", ("FILE",), examples)
    parser.add(
        "how",
        Option("into", "TABLE", "the file is a sheet, and this table gets the character"),
        Option("links", "FILE", "let these links open the table, as export --links wrote them"),
        Option("unsealed", help="import a file whose seal is broken or missing; the table's log then says so"),
        AS,
        DATA,
        DATABASE,
        JSON,
    )
    parsed = parser.parse(words)
    if not parsed.places:
        raise Malformed("Say which file: astragal table import FILE.")
    parsed.refuse_both("into", "links")
    parsed.refuse_without("into", "as")
    file = parsed.places[0]
    try:
        with _opened(file) as source:
            return _bring_sheet(parsed, source) if parsed.flag("into") else _bring_table(parsed, source)
    except (OSError, ValueError) as error:
        raise Malformed(f'"{file[:80]}" cannot be read: {_reason(error)}.') from None


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    with nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as source:
        yield source


def _bring_table(parsed: Parsed, source: BinaryIO) -> int:
    # The file is checked before a new store is made for it.
    with ExitStack() as stack:
        with ProgressLine("reading of the file"):
            found = stack.enter_context(staged(_first_looked_at(bounded_lines(source))))
        if found.seal != "right" and not parsed.flag("unsealed") and not _import_all_the_same(found):
            print("Nothing was imported.")
            return 1
        with ProgressLine("import"):
            about = _take_in(parsed, found)
    if parsed.flag("json"):
        print_json({**about._asdict(), "seal": found.seal})
    else:
        print(f'"{about.title}" is here, with {counted(about.version, "entry", "entries")}: {about.table}')
        if found.seal != "right":
            print(f"{UNSEALED[found.seal]} The table's log says so.")
    return 0


def _import_all_the_same(found: Staged) -> bool:
    """Ask whether a file without an unbroken seal is to be imported; refused where nobody can be asked."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Unsealed(f"{UNSEALED[found.seal]} To import it all the same, say --unsealed; the log will say so.")
    question = f"{UNSEALED[found.seal]} Import it all the same? Type yes:"
    return Screen().ask(question).strip().lower() == "yes"


def _take_in(parsed: Parsed, found: Staged) -> TableInfo:
    with open_repository(parsed, make=True) as repository:
        links = _read_links(parsed, found.header.table, repository)
        about = repository.store.info(repository.take_in(found, unsealed=True).id)
        if links:
            from astragal.serve.links_file import import_links

            import_links(repository.store, links, about.table)
    return about


def _read_links(parsed: Parsed, table: str, repository: Repository) -> LinksFile | None:
    """The links that go with a table; refused before the table is brought, if they could not open it."""
    if parsed.text("links") is None:
        return None
    from astragal.serve.links_file import MAX_FILE, check_links, read_links

    path = Path(parsed.text("links") or "")
    try:
        with path.open("rb") as file:
            links = read_links(file.read(MAX_FILE + 1))
    except (OSError, ValueError) as error:
        raise Malformed(f'"{str(path)[:80]}" cannot be read: {_reason(error)}.') from None
    check_links(repository.store, links, table, here=repository.has(table))
    return links


def _first_looked_at(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The lines of a table; refuses a sheet with a sentence that says what to do with it."""
    first = next(lines, b"")
    if b'"sheet"' in first[:200] or first.strip() == b"{":
        raise Malformed("This file holds a sheet, or no table at all; name a table with --into to bring a sheet there.")
    yield first
    yield from lines


def _bring_sheet(parsed: Parsed, source: BinaryIO) -> int:
    text = source.read(MAX_LINE + 1)
    if len(text) > MAX_LINE:
        raise Malformed(f"The file is too long for a sheet: at most {MAX_LINE >> 20} MB are taken.")
    with open_repository(parsed) as repository:
        seat = seat_at(repository, find_table(repository.store, parsed.text("into")).table, parsed.text("as"))
        name, sheet = read_sheet_file(text, seat.state.game)
        acted = seat.act(_created(name, sheet))
        if parsed.flag("json"):
            print_json({"table": seat.stored_table.id, "entry": shown(acted.entry, acted.state, seat.member)})
        else:
            show_entry(Screen(), NewLines().of(acted.entry, seat), seat)
    return 0


def _created(name: str, sheet: dict[str, Any]) -> CreateAction:
    if not name.strip():
        raise Malformed("The sheet in the file has no name.")
    return CreateAction(name=name.strip(), sheet=sheet)
