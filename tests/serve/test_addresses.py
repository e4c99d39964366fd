"""Addresses that no browser sends: every one is answered with a problem, and none with a path of the server."""

from __future__ import annotations

import json
import resource
import socket
import sqlite3
from contextlib import suppress
from pathlib import Path
from time import sleep

import pytest
from websockets.exceptions import InvalidStatus

from astragal.serve import health
from astragal.serve.limits import connections
from astragal.serve.limits.addresses import Networks, address_key
from astragal.serve.limits.connections import MAX_HEAD
from astragal.storage import open_store
from tests.serve.running import FREE, Guest, Running, until

PATHS = [
    b"/%00",
    b"/a%00b",
    b"/assets/%00",
    b"/" + b"a" * 5_000,
    b"/" + b"a" * 300,
    b"/" + b"a/" * 2_000,
    b"/assets/" + b"%2e" * 400,
    b"/%ff%fe",
    b"/\xc3\xa9",
    b"//",
    b"/..%2f..%2fetc%2fpasswd",
    b"/.env",
    b"/api/tables/%00",
    b"/api/tables/%00/live",
    b"/api/tables/x/rolls/%00/odds",
    b"/api/tables/" + b"t" * 3_000,
    b"/?" + b"q" * 9_000,
    b"/%",
    b"/%zz",
    b"*",
    b"http://[",
]


def raw(server: Running, data: bytes, seconds: float = 5) -> bytes:
    """What the server answers to these bytes."""
    with socket.create_connection(("127.0.0.1", server.port), seconds) as client:
        client.sendall(data)
        answer = b""
        while b"\r\n\r\n" not in answer or _body_length(answer) > len(answer.partition(b"\r\n\r\n")[2]):
            chunk = client.recv(65536)
            if not chunk:
                break
            answer += chunk
        return answer


def _body_length(answer: bytes) -> int:
    lines = answer.partition(b"\r\n\r\n")[0].lower().split(b"\r\n")
    return next((int(line.partition(b":")[2]) for line in lines if line.startswith(b"content-length:")), 0)


def _is_closed(client: socket.socket) -> bool:
    """Whether the server closes the connection before the client loses patience."""
    try:
        return client.recv(100) == b""
    except ConnectionError:
        return True


@pytest.mark.parametrize("path", PATHS, ids=lambda path: repr(path[:20]))
@pytest.mark.parametrize("method", [b"GET", b"POST"])
def test_an_unroutable_address_is_a_problem_and_never_a_fault(server: Running, path: bytes, method: bytes) -> None:
    answer = raw(server, method + b" " + path + b" HTTP/1.1\r\nHost: localhost\r\ncontent-length: 0\r\n\r\n")
    head, _, body = answer.partition(b"\r\n\r\n")
    assert 200 <= int(head.split()[1]) < 500, head
    if int(head.split()[1]) >= 400:
        assert b"application/problem+json" in head.lower()
        assert json.loads(body)["detail"].endswith(".")


UPGRADE = (
    b" HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: "
)


@pytest.mark.parametrize("path", [b"/", b"/%00", b"/nowhere", b"/api/tables", b"/api/tables/x/live"])
@pytest.mark.parametrize("key", [b"dGhlIHNhbXBsZSBub25jZQ==", b"x"])
def test_a_socket_where_there_is_none_is_a_problem(server: Running, path: bytes, key: bytes) -> None:
    head, _, body = raw(server, b"GET " + path + UPGRADE + key + b"\r\n\r\n").partition(b"\r\n\r\n")
    assert head.split()[1] in (b"400", b"403", b"404") and b"application/problem+json" in head.lower()
    assert json.loads(body)["detail"].endswith(".")


HEADS = {
    "a long header": b"X: " + b"a" * 20_000 + b"\r\n",
    "many headers": b"".join(b"X%d: a\r\n" % n for n in range(300)),
    "a body": b"Content-Length: 5\r\n",
    "another version": b"Sec-WebSocket-Version: 8\r\n",
}


@pytest.mark.parametrize("more", HEADS)
def test_a_handshake_that_cannot_be_read_is_answered_and_holds_no_connection(server: Running, more: str) -> None:
    """uvicorn alone leaves some of them without an answer for ever."""
    key = b"dGhlIHNhbXBsZSBub25jZQ=="
    with socket.create_connection(("127.0.0.1", server.port), 5) as client:
        client.sendall(b"GET /api/tables/x/live" + UPGRADE + key + b"\r\n" + HEADS[more] + b"\r\nhello")
        answer = b""
        while chunk := client.recv(65536):
            answer += chunk
    assert answer.startswith(b"HTTP/1.1 400") and b"This is not a readable WebSocket handshake." in answer


