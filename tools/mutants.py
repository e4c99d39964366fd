"""Runs the mutants of tests/mutants.toml: each breaks one promise, and the tests nearest to it must notice.

    python -m tools.mutants [WORDS]      only those whose promise or file has the words

A run of all of them writes docs/mutants.md. A mutant is applied to a copy of the package, so that the working tree
stays as it is. Tests that fail without any mutant are unsound: they notice nothing. Tests that are not found, cannot be
imported or are all skipped are broken, with a mutant or without: they say nothing.
"""

from __future__ import annotations

import compileall
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from importlib.util import cache_from_source
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple, TypeVar

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "astragal"
LIST = ROOT / "tests" / "mutants.toml"
PAGE = ROOT / "docs" / "mutants.md"
TIMEOUT = 300
"""Seconds for the tests of one mutant; tests that never end have noticed it too."""
GOAL = 0.95
"""The share that must be caught."""
WORKERS = os.cpu_count() or 1
T = TypeVar("T")
SAID = ("caught", "survived")
"""What tests can say of a mutant; anything else is a fault of the list."""
BROKEN = {
    0: "all tests were skipped",
    2: "the tests cannot be imported",
    3: "pytest itself failed",
    4: "the tests are not there, or their conftest cannot be imported",
    5: "no tests were found",
}
"""What it means that pytest ends with this and no test failed."""

INTRO = """\
# Mutants

Written by `make mutants`; do not edit. A mutant is a change of one line that breaks one promise, listed in
`tests/mutants.toml` with the tests nearest to it, which must notice. At least 95 in 100 must be caught.

Run on {date}: {caught} of {all} were caught.

| part | mutants | survived |
|---|---|---|
{rows}

## Survivors

{survivors}
"""


class Mutant(NamedTuple):
    """A one-line change, the promise that it breaks, and the tests that must notice."""

    promise: str
    file: str
    was: str
    now: str
    tests: str
    survives: str = ""
    """Why it is known to survive."""


class Outcome(NamedTuple):
    """How a mutant fared: ``caught``, ``survived``, ``unsound``, ``outdated`` or ``broken``, and of that the reason."""

    name: str
    why: str = ""


UNSOUND = {"caught": Outcome("unsound", "its tests fail, or do not end, without any mutant")}
"""What it says of tests if they notice a mutant that is not there."""


def mutants() -> list[Mutant]:
    """All mutants of the list."""
    return [Mutant(**each) for each in tomllib.loads(LIST.read_text("utf-8"))["mutant"]]


def main(words: list[str]) -> int:
    """Run the mutants; 0 if enough of them are caught, every survivor has a reason, and the list itself is whole."""
    chosen = [each for each in mutants() if all(word in f"{each.promise} {each.file}" for word in words)]
    outcomes: list[Outcome] = []
    for mutant, outcome in zip(chosen, run(chosen), strict=True):
        outcomes.append(outcome)
        print(f"{outcome.name:<9} {mutant.file}: {mutant.promise}", flush=True)
        if outcome.why:
            print(f"          {outcome.why}", flush=True)
    missed = [mutant for mutant, outcome in zip(chosen, outcomes, strict=True) if outcome.name != "caught"]
    print(verdict(outcomes))
    if not words:
        PAGE.write_text(page(chosen, missed), "utf-8")
    whole = all(outcome.name in SAID for outcome in outcomes) and all(mutant.survives for mutant in missed)
    return 0 if whole and len(chosen) - len(missed) >= GOAL * len(chosen) else 1


def verdict(outcomes: list[Outcome]) -> str:
    """How many were caught, and how many of the others there are of each sort."""
    counts = Counter(outcome.name for outcome in outcomes)
    caught = counts.pop("caught", 0)
    others = "".join(f", {n} {name}" for name, n in sorted(counts.items()))
    return f"{caught} of {len(outcomes)} mutants were caught{others}."


def run(chosen: list[Mutant]) -> Iterator[Outcome]:
    """How each mutant fares. Suites that are no use without a mutant are not run with one."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(WORKERS) as workers:
        copies = _copies(Path(folder))
        suites = sorted({each.tests for each in chosen})
        before = workers.map(lambda tests: _with_copy(copies, lambda copy: outcome_of(tests, copy.parent)), suites)
        useless = {tests: UNSOUND.get(outcome.name, outcome) for tests, outcome in zip(suites, before, strict=True)}
        useless = {tests: outcome for tests, outcome in useless.items() if outcome.name != "survived"}
        sound = [each for each in chosen if each.tests not in useless]
        outcomes = workers.map(lambda mutant: _with_copy(copies, lambda copy: _run(mutant, copy)), sound)
        for mutant in chosen:
            yield useless.get(mutant.tests) or next(outcomes)


def _copies(folder: Path) -> SimpleQueue[Path]:
    """A compiled copy of the package for each worker."""
    copies: SimpleQueue[Path] = SimpleQueue()
    for n in range(WORKERS):
        copy = folder / f"{n}" / "astragal"
        shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        compileall.compile_dir(copy, quiet=1)
        copies.put(copy)
    return copies


def _with_copy(copies: SimpleQueue[Path], work: Callable[[Path], T]) -> T:
    """What the work returns, done with a copy that nobody else has meanwhile."""
    copy = copies.get()
    try:
        return work(copy)
    finally:
        copies.put(copy)


def page(chosen: list[Mutant], survivors: list[Mutant]) -> str:
    """What a run of all mutants found, for the docs."""
    parts = Counter(Path(mutant.file).parts[0] for mutant in chosen)
    rows = [
        f"| {part} | {n} | {sum(each.file.startswith(f'{part}/') for each in survivors)} |"
        for part, n in sorted(parts.items())
    ]
    named = [f"- {each.promise} (`{each.file}`): {each.survives or 'nobody knows why'}." for each in survivors]
    return INTRO.format(
        date=f"{date.today()}",
        all=len(chosen),
        caught=len(chosen) - len(survivors),
        rows="\n".join(rows),
        survivors="\n".join(named) or "None.",
    )


def _run(mutant: Mutant, copy: Path) -> Outcome:
    """How the mutant fares; ``outdated`` if its line is no longer there exactly once."""
    path = copy / mutant.file
    text = path.read_text("utf-8") if path.is_file() else ""
    if text.count(mutant.was) != 1:
        return Outcome("outdated", f"its line is {text.count(mutant.was)} times in its file, and must be there once")
    try:
        path.write_text(text.replace(mutant.was, mutant.now), "utf-8")
        Path(cache_from_source(str(path))).unlink(missing_ok=True)  # it may look as new as the mutant
        return outcome_of(mutant.tests, copy.parent)
    finally:
        path.write_text(text, "utf-8")


def outcome_of(tests: str, source: Path) -> Outcome:
    """``caught`` if a test failed, ``survived`` if all passed, ``broken`` if none could have failed."""
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *shlex.split(tests)]
    env = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        ended = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        return Outcome("caught")
    last = (ended.stdout.strip() or ended.stderr.strip()).rpartition("\n")[2]
    if ended.returncode == 1:
        return Outcome("caught")
    if ended.returncode == 0 and " passed" in f" {last}":
        return Outcome("survived")
    return Outcome("broken", f"{tests}: {BROKEN.get(ended.returncode, 'pytest died')} ({last})")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
