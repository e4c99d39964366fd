"""Bad input: one sentence on stderr, exit code 2, no traceback, nothing on stdout."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.cli.command import run

REFUSED = [line.split("\t") for line in Path(__file__).with_name("refusals.tsv").read_text("utf-8").splitlines()[1:]]
"""Commands, and a part of the sentence that refuses each."""


@pytest.mark.parametrize(("command", "part"), REFUSED, ids=[command for command, _ in REFUSED])
def test_bad_input_is_refused_in_a_sentence(command: str, part: str) -> None:
    ran = run(*shlex.split(command))
    assert (ran.code, ran.out) == (2, "")
    assert part in ran.err
    assert ran.err.startswith("astragal: ")
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("command", [command for command, _ in REFUSED if command.startswith("roll n")])
def test_json_changes_nothing_about_a_refusal(command: str) -> None:
    ran = run(*shlex.split(command), "--json")
    assert (ran.code, ran.out) == (2, "")
