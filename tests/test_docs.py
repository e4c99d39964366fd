"""The documentation does what it says: commands, Python, links, rule numbers, and the fifth game."""

from __future__ import annotations

import html
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import NamedTuple

import pytest

from astragal import Game, report
from astragal.cli.main import COMMANDS
from astragal.cli.options import DICE
from astragal.cli.read_question import ABOUT, OUTPUT
from astragal.explain.example import examples_of, play_example
from astragal.games.registry import BUILT_IN, game
from astragal.rule.chances.fact import facts_of, wishes_of
from astragal.rule.game import Kind
from astragal.rule.sheets.table_rules import table_rules_of
from tests import tutorial
from tests.cli.command import run as run_here
from tests.fifth_game import PAGES as FIFTH_GAME
from tests.fifth_game import install

ROOT = Path(__file__).parent.parent
TOP = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
PAGES = (*(ROOT / name for name in TOP), *sorted((ROOT / "docs").rglob("*.md")))
BLOCK = re.compile(r"^```(?P<kind>\w*)(?: [^\n]*)?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# \w\S*\.py\n")
"""The first line of a block that is a file of the fifth game."""
LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)")
SOURCES = ("src/astragal", "page/src", "")
CHANCE = re.compile(r"\d ?%|\b1 in \d")
PICTURE = ROOT / "docs" / "images" / "terminal.svg"
MAX_WORDS = 60
"""Rows of the glossary: the words that newcomers meet in many modules."""


class Block(NamedTuple):
    """A fenced block, and where it stands."""

    page: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


class Command(NamedTuple):
    """A command of a console block, and what it is said to print."""

    words: str
    prints: str


def blocks(kind: str) -> list[Block]:
    return [
        Block(page, text.count("\n", 0, found.start()) + 1, found["text"])
        for page in PAGES
        for text in [page.read_text("utf-8")]
        for found in BLOCK.finditer(text)
        if found["kind"] == kind
    ]


def commands(block: Block) -> Iterator[Command]:
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        words, _, prints = part.partition("\n")
        yield Command(words, prints)


ALONE = re.compile(r"""astragal (?:[^'"\\|&;<>$`*~()\n]|'[^']*'|"[^"\\$`]*")*""")
"""A command of ours without anything that a shell would do for it."""


def run(words: str, folder: Path, outside: Path | None = None) -> str:
    """What a shell prints for these words, errors included, with this Python's commands first.

    A command alone runs in this process, which is much faster; games in files or packages would stay known here.
    """
    if not outside and ALONE.fullmatch(words) and ".toml" not in words and "--games" not in words:
        with chdir(folder):
            ran = run_here(*shlex.split(words)[1:])
        return ran.err + ran.out
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "PYTHONUTF8": "1", "ASTRAGAL_PROGRESS": "0", "PYTHONPATH": str(outside or "")}
    done = subprocess.run(
        ["bash", "-c", words],
        check=False,
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    return done.stdout


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("outside")
    install(folder)
    return folder


def prepared(page: Path, line: int, folder: Path, outside: Path) -> Path | None:
    """The folder of outside games for a block; the tutorial's files as a reader has them there."""
    if page not in tutorial.PAGES:
        return outside if page in FIFTH_GAME else None
    tutorial.lay_out(folder, page, line)
    return folder


@pytest.mark.parametrize("block", blocks("console"), ids=str)
def test_a_console_block_prints_what_the_page_shows(block: Block, tmp_path: Path, outside: Path) -> None:
    added = prepared(block.page, block.line, tmp_path, outside)
    for command in commands(block):
        assert run(command.words, tmp_path, added) == command.prints, command.words


@pytest.mark.parametrize("block", [block for block in blocks("python") if not FILE.match(block.text)], ids=str)
def test_a_python_block_runs_and_prints_its_comments(block: Block, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(block.text, str(block), "exec"), {"__name__": "example"})
    promised = re.findall(r"^\s*print\(.*\)  # (.*)$", block.text, re.MULTILINE)
    assert capsys.readouterr().out.splitlines() == promised


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    missing = [link for link in LINK.findall(page.read_text("utf-8")) if not (page.parent / link).exists()]
    assert missing == []


ANCHOR = re.compile(r"\]\((?!\w+:)([^)#\s]*\.md|)#([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def anchors_of(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub names them."""
    titles = HEADING.findall(BLOCK.sub("", page.read_text("utf-8")))
    words = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title).strip().lower() for title in titles)
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in words}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_anchor_of_a_link_is_a_heading(page: Path) -> None:
    links = ANCHOR.findall(BLOCK.sub("", page.read_text("utf-8")))
    missing = [
        f"{path}#{anchor}"
        for path, anchor in links
        if (target := page.parent / path if path else page).exists() and anchor not in anchors_of(target)
    ]
    assert missing == []


