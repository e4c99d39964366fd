"""``astragal mcp``: a seat for an assistant, over standard input and output."""

from __future__ import annotations

import os

from astragal.cli.command import command
from astragal.cli.parser import Option, Parsed
from astragal.cli.table.seat import DATA, DATABASE, find_table, open_repository, seat_of
from astragal.errors import Malformed

LINK = "ASTRAGAL_LINK"
"""The variable of the environment that may hold a link, which a list of processes would show otherwise."""


@command(
    "mcp",
    options=(
        Option("table", "TABLE-OR-LINK", f"a table of the data folder, or a link to a seat; otherwise {LINK}"),
        Option("seat", "MEMBER", "whose seat, by name; otherwise the founding GM's. A link has its seat already"),
        DATA,
        DATABASE,
    ),
)
def run_mcp(parsed: Parsed) -> None:
    """Serve the Model Context Protocol on standard input and output: a seat at a table for an assistant, or, without a
    table, questions about games and odds alone. docs/agents.md tells how clients start it.

    astragal mcp
    astragal mcp --table "The Drowned Bell" --seat Jonas
    astragal mcp --table https://table.example.org/t/TABLE#TOKEN
    """
    table = parsed.text("table") or os.environ.get(LINK) or ""
    if "#" in table:
        _serve_link(parsed, table)
    elif table or parsed.flag("seat"):
        _serve_table(parsed, table or None)
    elif parsed.flag("data") or parsed.flag("database"):
        raise Malformed("Questions about games and odds need no tables; name one with --table, or leave out the rest.")
    else:
        from astragal.agents.stdio import serve_questions

        serve_questions()


def _serve_link(parsed: Parsed, link: str) -> None:
    if parsed.flag("seat") or parsed.flag("data") or parsed.flag("database"):
        raise Malformed("A link is of one seat at one server; --seat, --data and --database belong to tables here.")
    from astragal.agents.stdio import serve_link

    serve_link(link)


def _serve_table(parsed: Parsed, name: str | None) -> None:
    from astragal.agents.stdio import serve_table

    with open_repository(parsed) as repository:
        table = find_table(repository.store, name).table
        serve_table(repository, table, seat_of(repository.open(table).state, parsed.text("seat")))
