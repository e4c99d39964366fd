"""Long commands: progress after a second, a bound of their time, what was left out, and Ctrl+C."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from astragal.check import mistakes_of, remarks_on
from astragal.cli import watch
from astragal.cli.main import main
from astragal.cli.parser import Parsed
from astragal.cli.table import files, log
from astragal.cli.watch import ProgressLine, answering, seconds_given
from astragal.deadline import time_is_up
from astragal.errors import Malformed, Unavailable
from astragal.games.registry import game
from astragal.lint import lint_report
from astragal.storage import backup
from astragal.storage.tables.repository import Repository
from astragal.table.log import verify
from tests.cli.command import COMMAND, run_apart
from tests.installed import installed
from tests.scrounge import GAME

LARGE = ("--d4", "4", "--d6", "4", "--d8", "4", "--d10", "4", "--d12", "4")


@pytest.fixture
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Scrounge is installed: mixed dice, a reading without odds."""
    installed("scrounge", tmp_path, monkeypatch)
    return {"PYTHONPATH": f"{tmp_path}:{Path.cwd()}", "ASTRAGAL_PROGRESS": "1"}


def test_lint_of_a_game_without_closed_odds_ends_and_says_what_it_left_out() -> None:
    start = time.monotonic()
    linted = lint_report(GAME.main, seconds=2.0)
    assert time.monotonic() - start < 30
    assert len(linted.survey.grid.asks) < linted.survey.planned
    said = " ".join(linted.left_out)
    assert f"of {linted.survey.planned:,} asks." in said


def test_nothing_is_concluded_from_odds_for_which_there_was_no_time() -> None:
    linted = lint_report(game("razorweave").main, seconds=1e-6)
    assert linted.findings == ()
    assert "outcomes that never happen" in linted.left_out[-1]


def test_lint_on_the_command_line_is_bounded_and_tells_its_progress(env: dict[str, str]) -> None:
    ran = run_apart("lint", "scrounge", "--timeout", "6", env=env)
    assert ran.code == 0
    assert "Left out: Time was up after the odds of" in ran.out
    assert "astragal: lint of Search the ruins, " in ran.err
    data = run_apart("lint", "scrounge", "--timeout", "1", "--json", env=env).json
    assert data["rolls"][0]["left_out"]


LONG = ("scrounge", "--d6", "4", "--d8", "4", "--d10", "4", "--d12", "4")


def test_a_question_ends_when_its_time_is_up_and_says_how_to_wait(env: dict[str, str]) -> None:
    start = time.monotonic()
    ran = run_apart("odds", "500d500kh250", "--timeout", "0.5", env=env)
    assert (ran.code, ran.out) == (2, "") and time.monotonic() - start < 60
    assert "There was no answer within 0.5 seconds. Ask for less, or allow more with --timeout." in ran.err


def test_a_question_that_can_never_be_listed_says_so_at_once(env: dict[str, str]) -> None:
    ran = run_apart("odds", *LONG, env=env)
    assert (ran.code, ran.out) == (2, "")
    assert "different throws one by one, and at most 1,000,000 are looked at" in ran.err


def test_without_a_timeout_a_question_has_no_deadline() -> None:
    with answering("odds", Parsed({}, [])):
        assert not time_is_up()
    with (
        pytest.raises(Unavailable, match=r"no answer within 0\.1 seconds"),
        answering("odds", Parsed({"timeout": ["0.1"]}, [])),
    ):
        while True:
            pass


@pytest.mark.parametrize("text", ["0", "-1", "soon", "1e9", "nan"])
def test_a_timeout_is_a_number_of_seconds(text: str) -> None:
    with pytest.raises(Malformed, match="it must be seconds"):
        seconds_given(Parsed({"timeout": [text]}, []))


