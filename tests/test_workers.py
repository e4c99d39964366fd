"""Which file a worker of the test run takes next; and that every file is handed out once."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import groupby
from pathlib import Path

import pytest

from tests.workers import SLOW, following, workers

ROOT = Path(__file__).parents[1]
FILES = ["tests/dice/test_a.py", "tests/page/test_b.py", "tests/dice/test_c.py", "tests/cluster/test_d.py"]


def test_a_worker_stays_in_its_folder() -> None:
    assert following(FILES, "tests/dice", ["tests/dice"]) == "tests/dice/test_a.py"


def test_a_worker_without_a_folder_takes_the_slowest_where_nobody_is() -> None:
    assert following(FILES, "", []) == "tests/cluster/test_d.py"
    assert following(FILES, "tests/rule", ["tests/serve"]) == "tests/cluster/test_d.py"
    assert following(FILES, "tests/rule", ["tests/cluster", "tests/page"]) == "tests/dice/test_a.py"


def test_browsers_and_clusters_are_not_begun_beside_each_other() -> None:
    assert following(FILES, "", ["tests/cluster"]) == "tests/dice/test_a.py"
    assert following(FILES, "tests/cluster", []) == "tests/cluster/test_d.py"
    assert following(FILES[1:2], "", ["tests/cluster"]) == "tests/page/test_b.py"  # nothing else is left


def test_a_long_file_is_taken_before_the_others_of_its_folder() -> None:
    files = ["tests/page/test_lab.py", "tests/page/test_evening_of_tgimh.py"]
    assert following(files, "tests/page", ["tests/page"]) == files[1]


def test_a_worker_helps_where_all_folders_have_somebody() -> None:
    assert following(FILES[:3], "tests/rule", ["tests/dice", "tests/page"]) == "tests/page/test_b.py"


def test_every_slow_folder_is_there() -> None:
    assert [place for place in SLOW if not (ROOT / place).is_dir()] == []


@pytest.mark.parametrize(("cores", "number"), [(1, 1), (2, 3), (4, 6), (8, 12)])
def test_there_are_half_as_many_workers_again_as_cores(cores: int, number: int) -> None:
    assert workers(cores) == number


CONFTEST = """
import os
from pathlib import Path
from tests.conftest import pytest_xdist_make_scheduler

def pytest_runtest_call(item):
    with Path("ran").open("a") as file:
        file.write(f"{os.environ['PYTEST_XDIST_WORKER']} {item.nodeid}\\n")
"""


def test_every_test_is_run_once_and_no_worker_comes_back_to_a_folder(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST, "utf-8")
    files = [f"{place}/test_{n}.py" for n in range(4) for place in "abc"]
    for file in files:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text("def test_one(): pass\ndef test_two(): pass\n", "utf-8")
    words = [
        "-m",
        "pytest",
        "-q",
        "-p",
        "xdist",
        "-n",
        "2",
        "--dist",
        "loadfile",
        "--import-mode=importlib",
        "-p",
        "no:cacheprovider",
    ]
    path = {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    subprocess.run([sys.executable, *words], cwd=tmp_path, env={**os.environ, **path}, check=True, capture_output=True)
    ran = [line.split() for line in (tmp_path / "ran").read_text("utf-8").splitlines()]
    assert sorted(test for _, test in ran) == sorted(
        f"{file}::test_{name}" for file in files for name in ("one", "two")
    )
    for worker in ("gw0", "gw1"):
        places = [place for place, _ in groupby(test[0] for who, test in ran if who == worker)]
        assert len(places) == len(set(places))
