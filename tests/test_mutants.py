"""The list of mutants: it is long enough, reaches every part, and each mutant still changes today's code."""

from __future__ import annotations

import ast
from pathlib import Path
from shlex import split

import pytest

from tools.mutants import GOAL, PACKAGE, PAGE, ROOT, Mutant, mutants, page

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


def test_the_page_counts_mutants_and_gives_the_reasons_of_survivors() -> None:
    survivors = [mutant for mutant in mutants() if mutant.survives]
    written = page(mutants(), survivors)
    assert f"{len(mutants()) - len(survivors)} of {len(mutants())} were caught" in written
    assert all(mutant.survives in written for mutant in survivors)
    assert len(survivors) <= (1 - GOAL) * len(mutants())


def test_the_docs_name_the_survivors_that_the_list_knows() -> None:
    written = PAGE.read_text("utf-8")
    assert all(mutant.promise in written for mutant in mutants() if mutant.survives)
