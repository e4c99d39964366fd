"""A release: the version stands in one place, the changelog is dated, the tag is made once."""

from __future__ import annotations

import datetime
import os
import re
import tomllib
from pathlib import Path

import pytest

import astragal
from tools import release

ROOT = Path(__file__).parent.parent
CHANGES = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.5.0] - 2026-11-16\n\n- Older.\n"
SOURCE = '"""A package."""\n\n__version__ = "0.5.0"\n'


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small repository with the files that a release touches."""
    for name, value in {"NAME": "T", "EMAIL": "t@example.org"}.items():
        monkeypatch.setenv(f"GIT_AUTHOR_{name}", value)
        monkeypatch.setenv(f"GIT_COMMITTER_{name}", value)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    for file, text in ((release.CHANGELOG, CHANGES), (release.SOURCE, SOURCE)):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text, "utf-8")
    release.git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def commit(root: Path) -> None:
    release.git(root, "add", ".")
    release.git(root, "commit", "--quiet", "--message", "release: a step")


def test_the_version_stands_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" not in project["project"] and project["project"]["dynamic"] == ["version"]
    assert project["tool"]["hatch"]["version"]["path"] == str(release.SOURCE)
    assert release.version_in((ROOT / release.SOURCE).read_text("utf-8")) == astragal.__version__


def test_no_other_source_states_the_version() -> None:
    files = [file for folder in ("src/astragal", "bench", "tools", "deploy") for file in (ROOT / folder).rglob("*")]
    texts = [file for file in files if file.suffix in {".py", ".toml", ".service"} or file.name == "Containerfile"]
    pattern = re.compile(rf"(?<![\d.]){re.escape(astragal.__version__)}(?![\d.])")
    assert [file for file in texts if pattern.search(file.read_text("utf-8"))] == [ROOT / release.SOURCE]


def test_the_newest_dated_section_of_the_changelog_is_the_version() -> None:
    sections = release.SECTION.finditer((ROOT / release.CHANGELOG).read_text("utf-8"))
    assert next(section["name"] for section in sections if section["date"]) == astragal.__version__


def test_a_release_is_prepared_and_tagged(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert release.main(["prepare", "0.6.0"], checkout) == 0
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    assert f"## [0.6.0] - {today}\n\n### Added" in (checkout / release.CHANGELOG).read_text("utf-8")
    assert '__version__ = "0.6.0"' in (checkout / release.SOURCE).read_text("utf-8")
    commit(checkout)
    assert release.main(["tag"], checkout) == 0
    assert release.git(checkout, "tag", "--points-at", "HEAD") == "v0.6.0\n"
    assert release.main(["tag"], checkout) == 1
    assert "v0.6.0 exists already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("version", "why"),
    [("0.5.0", "not newer"), ("0.4.9", "not newer"), ("0.6", "no version"), ("v0.6.0", "no version"), ("0.06.0", "no")],
)
def test_a_wrong_version_changes_nothing(
    checkout: Path, version: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert release.main(["prepare", version], checkout) == 1
    assert why in capsys.readouterr().err
    assert release.git(checkout, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("changelog", "why"),
    [
        (CHANGES.replace("- A thing.", ""), "lists no change"),
        (CHANGES.replace("[Unreleased]", "[0.5.1] - 2026-11-17"), "Unreleased"),
        ("# Changelog\n", "Unreleased"),
    ],
)
def test_a_changelog_without_news_stops_a_release(
    checkout: Path, changelog: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkout / release.CHANGELOG).write_text(changelog, "utf-8")
    assert release.main(["prepare", "0.6.0"], checkout) == 1
    assert why in capsys.readouterr().err
    assert (checkout / release.SOURCE).read_text("utf-8") == SOURCE


def test_what_is_not_committed_or_not_dated_is_not_tagged(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert release.main(["tag"], checkout) == 1
    assert "with a date" in capsys.readouterr().err
    (checkout / "new.txt").write_text("new", "utf-8")
    assert release.main(["tag"], checkout) == 1
    assert "not committed" in capsys.readouterr().err
    assert release.git(checkout, "tag", "--list") == ""