def test_no_page_is_longer_than_300_lines_and_the_index_has_every_page() -> None:
    docs = ROOT / "docs"
    index = (docs / "README.md").read_text("utf-8")
    pages = [page for page in docs.rglob("*.md") if page.parent.name != "decisions"]
    assert [page.name for page in pages if page.read_text("utf-8").count("\n") > 300] == []
    missing = [page.name for page in pages if page != docs / "README.md" and f"{page.relative_to(docs)})" not in index]
    assert missing == []


def text_of(pattern: str) -> str:
    """The text of some pages, together."""
    return "".join(page.read_text("utf-8") for page in sorted((ROOT / "docs").glob(pattern)))


def place_of(path: str) -> Path:
    """A path of the docs: below the package, below the page's folder or below the root."""
    return next((place for part in SOURCES if (place := ROOT / part / path).exists()), ROOT / path)


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page not in (*FIFTH_GAME, *tutorial.PAGES, ROOT / "CHANGELOG.md")],
    ids=str,
)
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    text = BLOCK.sub(lambda block: block[0] if "way-of-a-roll" in block[0] else "", page.read_text("utf-8"))
    named = {
        *re.findall(r"`([\w./-]+/[\w.-]+\.(?:py|toml|ts|md|json))`", text),
        *re.findall(r"^([\w/]+\.py)  ", text, re.M),
    }
    assert sorted(path for path in named if not place_of(path).exists()) == []


def test_the_glossary_is_short_and_every_name_is_where_it_says() -> None:
    page = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| ")][1:]
    assert len(rows) <= MAX_WORDS, "a word of one module belongs into its docstring"
    assert rows == sorted(rows, key=lambda row: row[0].casefold())
    for word, _, place in rows:
        found = re.findall(r"((?:`\w+`(?:, )?)+) in `([\w/.]+)`", place)
        assert found, word
        for names, path in found:
            text = place_of(path).read_text("utf-8")
            for name in re.findall(r"\w+", names):
                assert re.search(rf"^(?:(?:class|(?:async )?def) {name}\b|{name}(?:: [^=]+)? = )", text, re.M), (
                    name,
                    path,
                )


