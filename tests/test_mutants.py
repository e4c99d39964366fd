"""The list of mutants: it is long enough, reaches every part, and each mutant still changes today's code."""

from __future__ import annotations

import ast
from pathlib import Path
from shlex import split

import pytest

from tools.mutants import GOAL, PACKAGE, PAGE, ROOT, Mutant, main, mutants, page, run, verdict

PARTS = ("table", "storage", "serve", "rule")
SUITES = {
    "sees": "from astragal.sum import two\ndef test_two(): assert two() == 2",
    "blind": "def test_nothing(): pass",
    "wrong": "def test_nothing(): assert False",
    "lost": "import astragal.no_such_module",
    "empty": "",
    "skipped": "import pytest\ndef test_nothing(): pytest.skip('not here')",
}
FOUND = (
    ("sees", "return 2", "return 3", "caught", ""),
    ("blind", "return 2", "return 3", "survived", ""),
    ("sees", "return 2", "return two", "caught", ""),
    ("sees", "return 9", "return 3", "outdated", "0 times"),
    ("wrong", "return 2", "return 3", "unsound", "without any mutant"),
    ("sees", "def two", "def too", "broken", "cannot be imported"),
    ("lost", "return 2", "return 3", "broken", "cannot be imported"),
    ("empty", "return 2", "return 3", "broken", "no tests were found"),
    ("skipped", "return 2", "return 3", "broken", "all tests were skipped"),
    ("absent", "return 2", "return 3", "broken", "are not there"),
)
"""Suite, change, and what is to be said of it."""


def test_the_mutants_are_many_and_reach_every_part() -> None:
    reached = {Path(mutant.file).parts[0] for mutant in mutants()}
    assert len(mutants()) >= 60 and set(PARTS) <= reached
    assert len({mutant.promise for mutant in mutants()}) == len(mutants())


@pytest.mark.parametrize("mutant", mutants(), ids=lambda mutant: mutant.promise)
def test_a_mutant_changes_one_place_and_leaves_python(mutant: Mutant) -> None:
    text = (PACKAGE / mutant.file).read_text("utf-8")
    assert text.count(mutant.was) == 1
    ast.parse(text.replace(mutant.was, mutant.now))


@pytest.mark.parametrize("mutant", mutants(), ids=lambda mutant: mutant.promise)
def test_the_tests_of_a_mutant_are_there(mutant: Mutant) -> None:
    named = [word for word in split(mutant.tests) if word.startswith("tests/")]
    assert named and all((ROOT / name).exists() for name in named)


def test_the_page_counts_mutants_and_gives_the_reasons_of_survivors() -> None:
    survivors = [mutant for mutant in mutants() if mutant.survives]
    written = page(mutants(), survivors)
    assert f"{len(mutants()) - len(survivors)} of {len(mutants())} were caught" in written
    assert all(mutant.survives in written for mutant in survivors)
    assert len(survivors) <= (1 - GOAL) * len(mutants())


def test_the_docs_name_the_survivors_that_the_list_knows() -> None:
    written = PAGE.read_text("utf-8")
    assert all(mutant.promise in written for mutant in mutants() if mutant.survives)


@pytest.fixture
def little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Mutant]:
    """Mutants of a package of one function, with suites of which some say nothing."""
    package = tmp_path / "src" / "astragal"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "sum.py").write_text("def two():\n    return 2\n")
    for name, text in SUITES.items():
        (tmp_path / f"test_{name}.py").write_text(text)
    monkeypatch.setattr("tools.mutants.PACKAGE", package)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they take seconds to load
    return [
        Mutant(f"{n}", "sum.py", was, now, f"{tmp_path}/test_{suite}.py")
        for n, (suite, was, now, *_) in enumerate(FOUND)
    ]


def test_tests_that_cannot_notice_anything_are_broken_and_catch_nothing(little: list[Mutant]) -> None:
    outcomes = list(run(little))
    assert [outcome.name for outcome in outcomes] == [name for *_, name, _ in FOUND]
    assert all(why in outcome.why for (*_, why), outcome in zip(FOUND, outcomes, strict=True))
    assert verdict(outcomes) == "2 of 10 mutants were caught, 5 broken, 1 outdated, 1 survived, 1 unsound."


def test_a_broken_mutant_fails_the_run_and_is_named(
    little: list[Mutant], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One of many, so that enough are caught, and with a reason to survive, which is none to be broken."""
    monkeypatch.setattr("tools.mutants.mutants", lambda: [little[7]._replace(survives="nobody looks")])
    monkeypatch.setattr("tools.mutants.GOAL", 0)
    assert main(["sum.py"]) == 1
    assert "broken    sum.py: 7" in capsys.readouterr().out
