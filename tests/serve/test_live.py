"""Connections: everybody receives everything that they may see, once and in order, whatever happens."""

from __future__ import annotations

import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from astragal.serve.live.broadcast import Broadcast
from astragal.serve.live.connection import MAX_MESSAGES, Connection
from astragal.storage.tables.stored_table import now
from astragal.table.state import Member
from tests.cli.command import run_apart
from tests.serve.running import FREE, Guest, LiveSocket, Running, until
from tests.share import record, share


def versions(connection: LiveSocket, up_to: int) -> list[int]:
    """The version of every frame, until the last one."""
    found: list[int] = []
    while not found or found[-1] < up_to:
        found.append(connection.next("news")["version"])
    return found


def test_a_connection_begins_with_a_snapshot(gm: Guest) -> None:
    with gm.connection() as connection:
        hello = connection.next()
        view = gm.view()
        del view["links"]
        assert hello == {"type": "hello", **view, "here": [view["you"]["id"]]}


def test_every_connection_receives_every_version_once_and_in_order(server: Running) -> None:
    gm = server.found()
    players = [gm.invite("player", f"Player {n}") for n in range(3)]
    guests = [gm, *players, *(gm.invite("onlooker", f"Onlooker {n}") for n in range(4))]
    start, n = gm.view()["version"], share(2000, 120)
    connections = [guest.connection() for guest in guests for _ in range(2)]
    received: list[list[str]] = [[] for _ in connections]

    def listen(place: int) -> None:
        version = connections[place].next("hello")["version"]
        while version < start + n:
            news = connections[place].next("news")
            received[place] += [entry["id"] for entry in news["entries"]]
            assert news["version"] == version + len(news["entries"])
            version = news["version"]

    threads = [threading.Thread(target=listen, args=(place,)) for place in range(len(connections))]
    for thread in threads:
        thread.start()
    until(lambda: len(server.server.registry.hubs[gm.table].presence.connections) == len(connections))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda k: [gm, *players][k % 4].act("note", text=f"Note {k}."), range(n)))
    for thread in threads:
        thread.join(120)
    log = [entry["id"] for entry in gm.get(gm.at("/log?limit=200"))["entries"]]
    assert all(len(each) == n and each[-len(log) :] == log[-n:] for each in received)
    assert len({tuple(each) for each in received}) == 1
    for connection in connections:
        connection.socket.close()
    record("versions received by every connection, once and in order", f"{n} by {len(connections)} connections")


def test_a_reconnect_receives_what_was_missed(gm: Guest) -> None:
    with gm.connection() as connection:
        since = connection.next("hello")["version"]
    for n in range(5):
        gm.act("note", text=f"Note {n}.")
    with gm.connection(since) as connection:
        news = connection.next("news")
        assert [entry["lines"][0]["text"] for entry in news["entries"]] == [f"Mira: Note {n}." for n in range(5)]
        assert (news["version"], news["all"]) == (since + 5, True)
        gm.act("note", text="Now.")
        assert connection.next("news")["version"] == since + 6
    with gm.connection(since + 6) as connection:
        assert connection.next()["type"] == "here"
        assert connection.quiet()


def test_a_reconnect_too_far_behind_or_with_a_wrong_version_gets_a_snapshot(gm: Guest) -> None:
    start = gm.view()["version"]
    for n in range(205):
        gm.act("note", text=f"Note {n}.")
    for since in (start, 10**9):
        with gm.connection(since) as connection:
            assert connection.next()["type"] == "hello"


def test_a_hidden_entry_leaves_no_trace_on_a_players_connection(gm: Guest) -> None:
    player = gm.invite()
    with player.connection() as connection, gm.connection() as own:
        version = connection.next("hello")["version"]
        own.next("hello")
        connection.next("here")
        gm.act("note", text="Secret.", seen="gm")
        gm.act("create", name="Lurker", seen="gm")
        gm.act("edit", holder="table", section="clocks", item="Doom", to={"segments": 4, "seen": "gm"})
        assert [own.next("news")["version"] for _ in range(3)][-1] > version + 1
        assert connection.quiet()
        gm.act("note", text="Open.")
        news = connection.next()
        assert (news["type"], news["version"], len(news["entries"])) == ("news", version + 1, 1)


def test_a_hidden_roll_about_a_seen_character_is_not_even_named(gm: Guest) -> None:
    player = gm.invite()
    gm.act("create", name="Ysolde", template="Ysolde Marrin", seen="all")
    gm.act("open", who="Ysolde", seen="gm")
    with player.connection() as connection:
        connection.next("hello")
        gm.act("change", holder="Ysolde", section="stats", item="Wits", by=-1)
        news = connection.next("news")
        assert [path.partition("/")[0] for path in news["parts"]] == ["holders"]


