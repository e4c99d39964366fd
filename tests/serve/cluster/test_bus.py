"""The bus: small batches, the latest word about each thing, and addresses that mean one."""

from __future__ import annotations

import asyncio
import io
import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from astragal.errors import Malformed, Unavailable
from astragal.serve.bus import opening
from astragal.serve.bus.bus import RETRY, Bus
from astragal.serve.bus.message import MAX_BATCH, Changed, HereNow, Message, Notice, decode_batch, encode_batches
from astragal.serve.bus.nats import NatsBus
from astragal.serve.bus.opening import check_bus, fleet_of, open_bus
from astragal.serve.bus.postgres import CHANNELS, PostgresBus, address_of_bus
from astragal.serve.telemetry import RequestLog
from astragal.store import Database, open_store
from tests.serve.cluster.fleet import Nats
from tests.serve.running import FREE, Running, until

MESSAGES: list[Message] = [
    Notice("t", 17),
    Changed("t", "links"),
    Changed("t", "door"),
    HereNow("t", ("m1", "m2")),
    HereNow("u", ()),
]


def test_batches_are_small_and_say_the_same() -> None:
    messages = [*MESSAGES, *(Notice("x" * 64, n) for n in range(500))]
    batches = list(encode_batches("server", messages))
    assert len(batches) > 1 and max(map(len, batches)) <= MAX_BATCH
    read = [decode_batch(batch) for batch in batches]
    assert [message for batch in read if batch for message in batch.messages] == messages
    assert list(encode_batches("server", [])) == []
    huge = HereNow("t", tuple(f"member {n}" for n in range(1000)))
    (batch,) = encode_batches("server", [huge, Notice("t", 1)])
    assert [message.table for message in decode_batch(batch).messages] == ["t"]  # type: ignore[union-attr]


@pytest.mark.parametrize("junk", [b"", b"[]", b'["s",[["unknown","t"]]]', b'["s",[["notice",1,"x"]]]', b"\xff", "{}"])
def test_what_cannot_be_read_is_left_alone(junk: Any) -> None:
    assert decode_batch(junk) is None


def test_a_later_word_about_the_same_replaces_the_earlier() -> None:
    bus = Bus()
    bus.send(Notice("t", 1))
    assert bus._batches() == [], "a bus that is not there keeps nothing"
    bus.connected = True
    for message in (Notice("t", 1), Changed("t", "door"), Notice("u", 5), Notice("t", 2), Changed("t", "links")):
        bus.send(message)
    sent = [message for _, batch in bus._batches() for message in decode_batch(batch).messages]  # type: ignore[union-attr]
    assert sent == [Changed("t", "door"), Notice("t", 2), Changed("t", "links"), Notice("u", 5)]


def test_a_table_that_is_followed_twice_is_followed_until_both_end() -> None:
    bus = PostgresBus("postgresql://nowhere")
    for table in ("t", "t"):
        bus.follow(table)
    bus.unfollow("t")
    assert len(bus._channels) == 1
    bus.unfollow("t")
    assert not bus._channels
    assert len({bus._channel(f"table {n}") for n in range(1000)}) == CHANNELS


def told(one: Bus, other: Bus) -> None:
    """What one server says about a table, another one hears that follows it, and nobody else."""
    heard: list[Any] = []
    lost: list[Any] = []

    async def go() -> None:
        one.follow("mine")
        other.follow("t")
        tasks = [
            asyncio.create_task(bus.run(receive))
            for bus, receive in ((one, lost.append), (other, lambda batch: heard.extend(batch.messages)))
        ]
        await reach(lambda: one.connected and other.connected)
        for message in MESSAGES[:4]:
            one.send(message)
        one.send(Notice("nobody-listens", 1))
        await reach(lambda: len(heard) >= 4)
        other.follow("later")
        await asyncio.sleep(0.1)
        one.send(Notice("later", 3))
        await reach(lambda: Notice("later", 3) in heard)
        other.unfollow("t")
        await asyncio.sleep(0.1)
        one.send(Notice("t", 18))
        one.send(Notice("later", 4))
        await reach(lambda: Notice("later", 4) in heard)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(go())
    assert heard[:4] == MESSAGES[:4] and Notice("t", 18) not in heard
    assert lost == [], "nobody hears what they say themselves"


async def reach(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not holds():
            await asyncio.sleep(0.005)


def test_servers_hear_each_other_over_postgresql(database: Database) -> None:
    told(PostgresBus(database.url), PostgresBus(database.url))


def test_servers_hear_each_other_over_nats(nats: Nats) -> None:
    told(NatsBus(nats.address, "fleet"), NatsBus(nats.address, "fleet"))


def test_servers_of_other_stores_hear_nothing(database: Database, new_database: Any) -> None:
    with open_store(database) as one, open_store(new_database()) as other:
        assert fleet_of(one) == fleet_of(one) != fleet_of(other)
        assert NatsBus("nats://x", fleet_of(one))._channel("t") != NatsBus("nats://x", fleet_of(other))._channel("t")


def test_an_address_means_a_bus_or_is_refused(monkeypatch: pytest.MonkeyPatch, database: Database) -> None:
    with open_store(database) as store:
        assert type(open_bus("", store)) is type(open_bus("none", store)) is Bus
        assert type(open_bus("nats://127.0.0.1:4222", store)) is NatsBus
        assert type(open_bus(database.url, store)) is PostgresBus
    with pytest.raises(Malformed, match="A bus is nats") as refused:
        check_bus("natss://user:secret@host")
    assert "secret" not in str(refused.value)
    monkeypatch.setattr(opening, "find_spec", lambda name: None)
    with pytest.raises(Unavailable, match=r"pip install 'astragal\[nats\]'") as missing:
        check_bus("nats://user:secret@host")
    assert "secret" not in str(missing.value)


def test_of_several_hosts_the_bus_takes_the_one_that_takes_writes() -> None:
    assert "target_session_attrs=read-write" in address_of_bus("postgresql://user@db1,db2/name")
    assert "target_session_attrs=any" in address_of_bus("postgresql://user@db1,db2/name?target_session_attrs=any")


def test_the_log_says_once_that_the_bus_is_gone_and_once_that_it_is_back(nats: Nats, database: Database) -> None:
    log = io.StringIO()
    with Running(database, FREE._replace(bus=nats.address), request_log=RequestLog(log)) as server:
        others = server.server.others
        assert others
        until(lambda: others.bus.connected, 20)
        nats.stop()
        until(lambda: not others.bus.connected, 20)
        time.sleep(2 * RETRY)
        nats.start()
        until(lambda: others.bus.connected, 20)
    lines = [line for line in map(json.loads, log.getvalue().splitlines()) if line.get("part") == "bus"]
    assert [line["event"] for line in lines] == ["trouble", "well again"]
    assert "cannot be reached" in lines[0]["why"]
