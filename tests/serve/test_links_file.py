"""A table goes from one installation to another, and the links that were given out keep opening it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from astragal.cli.main import main
from astragal.errors import Malformed
from astragal.serve.access.auth import MAX_OLD_SECRETS, Links, load_signer, rotate_secret
from astragal.serve.access.links_file import export_links, read_links
from astragal.storage import Database, open_store


def where(address: Path | Database) -> list[str]:
    return ["--database", address.url] if isinstance(address, Database) else ["--data", str(address.parent)]


def test_a_table_moves_between_databases_with_its_links(
    tmp_path: Path, new_database: Callable[[], Database], capsys: pytest.CaptureFixture[str]
) -> None:
    places: list[Path | Database] = [tmp_path / "here" / "tables.db", new_database(), tmp_path / "there" / "tables.db"]
    assert main(["table", "new", "razorweave", "--sample", *where(places[0])]) == 0
    table = capsys.readouterr().out.strip()
    with open_store(places[0]) as store:
        links = Links(store, load_signer(store), table)
        link = links.create("player", None, 1)
        token = links.token(link)
        rotate_secret(store)
    for n, (source, target) in enumerate(pairwise(places)):
        files = str(tmp_path / f"{n}.jsonl"), str(tmp_path / f"{n}.links")
        assert main(["table", "export", files[0], "--links", files[1], *where(source)]) == 0
        assert Path(files[1]).stat().st_mode & 0o777 == 0o600
        assert "Delete it after the move." in capsys.readouterr().out
        assert main(["table", "import", files[0], "--links", files[1], *where(target)]) == 0
        with open_store(target) as store:
            found = Links(store, load_signer(store), table)
            assert found.find(token) == link
            assert found.token(found.create("gm", None, 2)) != token
    capsys.readouterr()
    assert main(["table", "import", files[0], "--links", files[1], *where(places[0])]) == 2
    assert f'The table "{table}" is already here. Nothing was changed' in capsys.readouterr().err
    with open_store(places[0]) as store:
        assert len(store.tables()) == 1  # nothing was brought without its links


def test_links_that_cannot_be_taken_in_are_refused_before_the_table_is_brought(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here, there = (["--data", str(tmp_path / name)] for name in ("here", "there"))
    files = str(tmp_path / "t.jsonl"), str(tmp_path / "t.links")
    assert main(["table", "new", "razorweave", "--sample", *here]) == 0
    assert main(["table", "export", files[0], "--links", files[1], *here]) == 0
    with open_store(tmp_path / "there" / "tables.db") as store:
        load_signer(store)
        for _ in range(MAX_OLD_SECRETS):
            rotate_secret(store)
    for links, why in (
        (files[1], "Nothing was changed; end older ones"),
        ("none.links", '"none.links" cannot be read'),
    ):
        assert main(["table", "import", files[0], "--links", links, *there]) == 2
        assert why in capsys.readouterr().err
    with open_store(tmp_path / "there" / "tables.db") as store:
        assert store.tables() == []


def test_links_are_for_whoever_reads_and_writes_the_store(tmp_path: Path) -> None:
    with open_store(tmp_path / "tables.db") as store:
        Links(store, load_signer(store), "t").create("gm", None, 1)
        data = export_links(store, "t")
        assert [link.role for link in read_links(data).links] == ["gm"]
    for wrong in (b"", b"{}", data.replace(b'"links"', b'"sheet"', 1), data[:-20], b"x" * (2 << 20)):
        with pytest.raises(Malformed):
            read_links(wrong)


def test_links_are_written_into_a_new_file_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = ["--data", str(tmp_path / "here")]
    assert main(["table", "new", "razorweave", "--sample", *data]) == 0
    (tmp_path / "links").write_text("mine")
    assert main(["table", "export", str(tmp_path / "t.jsonl"), "--links", str(tmp_path / "links"), *data]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert (tmp_path / "links").read_text() == "mine"