def test_a_socket_with_an_address_that_is_too_long_is_answered(server: Running) -> None:
    answer = raw(server, b"GET /" + b"a" * 9_000 + UPGRADE + b"dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    assert b"application/problem+json" in answer


def test_a_page_says_which_methods_it_takes(server: Running) -> None:
    answer = raw(server, b"DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert b"405" in answer and b"DELETE is not allowed here; GET and HEAD are." in answer


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"GET\r\n\r\n",
        b"GET / HTTP/1.1\r\nbad header\r\n\r\n",
        b"\0" * 100 + b"\r\n\r\n",
    ],
)
def test_what_is_no_http_is_a_problem(server: Running, data: bytes) -> None:
    answer = raw(server, data)
    assert answer.startswith(b"HTTP/1.1 400") and b'"kind":"malformed"' in answer


def test_a_head_without_end_is_refused(server: Running) -> None:
    long = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"a" * (MAX_HEAD // 2)
    assert b"200" in raw(server, long + b"\r\n\r\n").split(b"\r\n")[0]
    assert raw(server, long + b"a" * MAX_HEAD).startswith(b"HTTP/1.1 431")


def test_a_half_sent_request_holds_its_connection_for_a_while_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_TIMEOUT", 0.3)
    with Running(tmp_path / "tables.db") as server:
        for half in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: loc"):
            with socket.create_connection(("127.0.0.1", server.port), 5) as client:
                client.sendall(half)
                assert _is_closed(client)
        with socket.create_connection(("127.0.0.1", server.port), 5) as client:
            whole = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
            client.sendall(whole)
            assert b"200" in client.recv(1000)
            client.sendall(whole[:20])  # the second request of a connection may not linger either
            assert _is_closed(client)


def test_no_answer_shows_a_path_of_the_server(tmp_path: Path) -> None:
    folder = tmp_path / "secret folder"
    with Running(folder / "tables.db") as server:
        gm = server.found()
        broken: list[str] = []
        server.server.repository.store.close()
        for method, path in (("GET", "/healthz"), ("GET", gm.at("/story")), ("GET", gm.at("/log"))):
            broken.append(gm.http.request(method, path).text)
        broken.append(gm.http.post("/api/tables", json={"game": "tgimh", "title": "T", "name": "M"}).text)
        broken.append(gm.http.post(gm.at("/actions"), json={"do": "close"}, headers={"Idempotency-Key": "k"}).text)
        assert any("tables.db" in text for text in broken)
        assert not any("secret folder" in text or str(tmp_path) in text for text in broken)


def test_the_server_is_healthy_only_if_a_write_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "EVERY", 0.0)
    with Running(tmp_path / "tables.db") as server:
        guest = server.guest()
        assert guest.get("/healthz") == {"status": "ok"}
        other = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")  # nobody else can write now, but everybody can read
        with monkeypatch.context() as patched:
            patched.setattr(health, "PATIENCE", 0.1)
            assert guest.get("/healthz", 503)["kind"] == "unavailable"
        other.execute("ROLLBACK")
        other.close()
        assert guest.get("/healthz") == {"status": "ok"}
        server.server.repository.store.close()
        assert guest.get("/healthz", 503)["kind"] == "unavailable"


def test_a_full_disk_is_not_healthy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "EVERY", 0.0)
    with Running(tmp_path / "tables.db") as server:
        gm = server.found()
        assert gm.get("/healthz") == gm.get("/healthz") == {"status": "ok"}
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        # Files may not grow from here on, as on a full disk.
        resource.setrlimit(resource.RLIMIT_FSIZE, ((tmp_path / "tables.db-wal").stat().st_size, before[1]))
        try:
            assert gm.act("note", 503, text="x" * 3000)["kind"] == "unavailable"
            assert [gm.get("/healthz", 503)["kind"] for _ in range(3)] == ["unavailable"] * 3
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert gm.get("/healthz") == {"status": "ok"}
        gm.act("note", text="and on")


