"""Run the browser tests that failed once more, one at a time: ``python -m tools.again``.

A browser test waits for a page, and a test run keeps all cores busy. A browser test that fails in that crowd and passes
alone was too slow, and is named here. One that fails twice fails, and so does any other test at its first failure.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

FAILED = Path(__file__).parents[1] / ".pytest_cache" / "v" / "cache" / "lastfailed"
BROWSER = "tests/page/"
MOST = 3
"""Browser tests that are run again; if more failed, something is wrong with the page."""


def worth_another_run(failed: Iterable[str]) -> bool:
    """True if a few browser tests failed, and nothing else."""
    names = list(failed)
    return 0 < len(names) <= MOST and all(name.startswith(BROWSER) for name in names)


def main() -> int:
    """The exit code of the second run; 1 if there is none."""
    failed = json.loads(FAILED.read_text("utf-8")) if FAILED.exists() else {}
    if not worth_another_run(failed):
        return 1
    print(f"Running {len(failed)} of the browser tests again, one at a time:", *failed, sep="\n  ", flush=True)
    return subprocess.run([sys.executable, "-m", "pytest", *failed], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
