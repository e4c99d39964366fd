"""One server owns a table: another that is asked takes it over, guests act at any, and nothing rests on a notice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from websockets.exceptions import ConnectionClosed

from astragal.serve.access.auth import Links
from astragal.storage import open_store
from astragal.storage.tables.repository import Repository
from astragal.table import action as a
from tests.serve.cluster.fleet import SOON, Fleet, at, opened, seen
from tests.serve.running import Guest, LiveSocket, Running, until


def check(server: Running) -> None:
    """Have a server check its open tables now."""
    server.in_loop(lambda: server.server.watch._check_soon(""))


def closed(socket: LiveSocket, seconds: float = SOON) -> int:
    """The code with which a server closes a socket, after it has said why."""
    assert "another server" in socket.next("bye", seconds)["why"]
    with pytest.raises(ConnectionClosed):
        socket.raw(seconds)
    assert socket.socket.close_code is not None
    return socket.socket.close_code


def test_whoever_is_asked_takes_over_and_sockets_of_the_former_owner_are_sent_there(fleet: Fleet, gm: Guest) -> None:
    last = gm.act("note", text="one")["version"]
    with opened(fleet[0], gm) as old:
        assert at(fleet[1], gm).act("note", text="two")["version"] == last + 1
        assert closed(old) == 1012
        with at(fleet[1], gm).connection(since=last) as new:
            assert len(new.next("news", SOON)["entries"]) == 1
    assert fleet[0].server.claims.lost and gm.table not in fleet[0].server.registry.hubs
    assert gm.view()["version"] == last + 1, "and it comes back to whoever is asked next"


def test_a_former_owner_that_heard_nothing_stores_nothing_and_the_same_key_is_done_elsewhere(deaf: Fleet) -> None:
    gm = deaf[0].found()
    gm.act("note", text="before")
    with opened(deaf[0], gm) as socket:
        last = at(deaf[1], gm).act("note", text="elsewhere")["version"]
        sent = {"do": "note", "text": "late"}
        answer = gm.http.post(gm.at("/actions"), json=sent, headers={"Idempotency-Key": "late"})
        assert answer.status_code == 503 and answer.headers.get("Retry-After") == "1", answer.text
        assert "another server" in answer.json()["detail"]
        assert at(deaf[1], gm).act("note", key="late", text="late")["version"] == last + 1
        assert closed(socket) == 1012


def test_a_check_finds_that_a_table_has_moved_although_no_notice_told(deaf: Fleet) -> None:
    gm = deaf[0].found()
    with opened(deaf[0], gm) as socket:
        at(deaf[1], gm).view()
        assert socket.quiet()
        check(deaf[0])
        assert closed(socket) == 1012


@pytest.mark.parametrize("told", [True, False])
def test_the_owner_takes_in_what_a_program_beside_it_does(fleet: Fleet, deaf: Fleet, told: bool) -> None:
    """A note, a link that is revoked, and in the end the whole table: by a notice, or by a check."""
    server = fleet[0] if told else deaf[0]
    gm = server.found()
    eve = gm.invite("player", "Eve")

    def look() -> None:
        if not told:
            check(server)

    database = (fleet if told else deaf).database
    with open_store(database) as store, opened(server, gm) as desk, opened(server, eve) as revoked:
        repository = Repository(store)
        table = repository.open(gm.table)
        table.act(eve.member, a.NoteAction(text="From the command line."), "beside", 1)
        look()
        assert seen(desk, 1, SOON)[0]["lines"][0]["text"].endswith("From the command line.")
        links = Links(store, server.server.signer, gm.table)
        links.revoke(next(link.id for link in links.all() if link.role == "player"))
        look()
        assert "revoked" in revoked.next("bye", SOON)["why"]
        repository.delete(gm.table)
        look()
        assert "deleted" in desk.next("bye", SOON)["why"]


def test_a_guest_acts_at_any_server_and_the_owner_tells_of_it(fleet: Fleet, gm: Guest) -> None:
    """Somebody takes a seat by a code at another server, which does not take the table over for it."""
    code = gm.post(gm.at("/code"), {})["code"]
    with opened(fleet[0], gm) as desk:
        ada = fleet[1].guest()
        secret = ada.post("/api/knocks", {"code": code, "name": "Ada"}, 202)["knock"]
        (waits,) = desk.next("knocks", SOON)["knocks"]
        with ThreadPoolExecutor(1) as threads:
            seat = threads.submit(ada.post, "/api/knocks/wait", {"knock": secret})
            assert gm.http.post(gm.at(f"/knocks/{waits['id']}"), json={"let_in": True}).status_code == 204
            assert seat.result(30)["state"] == "in"
        assert desk.next("knocks", SOON)["knocks"] == []
        assert fleet[0].server.registry.hubs[gm.table].owned
        assert not fleet[1].server.registry.hubs[gm.table].owned
        ada.table = gm.table
        assert ada.view()["you"]["name"] == "Ada"
        assert closed(desk) == 1012, "at the table itself, whoever is asked takes over"


def test_the_owner_answers_nobody_with_less_than_they_have_seen_at_another_server(deaf: Fleet) -> None:
    """No notice tells the owner of what a guest did; the guest's next request does."""
    gm = deaf[0].found()
    by = gm.view()["you"]["id"]
    with open_store(deaf.database) as store:
        guest = Repository(store).open(gm.table)
        for n, key in enumerate(("once", "more")):
            last = guest.act(by, a.NoteAction(text="As a guest."), key, 1).entry.version
            if n:
                with at(deaf[0], gm).connection(since=last) as socket:
                    socket.next("here", SOON)
                    assert gm.view()["version"] == last
            else:
                sent, headers = {"do": "note", "text": "Next."}, {"Idempotency-Key": "next", "If-Match": str(last)}
                answer = gm.http.post(gm.at("/actions"), json=sent, headers=headers)
                assert (answer.status_code, answer.json().get("version")) == (200, last + 1)


