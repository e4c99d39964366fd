"""Dice notation on the command line."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

from tests.cli.command import run


def test_notation_is_rolled_and_shown_die_by_die() -> None:
    out = run("roll", "5d6kh4+2", "--faces", "2 3 4 5 6").out
    assert out.splitlines() == ["5d6kh4 + 2", "  d6          2 dropped · 3 · 4 · 5 · 6", "20"]


def test_notation_as_json_can_be_typed_in_again() -> None:
    first = run("roll", "6d10 count>=8 !10", "--seed", "9", "--json").json
    assert run("roll", "6d10 count>=8 !10", "--faces", first["faces"], "--json").json == first
    assert first["notation"] == "6d10!10 count>=8"


def test_notation_is_solved() -> None:
    solved = run("odds", "4d6 >= 14", "--json").json
    assert solved["facts"]["value"]["rows"][0] == {
        "value": True, "label": "true", "exact": "721/1296", "chance": 721 / 1296,
    }  # fmt: skip
    assert "32.0%" in run("odds", "6d10 count>=8 !10 >= 3").out
    assert run("odds", "2d6", "--csv").out.splitlines()[1].startswith("2,1/36,")


def test_a_chart_of_notation(tmp_path: Path) -> None:
    file = tmp_path / "chart.svg"
    assert run("odds", "3d6", "--svg", str(file)).code == 0
    assert ET.parse(file).getroot().tag.endswith("svg")


def test_what_cannot_be_read_is_shown_with_a_caret() -> None:
    ran = run("roll", "5d6kq")
    assert ran.code == 2
    assert ran.err.splitlines()[1:] == ["  5d6kq", "      ^ expected an operator or the end"]


def test_bad_notation_is_refused() -> None:
    for words in (
        ["roll", "1000000d6"],
        ["odds", "d"],
        ["odds", "1d8! % 1d6!"],
        ["odds", "4d6", "--dialect", "klingon"],
        ["odds", "2d6", "--up-to", "x"],
        ["roll", "2d6", "--faces", "7 1"],
    ):
        ran = run(*words)
        assert (ran.code, ran.out) == (2, ""), words
        assert "Traceback" not in ran.err


def test_a_count_of_none_or_one_is_a_number_and_no_answer() -> None:
    out = run("odds", "1d6 count>=5").out
    assert "true" not in out
    assert "mean 0.33" in out
    assert run("odds", "1d6 count>=5", "--json").json["facts"]["value"]["rows"][1] == {
        "value": 1, "label": "1", "exact": "1/3", "chance": 1 / 3,
    }  # fmt: skip


def test_a_pasted_anydice_line_and_a_program_are_read_alike() -> None:
    pasted = run("odds", "output [highest 3 of 4d6]", "--dialect", "anydice", "--json").json
    program = run("odds", "--program", "-", "--json", typed="output [highest 3 of 4d6]").json
    assert pasted["facts"]["value"]["rows"] == program["facts"]["output 1"]["rows"]
    assert pasted["notation"] == "4d6kh3"
    assert run("roll", "[highest 3 of 4d6]", "--dialect", "anydice", "--faces", "1 2 3 6").out.endswith("11\n")
    assert run("odds", "--dialect", "anydice", "--", "-7/2", "--json").err.endswith("options go before --.\n")
    assert "-3" in run("odds", "--dialect", "anydice", "--", "-7/2").out
    several = run("odds", "output d{} output d4 > 3", "--dialect", "anydice").out
    assert "no value: this is the empty die" in several
    assert "output 2" in several
    assert "cannot be rolled" in run("roll", "#(3d6)", "--dialect", "anydice").err


def test_decimals_are_exact() -> None:
    solved = run("odds", "2d6 * 1.5", "--json").json["facts"]["value"]
    assert [row["value"] for row in solved["rows"]][:3] == [3, "4.5", 6]
    assert solved["mean"]["exact"] == "21/2"
    assert run("roll", "2d6 * 1.5", "--faces", "1 2").out.endswith("4.5\n")


def test_what_only_one_tool_writes_is_read_in_its_dialect() -> None:
    assert run("odds", "dndstats", "--dialect", "dicemaiden", "--json").json["notation"] == "6 x 4d6kh3"
    assert run("odds", "/roll [[ 3d6>3 ]]", "--dialect", "roll20", "--json").json["notation"] == "3d6 count>=3"
    assert "compare" in run("roll", "2d6 ; 3d8", "--dialect", "dicemaiden").err


def test_dice_alone_import_no_game() -> None:
    ask = (
        "import sys; from astragal.cli.main import main; main(['odds', '4d6kh3']); "
        "print([name for name in sys.modules if name.startswith(('astragal.games.', 'astragal.written', "
        "'astragal.anydice', 'astragal.notation.odds.pools')) and name != 'astragal.games.registry'])"
    )
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