def test_the_architecture_page_is_short_and_every_decision_is_listed() -> None:
    assert (ROOT / "docs" / "architecture.md").read_text("utf-8").count("\n") <= 150
    folder = ROOT / "docs" / "decisions"
    records = sorted(file for file in folder.glob("0*.md"))
    listed = re.findall(
        r"^\| \[(\d+)\]\((\S+)\) \| (.*) \| [\d.]+ \|$", (folder / "README.md").read_text("utf-8"), re.M
    )
    assert [name for _, name, _ in listed] == [file.name for file in records]
    for (number, _, title), file in zip(listed, records, strict=True):
        assert file.read_text("utf-8").startswith(f"# {number}. {title}\n")
        assert file.name.startswith(f"{int(number):04}-")


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_rule_and_every_ruling_stands_on_the_page_of_its_game(name: str) -> None:
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text("utf-8")
    told = {entry.split("**")[0]: entry for entry in page.split("\n- **")[1:]}
    for number, text in game(name).rules.items():
        assert number in told
        assert ("Ruling:" not in text) or "**Ruling**" in told[number], number


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_page_of_a_game_names_every_section_setting_move_and_input_of_a_move(name: str) -> None:
    page = text_of(f"games/{name}*.md")
    table_rules = table_rules_of(game(name).table_rules)
    sections = [part.name for kind in ("character", "player", "table", "scene") for part in table_rules.sections(kind)]
    moves = [word for move in table_rules.moves for word in (move.name, *move.ask.inputs)]
    assert [word for word in (*sections, *table_rules.options.inputs, *moves) if f"`{word}`" not in page] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_table_of_chances_carries_a_directive(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", BLOCK.sub("", page.read_text("utf-8")))
    tables = re.finditer(r"(?:^\|.*\n)+", text, re.MULTILINE)
    bare = [
        table[0]
        for table in tables
        if CHANCE.search(table[0])
        and not re.match(r" astragal\n[^|]*-->\n$", text[: table.start()].rpartition("<!--")[2])
    ]
    assert bare == []


def every_kind() -> list[tuple[Game, Kind]]:
    return [(found, kind) for found in map(game, BUILT_IN) for kind in found.kinds.values()]


@pytest.mark.parametrize(("found", "kind"), every_kind(), ids=lambda part: part.name)
def test_the_command_line_page_names_every_option_and_json_key(found: Game, kind: Kind) -> None:
    page = text_of("cli*.md")
    example = next(
        example for example in examples_of(found) if found.kind(example.roll) is kind and not example.refused
    )
    keys = report(found, kind, kind.ask.read(example.given), play_example(found, example), notes=True)
    options = [*(input.option for input in kind.ask.inputs.values()), *(decision.name for decision in kind.decisions)]
    assert [word for word in (*keys, *(f"--{option}" for option in options)) if f"`{word}`" not in page] == []


def test_the_command_line_page_names_every_command_and_what_is_asked_about_odds() -> None:
    page = text_of("cli*.md")
    options = [option for option in (*ABOUT, *OUTPUT, *DICE) if f"`--{option.name}" not in page]
    assert options == []
    assert [name for name in COMMANDS if f"\n| `astragal {name} " not in page] == []


@pytest.mark.parametrize(("found", "kind"), every_kind(), ids=lambda part: part.name)
def test_the_page_about_odds_names_every_fact_and_every_wish(found: Game, kind: Kind) -> None:
    page = (ROOT / "docs" / "odds.md").read_text("utf-8")
    roll = found.name if kind is found.main else f"{found.name} {kind.name}"
    rows = "\n".join(line for line in page.splitlines() if line.startswith(f"| `{roll}` |"))
    assert facts_of(kind)
    assert [name for name in (*facts_of(kind), *wishes_of(kind)) if f"`{name}`" not in rows] == []


def test_the_picture_shows_what_its_commands_print_today(tmp_path: Path) -> None:
    shown = _squeezed("".join(re.findall(r"<text[^>]*>(.*?)</text>", PICTURE.read_text("utf-8"))))
    maker = PICTURE.with_name("make_terminal.py").read_text("utf-8")
    for words in re.findall(r"^    '(astragal .*)',$", maker, re.MULTILINE):
        printed = [line for line in run(words, tmp_path).splitlines() if " · " not in line]
        assert [line for line in printed if _squeezed(line) not in shown] == [], "run docs/images/make_terminal.py"


def _squeezed(text: str) -> str:
    """Without the signs and gaps that differ between a terminal and a pipe."""
    return re.sub(r"[\s✓]", "", html.unescape(text))


def test_a_fifth_game_is_found_by_its_entry_point(outside: Path, tmp_path: Path) -> None:
    name = install(outside)
    printed = run("python -m astragal games", tmp_path, outside).splitlines()
    *listed, shelf = [line for line in printed if not line.startswith(" ")]
    assert [line.split()[0] for line in listed] == [*BUILT_IN, name]
    assert "on the shelf" in shelf


def test_a_fifth_game_rolls_and_replays_its_examples(outside: Path, tmp_path: Path) -> None:
    name = install(outside)
    assert "(heads: 2)" in run(f"python -m astragal roll {name} 3 2 --faces '2 1 2'", tmp_path, outside)
    assert run(f"astragal examples {name}", tmp_path, outside).splitlines()[-1] == "5 examples, 0 wrong."


def test_a_fifth_game_has_odds_with_and_without_facts_of_its_own(outside: Path, tmp_path: Path) -> None:
    name = install(outside)
    assert "Favours owed" in run(f"astragal odds {name} 3 2", tmp_path, outside)
    bare = tmp_path / "bare"
    install(bare)
    module = bare / name / "__init__.py"
    module.write_text(module.read_text("utf-8").replace(f'odds="{name}.odds",', ""), "utf-8")
    (bare / name / "odds.py").unlink()
    printed = run(f"astragal odds {name} 3 2 --csv", tmp_path, bare)
    assert {line.split(",")[0] for line in printed.splitlines()} == {"fact", "heads", "success", "pushed", "favours"}
    assert "success,true,1/2,0.5" in printed


def test_a_fifth_games_own_tests_pass(outside: Path, tmp_path: Path) -> None:
    name = install(outside)
    printed = run(f"python -m pytest -q -p no:cacheprovider {outside}/test_{name}.py", tmp_path, outside)
    assert "4 passed" in printed, printed
