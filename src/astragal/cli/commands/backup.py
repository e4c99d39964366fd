"""``astragal backup``, ``restore``, ``migrate`` and ``keys``: what an operator does with a server's data."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from astragal.cli.parser import JSON, Option, Parsed, command
from astragal.cli.table.seat import DATA, DATABASE, NO_TABLE, WHERE, address_of, answer, is_missing
from astragal.cli.watch import ProgressLine
from astragal.errors import Malformed, Refusal, Unknown
from astragal.rule.inputs.total import counted

if TYPE_CHECKING:
    from astragal.storage import Address


@command("backup FILE", long=True, where_and_how=WHERE)
def run_backup(parsed: Parsed) -> None:
    """Write everything that is stored into one file: tables, links and signing keys. A server may run.

    astragal backup tables-monday.db
    """
    from astragal.storage import open_as_guest
    from astragal.storage.backup import backup

    target, address = Path(parsed.places[0]), address_of(parsed)
    if is_missing(address):
        raise Unknown(NO_TABLE)
    with open_as_guest(address) as store:
        tables = backup(store, target.absolute())
    entries = sum(table.version for table in tables)
    there = f"{counted(len(tables), 'table')} with {counted(entries, 'entry', 'entries')}"
    data = {"file": str(target), "tables": len(tables), "entries": entries}
    answer(parsed, data, f"{target} has {there}; it was opened and read to check it.")


@command("restore FILE", where_and_how=WHERE)
def run_restore(parsed: Parsed) -> None:
    """Replace what is stored by a backup. The old data stays in a file next to it. Stop a server on it first.

    astragal restore tables-monday.db
    """
    from astragal.storage.backup import restore

    source, address = Path(parsed.places[0]), address_of(parsed)
    address = address.absolute() if isinstance(address, Path) else address
    with ProgressLine("restore") as progress:
        kept = restore(source.absolute(), address)
        announced = _announce_restore(address, progress)
    answer(
        parsed,
        {"file": str(source), "kept": str(kept) if kept else None, "announced": announced},
        f"The tables are those of {source}.{f' The old data is in {kept}.' if kept else ''}",
        f"The restore is announced in the log of {counted(announced, 'table')}, with new tickets for the dice.",
    )


def _announce_restore(address: Address, progress: ProgressLine) -> int:
    """Open every table, which announces its new tickets in its log; the number of tables that could be opened."""
    from astragal.storage import open_as_guest
    from astragal.storage.tables.repository import Repository

    announced = 0
    with open_as_guest(address) as store:
        repository, tables = Repository(store), store.tables()
        for n, about in enumerate(tables):
            progress(n, len(tables))
            with suppress(Refusal):  # its game may not be installed here
                repository.open(about.table)
                announced += 1
    return announced


@command(
    "migrate",
    what=(Option("from", "ADDRESS", "a file or a database"), Option("to", "ADDRESS", "a database or a file")),
    how=(JSON,),
)
def run_migrate(parsed: Parsed) -> None:
    """Copy everything that is stored, from a file into an empty PostgreSQL database, or from a database into a new
    file, and compare every row: tables, entries, links, signing keys. Stop all servers first. The source stays as it
    is.

    astragal migrate --from ~/.local/share/astragal/tables.db --to postgresql://astragal@db.example.org/astragal
    astragal migrate --from postgresql://astragal@db.example.org/astragal --to tables.db
    """
    from astragal.storage.migrate import migrate

    source, target = _address(parsed, "from"), _address(parsed, "to")
    with ProgressLine("migration") as progress:
        done = migrate(source, target, progress)
    there = f"{counted(done.tables, 'table')} with {counted(done.records, 'entry', 'entries')}"
    compared = f"{target} has {there}, links and keys; each row was compared with {source}, which stays as it is."
    answer(parsed, done._asdict(), compared)


def _address(parsed: Parsed, option: str) -> Address:
    from astragal.storage import parse_address

    text = parsed.text(option)
    if not text or not text.strip():
        raise Malformed("Say what to migrate: astragal migrate --from tables.db --to postgresql://user@host/name.")
    address = parse_address(text)
    return address / "tables.db" if isinstance(address, Path) and address.is_dir() else address


@command(
    "keys",
    what_and_where=(
        Option("rotate", help="make a new key"),
        Option("forget", help="forget all older keys: all existing links and seats stop working"),
        DATA,
        DATABASE,
    ),
)
def run_keys(parsed: Parsed) -> None:
    """Sign links and seats with a new key. Existing ones stay valid, unless older keys are forgotten.

    astragal keys --rotate
    astragal keys --rotate --forget
    """
    from astragal.serve.access.auth import load_signer, rotate_secret
    from astragal.storage import open_as_guest
    from astragal.storage.backup import rewritten
    from astragal.storage.tables.keys import rotate_head_key

    if not parsed.flag("rotate"):
        raise Malformed(
            "Say --rotate to make a new key; with --rotate --forget, all existing links and seats stop working."
        )
    address = address_of(parsed)
    if is_missing(address):
        raise Unknown(NO_TABLE)
    with open_as_guest(address) as store:
        load_signer(store)
        rotate_secret(store, keep_old=not parsed.flag("forget"))
        rotate_head_key(store, keep_old=not parsed.flag("forget"))
        rewritten(store, "keys were rotated")
    if parsed.flag("forget"):
        print("A new key signs, and all older ones are forgotten: give out new links with astragal table link.")
    else:
        print("A new key signs from now on; existing links and seats stay valid.")
