"""``astragal migrate``: everything that is stored, from a file into a database, or back."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from astragal.cli.parser import Option, Parsed, Parser
from astragal.cli.table.seat import JSON, print_json
from astragal.errors import Malformed
from astragal.rule.inputs.total import counted

if TYPE_CHECKING:
    from astragal.storage import Address

ABOUT = (
    "Copy everything that is stored, from a file into an empty PostgreSQL database, or from a database into a new "
    "file, and compare every row: tables, entries, links, signing keys. Servers have to be stopped; the source stays "
    "as it is."
)
EXAMPLES = (
    "astragal migrate --from ~/.local/share/astragal/tables.db --to postgresql://astragal@db.example.org/astragal",
    "astragal migrate --from postgresql://astragal@db.example.org/astragal --to tables.db",
)


def run(words: list[str]) -> int:
    """Copy and compare; progress goes to the terminal's error output."""
    from astragal.storage.migrate import migrate

    parser = Parser("migrate", ABOUT, (), EXAMPLES)
    parser.add(
        "what", Option("from", "ADDRESS", "a file or a database"), Option("to", "ADDRESS", "a database or a file")
    )
    parser.add("how", JSON)
    parsed = parser.parse(words)
    source, target = _address(parsed, "from"), _address(parsed, "to")
    done = migrate(source, target, _progress)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    if parsed.flag("json"):
        print_json(done._asdict())
    else:
        there = f"{counted(done.tables, 'table')} with {counted(done.records, 'entry', 'entries')}"
        print(f"{target} has {there}, links and keys; each row was compared with {source}, which stays as it is.")
    return 0


def _address(parsed: Parsed, option: str) -> Address:
    from astragal.storage import parse_address

    text = parsed.text(option)
    if not text or not text.strip():
        raise Malformed("Say what to migrate: astragal migrate --from tables.db --to postgresql://user@host/name.")
    address = parse_address(text)
    return address / "tables.db" if isinstance(address, Path) and address.is_dir() else address


def _progress(n: int, total: int) -> None:
    """Show progress at a terminal."""
    if sys.stderr.isatty():
        print(f"\r{n:,} of {total:,} entries ", end="", file=sys.stderr, flush=True)
