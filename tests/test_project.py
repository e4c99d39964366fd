"""The project's own files: CI runs what everybody runs, and hooks use the pinned tools."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_ci_runs_make_test_and_nothing_else() -> None:
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")
    assert re.findall(r"^\s*- run: (.*)$", workflow, re.MULTILINE) == ["make test"]
    assert (ROOT / ".ci" / "run").read_text("utf-8").splitlines()[-1] == "exec make test"


def test_hooks_run_the_pinned_tools_of_the_virtual_environment() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    assert set(re.findall(r"repo: (\S+)", hooks)) == {"local"}
    entries = re.findall(r"entry: (\S+)", hooks)
    assert entries and all(entry.startswith(".venv/bin/") for entry in entries)


def test_every_make_target_that_help_names_exists() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    named = re.findall(r'@echo "make ([\w-]+) ', makefile)
    assert len(named) > 5
    assert [name for name in named if not re.search(rf"^{name}:", makefile, re.MULTILINE)] == []
