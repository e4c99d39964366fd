"""The list of mutants: it is long enough, reaches every part, and each mutant still changes today's code."""

from __future__ import annotations

import ast
from pathlib import Path
from shlex import split

import pytest

from tools.mutants import PACKAGE, ROOT, Mutant, mutants

PARTS = ("table", "store", "repository", "serve", "rule")


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
