"""``astragal backup``, ``restore`` and ``keys``: what an operator does with a server's data."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from astragal.cli.parser import Option, Parsed, Parser
from astragal.cli.table.seat import DATA, DATABASE, NO_TABLE, WHERE, address_of, answer, is_missing
from astragal.cli.watch import ProgressLine
from astragal.errors import Malformed, Refusal, Unknown
from astragal.rule.inputs.total import counted

if TYPE_CHECKING:
    from astragal.storage import Address


def run(words: list[str]) -> int:
    """Write a backup, and check it by opening it."""
    from astragal.storage import open_as_guest
    from astragal.storage.backup import backup

    about = "Everything that is stored, in one file: tables, links and signing keys. A server may run."
    parser = Parser("backup", about, ("FILE",), ("astragal backup tables-monday.db",))
    parser.add("where and how", *WHERE)
    parsed = parser.parse(words)
    target, address = _file(parsed, "backup"), address_of(parsed)
    if is_missing(address):
        raise Unknown(NO_TABLE)
    with open_as_guest(address) as store, ProgressLine("backup"):
        tables = backup(store, target.absolute())
    entries = sum(table.version for table in tables)
    there = f"{counted(len(tables), 'table')} with {counted(entries, 'entry', 'entries')}"
    data = {"file": str(target), "tables": len(tables), "entries": entries}
    answer(parsed, data, f"{target} has {there}; it was opened and read to check it.")
    return 0


def run_restore(words: list[str]) -> int:
    """Replace what is stored by a backup; the old data stays in a file next to it."""
    from astragal.storage.backup import restore

    about = "Replace what is stored by a backup. The old data stays in a file next to it. Stop a server on it first."
    parser = Parser("restore", about, ("FILE",), ("astragal restore tables-monday.db",))
    parser.add("where and how", *WHERE)
    parsed = parser.parse(words)
    source, address = _file(parsed, "restore"), address_of(parsed)
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
    return 0


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


def _file(parsed: Parsed, command: str) -> Path:
    if len(parsed.places) != 1:
        raise Malformed(f"Name one file: astragal {command} FILE.")
    return Path(parsed.places[0])


def run_keys(words: list[str]) -> int:
    """Sign links and seats with a new key."""
    from astragal.serve.auth import load_signer, rotate_secret
    from astragal.storage import open_as_guest
    from astragal.storage.backup import rewritten
    from astragal.storage.tables.head_key import rotate_head_key

    about = "Sign links and seats with a new key. Existing ones stay valid, unless older keys are forgotten."
    parser = Parser("keys", about, (), ("astragal keys --rotate", "astragal keys --rotate --forget"))
    rotate = Option("rotate", help="make a new key")
    forget = Option("forget", help="forget all older keys: all existing links and seats stop working")
    parser.add("what and where", rotate, forget, DATA, DATABASE)
    parsed = parser.parse(words)
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
    return 0
