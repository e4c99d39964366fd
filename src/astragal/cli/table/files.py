"""``astragal table export`` and ``import``: tables and sheets in files."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, nullcontext
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, BinaryIO

from astragal.cli.parser import Option, Parsed, command, file_errors
from astragal.cli.prompts import confirmed
from astragal.cli.render.screen import Screen, print_json
from astragal.cli.table.runner import NewLines, show_entry
from astragal.cli.table.seat import HOW, WHERE, Seat, answer, open_repository, sit_down
from astragal.cli.watch import ProgressLine
from astragal.errors import Illegal, Malformed, Unsealed
from astragal.rule.inputs.total import counted
from astragal.storage.tables.repository import UNSEALED, Repository
from astragal.storage.tables.staged import staged
from astragal.table.access import find_holder
from astragal.table.action import CreateAction
from astragal.table.log.export import MAX_LINE, bounded_lines, export_sheet, read_sheet_file
from astragal.table.log.lines import shown

if TYPE_CHECKING:
    from astragal.serve.access.links_file import LinksFile

LINKS_WRITTEN = (
    "Its links are in {file}, with the keys that sign links and seats here: anyone who has the file can take any seat. "
    "Delete it after the move."
)


@command(
    "table export [TABLE] FILE",
    long=True,
    how=(
        Option("sheet", "NAME", "this character's sheet alone, as JSON"),
        Option("links", "FILE", "write the table's links into a second file, to move the table elsewhere"),
        *WHERE,
    ),
)
def run_export(parsed: Parsed) -> None:
    """Write a table as JSON Lines, or a character's sheet as JSON; FILE may be - to print it.

    astragal table export bell.jsonl
    astragal table export "The Drowned Bell" kira.json --sheet Kira
    """
    if not parsed.places:
        raise Malformed("FILE is missing: astragal table export FILE; - prints it.")
    *table, file = parsed.places
    links = parsed.text("links")
    with sit_down(parsed, next(iter(table), None)) as seat:
        with ProgressLine("export") if file != "-" else nullcontext():
            write_file(file, _exported(seat, parsed.text("sheet")))
        id = seat.stored_table.id
        if links is not None:
            _write_links(parsed, links, id)
    if file != "-":
        lines = [f"The {'sheet' if parsed.flag('sheet') else 'table'} is in {file}."]
        answer(parsed, {"table": id, "file": file}, *lines, *([LINKS_WRITTEN.format(file=links)] if links else []))


def _exported(seat: Seat, sheet: str | None) -> Iterable[bytes]:
    if sheet is None:
        return seat.stored_table.export()
    holder = find_holder(seat.state, seat.member, sheet)
    if holder.kind != "character":
        raise Illegal("Only characters have a sheet that can be taken elsewhere.")
    text = json.dumps(export_sheet(seat.state, holder), ensure_ascii=False, indent=2)
    return [f"{text}\n".encode()]


def _write_links(parsed: Parsed, file: str, table: str) -> None:
    """Write the links, readable by their owner only: they open every seat."""
    from astragal.serve.access.links_file import export_links

    with open_repository(parsed) as repository:
        data = export_links(repository.store, table)
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
    with file_errors(file, "written"), os.fdopen(os.open(file, flags, 0o600), "wb") as target:
        target.write(data)


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
    with file_errors(file, "written"):
        if path.exists() and not path.is_file():
            with path.open("wb") as there:
                there.writelines(lines)
            return
        with NamedTemporaryFile(dir=path.parent, prefix=".astragal-", delete=False) as new:
            try:
                new.writelines(lines)
                new.flush()
                os.fsync(new.fileno())
                new.close()
                os.replace(new.name, path)  # noqa: PTH105 (the name, not the path, is what the file object has)
            except BaseException:
                Path(new.name).unlink(missing_ok=True)
                raise


@command(
    "table import FILE",
    long=True,
    how=(
        Option("into", "TABLE", "the file is a sheet, and this table gets the character"),
        Option("links", "FILE", "let these links open the table, as export --links wrote them"),
        Option("unsealed", help="import a file whose seal is broken or missing; the table's log then says so"),
        *HOW,
    ),
)
def run_import(parsed: Parsed) -> int:
    """Read a table from a file, or a sheet into a table; FILE may be - for standard input.

    astragal table import bell.jsonl
    astragal table import kira.json --into "The Drowned Bell"
    """
    parsed.refuse_both("into", "links")
    parsed.refuse_without("into", "as")
    file = parsed.places[0]
    with (
        file_errors(file, "read"),
        nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as source,
    ):
        return _import_sheet(parsed, source) if parsed.flag("into") else _import_table(parsed, source)


def _import_table(parsed: Parsed, source: BinaryIO) -> int:
    # The file is checked before a new store is made for it.
    with ExitStack() as stack:
        with ProgressLine("reading of the file"):
            found = stack.enter_context(staged(_table_lines(bounded_lines(source))))
        sealed, unsealed = found.seal == "right", UNSEALED.get(found.seal, "")
        refusal = Unsealed(f"{unsealed} To import it all the same, say --unsealed; the log will say so.")
        if not (sealed or parsed.flag("unsealed") or confirmed(f"{unsealed} Import it all the same?", refusal)):
            print("Nothing was imported.")
            return 1
        with ProgressLine("import"), open_repository(parsed, make=True) as repository:
            links = _read_links(parsed, found.header.table, repository)
            about = repository.store.info(repository.take_in(found, unsealed=True).id)
            if links:
                from astragal.serve.access.links_file import import_links

                import_links(repository.store, links, about.table)
    lines = [f'"{about.title}" is here, with {counted(about.version, "entry", "entries")}: {about.table}']
    lines += [] if sealed else [f"{unsealed} The table's log says so."]
    answer(parsed, {**about._asdict(), "seal": found.seal}, *lines)
    return 0


def _read_links(parsed: Parsed, table: str, repository: Repository) -> LinksFile | None:
    """The links that go with a table; refused before the table is imported, if they could not open it."""
    file = parsed.text("links")
    if file is None:
        return None
    from astragal.serve.access.links_file import MAX_FILE, check_links, read_links

    with file_errors(file, "read"), Path(file).open("rb") as source:
        links = read_links(source.read(MAX_FILE + 1))
    check_links(repository.store, links, table, here=repository.has(table))
    return links


def _table_lines(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The lines of a table; refuses a sheet with a sentence that says what to do with it."""
    first = next(lines, b"")
    if b'"sheet"' in first[:200] or first.strip() == b"{":
        raise Malformed("This file has a sheet in it, or is not a table. Import a sheet with --into TABLE.")
    yield first
    yield from lines


def _import_sheet(parsed: Parsed, source: BinaryIO) -> int:
    text = source.read(MAX_LINE + 1)
    if len(text) > MAX_LINE:
        raise Malformed(f"The file is too long for a sheet: at most {MAX_LINE >> 20} MB are taken.")
    with sit_down(parsed, parsed.text("into")) as seat:
        name, sheet = read_sheet_file(text, seat.state.game)
        if not name.strip():
            raise Malformed("The sheet in the file has no name.")
        acted = seat.act(CreateAction(name=name.strip(), sheet=sheet))
        if parsed.flag("json"):
            print_json({"table": seat.stored_table.id, "entry": shown(acted.entry, acted.state, seat.member)})
        else:
            show_entry(Screen(), NewLines().of(acted.entry, seat), seat)
    return 0
