"""``astragal backup``, ``restore`` and ``keys``: what whoever runs a server does with its data."""

from __future__ import annotations

from pathlib import Path

from astragal.cli.parser import Option, Parsed, Parser
from astragal.cli.table.seat import DATA, DATABASE, JSON, NO_TABLE, address_of, is_missing, print_json
from astragal.errors import Malformed, Unknown
from astragal.rule.inputs.total import counted


def run(words: list[str]) -> int:
    """Write a backup, and check it by opening it."""
    from astragal.store import open_store
    from astragal.store.backup import backup

    about = "Everything that is stored, in one file: tables, links and signing keys. A server may run meanwhile."
    parser = Parser("backup", about, ("FILE",), ("astragal backup tables-monday.db",))
    parser.add("where and how", DATA, DATABASE, JSON)
    parsed = parser.parse(words)
    target, address = _file(parsed, "backup"), address_of(parsed)
    if is_missing(address):
        raise Unknown(NO_TABLE)
    with open_store(address) as store:
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
    from astragal.store.backup import restore

    about = (
        "Put a backup in the place of what is stored, which is kept in a file beside it. A server may run meanwhile."
    )
    parser = Parser("restore", about, ("FILE",), ("astragal restore tables-monday.db",))
    parser.add("where and how", DATA, DATABASE, JSON)
    parsed = parser.parse(words)
    source, address = _file(parsed, "restore"), address_of(parsed)
    kept = restore(source.absolute(), address.absolute() if isinstance(address, Path) else address)
    if parsed.flag("json"):
        print_json({"file": str(source), "kept": str(kept) if kept else None})
    else:
        print(f"The tables are those of {source}.", *([f"What was there is kept in {kept}."] if kept else []))
    return 0


def _file(parsed: Parsed, command: str) -> Path:
    if len(parsed.places) != 1:
        raise Malformed(f"Name one file: astragal {command} FILE.")
    return Path(parsed.places[0])


def run_keys(words: list[str]) -> int:
    """Sign links and seats with a new key."""
    from astragal.repository.head_key import rotate_head_key
    from astragal.serve.auth import load_signer, rotate_secret
    from astragal.store import open_store
    from astragal.store.backup import rewritten

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
    with open_store(address) as store:
        load_signer(store)
        rotate_secret(store, keep_old=not parsed.flag("forget"))
        rotate_head_key(store, keep_old=not parsed.flag("forget"))
        rewritten(store)
    if parsed.flag("forget"):
        print("A new key signs, and all older ones are forgotten: give out new links with astragal table link.")
    else:
        print("A new key signs from now on; links and seats that are out stay good.")
    return 0
