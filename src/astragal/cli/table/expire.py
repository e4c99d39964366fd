"""``astragal table expire``: tables that nobody has used for long are exported, if wanted, and deleted."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import NamedTuple

from astragal.cli.parser import Option, Parser
from astragal.cli.table.files import write_file
from astragal.cli.table.seat import DATA, DATABASE, JSON, open_repository, print_json
from astragal.cli.watch import ProgressLine
from astragal.errors import Malformed, Refusal
from astragal.rule.inputs.input import Whole
from astragal.storage import TableInfo
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.staged import staged
from astragal.storage.tables.stored_table import now
from astragal.table.entry import decode_entry
from astragal.table.log.export import bounded_lines

DAYS = Whole(1, 100_000, "days")
DAYS.name = "days"


class Expired(NamedTuple):
    """What became of a table that nobody has used for long."""

    table: str
    title: str
    deleted: bool
    file: str = ""
    kept: str = ""
    """Why it is still there, although it was to be deleted."""


def run_expire(words: list[str]) -> int:
    """Delete tables that nobody has used for long, after exporting them if a folder is named."""
    about = "Delete tables that nobody has used for so many days; with --to, each is exported first."
    examples = ("astragal table expire --days 365 --to old --yes", "astragal table expire --days 30")
    parser = Parser("table expire", about, (), examples)
    parser.add("what", Option("days", "N", "days without an entry"), Option("to", "FOLDER", "export there first"))
    parser.add("how", Option("yes", help="do it; without it, the tables are only listed"), DATA, DATABASE, JSON)
    parsed = parser.parse(words)
    if parsed.text("days") is None:
        raise Malformed("Say how long a table is kept: --days N.")
    before = now() - int(timedelta(days=int(DAYS.read(parsed.text("days") or ""))).total_seconds() * 1000)
    folder = Path(parsed.text("to") or "") if parsed.text("to") else None
    with open_repository(parsed) as repository:
        tables, found = repository.store.tables(), []
        with ProgressLine("expiry") as progress:
            for n, each in enumerate(tables):
                progress(n, len(tables))
                found.append(_expired(repository, each, before, folder, bool(parsed.flag("yes"))))
    expired = [each for each in found if each]
    if parsed.flag("json"):
        print_json({"tables": [each._asdict() for each in expired]})
    else:
        _print(expired)
    return 1 if any(each.kept for each in expired) else 0


def _print(expired: list[Expired]) -> None:
    for each in expired:
        done = "Kept" if each.kept else "Deleted" if each.deleted else "Would be deleted"
        more = f": {each.kept}" if each.kept else f", exported to {each.file}" if each.file else ""
        print(f'{done}: "{each.title}" ({each.table}){more}')
    if not expired:
        print("No table is that old.")


def _expired(repository: Repository, about: TableInfo, before: int, folder: Path | None, do: bool) -> Expired | None:
    """What becomes of a table, None if it is in use. One that cannot be put away stays, and the others go on."""
    try:
        if _last_used(repository, about) >= before:
            return None
        if not do:
            return Expired(about.table, about.title, False)
        return Expired(about.table, about.title, True, _put_away(repository, about, folder))
    except Refusal as refusal:
        return Expired(about.table, about.title, False, kept=str(refusal))


def _last_used(repository: Repository, about: TableInfo) -> int:
    rows = repository.store.read(about.table, about.version - 1)
    return decode_entry(rows[-1].body).at if rows else about.created


def _put_away(repository: Repository, about: TableInfo, folder: Path | None) -> str:
    """Delete a table; returns the name of the file that it is exported to, which has been read back before."""
    file = _export(repository, about, folder) if folder else None
    if repository.store.info(about.table).version != about.version:
        if file:
            file.unlink()
        raise Malformed("somebody has come back meanwhile.")
    repository.delete(about.table)
    return str(file or "")


def _export(repository: Repository, about: TableInfo, folder: Path) -> Path:
    file = _free_name(folder, re.sub(r"[^A-Za-z0-9_-]", "_", about.table))
    write_file(str(file), repository.open(about.table).export())
    with file.open("rb") as written, staged(bounded_lines(written)):
        return file


def _free_name(folder: Path, name: str) -> Path:
    """A file that is not there yet: an earlier table may have had the same id."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Malformed(f'the folder "{folder}" cannot be made: {error.strerror}.') from None
    names = (f"{name}.jsonl" if n == 1 else f"{name}-{n}.jsonl" for n in count(1))
    return next(folder / each for each in names if not (folder / each).exists())
