"""The browser tests' evenings once more, at a cluster instead of a server of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.share import SOAK, record
from tools.cluster import Cluster

ROOT = Path(__file__).parents[2]
EVENINGS = ("test_evening_of_*.py", "test_hidden.py", "test_whose_it_is.py", "test_crowds.py")


@pytest.mark.skipif(not os.environ.get(SOAK), reason="they take minutes: make soak runs them")
def test_the_evenings_are_played_at_a_cluster(cluster: Cluster) -> None:
    files = sorted(str(file) for name in EVENINGS for file in (ROOT / "tests" / "page").glob(name))
    environment = {**os.environ, "ASTRAGAL_AT": cluster.address}
    del environment[SOAK]  # its figures are those of a server alone
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-5000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    n = passed[1] if passed else str(done.stdout.count("."))
    record("evenings of the browser tests at a cluster", f"{n} evenings and scenes, as at one server")
