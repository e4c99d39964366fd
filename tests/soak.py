"""The full figures: runs the long tests at their full length and writes docs/reliability.md. ``make soak``."""

from __future__ import annotations

import datetime
import json
import os
import platform
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.share import SOAK

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reliability.md"
AT_ONCE = (
    (
        "tests/table/test_sequences.py",
        "tests/table/test_hidden.py",
        "tests/table/test_pairs.py",
        "tests/table/test_undo_search.py",
        "tests/table/test_export.py",
        "tests/anydice/test_fuzz.py",
        "tests/notation/test_parser.py",
        "tests/written/test_fuzz.py",
        "tests/audit/test_reader.py",
        "tests/notation/test_odds.py",
    ),
    ("tests/simulation",),
    ("tests/storage", "tests/serve"),
)
"""Runs side by side: two that compute, one that writes and waits."""
CLUSTER = (("tests/cluster",),)
"""One run by itself, after the others: it says how many seconds everybody needs."""

NO_FIGURE = "failed or left out in the last run"
GAMES = {"narraject": "Narraject", "tgimh": "TGIMH", "chronicles": "Chronicles", "razorweave": "Razorweave"}
SECRET = "sequences with and without hidden things, the same byte for byte to players ({})"
COMPARED = "the same actions on two servers, one with hidden things besides; a player gets the same bytes from both."
ADD_UP = "wild tables whose frames add up to what each seat sees ({})"
FRAMES = "the frames since any version add up to the member's view."
PROMISES: dict[str, dict[str, str]] = {
    "Random actions": {
        "wild sequences of actions, over all games": "Random sequences of sensible and nonsensical actions, by every "
        "member, at tables of all games. After each action: every count is within its bounds; a member who may not see "
        "an entry sees no difference; a refusal does not depend on the dice (tried with four throws). After each "
        "sequence: replaying the log gives the live state byte for byte, also from a random snapshot; undoing and "
        "redoing one entry changes nothing.",
        "tables with and without hidden things, seen from every seat": "The same actions at two tables, one with "
        "hidden notes, Clocks, characters, rolls and undos besides: every other member sees the same view, log and "
        "refusals.",
        "undoing and rolling again, with other hidden inputs, dice and rolls": "A player undoes, rolls again, types "
        "faces and redoes at two tables that differ in hidden inputs, in dice that nobody sees and in hidden rolls: "
        "nobody but the GM sees a difference.",
        "sequences of four actions with two hidden values": "Four actions of a player after a GM hid one of two values "
        "of a Difficulty, a DC, a target or a pool: everybody but the GM sees the same.",
        "sequences of actions around an undo": "Whatever a player does around an undo, in every kind of roll: no new "
        "dice, no peek, no better use for a good throw.",
    },
    "Crashes": {
        "kill -9 while people act": "A program that acts at tables of all games is killed at a random moment.",
        "opening all tables after kill -9, worst": "The next start, until every table can be viewed (goal: under 2 s). "
        "A start over 1 s is repeated from the same files, and the faster one counts.",
        "kill -9 while writing": "The same for the store alone.",
        "opening and reading after kill -9, worst": "Opening the store and reading all of it (goal: under 2 s).",
        "kill -9 while people act, on PostgreSQL": "A program that acts at tables in PostgreSQL is killed.",
        "kill -9 while writing to PostgreSQL": "The same for the store alone, in PostgreSQL.",
        "kill -9 of PostgreSQL while writing": "PostgreSQL itself is killed while a program writes to it.",
    },
    "Concurrency": {
        "sixteen at one table, in threads": "Sixteen threads act at one table.",
        "sixteen at one table, in four programs": "Sixteen threads in four processes act at one table.",
        "simulated evenings without anything lost, doubled or told twice": "Evenings in virtual time, one a seed: "
        "people act and watch at one, two or three servers, commands write beside them, servers are replaced, or "
        "stopped and continued later, notices come late or never, disks fail before or after storing, clients retry "
        "elsewhere with the same key, connections read slowly.",
        "the same key fifty times in parallel": "The same action with the same key, fifty times in parallel, in two "
        "repositories.",
        "sixteen writers in threads": "Sixteen threads write to the store: one wins each version, the others are told.",
        "sixteen writers in four programs": "The same in four processes.",
    },
    "Disk failures": {
        "disk full, through the repository": "The disk is full (a limit on file size).",
        "read-only file, through the repository": "The file becomes read-only.",
        "damaged files: overwrite pages": "Pages of the file are overwritten with noise.",
        "damaged files: swap pages": "Pages of the file are swapped.",
        "damaged files: cut": "The file is truncated.",
        "damaged files: flip bytes": "Single bytes of the file are changed.",
    },
    "Imports": {
        "an import of 100 MB of junk": "100 MB of junk.",
        "files of narraject with one value changed": "Narraject: an export with one value changed.",
        "files of tgimh with one value changed": "TGIMH: an export with one value changed.",
        "files of chronicles with one value changed": "Chronicles: an export with one value changed.",
        "files of razorweave with one value changed": "Razorweave: an export with one value changed.",
    },
    "Network": {
        **{SECRET.format(game): f"{title}: {COMPARED}" for game, title in GAMES.items()},
        **{ADD_UP.format(game): f"{title}: {FRAMES}" for game, title in GAMES.items()},
        "versions received by every connection, once and in order": "Many members act while many watch.",
        "schemathesis, all checks, every operation (as it is)": "Every HTTP operation with random valid and invalid "
        "requests: no failure.",
        "schemathesis, all checks, every operation (likely)": "The same with values that are likely to be accepted.",
    },
    "Text that people type": {
        "AnyDice programs, right and wrong": "Programs with words changed, words in any order, any signs: answered or "
        "refused with a sentence that names the line; the work is counted in calls of functions.",
        "dice notation, right and wrong": "Pieces of notation and any signs, in every dialect: read or refused with a "
        "sentence; the work is counted in calls of functions.",
        "games in TOML files, right and wrong": "Games with keys, values and lines changed, any signs: a game that "
        "rolls and has odds, or refused with a sentence that names the line; the work is counted in calls of "
        "functions.",
    },
    "Odds": {
        "expressions of notation that the referee counts too": "Any expression of dice notation: its odds are those "
        "that a referee finds by trying every throw, and those of the tree that is played.",
    },
    "Many servers": {
        "killing servers, the balancer and the database of a cluster": "Three servers behind a balancer on PostgreSQL: "
        "kill -9 of a random server, of the balancer and of PostgreSQL, and pg_ctl stop -m immediate, while people "
        "play at four tables.",
        "catching up after a kill in a cluster, worst": "From the service being back until everybody has seen an entry "
        "that was made after it, by themselves (goal: under 5 s).",
        "fail-over to a standby of a cluster's database": "The primary is killed and its synchronous standby promoted, "
        "under load.",
        "the database of a cluster away for a while": "The database is stopped and started again; no server is.",
        "four at one table, each request at the next of three servers": "Four people act at one table through "
        "balancers that disagree: the table moves all the time, and their sockets connect again.",
        "the same key at three servers at once": "The same action with the same key, six times in parallel.",
        "restarting the servers of a cluster one after the other": "As an upgrade does: each is stopped and started "
        "again while people play.",
        "PgBouncer between servers and database": "PgBouncer with pool_mode = transaction is killed and started again "
        "while people play through it.",
        "evenings of the browser tests at a cluster": "The evenings that browsers play at one server, at a cluster.",
    },
    "Long tables": {
        "opening a long table": "A long table is opened from its snapshot.",
        "undoing one of the last 200 entries, right after opening": "The table is opened, and one of its last 200 "
        "entries is undone and stored (goal: under 50 ms).",
    },
}


