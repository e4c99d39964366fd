"""``astragal audit`` as a person and a build run it."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from astragal.audit.figure import parse_figure
from astragal.audit.lines import parse_lines
from astragal.audit.pipe_table import Cell, PipeTable, parse_table
from astragal.audit.reader import TableDirective, read
from astragal.cli.completion import next_words
from tests.cli.command import run, run_on_terminal

BOOK = Path(__file__).parent.parent / "audit" / "book.md"
ROOT = Path(__file__).parent.parent.parent
RIGHT = "A chance of <!-- astragal: 4d6 >= 14 --> 56%.\n"
WRONG = "A chance of <!-- astragal: 4d6 >= 14 --> 60%.\n"
UNREADABLE = "A chance of <!-- astragal: 4d6 >= --> 60%.\n"


@pytest.fixture
def ruleset(tmp_path: Path) -> Path:
    return Path(shutil.copy(BOOK, tmp_path / "book.md"))


@pytest.mark.parametrize(
    ("texts", "code"),
    [([RIGHT], 0), ([RIGHT, WRONG], 1), ([UNREADABLE], 2), ([WRONG, UNREADABLE], 2), (["Nothing to check."], 0)],
)
def test_the_exit_code_says_how_it_went(tmp_path: Path, texts: list[str], code: int) -> None:
    for number, text in enumerate(texts):
        (tmp_path / f"{number}.md").write_text(text)
    assert run("audit", str(tmp_path)).code == code


def test_a_wrong_figure_is_told_with_its_place(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(WRONG)
    assert run("audit", str(page)).out.splitlines() == [
        f"{page}:1:42: 60% is printed, 56% is right; exactly 721/1296, 4.37 percentage points too high.",
        "1 file, 1 figure: 0 right, 1 wrong.",
    ]
    page.write_text(RIGHT)
    assert run("audit", str(page)).out == "1 file, 1 figure: 1 right, 0 wrong.\n"
    assert "56% is right; exactly 721/1296." in run("audit", str(page), "--all").out


def test_a_fix_audits_clean_and_a_second_one_changes_nothing(ruleset: Path) -> None:
    first = run("audit", str(ruleset), "--fix")
    assert first.code == 0
    assert first.out.splitlines()[-1] == "1 file, 117 figures: 117 right (34 of them fixed just now), 0 wrong."
    data = ruleset.read_bytes()
    assert run("audit", str(ruleset)).code == 0
    assert "fixed" not in run("audit", str(ruleset), "--fix").out
    assert ruleset.read_bytes() == data


def test_a_read_only_file_is_refused_and_left_alone(ruleset: Path) -> None:
    ruleset.chmod(0o444)
    data = ruleset.read_bytes()
    ran = run("audit", str(ruleset), "--fix")
    assert (ran.code, ruleset.read_bytes()) == (2, data)
    assert "is read-only and was not changed." in ran.out


def test_files_that_are_missing_do_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(WRONG)
    (tmp_path / "b.md").write_bytes(b"\xff\xfe")
    ran = run("audit", "nowhere.md", str(tmp_path))
    assert ran.code == 2
    assert 'There is no file or folder "nowhere.md".' in ran.out
    assert "is not UTF-8 text" in ran.out
    assert ran.out.splitlines()[-1] == "3 files, 1 figure: 0 right, 1 wrong, 2 unreadable."
    assert ran.err == ""


@pytest.mark.parametrize("words", [("--json",), ("--format", "json"), ("--format", "sarif")])
def test_formats_for_programs(ruleset: Path, words: tuple[str, ...]) -> None:
    ran = run("audit", str(ruleset), *words)
    assert ran.code == 1
    data = json.loads(ran.out)
    wrong = (
        data["summary"]["wrong"] if "summary" in data else len([r for r in data["runs"][0]["results"] if "fixes" in r])
    )
    assert wrong == 34


def test_annotations_for_github(ruleset: Path) -> None:
    lines = run("audit", str(ruleset), "--format", "github").out.splitlines()
    assert len([line for line in lines if line.startswith("::error file=")]) == 35


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "Say which files"),
        (("x.md", "--format", "xml"), '--format is "xml"; it must be text, json, github or sarif.'),
        (("x.md", "--json", "--format", "sarif"), "are two formats; choose one"),
    ],
)
def test_refusals(words: tuple[str, ...], sentence: str) -> None:
    ran = run("audit", *words)
    assert ran.code == 2
    assert sentence in ran.err


def test_on_a_terminal_the_words_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(WRONG)
    shown = run_on_terminal("audit", str(tmp_path), typed=[])
    words = re.sub(r"\x1b\[\d*m", "", shown.out).split()
    assert "60% is printed, 56% is right; exactly 721/1296" in " ".join(words)
    assert shown.code == 1


def test_the_example_can_be_audited(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(run("audit", "--example").out)
    assert run("audit", str(page), "--json").json["summary"]["wrong"] == 3
    assert run("audit", str(page), "--fix").code == 0


def test_our_own_docs_are_right() -> None:
    ran = run("audit", str(ROOT / "docs"), str(ROOT / "README.md"))
    assert ran.code == 0, ran.out


def odds_tables(page: Path) -> list[PipeTable]:
    """The tables of a page, code left out, that print chances."""
    lines = parse_lines(re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.M | re.S))
    found = [parsed[0] for place in range(len(lines)) if (parsed := parse_table(lines, place))]
    return [table for table in found if any(is_chance(cell) for row in table.rows for cell in row.cells)]


def is_chance(cell: Cell) -> bool:
    parsed = parse_figure(cell.text.strip().strip("*_"))
    return parsed is not None and parsed[0].kind in ("percent", "one in")


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))], ids=lambda page: page.name
)
def test_every_odds_table_of_our_docs_carries_a_directive(page: Path) -> None:
    checked = [part for part in read(page.read_text("utf-8")) if isinstance(part, TableDirective)]
    headings = [part.table.names for part in checked]
    assert [table.names for table in odds_tables(page) if table.names not in headings] == []


def test_completion_knows_the_formats() -> None:
    assert next_words(["audit", "--format"]) == ["text", "json", "github", "sarif"]
    assert "--fix" in next_words(["audit", "x.md"])


def test_a_thousand_figures_are_audited(tmp_path: Path) -> None:
    rows = "\n".join(f"| {total} | 1.0% | 50.0% |" for total in range(10, 61))
    table = f"<!-- astragal\nA = 10d6 == {{T}}\nB = 10d6 >= {{T}}\n-->\n| T | A | B |\n|-|-|-|\n{rows}\n\n"
    (tmp_path / "book.md").write_text("".join(table.replace("10d6", f"10d6+{n}") for n in range(10)))
    assert "1,020 figures" in run("audit", str(tmp_path)).out


def test_expressions_are_read_in_a_dialect_and_a_wrong_figure_says_how(tmp_path: Path) -> None:
    file = tmp_path / "book.md"
    file.write_text("The mean is <!-- astragal: mean(3d6>3) --> 2.0.\n")
    assert run("audit", str(file), "--dialect", "roll20").code == 0
    assert run("audit", str(file)).code == 1
    file.write_text("A chance of <!-- astragal: 2d6>3 --> 10%.\n")
    assert "Read: >3 is asked of the sum" in run("audit", str(file)).out
    file.write_text("A chance of <!-- astragal: [highest 1 of 2d6] = 6 --> 31%.\n")
    assert run("audit", str(file), "--dialect", "anydice").code == 0
