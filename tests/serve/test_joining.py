"""How people come to a table: invitations, codes, knocks, seats on another device, screens of the room."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest
from websockets.sync.client import connect

from astragal.serve.access.codes import LETTERS, WORDS
from astragal.serve.settings import Rate
from tests.serve.running import FREE, Guest, LiveSocket, Running

NOON = 1_700_000_000_000
HOUR = 3_600_000


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def timed(tmp_path: Path, clock: Clock) -> Iterator[Running]:
    with Running(tmp_path / "tables.db", FREE._replace(clock=clock)) as running:
        yield running


def token(link: str) -> str:
    return link.partition("#")[2]


# Invitations.


def test_an_invitation_says_who_invites_to_what(server: Running, gm: Guest) -> None:
    stranger = server.guest()
    told = stranger.post(gm.at("/invitation"), {"token": token(gm.links["player"])})
    assert told["title"] == "The Drowned Bell" and told["gms"] == ["Mira"] and told["role"] == "player"
    assert (told["game"], told["game_title"]) == ("narraject", "Narraject")
    assert told["member"] is None and told["you"] is None
    jonas = gm.invite("player", "Jonas")
    assert jonas.post(gm.at("/invitation"), {"token": token(gm.links["player"])})["you"]["name"] == "Jonas"
    own = gm.post(gm.at("/links"), {"member": "Jonas"}, 201)
    told = stranger.post(gm.at("/invitation"), {"token": token(own["path"])})
    assert told["member"] == {"id": jonas.member, "name": "Jonas"}


def test_a_dead_link_says_what_to_do(server: Running, gm: Guest) -> None:
    link = gm.post(gm.at("/links"), {"role": "player"}, 201)
    assert gm.http.delete(gm.at(f"/links/{link['id']}")).status_code == 204
    for wrong in (token(link["path"]), "nonsense"):
        told = server.guest().post(gm.at("/invitation"), {"token": wrong}, 403)
        assert "Ask the GM for a new one" in told["detail"]
    assert server.guest().post("/api/tables/nowhere/invitation", {"token": "x"}, 403) == {**told, "request": ANY}


def test_a_browser_that_goes_astray_gets_the_page(server: Running) -> None:
    http = server.guest().http
    page = http.get("/nowhere", headers={"Accept": "text/html,*/*"})
    if page.status_code != 503:  # the page may not be built here
        assert page.status_code == 404 and page.headers["content-type"].startswith("text/html")
    assert http.get("/nowhere.js").headers["content-type"] == "application/problem+json"


# A seat on another device.


def test_a_code_takes_a_seat_to_another_device_once(server: Running, gm: Guest) -> None:
    jonas = gm.invite("player", "Jonas")
    code = jonas.post(gm.at("/seat/code"), {})["code"]
    assert len(code) == 9 and set(code.replace("-", "")) <= set(LETTERS)
    phone = server.guest()
    seat = phone.post("/api/seat", {"code": f" {code.lower().replace('-', ' ')} "})
    assert (seat["table"], seat["member"], seat["role"]) == (gm.table, jonas.member, "player")
    phone.table = gm.table
    assert phone.view()["you"]["name"] == "Jonas"
    assert "not valid" in server.guest().post("/api/seat", {"code": code}, 403)["detail"]
    assert jonas.view()["you"]["name"] == "Jonas"


def test_a_gm_gives_a_code_for_anybodys_seat_and_nobody_else_does(server: Running, gm: Guest) -> None:
    jonas, ada = gm.invite("player", "Jonas"), gm.invite("player", "Ada")
    assert "Only a GM" in jonas.post(gm.at("/seat/code"), {"member": "Ada"}, 403)["detail"]
    code = gm.post(gm.at("/seat/code"), {"member": "Ada"})["code"]
    assert server.guest().post("/api/seat", {"code": code})["member"] == ada.member
    links = len(gm.get(gm.at("/links"))["links"])
    code = gm.post(gm.at("/seat/code"), {"member": ada.member})["code"]
    assert len(gm.get(gm.at("/links"))["links"]) == links, "one link for each seat is enough"
    ada.act("leave")
    server.guest().post("/api/seat", {"code": code}, 403)
    assert "has left" in gm.post(gm.at("/seat/code"), {"member": ada.member}, 422)["detail"]


def test_a_newer_code_ends_the_older_and_time_ends_both(timed: Running, clock: Clock) -> None:
    gm = timed.found()
    first, second = (gm.post(gm.at("/seat/code"), {})["code"] for _ in range(2))
    timed.guest().post("/api/seat", {"code": first}, 403)
    clock.now += 601_000
    timed.guest().post("/api/seat", {"code": second}, 403)
    third = gm.post(gm.at("/seat/code"), {})
    clock.now += 1000 * third["seconds"]
    assert timed.guest().post("/api/seat", {"code": third["code"]})["role"] == "gm"


# The join code, and who knocks with it.


def test_a_code_that_is_read_aloud_works_until_a_gm_ends_it(timed: Running, clock: Clock) -> None:
    """Whether or not it is still shown; the one who reads it aloud closes the dialog to play."""
    gm = timed.found()
    shown = gm.post(gm.at("/code"), {})
    assert len(shown["code"].split()) == 3 and set(shown["code"].split()) <= set(WORDS)
    clock.now += 3 * HOUR
    assert timed.guest().post("/api/knocks", {"code": shown["code"].upper(), "name": "Ada"}, 202)["gms"] == ["Mira"]
    assert gm.post(gm.at("/code"), {})["code"] == shown["code"]
    assert gm.http.delete(gm.at("/code")).status_code == 204
    timed.guest().post("/api/knocks", {"code": shown["code"], "name": "Bo"}, 403)
    assert gm.post(gm.at("/code"), {})["code"] != shown["code"]


def test_a_code_that_nobody_shows_any_more_ends_after_an_evening(timed: Running, clock: Clock) -> None:
    gm = timed.found()
    shown = gm.post(gm.at("/code"), {})
    clock.now += 1000 * shown["seconds"] + 1
    timed.guest().post("/api/knocks", {"code": shown["code"], "name": "Bo"}, 403)
    assert gm.post(gm.at("/code"), {})["code"] != shown["code"]


def knocking(gm: Guest, name: str) -> tuple[Guest, str]:
    code = gm.post(gm.at("/code"), {})["code"]
    newcomer = gm.server.guest()
    return newcomer, newcomer.post("/api/knocks", {"code": code, "name": name}, 202)["knock"]


def test_a_gm_lets_a_newcomer_in(server: Running, gm: Guest) -> None:
    player = gm.invite("player", "Jonas")
    with gm.connection() as desk, player.connection() as other:
        desk.next("hello")
        other.next("hello")
        newcomer, secret = knocking(gm, "Ada")
        (waits,) = desk.next("knocks")["knocks"]
        assert waits["name"] == "Ada" and set(waits) == {"id", "name", "at"}
        assert gm.get(gm.at("/knocks"))["knocks"] == [waits]
        answer = gm.http.post(gm.at(f"/knocks/{waits['id']}"), json={"let_in": True})
        assert answer.status_code == 204, answer.text
        seat = newcomer.post("/api/knocks/wait", {"knock": secret})
        assert (seat["state"], seat["table"], seat["role"]) == ("in", gm.table, "player")
        newcomer.table = gm.table
        assert newcomer.view()["you"]["name"] == "Ada"
        assert other.next()["type"] == "news", "a player learns of the knock when Ada sits down"
        assert desk.next("knocks")["knocks"] == []


def test_a_gm_who_comes_later_sees_who_waits_and_may_refuse(server: Running, gm: Guest) -> None:
    newcomer, secret = knocking(gm, "Eve")
    with gm.connection() as desk:
        assert desk.next()["type"] == "hello"
        (waits,) = desk.next("knocks")["knocks"]
    assert gm.http.post(gm.at(f"/knocks/{waits['id']}"), json={"let_in": False}).status_code == 204
    assert newcomer.post("/api/knocks/wait", {"knock": secret}) == {"state": "refused"}
    newcomer.table = gm.table
    newcomer.get(gm.at(), 403)
    assert gm.http.post(gm.at(f"/knocks/{waits['id']}"), json={"let_in": True}).status_code == 404
    assert "Eve" not in json.dumps(gm.view()["log"])


def test_a_name_that_is_taken_is_refused_at_the_door(server: Running, gm: Guest) -> None:
    code = gm.post(gm.at("/code"), {})["code"]
    assert "already" in server.guest().post("/api/knocks", {"code": code, "name": "mira"}, 422)["detail"]
    assert server.guest().post("/api/knocks/wait", {"knock": "nonsense"}, 404)


def test_knocks_are_few_and_end(timed: Running, clock: Clock) -> None:
    gm = timed.found()
    for n in range(5):
        _, secret = knocking(gm, f"Guest {n}")
    code = gm.post(gm.at("/code"), {})["code"]
    assert "several doors" in timed.guest().post("/api/knocks", {"code": code, "name": "Six"}, 422)["detail"]
    clock.now += 601_000
    timed.guest().post("/api/knocks/wait", {"knock": secret}, 404)
    assert gm.get(gm.at("/knocks"))["knocks"] == []
    knocking(gm, "Late")
    rows = timed.server.repository.store.setting_names(f"live/{gm.table}/knock/")
    assert len(rows) == 1, "the next one who comes clears away what has ended"


def test_codes_cannot_be_tried_often(tmp_path: Path) -> None:
    few = FREE._replace(codes=Rate(0.001, 3))
    with Running(tmp_path / "a.db", few) as server:
        statuses = [server.guest().http.post("/api/seat", json={"code": f"X{n}"}).status_code for n in range(5)]
        assert statuses == [403, 403, 403, 429, 429]
    all_together = FREE._replace(all_codes=Rate(0.001, 3))
    with Running(tmp_path / "b.db", all_together) as server:
        tries = [("/api/seat", {"code": "X"}), ("/api/knocks", {"code": "X", "name": "Eve"})] * 2
        assert [server.guest().http.post(path, json=body).status_code for path, body in tries] == [403, 403, 403, 429]


# The screen of the room.


def screen_socket(guest: Guest) -> LiveSocket:
    url = guest.server.url.replace("http", "ws")
    opening = connect(f"{url}{guest.at('/screen/live')}", additional_headers={"Cookie": guest.cookie})
    return LiveSocket(opening.__enter__())


def test_a_screen_sees_what_an_onlooker_sees_and_leaves_the_browsers_seat_alone(server: Running, gm: Guest) -> None:
    olaf = gm.invite("onlooker", "Olaf")
    gm.act("note", text="Only for me.", seen="gm")
    gm.act("create", name="Lurker", seen="gm")
    assert gm.post(gm.at("/screen/seat"), {})["member"] == "screen"
    seen, theirs = gm.get(gm.at("/screen")), olaf.view()
    assert seen["you"] == {"id": "screen", "name": "Screen", "role": "onlooker"} and "links" not in seen
    for part in (seen["parts"]["table"], theirs["parts"]["table"]):
        del part["you"]
    assert (seen["parts"], seen["log"], seen["version"]) == (theirs["parts"], theirs["log"], theirs["version"])
    assert gm.view()["you"]["role"] == "gm"
    with screen_socket(gm) as wall, olaf.connection() as socket:
        assert wall.next("hello")["you"]["id"] == "screen"
        assert socket.next("hello")["here"] == [olaf.member, "screen"]
        gm.act("note", text="For the wall.")
        gm.act("note", text="For me again.", seen="gm")
        gm.act("note", text="The end.")
        told = ""
        while "The end." not in told:
            told += wall.raw()
        assert "For the wall." in told and "For me again." not in told


def test_a_screen_comes_by_a_link_and_goes_with_it(server: Running, gm: Guest) -> None:
    link = gm.post(gm.at("/links"), {"role": "onlooker"}, 201)
    wall = server.guest()
    wall.table = gm.table
    wall.post(gm.at("/screen/seat"), {}, 403)
    wall.post(gm.at("/screen/seat"), {"token": "nonsense"}, 403)
    wall.post(gm.at("/screen/seat"), {"token": token(link["path"])})
    assert wall.get(gm.at("/screen"))["you"]["role"] == "onlooker"
    members = [path for path in wall.get(gm.at("/screen"))["parts"] if path.startswith("members/")]
    assert len(members) == 1, "no member came with it"
    code = wall.post(gm.at("/screen/code"), {})["code"]
    assert server.guest().post("/api/knocks", {"code": code, "name": "Ada"}, 202)
    wall.get(gm.at(), 403)
    wall.act("note", 403, text="A screen does nothing.")
    gm.http.delete(gm.at(f"/links/{link['id']}"))
    wall.get(gm.at("/screen"), 403)


def test_a_screens_cookie_is_no_seat(server: Running, gm: Guest) -> None:
    wall = server.guest()
    wall.table = gm.table
    wall.post(gm.at("/screen/seat"), {"token": token(gm.links["player"])})
    value = next(cookie.value for cookie in wall.http.cookies.jar if cookie.name == "screen")
    for path in ("", "/log", "/stats"):
        assert wall.http.get(gm.at(path), headers={"Cookie": f"seat={value}"}).status_code == 403
    seat = next(cookie.value for cookie in gm.http.cookies.jar if cookie.name == "seat")
    assert wall.http.get(gm.at("/screen"), headers={"Cookie": f"screen={seat}"}).status_code == 403


def test_other_sites_can_neither_knock_nor_take_a_seat(server: Running, gm: Guest) -> None:
    away = {"Origin": "https://evil.example"}
    bodies: dict[str, Any] = {
        "/api/seat": {"code": "X"},
        "/api/knocks": {"code": "X", "name": "Eve"},
        gm.at("/code"): {},
        gm.at("/seat/code"): {},
        gm.at("/screen/seat"): {},
    }
    for path, body in bodies.items():
        assert gm.http.post(path, json=body, headers=away).status_code == 403
