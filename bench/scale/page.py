"""The page about scale, from what was measured, simulated and planned."""

from __future__ import annotations

import datetime
import os
import platform
import textwrap
from collections.abc import Iterator, Sequence

from bench.scale.measure import Measured
from bench.scale.plan import BUSY, CORES, MEMORY, PRICES, SHARD, Plan
from bench.scale.week import Assumptions, Week

WIDTH = 120


def page(about: Assumptions, week: Week, found: Measured, made: Plan) -> Iterator[str]:
    """The whole page."""
    yield "# Scale"
    yield from _prose(
        f"A plan for {about.tables:,} tables, of which about {round(week.peak, -3):,} play at once",
        "at the peak of the week.",
        "Written by `make scale`; do not edit. It measures the program on the machine that it runs",
        "on, simulates a week",
        "of evenings with a fixed seed (`bench/scale/`), and works out the rest. How to run more",
        "than one server at all",
        "is in [Many servers](cluster.md).",
    )
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    yield from _prose(
        f"Measured on {today} with CPython {platform.python_version()} on {platform.system()} {platform.machine()},",
        f"{os.cpu_count()} cores that database, server and clients shared.",
    )
    yield from _evening(about, found)
    yield from _measured(found)
    yield from _week(about, week, made)
    yield from _servers(made)
    yield from _shards(about, made)
    yield from _connections(found, made)
    yield from _cost(about, made)
    yield from _first(made)


def _evening(about: Assumptions, found: Measured) -> Iterator[str]:
    yield from ("", "## An evening")
    yield from _prose("The sample campaigns are evenings in short. Their logs, as exported:")
    rows = [(each.game, str(each.entries), f"{each.exported:,}", f"{each.each:,.0f}") for each in found.evenings]
    yield from _table(("game", "entries", "bytes", "bytes an entry"), rows)
    yield from _prose(
        f"A whole evening of {about.hours:g} hours has about {about.entries} entries (assumed: one every 45 seconds),",
        f"so {about.entries} rows and {_bytes(about.entries * found.row)} in PostgreSQL with indexes, and",
        f"{_bytes(about.entries * found.wal)} of its write-ahead log, which is what an archive and a standby get.",
    )


def _measured(found: Measured) -> Iterator[str]:
    yield from ("", "## Measured")
    rows = [
        ("an entry in PostgreSQL, with its indexes", _bytes(found.row)),
        ("an entry in the write-ahead log", _bytes(found.wal)),
        ("entries that one database takes, many tables at once", f"{found.appends:,.0f} a second"),
        ("actions of one server process, four watchers at each table", f"{found.actions:,.0f} a second"),
        ("memory of a server that nobody uses", _bytes(found.server)),
        ("memory of an open table", _bytes(found.table)),
        ("memory of a socket", _bytes(found.socket)),
        ("sockets that one server greets with the whole table", f"{found.reconnects:,.0f} a second"),
        ("connections of one server to its database", str(found.connections)),
    ]
    yield from _table(("what", "measured"), rows)


def _week(about: Assumptions, week: Week, made: Plan) -> Iterator[str]:
    yield from ("", "## A week")
    yield from _prose(
        f"Simulated: {about.sample:,} tables, multiplied. Assumed: {about.evenings_a_week:g}",
        "evenings a week and table,",
        "most on Fridays and Saturdays from half past seven in three parts of the world,",
        f"{about.seats:g} browsers at each.",
    )
    rows = [
        ("evenings", f"{week.evenings:,}"),
        ("entries", f"{week.entries:,}"),
        ("tables that play at once, mean", f"{week.mean:,.0f}"),
        ("tables that play at once, peak", f"{week.peak:,}"),
        ("sockets at the peak", f"{made.sockets:,}"),
        ("actions in the busiest second", f"{made.actions:,.0f}"),
        ("frames in the busiest second", f"{made.frames:,.0f}"),
    ]
    yield from _table(("what", "a week"), rows)


