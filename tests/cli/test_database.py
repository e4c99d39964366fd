"""Tables in a database, from the command line: every command that takes --data takes --database too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from astragal.cli.main import main
from astragal.storage import Database


def test_a_campaign_is_played_in_a_database(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASTRAGAL_DATABASE", database.url)
    monkeypatch.setenv("ASTRAGAL_DATA", str(tmp_path / "unused"))
    assert main(["table", "list"]) == 0
    assert "no table yet" in capsys.readouterr().out
    assert main(["table", "new", "razorweave", "--sample"]) == 0
    table = capsys.readouterr().out.strip()
    for words in (
        ["table", "do", "note", "Rain"],
        ["table", "undo"],
        ["table", "show"],
        ["table", "log"],
        ["table", "stats"],
        ["table", "link"],
        ["table", "erase", table, "Jonas", "--yes"],
        ["keys", "--rotate"],
        ["backup", str(tmp_path / "backup.db")],
        ["table", "delete", table, "--yes"],
        ["restore", str(tmp_path / "backup.db")],
    ):
        assert main(words) == 0, words
    capsys.readouterr()
    assert main(["table", "list", "--json", "--database", database.url]) == 0
    assert [each["id"] for each in json.loads(capsys.readouterr().out)["tables"]] == [table]
    assert not (tmp_path / "unused").exists()


def test_a_folder_that_is_named_counts_before_the_variable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASTRAGAL_DATABASE", "postgresql://user:s3cret@127.0.0.1:1/none")
    assert main(["table", "list", "--data", str(tmp_path)]) == 0
    assert main(["table", "list"]) == 2
    assert "s3cret" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--database", "postgresql://u:s3cret@h/x", "--data", "here"], "not both"),
        (["--database", "tables.db:s3cret"], "looks like postgresql://"),
        (["--database", "mysql://u:s3cret@h/x"], "looks like postgresql://"),
        (["--database", ""], "looks like postgresql://"),
    ],
)
def test_a_wrong_address_is_refused_and_not_repeated(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["table", "list", *words]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert "s3cret" not in said
