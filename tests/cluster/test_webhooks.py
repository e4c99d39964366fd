"""Webhooks go on when the server that posts is killed in the middle of a post."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from astragal.serve.chat.webhooks.cursor import Cursor, cursor_name
from astragal.storage import Database, open_store
from tests.cluster.spread import Spread
from tests.databases import Databases
from tests.serve.receiver import Receiver
from tools.cluster import Member


@pytest.fixture
def database(databases: Databases) -> Iterator[Database]:
    with databases.lent() as lend:
        yield lend()


@pytest.fixture
def members(database: Database, tmp_path: Path) -> Iterator[list[Member]]:
    """Servers of one database, none of which runs yet."""
    options = ["--webhooks", "any", "--reckoners", "0"]
    made = [Member(n, tmp_path, ["--database", database.url], options) for n in (1, 2)]
    yield made
    for member in made:
        member.kill()


def expire(database: Database, table: str, webhook: str) -> None:
    """Let the claim of a webhook run out, as it does half a minute after its server's last word."""
    with open_store(database) as store:
        body = store.setting(cursor_name(table, webhook))
        assert body
        cursor = msgspec.json.decode(body, type=Cursor)
        assert cursor.owner, "the server that was killed had it"
        changed = msgspec.json.encode(replace(cursor, until=1))
        assert store.swap_setting(cursor_name(table, webhook), body, changed).result()


def test_another_server_goes_on_with_the_posts_of_one_that_was_killed(
    database: Database, members: list[Member]
) -> None:
    first, second = members
    first.start()
    spread = Spread([first.url, second.url])
    with Receiver() as receiver:
        gm = spread.found()
        hook = gm.post(gm.at("/webhooks"), {"address": receiver.url}, 201)
        gm.act("note", text="One.")
        receiver.wait(1)
        receiver.open.clear()
        gm.act("note", text="Two.")
        receiver.wait(2)  # it is being posted, and not answered
        second.start()
        first.kill()
        gm.http.base_url = second.url
        gm.act("note", text="Three.")
        expire(database, gm.table, hook["id"])
        receiver.open.set()
        posts = receiver.wait(4)
        told = [post.json["entry"]["lines"][0]["text"].removeprefix("Mira: ") for post in posts]
        assert told == ["One.", "Two.", "Two.", "Three."]
        deliveries = [post.headers["astragal-delivery"] for post in posts]
        assert deliveries[1] == deliveries[2], "the receiver can tell that it is the same"
    spread.close()
