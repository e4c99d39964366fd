"""The page about reliability: every promise has a figure, and no figure is left out."""

from __future__ import annotations

import re
from pathlib import Path

from tests.soak import AT_ONCE, CLUSTER, NO_FIGURE, PAGE, PROMISES, ROOT, page, with_section

RECORDED = re.compile(r'(?:record|note_down)\(\s*f?"([^"]+)"')

FILLS = {
    "{game}": ("narraject", "tgimh", "chronicles", "razorweave"),
    "{how}": ("as it is", "likely"),
    "{damage": ("overwrite pages", "swap pages", "cut", "flip bytes"),
}


def recorded() -> set[str]:
    """What the long tests record, with the names of games and damages filled in."""
    found = set()
    for file in Path(ROOT / "tests").rglob("test_*.py"):
        for what in RECORDED.findall(file.read_text("utf-8")):
            fills = next((fills for sign, fills in FILLS.items() if sign in what), ("",))
            found |= {re.sub("{.*}", fill, what) for fill in fills}
    return found


def promised() -> dict[str, str]:
    return {what: words for promises in PROMISES.values() for what, words in promises.items()}


def test_every_promise_is_recorded_and_every_figure_promised() -> None:
    assert recorded() == set(promised())


def test_every_file_that_records_is_run_at_full_length() -> None:
    run = [ROOT / path for groups in (AT_ONCE, CLUSTER) for group in groups for path in group]
    assert [path for path in run if not path.exists()] == []
    files = {file for file in (ROOT / "tests").rglob("test_*.py") if RECORDED.search(file.read_text("utf-8"))}
    assert {file for file in files if not any(file.is_relative_to(path) for path in run)} == set()


def test_the_page_shows_every_figure_once() -> None:
    text = "\n".join(page({what: f"figure of {what}" for what in promised()}, 60))
    assert all(text.count(f"| figure of {what} |") == 1 for what in promised())
    assert "## Other" not in text
    assert "| more |" in "\n".join(page({"else": "more"}, 60))


def test_a_test_that_failed_takes_no_other_figure_with_it() -> None:
    what, *failed = promised()
    text = "\n".join(page({what: "a figure"}, 60))
    assert text.count("| a figure |") == 1
    assert text.count(f"| {NO_FIGURE} |") == len(failed)


def test_the_page_that_is_there_has_every_promise() -> None:
    text = PAGE.read_text("utf-8")
    assert [words for words in promised().values() if f"| {words} |" not in text] == []


def test_a_part_that_is_run_by_itself_changes_its_own_rows_only_and_says_what_failed() -> None:
    title = "Many servers"
    what, *failed = PROMISES[title]
    text = "\n".join(page({what: f"figure of {what}" for what in promised()}, 60))
    changed = with_section(text, title, {what: "a new figure"})
    assert f"| {PROMISES[title][what]} | a new figure |" in changed
    assert changed.count(f"| {NO_FIGURE} |") == len(failed)
    pairs = zip(text.split("\n"), changed.split("\n"), strict=True)
    assert sum(one != other for one, other in pairs) == len(PROMISES[title])