def _servers(made: Plan) -> Iterator[str]:
    yield from ("", "## Servers")
    tables, sockets = _round_up(made.tables_each), _round_up(made.sockets_each)
    yield from _prose(
        f"{made.servers:,} server processes of one core and {_bytes(MEMORY)} each; what decides is {made.by}. At the",
        f"peak each has {made.tables_each:,} tables and {made.sockets_each:,} sockets: start them with",
        f"`--limit open-tables={tables} --limit sockets={sockets} --limit",
        f"connections={2 * sockets}`. A fifth of them is",
        f"there for losses and upgrades, and no rate is used beyond {BUSY:.0%} of what was measured.",
    )
    yield from _prose(
        f"When one dies at the peak, its {made.sockets_each:,} browsers come back at the others of its cell as the",
        "page does it",
        f"(simulated): half of them within {made.storm.half:.1f} s, 99.9 % within {made.storm.most:.1f} s, in",
        f"{made.storm.tries:.2f} tries each.",
    )


def _shards(about: Assumptions, made: Plan) -> Iterator[str]:
    yield from ("", "## Shards")
    yield from _prose(
        "Tables never interact, so each can be in any database. A catalogue says which: a row for each table with its",
        f"shard, {_bytes(about.tables * 40)} for all of them, which a balancer keeps in memory",
        "(HAProxy's `map`). A new",
        "table goes to the emptiest shard; a table moves by `export` and `import` while nobody plays it. The catalogue",
        "is a plan: no server needs it, since each serves one shard and knows only that.",
    )
    rows = [
        ("growth in a year, all databases", _bytes(made.year)),
        ("shards", str(made.shards)),
        ("growth of a shard in a year", _bytes(made.year / made.shards)),
        ("entries of a shard in the busiest second", f"{made.writes_each:,.0f}"),
        ("tables of a shard", f"{about.tables // made.shards:,}"),
    ]
    yield from _table(("what", "planned"), rows)
    yield from _prose(
        f"A shard stays below {_bytes(SHARD)} in its first year, which is still copied to a new standby in hours.",
        "`astragal table expire` puts tables away that nobody uses, so what is live stays smaller",
        "than what was played.",
    )


def _connections(found: Measured, made: Plan) -> Iterator[str]:
    yield from ("", "## Connections")
    yield from _prose(
        f"Were every server to serve every shard, each database would have {made.direct:,} connections. So servers are",
        f"divided like the tables: a shard and its own servers are a cell, with {made.cell:,} connections to the",
        "database, and the balancer sends a table's requests to its cell. With PgBouncer (`pool_mode = transaction`),",
        f"{made.pooled} of them are real ones on a machine of {CORES} cores. Of a server's",
        f"{found.connections}, the one that",
        "listens for hints goes past PgBouncer, since LISTEN needs a connection that stays the same.",
    )


def _cost(about: Assumptions, made: Plan) -> Iterator[str]:
    yield from ("", "## Cost")
    yield from _prose(
        f"With assumed prices a month of {PRICES['core']:g} for a core, {PRICES['memory']:g} for a GB of memory,",
        f"{PRICES['disk']:g} for a GB of disk and {PRICES['archive']:g} for a GB of archive:",
        f"{made.month:,.0f} a month after",
        f"the first year, {made.month / about.tables * 100:.1f} cents a table. Put in your own prices in",
        "`bench/scale/plan.py`.",
    )


def _first(made: Plan) -> Iterator[str]:
    yield from ("", "## What fails first")
    yield from _prose("In this order, as tables grow in number:")
    yield ""
    yield f"1. The servers' {made.by}, long before a database has too much to commit. Add servers."
    yield "2. Connections to a database, at a few dozen servers. Put PgBouncer between, or divide into cells."
    yield "3. Notices through LISTEN and NOTIFY, where guests act at thousands of tables. Divide into cells."
    yield f"4. The size of a database: {_bytes(made.year)} a year. Divide before a base backup takes a night."
    yield f"5. Commits: tables share them, and a shard has {made.writes_each:,.0f} entries in its busiest second."


def _prose(*parts: str) -> Iterator[str]:
    yield ""
    yield from textwrap.wrap(" ".join(parts), WIDTH, break_long_words=False, break_on_hyphens=False)


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    yield ""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)


def _bytes(n: float) -> str:
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if n < 1000 or unit == "TB":
            return f"{n:,.0f} {unit}" if unit == "bytes" or n >= 100 else f"{n:.1f} {unit}"
        n /= 1000
    raise AssertionError


def _round_up(n: int) -> int:
    return -(-n * 3 // 2 // 100) * 100
