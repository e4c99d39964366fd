"""What was found of several servers on PostgreSQL, as lines to read."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from bench.fleet import SERVERS, TABLES, FleetMeasured
from bench.live_page import WATCHERS

WANTED_BARE = 0.35
WANTED_MANY = 1.15
MOST = SERVERS[-1]

TEXT = f"""
## Several servers on PostgreSQL

The same posts with a PostgreSQL on the same machine, which commits as durably as the file. With several server
processes {TABLES} tables are played at once: each table's posts and watchers, {WATCHERS} in all tables, go to the
server that owns it, as behind a balancer that goes by the table (ours does).

| | ratio | goal | reached |
|---|---|---|---|
"""


def print_fleet(found: FleetMeasured) -> None:
    """One turn in a few lines."""
    many = ", ".join(f"{n}: {rate:,.0f}" for n, rate in found.many.items())
    print(f"PostgreSQL: bare app {found.bare:,.0f}, one server {found.one:,.0f} actions a second", flush=True)
    print(
        f"            {TABLES} tables, by servers: {many} actions a second; p99 {found.late * 1000:.2f} ms", flush=True
    )


def fleet_text(on_sqlite: float, found: list[FleetMeasured]) -> str:
    """The part of the page; ``on_sqlite`` is what one process does with a file, in actions a second."""
    bare, one = median(each.bare for each in found), median(each.one for each in found)
    rows = [
        _row("one server, to the bare app on the same PostgreSQL", one / bare, "at least", WANTED_BARE),
        f"| one server, to one server on SQLite | {one / on_sqlite:.2f} | | |\n",
        *_many("one server on SQLite", on_sqlite, found),
        *_many("the bare app on the same PostgreSQL", bare, found),
        _row(f"{MOST} servers, to one, at {TABLES} tables", _to_one([each.many for each in found]), "at least",
             WANTED_MANY),
    ]  # fmt: skip
    return TEXT + "".join(rows)


def _many(to: str, rate: float, found: list[FleetMeasured]) -> Iterator[str]:
    """The rows of several tables at once, as ratios to a rate."""
    for n in SERVERS:
        many = median(each.many[n] for each in found)
        yield f"| {_servers(n)}, {TABLES} tables, to {to} | {many / rate:.2f} | | |\n"


def _to_one(rates: list[dict[int, float]]) -> float:
    """The most servers to one, each round by itself: the machine is not equally fast in all."""
    return median(each[MOST] / each[1] for each in rates)


def _servers(n: int) -> str:
    return "1 server" if n == 1 else f"{n} servers"


def _row(what: str, ratio: float, bound: str, wanted: float) -> str:
    reached = ratio >= wanted if bound == "at least" else ratio <= wanted
    return f"| {what} | {ratio:.2f} | {bound} {wanted:g} | {'yes' if reached else 'no'} |\n"
