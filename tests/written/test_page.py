"""docs/written-games*.md explain every key that a written game may have."""

from __future__ import annotations

import re
import textwrap
from fractions import Fraction
from pathlib import Path

import pytest

from astragal import odds
from astragal.rule.sheets.table_rules import table_rules_of
from astragal.written import document, load_game

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "docs" / "written-games.md", ROOT / "docs" / "written-games-table.md")
FILES = [*sorted((ROOT / "examples" / "games").glob("*.toml")), *sorted(Path(__file__).parent.glob("*.toml"))]


def test_every_key_is_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    known: set[str] = set()
    finish = document.Part.finish

    def finished(part: document.Part) -> None:
        known.update(part._known)
        finish(part)

    monkeypatch.setattr(document.Part, "finish", finished)
    for path in FILES:
        load_game(path)
    assert {"when", "full", "gives", "steps", "faces", "hint"} <= known
    page = "".join(path.read_text("utf-8") for path in PAGES)
    explained = {word for code in re.findall(r"`([^`]+)`", page) for word in re.findall(r"\w+", code)}
    assert sorted(known - explained) == []


HOST = """name = "host"
title = "Host"
blurb = "Where the examples of the page stand."
[rules]
HO-1 = "Roll."
[[roll]]
name = "try"
title = "Try"
{roll}
[[roll.outcomes]]
name = "Done"
tone = "good"
[[sheet]]
name = "might"
title = "Might"
max = 5
[[sheet]]
name = "frost"
title = "Frost"
max = 5
{end}
"""


def example(beginning: str) -> str:
    """An indented example of the page, by what it begins with."""
    page = "".join(path.read_text("utf-8") for path in PAGES)
    blocks = re.findall(r"(?:^    .+\n)+", page, re.M)
    (found,) = [textwrap.dedent(block) for block in blocks if block.strip().startswith(beginning)]
    return found


def test_the_example_of_sides_is_two_sides(tmp_path: Path) -> None:
    path = tmp_path / "host.toml"
    path.write_text(HOST.format(roll=example("[roll.sides]"), end=""), "utf-8")
    kind = load_game(path).main
    assert odds(kind.ask(might=1, their_might=1), "margin")[1] == Fraction(1, 3) * Fraction(2, 3)


def test_the_example_of_helpers_helps(tmp_path: Path) -> None:
    path = tmp_path / "host.toml"
    more = 'inputs.might = { help = "dots", max = 5 }\n' + example("[roll.helpers]").replace("crafts", "frost/Frost")
    path.write_text(HOST.format(roll=more.replace("price =", "# price ="), end=""), "utf-8")
    kind = load_game(path).main
    assert odds(kind.ask.read({"might": 0, "aid": "2 Ulf"}), "successes")[2] == Fraction(1, 36) * Fraction(1, 9)


def test_the_example_of_a_move_warms(tmp_path: Path) -> None:
    path = tmp_path / "host.toml"
    path.write_text(HOST.format(roll='dice.pool = "1d6"', end=example("[[move]]")), "utf-8")
    (move,) = table_rules_of(load_game(path).table_rules).moves
    assert move.title == "Sit by a fire"