def test_a_part_that_is_gone_is_null_for_those_who_had_it(gm: Guest) -> None:
    player = gm.invite()
    gm.act("create", name="Ysolde", template="Ysolde Marrin")
    roll = gm.act("open", who="Ysolde")["entry"]["lines"][0]["roll"]
    with player.connection() as connection:
        holder = next(path for path in connection.next("hello")["parts"] if path.startswith("holders/c"))
        gm.act("withdraw", roll=roll)
        news = connection.next("news")
        assert news["all"] or news["parts"][f"rolls/{roll}"] is None
        gm.act("retire", holder="Ysolde")
        news = connection.next("news")
        assert (news["all"] and holder not in news["parts"]) or news["parts"][holder] is None


def test_a_new_role_brings_a_snapshot(gm: Guest) -> None:
    player = gm.invite()
    gm.act("create", name="Lurker", seen="gm")
    with player.connection() as connection:
        assert "Lurker" not in connection.raw()
        gm.act("seat", member=player.member, role="gm")
        hello = connection.next("hello")
        assert hello["you"]["role"] == "gm" and "Lurker" in json.dumps(hello)
        gm.act("seat", member=player.member, role="player")
        assert "Lurker" not in json.dumps(connection.next("hello"))


def test_whoever_leaves_is_disconnected(gm: Guest) -> None:
    player = gm.invite()
    with player.connection() as connection:
        connection.next("hello")
        gm.act("leave", member=player.member)
        assert connection.next("bye")["why"]
        with pytest.raises(ConnectionClosed) as closed:
            connection.raw()
        assert closed.value.rcvd and closed.value.rcvd.code == 1008
    player.get(player.at(), 403)


def test_a_revoked_link_closes_its_connections_at_once(server: Running, gm: Guest) -> None:
    link = gm.post(gm.at("/links"), {"role": "player"}, 201)
    guest, other = server.guest().take_seat(gm.table, link["path"], "Rita"), gm.invite()
    with guest.connection() as connection, other.connection() as stays:
        connection.next("hello"), stays.next("hello")
        assert gm.http.delete(gm.at(f"/links/{link['id']}")).status_code == 204
        assert "revoked" in connection.next("bye")["why"]
        with pytest.raises(ConnectionClosed):
            connection.raw()
        gm.act("note", text="Still here?")
        assert stays.next("news")
    guest.get(guest.at(), 403)
    guest.post(guest.at("/seat"), {"token": link["path"].partition("#")[2], "name": "Rita"}, 403)


def test_everybody_sees_who_is_here(gm: Guest) -> None:
    player = gm.invite()
    me = gm.view()["you"]["id"]
    with gm.connection() as connection:
        assert connection.next("hello")["here"] == [me]
        with player.connection() as other:
            assert other.next("hello")["here"] == [me, player.member]
            assert connection.next()["here"] == [me, player.member]
            with player.connection():  # a second window of the same seat is no news
                assert connection.quiet()
        assert connection.next()["here"] == [me]


