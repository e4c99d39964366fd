"""People across servers: links, codes that are typed elsewhere, and what strangers may try."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from astragal.serve.settings import Rate
from astragal.storage.tables.limits import Limits
from tests.databases import Databases
from tests.serve.cluster.fleet import Fleet, at
from tests.serve.running import FREE, Guest


def token(link: str) -> str:
    return link.partition("#")[2]


def test_a_link_and_a_seat_of_one_server_are_good_at_all_of_them(fleet: Fleet, gm: Guest) -> None:
    for each in fleet.servers:
        at(each, gm).view()
    link = at(fleet[1], gm).post(gm.at("/links"), {"role": "player"}, 201)
    ada = fleet[0].guest().take_seat(gm.table, link["path"], "Ada")
    for each in fleet.servers:
        assert at(each, ada).view()["you"]["name"] == "Ada"
        assert link["id"] in [known["id"] for known in at(each, gm).get(gm.at("/links"))["links"]]


def test_a_seat_goes_to_another_device_at_another_server_once(fleet: Fleet, gm: Guest) -> None:
    code = gm.post(gm.at("/seat/code"), {})["code"]
    phones = [server.guest() for server in fleet.servers]
    with ThreadPoolExecutor(2) as threads:
        tried = list(threads.map(lambda phone: phone.http.post("/api/seat", json={"code": code}), phones))
    assert sorted(answer.status_code for answer in tried) == [200, 403]


def test_codes_are_tried_as_seldom_as_at_one_server(databases: Databases) -> None:
    few = FREE._replace(codes=Rate(0.001, 3))
    with databases.lent() as lend, Fleet(lend(), 2, few) as fleet:
        tries = [fleet[n % 2].guest().http.post("/api/seat", json={"code": f"try {n}"}).status_code for n in range(8)]
    assert tries == [403] * 3 + [429] * 5
    few = FREE._replace(all_codes=Rate(0.001, 3), new_tables=Rate(0.001, 2))
    with databases.lent() as lend, Fleet(lend(), 2, few) as fleet:
        tries = [fleet[n % 2].guest().http.post("/api/seat", json={"code": f"try {n}"}).status_code for n in range(8)]
        assert tries == [403] * 3 + [429] * 5
        body = {"game": "narraject", "title": "T", "name": "M"}
        made = [fleet[n % 2].guest().http.post("/api/tables", json=body).status_code for n in range(4)]
        assert made == [201, 201, 429, 429]


def test_tables_and_links_are_no_more_than_at_one_server(databases: Databases) -> None:
    few = FREE._replace(limits=Limits(tables=4, links=6))
    with databases.lent() as lend, Fleet(lend(), 2, few) as fleet, ThreadPoolExecutor(9) as threads:
        gm = fleet[0].found()
        body = {"game": "narraject", "title": "T", "name": "M"}
        guests = [fleet[n % 2].guest() for n in range(9)]
        made = list(threads.map(lambda guest: guest.http.post("/api/tables", json=body).status_code, guests))
        assert set(made) <= {201, 503} and made.count(201) <= 3
        gms = [at(fleet[n % 2], gm) for n in range(9)]
        made = list(threads.map(lambda each: each.http.post(gm.at("/links"), json={}).status_code, gms))
        assert set(made) <= {201, 422} and made.count(201) <= 3
        assert len(gm.get(gm.at("/links"))["links"]) <= 6
        assert fleet[0].server.repository.store.usage().tables <= 4


def test_a_screen_of_the_room_at_another_server_shows_the_table(fleet: Fleet, gm: Guest) -> None:
    screen = fleet[1].guest()
    screen.table = gm.table
    assert screen.post(gm.at("/screen/seat"), {"token": token(gm.links["player"])})["role"] == "onlooker"
    elsewhere: Any = at(fleet[0], screen)
    assert elsewhere.get(gm.at("/screen"))["you"]["name"] == "Screen"


def test_whoever_has_a_revoked_seat_costs_the_store_nothing_more(fleet: Fleet, gm: Guest) -> None:
    link = gm.post(gm.at("/links"), {"role": "player"}, 201)
    eve = gm.server.guest().take_seat(gm.table, link["path"], "Eve")
    assert gm.http.delete(gm.at(f"/links/{link['id']}")).status_code == 204
    eve.get(gm.at(), 403)
    links = fleet[0].server.registry.hubs[gm.table].links
    asked: list[str] = []
    links.reload_for = lambda id: asked.append(id) or set()  # type: ignore[method-assign, func-returns-value]
    for _ in range(5):
        eve.get(gm.at(), 403)
    assert asked == []
