"""``astragal table webhooks`` and ``ties``: for whoever runs a server, while it runs or not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from astragal.cli.main import main
from astragal.serve.access.auth import SeatCookie
from astragal.serve.chat.discord.bindings import Bindings
from astragal.storage import open_store
from astragal.storage.tables.repository import store_path


@pytest.fixture
def folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["table", "new", "narraject", "The Drowned Bell", "--name", "Mira", "--data", str(tmp_path)]) == 0
    capsys.readouterr()
    return str(tmp_path)


def test_webhooks_are_added_listed_and_removed(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["table", "webhooks", "--data", folder]
    assert main(words) == 0 and "no webhooks" in capsys.readouterr().out
    assert main([*words, "--add", "https://example.org/secret-path", "--audience", "gm", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert len(made["secret"]) > 40 and made["audience"] == "gm"
    assert main([*words, "--json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out)
    assert (listed["id"], listed["host"], listed["behind"]) == (made["id"], "https://example.org/…", 0)
    assert main(words) == 0
    said = capsys.readouterr().out
    assert made["id"] in said and made["secret"] not in said and "secret-path" not in said
    assert main([*words, "--remove", made["id"]]) == 0
    assert main([*words, "--remove", made["id"]]) == 2
    assert main([*words, "--add", "ftp://x"]) == 2 and main([*words, "--add", "https://x/", "--audience", "you"]) == 2
    assert main([*words, "--add", "https://x/", "--remove", "y"]) == 2


def test_ties_are_listed_and_ended(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["table", "ties", "--data", folder]
    assert main(words) == 0 and "no ties" in capsys.readouterr().out
    with open_store(store_path(Path(folder))) as store:
        (table,) = store.tables()
        Bindings(store).bind_channel(table.table, "645", "m", 1)
        Bindings(store).bind_user(SeatCookie(table.table, "m", "l"), "77", "Kay", 2)
    assert main([*words, "--json"]) == 0
    assert [tie["id"] for tie in json.loads(capsys.readouterr().out)] == ["channel-645", "user-77"]
    assert main([*words, "--end", "channel-645"]) == 0 and main([*words, "--end", "channel-645"]) == 2
    assert main([*words, "--end", "guild-1"]) == 2
    capsys.readouterr()
    assert main(words) == 0 and "Kay" in capsys.readouterr().out