def main(*wanted: str) -> int:
    """Run all of it, or only the cluster's part, of which the rows are written anew."""
    part = wanted == ("cluster",)
    say("Running the long tests at their full length; this takes a while …")
    begun = time.perf_counter()
    figures: dict[str, str] = {}
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for number, groups in enumerate((CLUSTER,) if part else (AT_ONCE, CLUSTER)):
            files = [Path(folder) / f"{number}-{place}.jsonl" for place in range(len(groups))]
            runs = [start(tests, file) for tests, file in zip(groups, files, strict=True)]
            codes = [run.wait() for run in runs]
            figures |= {what: figure for file in files for what, figure in read(file)}
            failed = failed or any(codes)
    text = PAGE.read_text("utf-8")
    if part:
        PAGE.write_text(with_section(text, "Many servers", figures), "utf-8")
        return said(failed)
    _, title, attacks = text.partition("\n## Attacks\n")  # which make attack writes
    whole = "\n".join(page(figures, time.perf_counter() - begun)) + f"\n{title}{attacks}"
    PAGE.write_text(whole, "utf-8")
    return said(failed)


def said(failed: bool) -> int:
    """Say what was written; the exit code."""
    say("A test failed; its row says so, the others were written." if failed else f"Wrote docs/{PAGE.name}.")
    return int(failed)


def with_section(text: str, title: str, figures: dict[str, str]) -> str:
    """The page with one section made anew."""
    before, _, rest = text.partition(f"\n## {title}\n")
    after = rest.partition("\n## ")
    rows = [(words, figures.get(what, NO_FIGURE)) for what, words in PROMISES[title].items()]
    return before + "\n".join(table(title, rows)) + "\n" + "".join(after[1:])


def start(tests: tuple[str, ...], file: Path) -> subprocess.Popen[bytes]:
    """Pytest on these, with a file for the figures."""
    file.touch()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    return subprocess.Popen(command, cwd=ROOT, env={**os.environ, SOAK: str(file)})


def read(file: Path) -> Iterator[tuple[str, str]]:
    for line in file.read_text("utf-8").splitlines():
        found = json.loads(line)
        yield found["what"], found["figure"]


def page(figures: dict[str, str], seconds: float) -> Iterator[str]:
    """Every promise with its figure, or that it has none; figures without a promise come last."""
    yield "# Reliability"
    yield ""
    yield "What must never happen, and how often it was tried. Written by `make soak`, which runs the long tests at"
    yield "full length; do not edit. `make test` runs a small share of the same tests."
    yield ""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    yield f"Run on {today} with {platform.python_implementation()} {platform.python_version()} and"
    yield f"SQLite {sqlite3.sqlite_version} on {system}, in {seconds / 60:.0f} minutes."
    left = dict(figures)
    for title, promises in PROMISES.items():
        yield from table(title, [(words, left.pop(what, NO_FIGURE)) for what, words in promises.items()])
    yield from table("Other", list(left.items()))


def table(title: str, rows: list[tuple[str, str]]) -> Iterator[str]:
    if rows:
        yield from ("", f"## {title}", "", "| test | result |", "|---|---|")
        yield from (f"| {words} | {figure} |" for words, figure in rows)


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
