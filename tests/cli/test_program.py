"""AnyDice programs on the command line."""

from __future__ import annotations

from pathlib import Path

from tests.cli.command import run

PROGRAM = 'output 2d6\noutput [highest 1 of 2d6] named "best"\noutput 1 named "best"\n'


def test_a_file_is_solved_and_every_output_shown(tmp_path: Path) -> None:
    file = tmp_path / "best.anydice"
    file.write_text(PROGRAM)
    out = run("odds", "--program", str(file)).out
    assert [line for line in out.splitlines() if line and line[0] != " "] == ["output 1", "best", "best (2)"]
    assert "mean 4.47" in out


def test_outputs_are_facts_of_one_json_object() -> None:
    solved = run("odds", "--program", "-", "--json", typed=PROGRAM).json
    assert list(solved["facts"]) == ["output 1", "best", "best (2)"]
    assert solved["facts"]["best"]["rows"][-1] == {"value": 6, "label": "6", "exact": "11/36", "chance": 11 / 36}
    assert solved["facts"]["best"]["mean"]["exact"] == "161/36"


def test_outputs_as_lines_of_csv() -> None:
    lines = run("odds", "--program=-", "--csv", typed=PROGRAM).out.splitlines()
    assert lines[0] == "output,value,exact,chance"
    assert lines[-1] == "best (2),1,1/1,1.0"


def test_what_is_wrong_is_said_with_its_line() -> None:
    ran = run("odds", "--program", "-", typed="output 1\n\noutput [best of 3d6]\n")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "astragal: Line 3: there is no function [best of …].\n"


def test_a_bad_command_is_refused(tmp_path: Path) -> None:
    (tmp_path / "picture").write_bytes(b"\xff\xfe\x00")
    for words in (
        ["--program", str(tmp_path / "missing")],
        ["--program", str(tmp_path)],
        ["--program", str(tmp_path / "picture")],
        ["--program", "-", "--csv", "--json"],
        ["3d6", "--program", "-"],
        ["--program"],
    ):
        ran = run("odds", *words, typed=PROGRAM)
        assert (ran.code, ran.out) == (2, ""), words
        assert ran.err.startswith("astragal: "), ran.err


def test_a_program_that_does_not_end_is_stopped_when_its_time_is_up() -> None:
    loops = "".join(f"loop {name} over {{1..1000}} {{ " for name in "ABCD")
    ran = run("odds", "--program", "-", "--timeout", "1", typed=f"{loops} X: A {'}' * 4} output X")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "astragal: There was no answer within 1 seconds. Ask for less, or allow more with --timeout.\n"
