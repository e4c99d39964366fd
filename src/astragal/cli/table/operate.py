"""``astragal table link`` and ``erase``: what whoever runs a server does at a table from outside."""

from __future__ import annotations

from astragal.cli.parser import Option, Parser
from astragal.cli.table.seat import DATA, DATABASE, JSON, find_table, open_repository, print_json, seat_of
from astragal.cli.watch import ProgressLine
from astragal.errors import Malformed
from astragal.rule.inputs.input import OneOf
from astragal.rule.inputs.total import counted
from astragal.storage.tables.stored_table import now

ROLE = OneOf(("gm", "player", "onlooker"), "the role")
ROLE.name = "role"


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
    parser.add("where and how", DATA, DATABASE, JSON)
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
    from astragal.storage.backup import rewritten

    about = "Remove a member's name and the words that they wrote, for good. Rolls, characters and versions stay."
    parser = Parser("table erase", about, ("TABLE", "MEMBER"), ('astragal table erase "The Drowned Bell" Jonas --yes',))
    parser.add("how", Option("yes", help="needed, since it cannot be undone"), DATA, DATABASE, JSON)
    parsed = parser.parse(words)
    if len(parsed.places) != 2:
        raise Malformed("Name a table and a member: astragal table erase TABLE MEMBER --yes.")
    if not parsed.flag("yes"):
        raise Malformed("This cannot be undone; say --yes to do it.")
    with open_repository(parsed) as repository:
        table = find_table(repository.store, parsed.places[0]).table
        member = seat_of(repository.open(table).state, parsed.places[1])
        with ProgressLine("erasure"):
            erased = repository.erase(table, member)
        rewritten(repository.store, "a member's words were erased")
    if parsed.flag("json"):
        print_json({"changed": len(erased.changed), "named_by_others": erased.named_by_others})
        return 0
    entries = counted(len(erased.changed), "entry was", "entries were")
    print(f"{entries} changed; backups and exports made before still have what was there.")
    if erased.named_by_others:
        where = ", ".join(map(str, erased.named_by_others[:20]))
        print(f"The name is still in entries {where}{' …' if len(erased.named_by_others) > 20 else ''}.")
    return 0
