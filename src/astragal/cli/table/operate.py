"""``astragal table link``, ``erase`` and ``expire``: what whoever runs a server does at a table from outside."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

from astragal.cli.parser import Option, Parser
from astragal.cli.table.files import write_file
from astragal.cli.table.seat import DATA, JSON, find_table, open_repository, print_json, seat_of
from astragal.errors import Illegal, Malformed
from astragal.repository.repository import Repository
from astragal.repository.stored_table import now
from astragal.rule.input import OneOf, Whole
from astragal.store import TableInfo
from astragal.table.entry import decode_entry

ROLE = OneOf(("gm", "player", "onlooker"), "the role")
ROLE.name = "role"
DAYS = Whole(1, 100_000, "days")
DAYS.name = "days"


def run_link(words: list[str]) -> int:
    """Make a link to a seat, as for a GM who has lost theirs."""
    from astragal.serve.auth import Links, Role, load_signer

    about = (
        "Make a link to a seat: the founding GM's, a member's own, or a new one of a role. A server may run meanwhile."
    )
    examples = ("astragal table link", "astragal table link Bell --member Jonas", "astragal table link --role player")
    parser = Parser("table link", about, ("TABLE",), examples)
    member, role = Option("member", "NAME", "this member's own seat"), Option("role", "ROLE", "a new seat of this role")
    parser.add("whose", member, role)
    parser.add("where and how", DATA, JSON)
    parsed = parser.parse(words)
    if parsed.text("member") and parsed.text("role"):
        raise Malformed("Say --member or --role, not both.")
    with open_repository(parsed) as repository:
        table = find_table(repository.store, next(iter(parsed.places), None)).table
        links = Links(repository.store, load_signer(repository.store), table)
        if parsed.text("role"):
            wanted: Role = ROLE.read(parsed.text("role"))
            link = links.create(wanted, None, now())
        else:
            found = seat_of(repository.open(table).state, parsed.text("member"))
            link = links.create(found.role, found.id, now())  # type: ignore[arg-type]
        path = links.path(link)
    if parsed.flag("json"):
        print_json({"table": table, "role": link.role, "member": link.member, "path": path})
    else:
        print(f"Open this at the server's address: {path}")
    return 0


def run_erase(words: list[str]) -> int:
    """Remove one person's name and notes from a table."""
    from astragal.repository.erase import erase_person
    from astragal.store.backup import rewritten

    about = "Remove a member's name and the notes that they wrote, for good. Rolls, characters and versions stay."
    parser = Parser("table erase", about, ("TABLE", "MEMBER"), ('astragal table erase "The Drowned Bell" Jonas --yes',))
    parser.add("how", Option("yes", help="needed, since it cannot be undone"), DATA, JSON)
    parsed = parser.parse(words)
    if len(parsed.places) != 2:
        raise Malformed("Name a table and a member: astragal table erase TABLE MEMBER --yes.")
    if not parsed.flag("yes"):
        raise Malformed("This cannot be undone; say --yes to do it.")
    with open_repository(parsed) as repository:
        table = find_table(repository.store, parsed.places[0]).table
        member = seat_of(repository.open(table).state, parsed.places[1])
        erased = erase_person(repository, table, member)
        rewritten(repository.store)
    if parsed.flag("json"):
        print_json(erased._asdict())
        return 0
    print(f"{erased.changed:,} entries were changed; backups and exports made before still have what was there.")
    if erased.named_by_others:
        where = ", ".join(map(str, erased.named_by_others[:20]))
        print(f"Others wrote the name in entries {where}{' …' if len(erased.named_by_others) > 20 else ''}.")
    return 0


def run_expire(words: list[str]) -> int:
    """Delete tables that nobody has used for long, after exporting them if a folder is named."""
    about = "Delete tables that nobody has used for so many days; with --to, each is exported first."
    examples = ("astragal table expire --days 365 --to old --yes", "astragal table expire --days 30")
    parser = Parser("table expire", about, (), examples)
    parser.add("what", Option("days", "N", "days without an entry"), Option("to", "FOLDER", "export there first"))
    parser.add("how", Option("yes", help="do it; without it, the tables are only listed"), DATA, JSON)
    parsed = parser.parse(words)
    if parsed.text("days") is None:
        raise Malformed("Say how long a table is kept: --days N.")
    before = now() - int(timedelta(days=int(DAYS.read(parsed.text("days") or ""))).total_seconds() * 1000)
    folder = Path(parsed.text("to") or "") if parsed.text("to") else None
    with open_repository(parsed) as repository:
        old = [each for each in repository.store.tables() if _last_used(repository, each) < before]
        if parsed.flag("yes"):
            for each in old:
                _put_away(repository, each, folder)
    if parsed.flag("json"):
        print_json({"tables": [each.table for each in old], "deleted": parsed.flag("yes")})
        return 0
    for each in old:
        print(f'{"Deleted" if parsed.flag("yes") else "Would be deleted"}: "{each.title}" ({each.table})')
    if not old:
        print("No table is that old.")
    return 0


def _last_used(repository: Repository, about: TableInfo) -> int:
    rows = repository.store.read(about.table, about.version - 1)
    return decode_entry(rows[-1].body).at if rows else about.created


def _put_away(repository: Repository, about: TableInfo, folder: Path | None) -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{re.sub(r'[^A-Za-z0-9_-]', '_', about.table)}.jsonl"
        if file.exists():
            raise Illegal(f'There is a file "{file}" already; nothing more was deleted.')
        write_file(str(file), repository.export_table(repository.open(about.table)))
    if repository.store.last(about.table) == about.version:  # else somebody has come back meanwhile
        repository.delete(about.table)
