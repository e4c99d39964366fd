"""Imports of the page point one way: each folder of page/src uses itself and the folders before it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "page" / "src"
ORDER = ["strings", "style", "api", "verify", "ui", "field", "frame", "live", "dice", "odds", "lab"]
ORDER += ["log", "sheet", "roll", "tray", "stage", "people", "table", "start", "screen", "worker", "main"]
TABLE = SOURCE.parents[1] / "src" / "astragal" / "table"
SHARED = {TABLE / "log" / "code-words.json", TABLE / "word-fields.json"}
"""What the page and Python both read."""
FILES = sorted(path for path in SOURCE.rglob("*") if path.suffix in (".ts", ".css"))
IMPORT = re.compile(r"""\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["']""")


def folder_of(path: Path) -> str:
    """The folder of page/src that a file is in; `main.ts`, beside the folders, counts as one."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".ts")


def name_of(path: Path) -> str:
    return str(path.relative_to(SOURCE))


def imports_of(path: Path) -> list[Path]:
    found = [(path.parent / found).resolve() for found in IMPORT.findall(path.read_text("utf-8"))]
    return [path for path in found if path not in SHARED]


def test_every_file_is_in_a_folder_of_the_order() -> None:
    assert FILES
    assert {folder_of(path) for path in FILES} == set(ORDER)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_imports_point_to_folders_before_this_one(path: Path) -> None:
    here = ORDER.index(folder_of(path))
    assert [name_of(found) for found in imports_of(path) if ORDER.index(folder_of(found)) > here] == []


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_elements_use_the_page_s_own_styles(path: Path) -> None:
    """One kit: elements draw into the page itself, and CSS stands in style/ alone."""
    text = path.read_text("utf-8")
    assert "extends LitElement" not in text or name_of(path) == "ui/element.ts"
    assert "css`" not in text
    assert path.suffix != ".css" or folder_of(path) == "style"