def test_progress_is_told_after_a_while_and_not_before(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with ProgressLine("Quick") as progress:
        progress(1, 2)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(watch, "PATIENCE", 0.0)
    with ProgressLine("Slow") as progress:
        progress(1_000, 2_000)
        time.sleep(0.3)
    told = capsys.readouterr()
    assert told.err.startswith("astragal: Slow") and told.err.count("\n") == 1
    assert told.out == ""
    monkeypatch.setenv("ASTRAGAL_PROGRESS", "0")
    with ProgressLine("Silent"):
        time.sleep(0.2)
    assert capsys.readouterr().err == ""


def test_an_audit_names_the_files_for_which_there_was_no_time(tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("It is <!-- astragal: (100d100)d100 >= 9 --> 1%.\n", "utf-8")
    ran = run_apart("audit", str(tmp_path), "--timeout", "0.000001")
    assert ran.code == 2
    assert "a.md was left out: the time was up." in ran.err and "b.md was left out" in ran.err


def test_check_notes_what_is_slow_or_cannot_be_answered(env: dict[str, str]) -> None:
    assert mistakes_of(GAME) == []
    said = [str(remark) for remark in remarks_on(GAME)]
    assert any("the reading Shown has no odds" in remark for remark in said)
    assert any('the choice "dice" has no Decision' in remark for remark in said)
    ran = run_apart("check", "scrounge", env=env)
    assert ran.code == 0 and "Note: roll search: the reading Shown has no odds" in ran.out
    assert run_apart("check", "scrounge", "--json", env=env).json["notes"]
    ran = run_apart("check", "scrounge", "--timeout", "0.000001", env=env)
    assert ran.code == 2
    assert "Left out, at least in part: definition, examples, rolls, odds" in " ".join(ran.out.split())
    assert "keeps the contract" not in ran.out


@pytest.mark.parametrize("name", ["narraject", "tgimh", "razorweave", "chronicles"])
def test_nothing_is_noted_of_the_games_that_are_built_in(name: str) -> None:
    assert remarks_on(game(name)) == []


@pytest.mark.parametrize(
    ("words", "begun"), [(("lint", "scrounge"), "astragal: lint of"), (("odds", "500d500kh250"), "astragal: odds")]
)
def test_ctrl_c_ends_a_command_with_a_sentence(env: dict[str, str], words: tuple[str, ...], begun: str) -> None:
    with subprocess.Popen(
        [*COMMAND, *words], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, **env},
    ) as process:  # fmt: skip
        assert process.stderr is not None
        assert process.stderr.readline().startswith(begun)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.strip() == "astragal: Stopped."


def slowly(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> None:
    """The real function, after a while."""
    real = getattr(module, name)

    def slow(*given: Any, **named: Any) -> Any:
        time.sleep(0.4)
        return real(*given, **named)

    monkeypatch.setattr(module, name, slow)


def test_restore_and_long_table_commands_tell_their_progress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A restore of many tables, a story or an export of a long one may take minutes."""
    data, file = ("--data", str(tmp_path / "data")), str(tmp_path / "file")
    assert main(["table", "new", "narraject", "--sample", *data]) == 0
    monkeypatch.setattr(watch, "PATIENCE", 0.1)
    slowly(monkeypatch, backup, "backup")
    slowly(monkeypatch, backup, "restore")
    slowly(monkeypatch, log, "sealed_story")
    slowly(monkeypatch, files, "write_file")
    slowly(monkeypatch, Repository, "open")
    slowly(monkeypatch, verify, "check_file")
    capsys.readouterr()
    for title, words in (
        ("backup", ["backup", f"{file}.db"]),
        ("restore", ["restore", f"{file}.db"]),
        ("story", ["table", "story", "-o", f"{file}.md"]),
        ("export", ["table", "export", f"{file}.jsonl"]),
        ("opening of the table", ["table", "show"]),
        ("check of file.jsonl", ["verify", f"{file}.jsonl"]),
    ):
        main(words if title.startswith("check") else [*words, *data])
        told = capsys.readouterr()
        assert f"astragal: {title}" in told.err
        assert "astragal:" not in told.out