def test_people_who_go_from_server_to_server_are_slow_and_lose_nothing(fleet: Fleet, gm: Guest) -> None:
    """As behind a balancer that does not go by the table: each entry once, and a key that comes twice too."""
    n = 3
    before = gm.act("note", text="before")["version"]

    def play(place: int) -> list[str]:
        found = []
        for turn in range(n):
            guest = at(fleet[(place + turn) % 2], gm)
            found.append(_act(guest, f"walk-{place}-{turn}"))
            assert _act(at(fleet[(place + turn + 1) % 2], gm), f"walk-{place}-{turn}") == found[-1]
        return found

    with ThreadPoolExecutor(4) as threads:
        entries = [entry for found in threads.map(play, range(4)) for entry in found]
    assert len(set(entries)) == 4 * n and gm.view()["version"] == before + 4 * n


def _act(guest: Guest, key: str) -> str:
    """Act as a page does: what was not stored is sent again. The id of the entry."""
    while True:
        sent = {"do": "note", "text": key}
        answer = guest.http.post(guest.at("/actions"), json=sent, headers={"Idempotency-Key": key})
        if answer.status_code != 503:
            assert answer.status_code == 200, answer.text
            return str(answer.json()["entry"]["id"])


def test_a_key_that_comes_to_two_servers_at_once_is_one_entry_and_one_answer(fleet: Fleet, gm: Guest) -> None:
    before = gm.act("note", text="before")["version"]
    with ThreadPoolExecutor(4) as threads:
        found = set(threads.map(lambda place: _act(at(fleet[place % 2], gm), "twice"), range(4)))
    assert len(found) == 1 and gm.view()["version"] == before + 1


def test_a_connection_for_notices_that_is_cut_is_made_again(fleet: Fleet, gm: Guest) -> None:
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'astragal notices'"
    with opened(fleet[0], gm) as desk:
        with psycopg.connect(fleet.database.url) as connection:
            connection.execute(cut)
        until(lambda: not fleet[0].server.watch.listening)
        at(fleet[1], gm).view()
        assert closed(desk) == 1012
        until(lambda: all(server.server.watch.listening for server in fleet.servers))


def test_no_notice_has_anything_that_was_said_or_hidden(fleet: Fleet, gm: Guest) -> None:
    hidden = "Xanthippe"
    with psycopg.connect(fleet.database.url, autocommit=True) as listener:
        listener.execute("LISTEN astragal")
        gm.act("note", text=f"{hidden} is behind it all.", seen="gm")
        gm.invite("player", hidden)
        gm.post(gm.at("/links"), {"member": hidden}, 201)
        at(fleet[1], gm).act("create", name=hidden, seen="gm")
        sent = [notice.payload for notice in listener.notifies(timeout=1)]
    assert any('"moved"' in each for each in sent) and any('"changed"' in each for each in sent)
    assert not [each for each in sent if hidden in each or "Mira" in each]


def test_an_owner_sends_no_notice_when_it_stores(fleet: Fleet, gm: Guest) -> None:
    """A notice takes a lock of the whole database at its commit."""
    gm.act("note", text="first")
    with psycopg.connect(fleet.database.url, autocommit=True) as listener:
        listener.execute("LISTEN astragal")
        sent: list[Any] = []
        for n in range(20):
            gm.act("note", text=f"{n}")
        sent = [notice.payload for notice in listener.notifies(timeout=0.5) if gm.table in notice.payload]
    assert sent == []
