"""Files: which are found, which are refused, and how they are written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from astragal.audit.files import MAX_FILE, find_files, read_file, write_file
from astragal.errors import Forbidden, Refusal, Stale


def test_folders_are_searched_in_order_and_hidden_ones_are_not(tmp_path: Path) -> None:
    for name in ("b.md", "a/c.markdown", "a/d.txt", ".git/e.md", "node_modules/f.md", "A.MD"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    found = [name for name, _ in find_files([str(tmp_path), str(tmp_path / "b.md"), str(tmp_path / "a" / "d.txt")])]
    assert found == [f"{tmp_path.as_posix()}/{name}" for name in ("A.MD", "b.md", "a/c.markdown", "a/d.txt")]


def test_what_is_not_there_is_a_refusal(tmp_path: Path) -> None:
    for name in ("nowhere.md", str(tmp_path), "a\0b"):
        [(_, found)] = find_files([name])
        assert isinstance(found, Refusal)


def test_what_cannot_be_read_is_a_refusal(tmp_path: Path) -> None:
    latin, large = tmp_path / "latin.md", tmp_path / "large.md"
    latin.write_bytes(b"caf\xe9")
    large.write_bytes(b" " * (MAX_FILE + 1))
    for path, sentence in ((latin, "not UTF-8 text (byte 4)"), (large, "more than 5 MB"), (tmp_path, "is not a file")):
        with pytest.raises(Refusal) as refused:
            read_file(path)
        assert sentence in str(refused.value)


def test_bytes_are_kept(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_bytes("\ufeffa\r\nb\rc\n".encode())
    page.chmod(0o640)
    text = read_file(page)
    write_file(page, text, text.replace("b", "d"))
    assert page.read_bytes() == "\ufeffa\r\nd\rc\n".encode()
    assert page.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["page.md"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    page, link = tmp_path / "page.md", tmp_path / "link.md"
    page.write_text("a")
    link.symlink_to(page)
    write_file(link, "a", "b")
    assert link.is_symlink()
    assert page.read_text() == "b"


def test_read_only_and_changed_files_are_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("a")
    with pytest.raises(Stale):
        write_file(page, "other", "b")
    page.chmod(0o444)
    with pytest.raises(Forbidden, match="read-only"):
        write_file(page, "a", "b")
    assert page.read_text() == "a"
    assert os.listdir(tmp_path) == ["page.md"]  # noqa: PTH208
