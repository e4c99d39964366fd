"""Who may do what: links, seats, roles, origins, limits and headers."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from astragal.serve.access.auth import Links, load_signer
from astragal.serve.api.operations import OPERATIONS
from astragal.serve.settings import Rate
from astragal.serve.telemetry import RequestLog
from astragal.storage import open_store
from tests.serve.running import FREE, Guest, Running

NAMES = ("holder", "knock", "link", "roll", "tie", "webhook")
"""What paths below a table name besides it."""
SEATED = [operation for operation in OPERATIONS if operation.seat]
BODIES: dict[str, Any] = {
    "act": {"do": "note", "text": "Hello."},
    "makeLink": {"role": "player"},
    "answerKnock": {"let_in": False},
    "giveSeatCode": {},
    "showCode": {},
    "showCodeOnScreen": {},
    "addWebhook": {"address": "https://example.org/hook"},
}
ROLES = ("gm", "player", "onlooker", "stranger", "revoked", "left", "elsewhere")


@pytest.fixture(scope="module")
def people(server: Running) -> dict[str, Guest]:
    """A guest of every role, and some who lost their seat or never had one."""
    gm = server.found("narraject", sample=True)
    found = {"gm": gm, "player": gm.invite("player"), "onlooker": gm.invite("onlooker"), "stranger": server.guest()}
    link = gm.post(gm.at("/links"), {"role": "player"}, 201)
    found["revoked"] = server.guest().take_seat(gm.table, link["path"], "Rita")
    assert gm.http.delete(gm.at(f"/links/{link['id']}")).status_code == 204
    found["left"] = gm.invite("player", "Lena")
    found["left"].act("leave")
    found["elsewhere"] = server.found()
    for person in found.values():
        person.table = gm.table
    return found


def _request(person: Guest, operation: Any, table: str) -> httpx.Response:
    """A request with whatever cookie the guest has."""
    path = operation.path.format(
        table=table, roll="r1", holder="table", link="none", knock="none", tie="user-1", webhook="none"
    )
    headers = {"Idempotency-Key": f"matrix-{next(Guest.keys)}", "Cookie": person.cookie}
    url = f"{person.server.url}{path}"
    return httpx.request(operation.method, url, json=BODIES.get(operation.name), headers=headers)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("operation", SEATED, ids=lambda operation: operation.name)
def test_every_forbidden_pair_of_role_and_route_is_refused(people: dict[str, Guest], operation: Any, role: str) -> None:
    answer = _request(people[role], operation, people["gm"].table)
    may = (role == "gm" and operation.seat != "screen") or (role in ("player", "onlooker") and operation.seat == "any")
    if role == "onlooker" and operation.name == "act":
        may = False
    if may:
        assert answer.status_code != 403
        assert answer.status_code < 300 or answer.json()["kind"] in ("unknown", "illegal")
    else:
        assert answer.status_code in (403, 404)
        assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("role", ROLES)
def test_only_a_seat_can_connect(people: dict[str, Guest], role: str) -> None:
    if role in ("gm", "player", "onlooker"):
        with people[role].connection() as connection:
            assert connection.next("hello")["you"]["role"] == role
        return
    with pytest.raises(InvalidStatus) as refused:
        people[role].connection()
    assert refused.value.response.status_code in (403, 404)
    assert b"seat" in refused.value.response.body


def test_a_shared_link_makes_a_new_seat_and_a_personal_one_gives_it_back(server: Running, gm: Guest) -> None:
    player = gm.invite("player", "Jonas")
    link = gm.post(gm.at("/links"), {"role": "player", "member": "Jonas"}, 201)
    assert (link["member"], link["role"]) == (player.member, "player")
    phone = server.guest().take_seat(gm.table, link["path"])
    assert phone.member == player.member
    token = gm.links["player"].partition("#")[2]
    blank = server.guest().post(gm.at("/seat"), {"token": token, "name": " "}, 400)["detail"]
    assert blank == "The body cannot be read: Expected a text that is not blank - at `$.name`."
    assert "Give your name" in server.guest().post(gm.at("/seat"), {"token": token}, 422)["detail"]
    assert "already" in server.guest().post(gm.at("/seat"), {"token": token, "name": "jonas"}, 422)["detail"]
    assert player.post(gm.at("/seat"), {"token": token})["member"] == player.member


def test_the_founders_link_is_theirs_alone(server: Running, gm: Guest) -> None:
    again = server.guest().take_seat(gm.table, gm.links["gm"])
    assert again.view()["you"] == gm.view()["you"]


def test_a_token_opens_one_table_and_cannot_be_guessed(server: Running, gm: Guest) -> None:
    other, token = server.found(), gm.links["player"].partition("#")[2]
    for wrong in (token[:-1], token[:-1] + ("A" if token[-1] != "A" else "B"), token[12:], "x", "é" * 55):
        server.guest().post(gm.at("/seat"), {"token": wrong, "name": "Eve"}, 403)
    server.guest().post(other.at("/seat"), {"token": token, "name": "Eve"}, 403)
    server.guest().post("/api/tables/nowhere/seat", {"token": token, "name": "Eve"}, 403)


def test_nobody_without_a_link_learns_whether_a_table_exists(server: Running, gm: Guest) -> None:
    bodies: tuple[Any, ...] = (None, [], {"token": "x" * 55, "name": "Eve"}, {"token": "x" * 55}, {})
    told = []
    for table in (gm.table, "nowhere"):
        http, at = server.guest().http, f"/api/tables/{table}"
        answers = [
            http.request(operation.method, operation.path.format(table=table, **dict.fromkeys(NAMES, "x")), json=body)
            for operation in OPERATIONS
            if operation.path.startswith("/api/tables/{table}")
            for body in bodies
        ]
        answers.append(http.post(f"{at}/seat", content=b"{", headers={"Content-Type": "application/json"}))
        answers.append(http.post(f"{at}/seat?x=1", json={"token": "x" * 55, "name": "Eve"}))
        told.append([(answer.status_code, {**answer.json(), "request": ""}) for answer in answers])
    assert told[0] == told[1] and len(told[0]) > 100
    assert {status for status, _ in told[0]} == {400, 403, 415}


def test_a_seat_is_signed(server: Running, gm: Guest) -> None:
    text, _, signature = gm.http.cookies["seat"].partition(".")
    for forged in (f"{text}.{signature[:-2]}", f"{text}x.{signature}", text, ".", "a.b.c", "\xe9"):
        with httpx.Client(base_url=server.url) as eve:
            answer = eve.get(gm.at(), headers={b"Cookie": f"seat={forged}".encode("latin-1")})
        assert answer.status_code == 403


def test_the_cookie_is_for_its_table_and_not_for_scripts(server: Running) -> None:
    answer = server.guest().http.post("/api/tables", json={"game": "tgimh", "title": "T", "name": "M"})
    cookie = answer.headers["set-cookie"]
    assert f"Path=/api/tables/{answer.json()['table']}" in cookie
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Secure" not in cookie


def test_a_secure_server_gives_secure_cookies(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", FREE._replace(secure=True)) as server:
        answer = server.guest().http.post("/api/tables", json={"game": "tgimh", "title": "T", "name": "M"})
        assert "Secure" in answer.headers["set-cookie"]


def test_links_and_seats_outlive_the_server(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db") as server:
        gm = server.found()
        cookies = dict(gm.http.cookies)
    with Running(tmp_path / "tables.db") as server:
        again = server.guest()
        again.http.cookies.update(cookies)
        again.table = gm.table
        assert again.view()["you"]["name"] == "Mira"
        assert server.guest().take_seat(gm.table, gm.links["player"], "Jonas").member


def test_a_gm_cannot_lock_themselves_out(gm: Guest) -> None:
    own = next(link for link in gm.get(gm.at("/links"))["links"] if link["role"] == "gm")
    assert gm.http.delete(gm.at(f"/links/{own['id']}")).status_code == 422
    assert gm.http.delete(gm.at("/links/none")).status_code == 404


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({}, True),
        ({"Origin": "{own}"}, True),
        ({"Origin": "https://evil.example"}, False),
        ({"Origin": "null"}, False),
        ({"Origin": "http://127.0.0.1:1"}, False),
        ({"Origin": "http://["}, False),
        ({"Sec-Fetch-Site": "same-origin"}, True),
        ({"Sec-Fetch-Site": "none"}, True),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
    ],
)
def test_a_request_from_another_sites_page_is_refused(
    server: Running, gm: Guest, headers: dict[str, str], allowed: bool
) -> None:
    sent = {name: value.replace("{own}", server.url) for name, value in headers.items()}
    gm.act("note", 200, text="Hello.")
    answer = gm.http.post(gm.at("/links"), json={"role": "player"}, headers=sent)
    assert answer.status_code == (201 if allowed else 403)
    if allowed:
        gm.connection(headers=sent).socket.close()
    else:
        with pytest.raises(InvalidStatus):
            gm.connection(headers=sent)


def test_too_many_requests_are_refused_for_a_while(tmp_path: Path) -> None:
    slow = FREE._replace(actions=Rate(0.5, 3), questions=Rate(0.5, 2))
    with Running(tmp_path / "tables.db", slow) as server:
        gm = server.found()
        player = gm.invite()
        for n in range(3):
            gm.act("note", text=f"Note {n}.")
        answer = gm.http.post(gm.at("/actions"), json={"do": "close"}, headers={"Idempotency-Key": "k"})
        assert (answer.status_code, answer.json()["kind"]) == (429, "limited")
        assert 1 <= int(answer.headers["retry-after"]) <= 3
        player.act("note", text="Another member has a bucket of their own.")
        statuses = [
            server.guest().http.post("/api/roll", json={"game": "chronicles", "inputs": {"pool": 1}}).status_code
            for _ in range(3)
        ]
        assert statuses == [200, 200, 429]


@pytest.mark.parametrize("path", ["/", "/docs", "/openapi.json", "/api/games", "/healthz", "/nowhere", "/api/tables/x"])
def test_every_answer_has_the_security_headers(server: Running, path: str) -> None:
    headers = server.guest().http.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy and "base-uri 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "cache-control" in headers and "server" not in headers


def test_an_unknown_path_or_method_is_a_problem_too(server: Running) -> None:
    http = server.guest().http
    for answer, status in ((http.get("/api/nothing"), 404), (http.put("/api/odds"), 405), (http.post("/docs"), 405)):
        assert answer.status_code == status
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["detail"].endswith(".")
    assert http.put("/api/odds").headers["allow"] == "POST"
    assert http.head("/api/games").status_code == 200


def test_no_secret_is_in_a_log_line(tmp_path: Path) -> None:
    log = io.StringIO()
    with Running(tmp_path / "tables.db", request_log=RequestLog(log)) as server:
        gm = server.found()
        player = gm.invite()
        with player.connection() as connection:
            connection.next("hello")
        server.guest().post(gm.at("/seat"), {"token": "wrong" * 10, "name": "Eve"}, 403)
        gm.get("/api/nothing?token=" + gm.links["gm"].partition("#")[2], 404)
        secrets = [link.partition("#")[2] for link in gm.links.values()]
        secrets += [gm.http.cookies["seat"], player.http.cookies["seat"], gm.table]
    written = log.getvalue()
    assert '"path":"/api/tables/{table}/seat"' in written and player.member in written
    assert not any(secret in written for secret in secrets)


def test_metrics_count_what_happens(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db") as server:
        gm = server.found()
        with gm.connection() as connection:
            connection.next("hello")
            gm.act("note", text="Hello.")
            connection.next("news")
            gm.act("throw", 404)
            text = server.guest().http.get("/metrics").text
    assert 'astragal_actions_total{do="note"} 1' in text
    assert 'astragal_refusals_total{kind="unknown"} 1' in text
    assert "astragal_sockets 1" in text and "astragal_tables_open 1" in text
    assert 'astragal_broadcast_seconds_bucket{le="+Inf"} 1' in text
    assert 'path="/api/tables/{table}/actions",status="200"} 1' in text


def test_a_revoked_link_is_not_brought_back_by_who_read_the_store_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(tmp_path / "tables.db") as store:
        links = Links(store, load_signer(store), "t")
        link = links.create("player", None, 1)
        read_before = links._stored()
        links.revoke(link.id)
        monkeypatch.setattr(links, "_stored", lambda: read_before)
        links.reload()
        assert link.id not in links