def test_what_the_command_line_does_is_seen_in_the_browser(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", FREE._replace(poll_every=0.1)) as server:
        gm = server.found()
        with gm.connection() as connection:
            version = connection.next("hello")["version"]
            done = run_apart("table", "do", gm.table, "note", "From afar.", "--data", str(tmp_path))
            assert done.code == 0, done.err
            news = connection.next("news")
            assert "From afar." in json.dumps(news) and news["version"] == version + 1


def test_pings_are_sent_and_a_silent_connection_is_closed(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", FREE._replace(ping_every=0.1, receive_timeout=0.8)) as server:
        gm = server.found()
        with gm.connection() as connection, gm.connection() as silent:
            silent.next("hello")
            assert connection.next("hello") and connection.quiet(1.5)  # it answers each ping
            frames = []
            with pytest.raises(ConnectionClosed):
                while True:
                    frames.append(json.loads(silent.socket.recv(5))["type"])
            assert frames[0] == "ping" and frames[-1] == "bye"


def test_a_client_that_sends_too_much_is_disconnected(gm: Guest) -> None:
    with gm.connection() as connection:
        connection.next("hello")
        connection.socket.send("x" * 1000)
        assert connection.next("bye")
    with gm.connection() as connection:
        connection.next("hello")
        with pytest.raises(ConnectionClosed):
            connection.socket.send("x" * 100_000)
            connection.raw()


WHEN = '{"type": "when"}'


def test_whoever_asks_is_told_the_time_of_entries_and_nothing_else(gm: Guest) -> None:
    for guest in (gm, gm.invite(), gm.invite("onlooker")):
        with guest.connection() as connection:
            connection.next("hello")
            before = now()
            connection.socket.send(WHEN)
            told = connection.next("now")
            assert set(told) == {"type", "at"} and before <= told["at"] <= now()


@pytest.mark.parametrize("text", ["", "when", "[]", '{"type":"now"}', '{"type":"when"', '"when"', "\x00", '{"type":7}'])
def test_what_is_no_message_of_ours_is_not_answered(gm: Guest, text: str) -> None:
    with gm.connection() as connection:
        connection.next("hello")
        connection.socket.send(text)
        connection.socket.send(text.encode())
        connection.socket.send(WHEN)
        while (frame := connection.next())["type"] != "now":
            assert frame["type"] == "here"


def test_asking_for_the_time_is_limited_as_all_messages_are(gm: Guest) -> None:
    with gm.connection() as connection:
        connection.next("hello")
        for _ in range(MAX_MESSAGES + 1):
            connection.socket.send(WHEN)
        assert "Too many" in connection.next("bye")["why"]


def _stuck(guest: Guest) -> socket.socket:
    """A connection that is opened and never read."""
    stuck = socket.socket()
    stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    stuck.connect(("127.0.0.1", guest.server.port))
    stuck.sendall(
        f"GET {guest.at('/live')} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
        f"Cookie: {guest.cookie}\r\n\r\n".encode()
    )
    return stuck


def test_a_slow_reader_is_disconnected_and_delays_nobody(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", FREE._replace(send_timeout=0.3, poll_every=0.1)) as server:
        gm = server.found()
        player = gm.invite()
        with _stuck(player), gm.connection() as connection:
            until(lambda: len(server.server.registry.hubs[gm.table].presence.connections) == 2)
            connection.next("hello")
            for n in range(1500):
                gm.act("note", text=f"{n} " + "x" * 3900)
                assert connection.next("news")["entries"]
                if server.server.metrics.sockets_cut["slow"]:
                    break
            assert server.server.metrics.sockets_cut["slow"] == 1
            me, hub = gm.view()["you"]["id"], server.server.registry.hubs[gm.table]
            until(lambda: [each.seat.member for each in list(hub.presence.connections)] == [me])


BOMB: dict[str, Any] = {"kind": "attempt", "inputs": {"pool": 1000, "again": "8", "rote": True}}


def test_a_reader_who_was_cut_off_holds_nothing_any_more(tmp_path: Path) -> None:
    """Not even the connection, and what was sent to it, though it stays open on the other side."""
    with Running(tmp_path / "tables.db", FREE._replace(send_timeout=0.3, poll_every=0.1)) as server:
        gm = server.found("chronicles")
        player = gm.invite()
        player.http.close()
        until(lambda: server.server.connections.total == 1)
        with _stuck(player):
            until(lambda: server.server.connections.total == 2)
            while not server.server.metrics.sockets_cut["slow"]:
                gm.act("roll", **BOMB)
            # The GM's connection, which goes when it is idle, must not be taken for the reader's.
            until(lambda: gm.view() and server.server.connections.total == 1)


def test_what_nobody_reads_is_bounded_and_whoever_reads_stays(tmp_path: Path) -> None:
    settings = FREE._replace(send_timeout=600, poll_every=0.1, limits=FREE.limits._replace(unsent=500_000))
    with Running(tmp_path / "tables.db", settings) as server:
        gm = server.found("chronicles")
        player, hub = gm.invite(), server.server.registry.hubs[gm.table]
        stuck = [_stuck(player) for _ in range(4)]
        with gm.connection() as reads:
            until(lambda: len(hub.presence.connections) == 5)
            for _ in range(3):
                gm.act("roll", **BOMB)
                reads.next("news")
            until(lambda: server.server.metrics.sockets_cut["slow"])
            until(lambda: sum(each.unsent for each in list(hub.presence.connections)) < 500_000)
            gm.act("note", text="Still here?")
            assert reads.next("news")["entries"]
        for each in stuck:
            each.close()


def test_a_large_frame_is_made_once_for_all_who_see_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    sent: list[str] = []
    frame, send = Broadcast._frame, Connection._send

    def counted(broadcast: Broadcast, member: Member) -> str | None:
        made.append(1)
        return frame(broadcast, member)

    async def noted(connection: Connection, frame: str) -> None:
        sent.append(frame)
        await send(connection, frame)

    monkeypatch.setattr(Broadcast, "_frame", counted)
    monkeypatch.setattr(Connection, "_send", noted)
    with Running(tmp_path / "tables.db") as server:
        gm = server.found("chronicles")
        player = gm.invite()
        watching = [player.connection() for _ in range(8)]
        for each in watching:
            each.next("hello")
        until(lambda: len(server.server.registry.hubs[gm.table].presence.connections) == 8)
        made.clear()
        sent.clear()
        gm.act("roll", **BOMB)
        for each in watching:
            assert each.next("news")["entries"]
            each.socket.close()
    large = [frame for frame in sent if len(frame) > 100_000]
    assert len(made) == 1 and len(large) == 8 and len({id(frame) for frame in large}) == 1


def test_a_server_stops_within_five_seconds_with_open_connections(tmp_path: Path) -> None:
    server = Running(tmp_path / "tables.db")
    gm = server.found()
    connections = [gm.connection() for _ in range(5)]
    for connection in connections:
        connection.next("hello")
    said: list[str] = []

    def listen(connection: LiveSocket) -> None:
        said.append(connection.next("bye")["why"])
        with pytest.raises(ConnectionClosed) as closed:
            connection.raw()
        said.append(str(closed.value.rcvd.code if closed.value.rcvd else 0))

    threads = [threading.Thread(target=listen, args=(connection,)) for connection in connections]
    for thread in threads:
        thread.start()
    assert server.stop() < 5
    for thread in threads:
        thread.join(5)
    assert said.count("1001") == len(connections) and len(said) == 2 * len(connections)
    for connection in connections:
        connection.socket.close()
