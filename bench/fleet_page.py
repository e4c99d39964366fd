"""What was found of several servers on PostgreSQL, as lines to read."""

from __future__ import annotations

from statistics import median

from bench.fleet import SERVERS, TABLES, FleetMeasured
from bench.live_page import PACE, WATCHERS

WANTED_BARE = 0.35
WANTED_ACROSS = 3.0
WANTED_MANY = 0.85

TEXT = f"""
## Several servers on PostgreSQL

The same posts with a PostgreSQL on the same machine, which commits as durably as the file. With several server
processes {TABLES} tables are played at once: each table's posts go to one of the servers, as behind a balancer that
goes by the table, and its watchers, {WATCHERS} in all, are spread over all of them.

| | ratio | goal | reached |
|---|---|---|---|
"""


def print_fleet(found: FleetMeasured) -> None:
    """One turn in a few lines."""
    many = ", ".join(f"{n}: {rate:,.0f}" for n, rate in found.rates.items())
    print(f"PostgreSQL: bare app {found.bare:,.0f}, one server {found.one:,.0f} actions a second", flush=True)
    print(f"            {TABLES} tables, by servers: {many} actions a second", flush=True)
    print(f"            p99 {found.here * 1000:.2f} ms, across servers {found.across * 1000:.2f} ms", flush=True)


def fleet_text(on_sqlite: float, found: list[FleetMeasured]) -> str:
    """The part of the page; ``on_sqlite`` is what one process does with a file, in actions a second."""
    bare, one = median(each.bare for each in found), median(each.one for each in found)
    rates = {n: median(each.rates[n] for each in found) for n in SERVERS}
    across = median(each.across / each.here for each in found)
    rows = [
        _row("one server, to the bare app on the same PostgreSQL", one / bare, "at least", WANTED_BARE),
        f"| one server, to one server on SQLite | {one / on_sqlite:.2f} | | |\n",
        *(
            f"| {_servers(n)}, {TABLES} tables, to one server on SQLite | {rates[n] / on_sqlite:.2f} | | |\n"
            for n in SERVERS
        ),
        *(
            f"| {_servers(n)}, {TABLES} tables, to the bare app on the same PostgreSQL | {rates[n] / bare:.2f} | | |\n"
            for n in SERVERS
        ),
        _row(f"{SERVERS[-1]} servers, to one, at {TABLES} tables", rates[SERVERS[-1]] / rates[1], "at least",
             WANTED_MANY),
        _row(f"p99 from post to watcher across servers, to the same server, at {PACE} a second", across, "at most",
             WANTED_ACROSS),
    ]  # fmt: skip
    return TEXT + "".join(rows)


def _servers(n: int) -> str:
    return "1 server" if n == 1 else f"{n} servers"


def _row(what: str, ratio: float, bound: str, wanted: float) -> str:
    reached = ratio >= wanted if bound == "at least" else ratio <= wanted
    return f"| {what} | {ratio:.2f} | {bound} {wanted:g} | {'yes' if reached else 'no'} |\n"
