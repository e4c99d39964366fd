"""``astragal backup``, ``restore`` and ``keys``: what whoever runs a server does with its data."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from astragal.cli.parser import Option, Parsed, Parser
from astragal.cli.table.seat import DATA, DATABASE, JSON, NO_TABLE, address_of, is_missing, print_json
from astragal.cli.watch import ProgressLine
from astragal.errors import Malformed, Refusal, Unknown
from astragal.rule.inputs.total import counted

if TYPE_CHECKING:
    from astragal.storage import Address


def run(words: list[str]) -> int:
    """Write a backup, and check it by opening it."""
    from astragal.storage import open_as_guest
    from astragal.storage.backup import backup

    about = "Everything that is stored, in one file: tables, links and signing keys. A server may run meanwhile."
    parser = Parser("backup", about, ("FILE",), ("astragal backup tables-monday.db",))
    parser.add("where and how", DATA, DATABASE, JSON)
    parsed = parser.parse(words)
    target, address = _file(parsed, "backup"), address_of(parsed)
    if is_missing(address):
        raise Unknown(NO_TABLE)
    with open_as_guest(address) as store, ProgressLine("backup"):
        tables = backup(store, target.absolute())
    entries = sum(table.version for table in tables)
    if parsed.flag("json"):
        print_json({"file": str(target), "tables": len(tables), "entries": entries})
    else:
        there = f"{counted(len(tables), 'table')} with {counted(entries, 'entry', 'entries')}"
        print(f"{target} has {there}; it was opened and read to check it.")
    return 0


def run_restore(words: list[str]) -> int:
    """Put a backup in the place of what is stored; that is kept beside it."""
    from astragal.storage.backup import restore

    about = "Put a backup in the place of what is stored, which is kept in a file beside it. Stop a server on it first."
    parser = Parser("restore", about, ("FILE",), ("astragal restore tables-monday.db",))
    parser.add("where and how", DATA, DATABASE, JSON)
    parsed = parser.parse(words)
    source, address = _file(parsed, "restore"), address_of(parsed)
    address = address.absolute() if isinstance(address, Path) else address
    with ProgressLine("restore") as progress:
        kept = restore(source.absolute(), address)
        announced = _announce_restore(address, progress)
    if parsed.flag("json"):
        print_json({"file": str(source), "kept": str(kept) if kept else None, "announced": announced})
    else:
        print(f"The tables are those of {source}.", *([f"What was there is kept in {kept}."] if kept else []))
        print(f"The restore is announced in the log of {counted(announced, 'table')}, with new tickets for the dice.")
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

    about = "Sign links and seats with a new key. Those that are out stay good, unless older keys are forgotten."
    parser = Parser("keys", about, (), ("astragal keys --rotate", "astragal keys --rotate --forget"))
    rotate = Option("rotate", help="make a new key")
    forget = Option("forget", help="forget all older keys: every link and seat that is out ends")
    parser.add("what and where", rotate, forget, DATA, DATABASE)
    parsed = parser.parse(words)
    if not parsed.flag("rotate"):
        raise Malformed("Say --rotate to make a new key; --rotate --forget ends every link and seat that is out.")
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
        print("A new key signs from now on; links and seats that are out stay good.")
    return 0
