"""The terminal obeys nobody's data: names, titles and notes with control sequences are shown, not carried out."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from tests.cli.command import run, run_on_terminal

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202eevil\r"


def hostile_table(folder: Path) -> None:
    """An imported table in which every text is hostile: it was changed outside, so it has no seal."""
    assert run("table", "new", "narraject", "Plain", "--name", "Mira", "--data", str(folder)).code == 0
    assert run("table", "do", "create", "Wren", "--data", str(folder)).code == 0
    assert run("table", "do", "note", "Hello there.", "--data", str(folder)).code == 0
    assert run("table", "do", "scene", "Harbour", "--data", str(folder)).code == 0
    file = folder / "plain.jsonl"
    assert run("table", "export", str(file), "--data", str(folder)).code == 0
    lines = file.read_text("utf-8")
    evil = msgspec.json.encode(EVIL).decode()[1:-1]
    for word in ("Mira", "Wren", "Hello there.", "Harbour"):
        lines = lines.replace(word, f"{word}{evil}\\nGM: forged")
    file.write_text(lines, "utf-8")
    assert run("table", "import", str(file), "--unsealed", "--data", str(folder / "evil")).code == 0


def test_no_command_prints_control_sequences_from_data(tmp_path: Path) -> None:
    hostile_table(tmp_path)
    data = ("--data", str(tmp_path / "evil"))
    for words in (["show"], ["log"], ["list"], ["stats"], ["story"], ["log", "--json"], ["show", "--json"]):
        piped = run("table", *words, *data)
        assert piped.code == 0, piped.err
        shown = run_on_terminal("table", *words, *data, typed=[])
        ours = re.sub(r"\x1b\[[0-9;]*m", "", shown.out)  # our own colours
        ours = re.sub(r"\rastragal: table \w+, \d+ s|\r +\r", "", ours)  # our own clock, on a busy machine
        for text in (piped.out, ours.replace("\r\n", "\n")):
            assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", text), (words, text)
        assert "\x1b]" not in shown.out and "\x1b[2J" not in shown.out
    refused = run("table", "show", "no\x1b[2Jtable", *data)
    assert refused.code == 2 and "\x1b" not in refused.err


def test_a_text_of_several_lines_forges_no_line(tmp_path: Path) -> None:
    hostile_table(tmp_path)
    log = run("table", "log", "--data", str(tmp_path / "evil")).out
    assert "forged" in log and not re.search(r"^GM: forged", log, re.MULTILINE)
