"""Reports: what other programs get."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from astragal.audit.evaluator import Evaluator
from astragal.audit.files import AuditedFile, audit_file
from astragal.audit.report import RULES, as_data, github, sarif

TEXT = """\
<!-- astragal
Chance = d6 == {Face}
-->
| Face | Chance |
|---|---|
| 1 | 17% |
| 2 | 50% |
| 3 | 16% |
| 4, or so: 100% | 17% |
| 5 | 17% |
| 6 | 17% |
"""


@pytest.fixture
def page(tmp_path: Path) -> AuditedFile:
    path = tmp_path / "a, b: 100%.md"
    path.write_text(TEXT.replace("4, or so: 100%", "4"))
    return audit_file("a, b: 100%.md", path, Evaluator())


def test_the_data_has_every_figure(page: AuditedFile) -> None:
    data = json.loads(json.dumps(as_data([page])))
    [file] = data["files"]
    assert [figure["is_right"] for figure in file["figures"]] == [True, False, True, True, True, True]
    assert file["figures"][1] == {
        "line": 7,
        "column": 7,
        "heading": "Chance",
        "row": "Face 2",
        "expression": "d6 == 2",
        "printed": "50%",
        "is_right": False,
        "rounding": None,
        "exact": "1/6",
        "value": 1 / 6,
        "right": "17%",
        "error": pytest.approx(100 / 3),
        "guesses": [],
    }
    assert file["sums"] == [{"line": 4, "column": 10, "heading": "Chance", "printed": "67/50"}]
    assert data["summary"] == {
        "files": 1,
        "figures": 6,
        "right": 5,
        "wrong": 1,
        "fixed": 0,
        "unreadable": 0,
        "code": 1,
    }


def test_annotations_are_escaped(page: AuditedFile) -> None:
    lines = list(github([page]))
    assert len(lines) == 3
    error = next(line for line in lines if "line=7" in line)
    assert error.startswith("::error file=a%2C b%3A 100%25.md,line=7,col=7,endColumn=10,title=")
    assert error.split("::", 2)[2].startswith("Chance, Face 2: 50%25 is printed, 17%25 is right;")
    assert all("\n" not in line for line in lines)


def test_a_picture_in_an_annotation_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text("<!-- astragal: d6 >= --> 5%")
    [line] = github([audit_file("x.md", path, Evaluator())])
    assert "\n" not in line
    assert "%0A" in line


def test_sarif_has_the_shape_that_its_schema_asks_for(page: AuditedFile) -> None:
    log = sarif([page], "1.0")
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == list(RULES)
    for result in run["results"]:
        check_result(result, rules)
    fixes = [result["fixes"] for result in run["results"] if "fixes" in result]
    assert [fix[0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"] for fix in fixes] == ["17%"]


def check_result(result: dict[str, Any], rules: list[str]) -> None:
    assert rules[result["ruleIndex"]] == result["ruleId"]
    assert result["level"] in ("none", "note", "warning", "error")
    assert result["message"]["text"]
    [location] = result["locations"]
    place = location["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "a%2C%20b%3A%20100%25.md"}
    assert place["region"]["startLine"] >= 1
    assert place["region"].get("endColumn", 10**6) > place["region"]["startColumn"] >= 1
