"""People across servers: who is here, links, codes that are typed elsewhere, and what strangers may try."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from astragal.repository.limits import Limits
from astragal.serve.live import others
from astragal.serve.settings import Rate
from tests.databases import Databases
from tests.serve.cluster.fleet import QUICK, SOON, Fleet, at, opened
from tests.serve.running import Guest, until


def token(link: str) -> str:
    return link.partition("#")[2]


def test_who_is_here_is_told_wherever_they_are(fleet: Fleet, gm: Guest) -> None:
    jonas = at(fleet[1], gm).invite("player", "Jonas")
    mira = gm.view()["you"]["id"]
    with opened(fleet[0], gm) as desk:
        with opened(fleet[1], jonas) as phone:
            desk.until_here([mira, jonas.member])
            phone.until_here([mira, jonas.member])
            third = at(fleet[2], gm)
            until(lambda: third.view()["here"] == [mira, jonas.member])
        desk.until_here([mira])


def test_somebody_with_two_sockets_at_two_servers_is_here_until_both_close(fleet: Fleet, gm: Guest) -> None:
    jonas = gm.invite("player", "Jonas")
    mira = gm.view()["you"]["id"]
    with opened(fleet[0], gm) as desk:
        with opened(fleet[1], jonas):
            desk.until_here([mira, jonas.member])
            with opened(fleet[2], jonas):
                time.sleep(0.2)
            assert desk.quiet(1.2), "Jonas is here all the time"
        desk.until_here([mira])


def test_the_members_at_a_server_that_died_are_here_no_longer(
    databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(others, "DEAD", 1.5)
    with databases.lent() as lend, Fleet(lend(), 2) as fleet:
        gm = fleet[0].found()
        jonas, mira = gm.invite("player", "Jonas"), gm.view()["you"]["id"]
        with opened(fleet[0], gm) as desk, opened(fleet[1], jonas):
            desk.until_here([mira, jonas.member])
            dead = fleet[1].server.others
            assert dead
            for name in ("beat", "moved", "see_here"):
                monkeypatch.setattr(dead, name, lambda *_: None)
            desk.until_here([mira])
            store = fleet[0].server.repository.store
            until(lambda: not [name for name in store.settings_under(["live/"]) if dead.bus.server in name])


@pytest.mark.parametrize("server", [1, 2])
def test_a_revoked_link_ends_every_seat_at_every_server_within_two_seconds(
    fleet: Fleet, gm: Guest, server: int
) -> None:
    link = gm.post(gm.at("/links"), {"role": "player"}, 201)
    eve = fleet[server].guest().take_seat(gm.table, link["path"], "Eve")
    with opened(fleet[1], eve) as one, opened(fleet[2], eve) as other, opened(fleet[0], gm):
        assert at(fleet[2], gm).http.delete(gm.at(f"/links/{link['id']}")).status_code == 204
        began = time.monotonic()
        for socket in (one, other):
            assert "revoked" in socket.next("bye", SOON)["why"]
        assert time.monotonic() - began < SOON
    for each in fleet.servers:
        guest = at(each, eve)
        until(lambda guest=guest: guest.http.get(gm.at()).status_code == 403, SOON)  # type: ignore[misc]
        each.guest().post(gm.at("/invitation"), {"token": token(link["path"])}, 403)


def test_a_link_and_a_seat_of_one_server_are_good_at_all_of_them(fleet: Fleet, gm: Guest) -> None:
    for each in fleet.servers:
        at(each, gm).view()
    link = at(fleet[1], gm).post(gm.at("/links"), {"role": "player"}, 201)
    ada = fleet[2].guest().take_seat(gm.table, link["path"], "Ada")
    for each in fleet.servers:
        assert at(each, ada).view()["you"]["name"] == "Ada"
        assert link["id"] in [known["id"] for known in at(each, gm).get(gm.at("/links"))["links"]]


def test_a_code_is_shown_at_one_server_typed_at_another_and_answered_at_a_third(fleet: Fleet, gm: Guest) -> None:
    desk_guest = at(fleet[2], gm)
    code = gm.post(gm.at("/code"), {})["code"]
    with opened(fleet[2], gm) as desk:
        ada, bo = fleet[1].guest(), fleet[0].guest()
        secret = ada.post("/api/knocks", {"code": code, "name": "Ada"}, 202)["knock"]
        (waits,) = desk.next("knocks", SOON)["knocks"]
        with ThreadPoolExecutor(1) as threads:
            seat = threads.submit(ada.post, "/api/knocks/wait", {"knock": secret})
            answered = desk_guest.http.post(gm.at(f"/knocks/{waits['id']}"), json={"let_in": True})
            assert answered.status_code == 204, answered.text
            began = time.monotonic()
            assert seat.result(30)["state"] == "in"
            assert time.monotonic() - began < SOON
        assert desk.next("knocks", SOON)["knocks"] == []
        ada.table = gm.table
        assert ada.view()["you"]["name"] == "Ada"
        assert at(fleet[1], gm).post(gm.at("/code"), {})["code"] == code, "every server shows the same"
        assert at(fleet[1], gm).http.delete(gm.at("/code")).status_code == 204
        bo.post("/api/knocks", {"code": code, "name": "Bo"}, 403)


def test_a_seat_goes_to_another_device_at_another_server_once(fleet: Fleet, gm: Guest) -> None:
    code = gm.post(gm.at("/seat/code"), {})["code"]
    phones = [server.guest() for server in fleet.servers]
    with ThreadPoolExecutor(3) as threads:
        tried = list(threads.map(lambda phone: phone.http.post("/api/seat", json={"code": code}), phones))
    assert sorted(answer.status_code for answer in tried) == [200, 403, 403]


def test_codes_are_tried_as_seldom_as_at_one_server(databases: Databases) -> None:
    few = QUICK._replace(codes=Rate(0.001, 3))
    with databases.lent() as lend, Fleet(lend(), 2, few, "none") as fleet:
        tries = [fleet[n % 2].guest().http.post("/api/seat", json={"code": f"try {n}"}).status_code for n in range(8)]
    assert tries == [403] * 3 + [429] * 5
    few = QUICK._replace(all_codes=Rate(0.001, 3), new_tables=Rate(0.001, 2))
    with databases.lent() as lend, Fleet(lend(), 2, few, "none") as fleet:
        tries = [fleet[n % 2].guest().http.post("/api/seat", json={"code": f"try {n}"}).status_code for n in range(8)]
        assert tries == [403] * 3 + [429] * 5
        body = {"game": "narraject", "title": "T", "name": "M"}
        made = [fleet[n % 2].guest().http.post("/api/tables", json=body).status_code for n in range(4)]
        assert made == [201, 201, 429, 429]


def test_tables_and_links_are_no_more_than_at_one_server(databases: Databases) -> None:
    few = QUICK._replace(limits=Limits(tables=4, links=6))
    with databases.lent() as lend, Fleet(lend(), 3, few, "none") as fleet, ThreadPoolExecutor(9) as threads:
        gm = fleet[0].found()
        body = {"game": "narraject", "title": "T", "name": "M"}
        guests = [fleet[n % 3].guest() for n in range(9)]
        made = list(threads.map(lambda guest: guest.http.post("/api/tables", json=body).status_code, guests))
        assert set(made) <= {201, 503} and made.count(201) <= 3
        gms = [at(fleet[n % 3], gm) for n in range(9)]
        made = list(threads.map(lambda each: each.http.post(gm.at("/links"), json={}).status_code, gms))
        assert set(made) <= {201, 422} and made.count(201) <= 3
        assert len(gm.get(gm.at("/links"))["links"]) <= 6
        assert fleet[0].server.repository.store.usage().tables <= 4


def test_a_screen_of_the_room_at_another_server_shows_the_table(fleet: Fleet, gm: Guest) -> None:
    screen = fleet[1].guest()
    screen.table = gm.table
    assert screen.post(gm.at("/screen/seat"), {"token": token(gm.links["player"])})["role"] == "onlooker"
    elsewhere: Any = at(fleet[2], screen)
    assert elsewhere.get(gm.at("/screen"))["you"]["name"] == "Screen"


def test_whoever_has_a_revoked_seat_costs_the_store_nothing_more(fleet: Fleet, gm: Guest) -> None:
    link = gm.post(gm.at("/links"), {"role": "player"}, 201)
    eve = gm.server.guest().take_seat(gm.table, link["path"], "Eve")
    assert gm.http.delete(gm.at(f"/links/{link['id']}")).status_code == 204
    eve.get(gm.at(), 403)
    links = fleet[0].server.registry.hubs[gm.table].links
    asked: list[str] = []
    links.look_for = lambda id: asked.append(id) or set()  # type: ignore[method-assign, func-returns-value]
    for _ in range(5):
        eve.get(gm.at(), 403)
    assert asked == []
