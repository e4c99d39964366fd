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
    ("tests/table/test_sequences.py", "tests/table/test_hidden.py", "tests/table/test_export.py"),
    ("tests/repository", "tests/store", "tests/serve"),
)
"""Two runs side by side: one that computes, one that writes."""

GAMES = {"narraject": "Narraject", "tgimh": "TGIMH", "chronicles": "Chronicles", "razorweave": "Razorweave"}
SECRET = "sequences with and without hidden things, the same byte for byte to players ({})"
COMPARED = "the same actions at two servers, one with hidden things besides; every byte that a player gets is compared."
ADD_UP = "wild tables whose frames add up to what each seat sees ({})"
FRAMES = "frames since any version, put together, are that seat's view."
PROMISES: dict[str, dict[str, str]] = {
    "Whatever people do": {
        "wild sequences of actions, over all games": "Random sequences of sensible and nonsensical actions, by every "
        "seat, at tables of all games. After every action: no count is below its lowest or above its highest; a seat "
        "that may not learn of an entry sees no difference; whether something is refused does not depend on the dice, "
        "tried with four throws. At the end of every sequence: the log gives the live state byte for byte, also from a "
        "snapshot at a random point; one entry is undone and redone, and the world is as it was.",
        "tables with and without hidden things, seen from every seat": "The same actions at two tables, one of which "
        "has hidden notes, Clocks, characters, rolls and undos besides: what every other seat sees, the log that it is "
        "shown and the refusals that it gets are the same.",
    },
    "A program that is killed": {
        "kill -9 while people act": "A program that acts at tables of all games is killed at a random moment.",
        "opening all tables after kill -9, worst": "The next start, until every table can be looked at "
        "(wanted: under 2 s). One that took over 1 s was made again from the same files, and the faster one counts.",
        "kill -9 while writing": "The same one level below, at the store.",
        "opening and reading after kill -9, worst": "Opening the store and reading all of it (wanted: under 2 s).",
    },
    "Many at once": {
        "sixteen at one table, in threads": "Sixteen act at one table at once, in one program.",
        "sixteen at one table, in four programs": "Sixteen act at one table at once, in four programs.",
        "the same key fifty times in parallel": "The same action with the same key, fifty times in parallel, at two "
        "desks.",
        "sixteen writers in threads": "Sixteen writers at the store: exactly one wins each version, the others are "
        "told.",
        "sixteen writers in four programs": "The same in four programs.",
    },
    "Trouble with the disk": {
        "disk full, through the desk": "There is no room: a limit on the size of files.",
        "read-only file, through the desk": "The connection may only read any more.",
        "damaged files: overwrite pages": "Pages of the file are overwritten with noise.",
        "damaged files: swap pages": "Pages of the file have changed places.",
        "damaged files: cut": "The file is cut off somewhere.",
        "damaged files: flip bytes": "Single bytes of the file have changed.",
    },
    "Files from elsewhere": {
        "an import of 100 MB of junk": "100 MB of junk.",
        "files of narraject with one value changed": "Narraject: an export with one value changed.",
        "files of tgimh with one value changed": "TGIMH: an export with one value changed.",
        "files of chronicles with one value changed": "Chronicles: an export with one value changed.",
        "files of razorweave with one value changed": "Razorweave: an export with one value changed.",
    },
    "Over the network": {
        **{SECRET.format(game): f"{title}: {COMPARED}" for game, title in GAMES.items()},
        **{ADD_UP.format(game): f"{title}: {FRAMES}" for game, title in GAMES.items()},
        "versions heard by every watcher, once and in order": "Many act while many watch.",
        "schemathesis, all checks, every operation (as it is)": "Every operation of the HTTP API with whatever its "
        "description allows and forbids: no failure.",
        "schemathesis, all checks, every operation (likely)": "The same with values that are likely to be right.",
    },
    "Long tables": {"opening a long table": "A long table is opened from its snapshot."},
}


def main() -> int:
    say("Running the long tests at their full length; this takes about twenty minutes …")
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{place}.jsonl" for place in range(len(AT_ONCE))]
        runs = [start(tests, file) for tests, file in zip(AT_ONCE, files, strict=True)]
        codes = [run.wait() for run in runs]
        if any(codes):
            say("A test failed, so nothing was written.")
            return 1
        figures = {what: figure for file in files for what, figure in read(file)}
    PAGE.write_text("\n".join(page(figures, time.perf_counter() - begun)) + "\n", "utf-8")
    say(f"Wrote docs/{PAGE.name}.")
    return 0


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
    """Every promise with its figure; what nobody thought of comes last."""
    yield "# Reliability"
    yield ""
    yield "Written by `make soak`, which runs the long tests at their full length; do not edit. `make test` runs a"
    yield "small share of the same tests."
    yield ""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    yield f"Run on {today} with {platform.python_implementation()} {platform.python_version()} and"
    yield f"SQLite {sqlite3.sqlite_version} on {system}, in {seconds / 60:.0f} minutes."
    left = dict(figures)
    for title, promises in PROMISES.items():
        rows = [(words, left.pop(what)) for what, words in promises.items() if what in left]
        yield from table(title, rows)
    yield from table("Besides", list(left.items()))


def table(title: str, rows: list[tuple[str, str]]) -> Iterator[str]:
    if rows:
        yield from ("", f"## {title}", "", "| what | how it went |", "|---|---|")
        yield from (f"| {words} | {figure} |" for words, figure in rows)


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
