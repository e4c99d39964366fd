"""Hubs: stored entries reach the connections at a table in rounds that all of them share."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from astragal.repository.repository import Repository
from astragal.serve.live.hub import WOKEN, Feed
from astragal.store import open_store
from astragal.table import action as a
from tests.repository.repositories import seated

NOTE = a.NoteAction(text="Rain.")


def test_all_connections_send_the_same_entries_in_a_round(tmp_path: Path) -> None:
    """What is stored while some of them are still to be woken is for the next round."""
    sent: list[int] = []
    feed: Feed

    class Watcher:
        def wake(self) -> None:
            sent.append(feed.version)

    async def go() -> None:
        nonlocal feed
        all_watchers: Any = [Watcher() for _ in range(watchers)]
        feed = Feed(seats.stored_table, asyncio.get_running_loop(), all_watchers, lambda: False)
        for _ in range(5):
            futures = [seats.submit(seats.gm, NOTE) for _ in range(7)]
            await asyncio.gather(*map(asyncio.wrap_future, futures))
        while feed.version < seats.stored_table.state.version:
            await asyncio.sleep(0)
        while feed._in_round:
            await asyncio.sleep(0)
        feed.close()

    watchers = 2 * WOKEN + 3
    with open_store(tmp_path / "tables.db") as store:
        seats = seated(Repository(store))
        asyncio.run(go())
    rounds = [sent[n : n + watchers] for n in range(0, len(sent), watchers)]
    assert all(len(each) == watchers and len(set(each)) == 1 for each in rounds), rounds
    assert [each[0] for each in rounds] == sorted({each[0] for each in rounds})
    assert rounds[-1][0] == seats.stored_table.state.version


def test_what_is_stored_in_the_middle_of_a_round_is_sent_in_the_next(tmp_path: Path) -> None:
    sent: list[int] = []
    feeds: list[Feed] = []

    class Watcher:
        def wake(self) -> None:
            sent.append(feeds[0].version)
            if len(sent) == 1:
                feeds[0]._on_entry(*later)

    async def go() -> None:
        all_watchers: Any = [Watcher() for _ in range(watchers)]
        feed = Feed(seats.stored_table, asyncio.get_running_loop(), all_watchers, lambda: False)
        feeds.append(feed)
        feed.state, feed.version = before, before.version
        feed._on_entry(*first)
        while len(sent) < 2 * watchers:
            await asyncio.sleep(0)
        feed.close()

    watchers = 2 * WOKEN + 3
    with open_store(tmp_path / "tables.db") as store:
        seats = seated(Repository(store))
        before = seats.stored_table.state
        first, later = (seats.act(seats.gm, NOTE)[:2] for _ in range(2))
        asyncio.run(go())
    assert sent == [before.version + 1] * watchers + [before.version + 2] * watchers
