"""Runs the mutants of tests/mutants.toml: each breaks one promise, and the tests nearest to it must notice.

    python -m tools.mutants [WORDS]      only those whose promise or file has the words

A run of all of them writes docs/mutants.md. A mutant is applied to a copy of the package, so that the working tree
stays as it is. Tests that fail without any mutant are unsound: they notice nothing.
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
from collections.abc import Callable
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


def mutants() -> list[Mutant]:
    """All mutants of the list."""
    return [Mutant(**each) for each in tomllib.loads(LIST.read_text("utf-8"))["mutant"]]


def main(words: list[str]) -> int:
    """Run the mutants; 0 if enough of them are caught and every survivor has a reason."""
    chosen = [each for each in mutants() if all(word in f"{each.promise} {each.file}" for word in words)]
    survivors: list[Mutant] = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(WORKERS) as workers:
        copies = _copies(Path(folder))
        suites = sorted({each.tests for each in chosen})
        fail = workers.map(lambda tests: _with_copy(copies, lambda copy: _fails(tests, copy.parent)), suites)
        unsound = {tests for tests, fails in zip(suites, fail, strict=True) if fails}
        sound = [each for each in chosen if each.tests not in unsound]
        outcomes = workers.map(lambda mutant: _with_copy(copies, lambda copy: _run(mutant, copy)), sound)
        for mutant in chosen:
            outcome = "unsound" if mutant.tests in unsound else next(outcomes)
            print(f"{outcome:<9} {mutant.file}: {mutant.promise}", flush=True)
            if outcome != "caught":
                survivors.append(mutant)
    caught = len(chosen) - len(survivors)
    print(f"{caught} of {len(chosen)} mutants were caught.")
    if not words:
        PAGE.write_text(page(chosen, survivors), "utf-8")
    unexplained = [each for each in survivors if not each.survives]
    return 0 if not unexplained and caught >= GOAL * len(chosen) else 1


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


def _run(mutant: Mutant, copy: Path) -> str:
    """``caught``, ``survived``, or ``outdated`` if the line is no longer there exactly once."""
    path = copy / mutant.file
    text = path.read_text("utf-8")
    if text.count(mutant.was) != 1:
        return "outdated"
    try:
        path.write_text(text.replace(mutant.was, mutant.now), "utf-8")
        Path(cache_from_source(str(path))).unlink(missing_ok=True)  # it may look as new as the mutant
        return "caught" if _fails(mutant.tests, copy.parent) else "survived"
    finally:
        path.write_text(text, "utf-8")


def _fails(tests: str, source: Path) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *shlex.split(tests)]
    env = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        return (
            subprocess.run(command, cwd=ROOT, env=env, capture_output=True, timeout=TIMEOUT, check=False).returncode
            == 1
        )
    except subprocess.TimeoutExpired:
        return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
