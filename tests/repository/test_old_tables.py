"""Tables of 0.5 in a store: they open as they were, and are brought up to date once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from astragal.games.registry import game
from astragal.repository.repository import Repository
from astragal.repository.stored_table import StoredTable
from astragal.rule.game import Kind
from astragal.store import Record
from astragal.table import action as a
from astragal.table.entry import VERSION, decode_entry
from astragal.table.state import encode_state
from tests.table.test_old_exports import NAMES, assert_shows_the_same, lines_of

SAMPLES = [name for name in NAMES if not name.endswith("-long")]


def old_table(repository: Repository, name: str) -> str:
    """The table as 0.5 stored it, with a snapshot in the format of 0.5."""
    rows = [Record(place, json.loads(line)["key"], line.strip()) for place, line in enumerate(lines_of(name)[1:], 1)]
    header = json.loads(lines_of(name)[0])
    repository.store.create("t", header["game"], header["title"], 1, rows).result()
    snapshot = {"game": header["game"], "title": "Another", "version": len(rows), "spared": {}, "public": 3}
    repository.store.save_snapshot("t", len(rows), json.dumps(snapshot).encode()).result()
    return "t"


@pytest.mark.parametrize("name", SAMPLES)
def test_a_table_of_0_5_opens_and_shows_the_same(name: str, repository: Repository) -> None:
    id = old_table(repository, name)
    keys = [row.key for row in repository.store.read(id)]
    stored_table = repository.open(id)
    assert_shows_the_same(name, stored_table.state, stored_table.history())
    rows = repository.store.read(id)
    assert [row.key for row in rows] == keys
    assert {decode_entry(row.body).v for row in rows} == {VERSION}
    again = StoredTable(repository.store, id)
    assert_shows_the_same(name, again.state, again.history())


@pytest.mark.parametrize("name", SAMPLES)
def test_once_opened_the_rules_may_change(name: str, repository: Repository) -> None:
    """What was worked out when it was first opened is stored; nothing is worked out again."""
    id = old_table(repository, name)
    before = repository.open(id)
    with without_kinds(before.state.game):
        again = StoredTable(repository.store, id)
    assert encode_state(again.state) == encode_state(before.state)


@contextmanager
def without_kinds(name: str) -> Iterator[None]:
    """A game that has lost all its rolls; they come back in order."""
    kinds: dict[str, Kind] = game(name).kinds  # type: ignore[assignment]
    before = dict(kinds)
    kinds.clear()
    try:
        yield
    finally:
        kinds.update(before)


def test_one_goes_on_at_a_table_of_0_5(repository: Repository) -> None:
    stored_table = repository.open(old_table(repository, "narraject-sample"))
    gm = next(member.id for member in stored_table.state.members.values() if member.role == "gm")
    target = stored_table.history()[8].id
    before = encode_state(stored_table.state)
    stored_table.act(gm, a.NoteAction(text="We meet again."), "k1", 1)
    stored_table.act(gm, a.UndoAction(entry=target), "k2", 1)
    stored_table.act(gm, a.RedoAction(), "k3", 1)
    stored_table.act(gm, a.UndoAction(), "k4", 1)
    after = stored_table.state
    assert json.loads(encode_state(after))["world"] == json.loads(before)["world"]
    assert {entry.v for entry in stored_table.history()} == {VERSION}
    assert encode_state(StoredTable(repository.store, "t").state) == encode_state(after)