def test_a_server_whose_tables_have_all_their_room_is_not_healthy(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db") as server:
        gm = server.found()
        server.server.repository.quota.disk_full = True
        assert "full" in gm.act("note", 503, text="x")["detail"] and "full" in gm.get("/healthz", 503)["detail"]


def test_health_writes_once_for_all_who_ask_in_the_same_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Running(tmp_path / "tables.db") as server:
        guest, store = server.guest(), server.server.repository.store
        monkeypatch.setattr(health, "EVERY", 1e9)
        guest.get("/healthz")
        written = store.setting(health.READY)
        for _ in range(10):
            guest.get("/healthz")
        assert store.setting(health.READY) == written
        monkeypatch.setattr(health, "EVERY", 0.0)
        guest.get("/healthz")
        assert store.setting(health.READY) != written


# Hosts.


def test_a_server_answers_to_the_names_that_it_was_given(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", FREE._replace(hosts=("Table.example.org",))) as server:
        gm = server.found()
        for host in ("table.example.org", "TABLE.EXAMPLE.ORG:443", "localhost:8000", "127.0.0.1", "[::1]:9"):
            assert gm.http.get("/api/games", headers={"Host": host}).status_code == 200, host
        odd = ("localhost@evil.example", "evil@localhost", "localhost/evil", "localhost?", "localhost#")
        for host in ("evil.example", "table.example.org.evil.example", "", "[", *odd):
            answer = gm.http.get("/api/games", headers={"Host": host})
            assert answer.status_code in (400, 421), host
            assert answer.headers["content-type"] == "application/problem+json"
        with pytest.raises(InvalidStatus) as refused:
            gm.connection(headers={"Host": "evil.example"})
        assert refused.value.response.status_code == 421 or b"name" in refused.value.response.body


def test_without_a_list_any_name_is_answered(gm: Guest) -> None:
    assert gm.http.get("/api/games", headers={"Host": "anything.example"}).status_code == 200


# Visitors' addresses.


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("fe80::1%eth0", "fe80::2", True),
        ("192.0.2.1:40001", "192.0.2.1:40002", True),  # as some proxies tell it
        ("[2001:db8:1:2::1]:40001", "2001:db8:1:2::1", True),
        ("192.0.2.1:40001", "192.0.2.2:40001", False),
        ("x" * 100, "x" * 200, True),
    ],
)
def test_limits_count_networks_of_64_bits_for_ipv6(one: str, other: str, same: bool) -> None:
    assert (address_key(one) == address_key(other)) is same


@pytest.mark.parametrize(
    ("proxies", "asker", "limited"),
    [
        (("127.0.0.0/8",), "203.0.113.{n}", False),
        (("127.0.0.0/8",), "2001:db8::{n}", True),
        (("10.0.0.0/8",), "203.0.113.{n}", True),
    ],
)
def test_only_trusted_proxies_name_the_visitor(
    tmp_path: Path, proxies: tuple[str, ...], asker: str, limited: bool
) -> None:
    from astragal.serve.settings import Rate

    with Running(tmp_path / "tables.db", FREE._replace(proxies=proxies, questions=Rate(0.01, 3))) as server:
        guest = server.guest()
        body = {"game": "chronicles", "inputs": {"pool": 1}}
        statuses = [
            guest.http.post("/api/roll", json=body, headers={"X-Forwarded-For": asker.format(n=n)}).status_code
            for n in range(1, 6)
        ]
        assert (429 in statuses) is limited


def test_a_proxy_is_trusted_too_where_ipv4_comes_in_ipv6(tmp_path: Path) -> None:
    from astragal.serve.settings import Rate

    with Running(tmp_path / "tables.db", FREE._replace(questions=Rate(0.01, 3)), host="::") as server:
        guest = server.guest()
        body = {"game": "chronicles", "inputs": {"pool": 1}}
        for n in range(6):
            asked = guest.http.post("/api/roll", json=body, headers={"X-Forwarded-For": f"203.0.113.{n}"})
            assert asked.status_code == 200


def test_networks_are_read_strictly() -> None:
    assert "10.1.2.3" in Networks(["10.0.0.0/8"]) and "11.0.0.1" not in Networks(["10.0.0.0/8"])
    assert "nonsense" not in Networks(["10.0.0.0/8"])
    both = Networks(["10.0.0.0/8", "2001:db8::/32"])  # as a server that listens at :: sees visitors with IPv4
    assert "::ffff:10.1.2.3" in both and "::ffff:11.0.0.1" not in both and "2001:db8::1" in both
    with pytest.raises(Exception, match=r"10\.0\.0\.0/8"):
        Networks(["ten"])


def test_a_store_says_what_it_holds(tmp_path: Path) -> None:
    with open_store(tmp_path / "tables.db") as store:
        before = store.usage()
        assert before.tables == 0 and before.bytes > 0


def test_surplus_connections_are_closed_at_once(tmp_path: Path) -> None:
    few = FREE.limits._replace(address_connections=3)
    with Running(tmp_path / "tables.db", FREE._replace(limits=few, proxies=("10.0.0.0/8",))) as server:
        until(lambda: server.server.connections.total == 0)
        held = [socket.create_connection(("127.0.0.1", server.port), 5) for _ in range(3)]
        until(lambda: server.server.connections.total == 3)
        with socket.create_connection(("127.0.0.1", server.port), 5) as fourth:
            assert _is_closed(fourth)
        for each in held:
            each.close()
        until(lambda: server.server.connections.total == 0)
        gm = server.found()
        with gm.connection() as connection:  # a socket counts once, before and after its upgrade
            connection.next("hello")
            assert server.server.connections.total == 2
        gm.http.close()
        until(lambda: server.server.connections.total == 0)


POST = b"POST /api/odds HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
ODDS = b'{"notation":"1d6"}'


@pytest.mark.parametrize(
    "begun", [b"0\r\n", b"0\r\nX-Long: ", b"1;", b"1;name="], ids=["trailers", "trailer", "chunk", "named"]
)
def test_what_comes_with_the_pieces_of_a_body_is_bounded(server: Running, begun: bytes) -> None:
    """Headers after a body, and what may stand beside the size of a piece, would grow without end."""
    more = b"X-More: " + b"a" * 1000 + b"\r\n" if begun == b"0\r\n" else b"a" * 1000
    with socket.create_connection(("127.0.0.1", server.port), 10) as client:
        with suppress(ConnectionError):
            client.sendall(CHUNKED + begun)
            for _ in range(MAX_HEAD // 25):
                client.sendall(more)
        with suppress(ConnectionError):  # what it had still to read may end the connection before the answer is here
            answer = client.recv(1000)
            assert answer.startswith(b"HTTP/1.1 431") or not answer


def test_a_body_in_pieces_is_a_body_and_what_follows_it_is_no_header(server: Running) -> None:
    pieces = b"".join(b"1;x=y\r\n" + ODDS[n : n + 1] + b"\r\n" for n in range(len(ODDS)))
    body = CHUNKED + pieces + b"0\r\nOrigin: http://elsewhere.example\r\nX-Other: 1\r\n\r\n"
    assert raw(server, body).startswith(b"HTTP/1.1 200")


def test_a_half_sent_body_holds_its_connection_for_a_while_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "BODY_TIMEOUT", 0.3)
    monkeypatch.setattr(connections, "LEAST_BODY", 5)
    head = POST + b"Content-Length: %d\r\n\r\n"
    long = b" " * 15 + ODDS
    with Running(tmp_path / "tables.db") as server:
        for half in (b"", ODDS[:7]):
            with socket.create_connection(("127.0.0.1", server.port), 30) as client:
                client.sendall(head % len(ODDS) + half)
                answer = client.recv(1000)
                assert answer.startswith(b"HTTP/1.1 408") and b"too slowly" in answer
                assert _is_closed(client)
        with socket.create_connection(("127.0.0.1", server.port), 30) as client:
            client.sendall(head % len(long))
            for n in range(0, len(long), 5):  # slow, but not too slow
                client.sendall(long[n : n + 5])
                sleep(0.1)
            sleep(0.6)
            assert client.recv(65536).startswith(b"HTTP/1.1 200")
            client.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")  # nothing of it is left behind
            assert b"200" in client.recv(1000)


def test_a_body_that_is_too_late_for_an_answer_ends_the_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "BODY_TIMEOUT", 0.3)
    with Running(tmp_path / "tables.db") as server, socket.create_connection(("127.0.0.1", server.port), 30) as client:
        client.sendall(b"POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
        answer = b""
        while part := client.recv(1000):
            answer += part
    assert answer.count(b"HTTP/1.1") == 1 and b"408" not in answer.split(b"\r\n")[0]
