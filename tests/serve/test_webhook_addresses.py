"""Where a server posts: to public addresses over https, unless whoever runs it allows more; and never on from there."""

from __future__ import annotations

import asyncio
import socket
import ssl
from ipaddress import ip_address
from typing import Any

import pytest

from astragal.errors import Illegal, Unavailable
from astragal.serve.chat.webhooks import post as posting
from astragal.serve.chat.webhooks.address import Address, is_public, parse_address, resolve
from astragal.serve.chat.webhooks.post import Answer, post
from tests.serve.receiver import Receiver

PRIVATE = [
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
    "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "64:ff9b::7f00:1", "2002:7f00:1::", "::127.0.0.1", "fec0::1", "192.0.0.8", "192.88.99.1", "3fff::1",
]  # fmt: skip


@pytest.mark.parametrize("ip", PRIVATE)
def test_private_addresses_are_told_from_public_ones(ip: str) -> None:
    assert not is_public(ip_address(ip))
    host = f"[{ip}]" if ":" in ip else ip
    with pytest.raises(Illegal, match="private network"):
        parse_address(f"https://{host}/hook", "public")
    assert parse_address(f"https://{host}/hook", "any").host == ip


def test_public_addresses_are_public() -> None:
    assert all(is_public(ip_address(ip)) for ip in ("8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"))
    assert parse_address("https://discord.com/api/webhooks/1/a?wait=true", "public") == Address(
        True, "discord.com", 443, "/api/webhooks/1/a?wait=true"
    )


@pytest.mark.parametrize(
    "text",
    [
        "http://example.org/", "ftp://example.org/", "https://", "https:///x", "https://a@example.org/",
        "https://a:b@example.org/", "https://example.org/#x", "https://example.org:0/", "https://example.org:99999/",
        "https://localhost/", "https://intranet/", "https://x.local/", "https://127.1/", "https://2130706433/",
        "https://example.org/\r\nX: y", "https://example.org/ä", "//example.org/", "example.org", "",
        "https://example.org/" + "x" * 1000, "https://[::1/", "https://exa mple.org/", 'https://example.org/"',
    ],
)  # fmt: skip
def test_other_addresses_are_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(Illegal) as refused:
        parse_address(text, "public")
    assert str(refused.value).endswith(".")


def test_a_server_may_post_to_nobody() -> None:
    with pytest.raises(Illegal, match="does not post to webhooks"):
        parse_address("https://example.org/", "nobody")


def test_a_name_that_leads_into_a_private_network_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if another of its addresses is public; and what was checked is what is connected to."""
    found: list[str] = ["8.8.8.8", "10.0.0.1"]

    def looked_up(host: str, port: int, *args: Any, **named: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in found]

    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    address = parse_address("https://rebound.example/", "public")
    with pytest.raises(Illegal, match="private network"):
        asyncio.run(resolve(address, "public"))
    assert asyncio.run(resolve(address, "any")) == "8.8.8.8"
    found.clear()
    with pytest.raises(Unavailable, match="cannot be found"):
        asyncio.run(resolve(address, "public"))


def test_the_connection_goes_to_the_address_that_was_checked() -> None:
    with Receiver() as receiver:
        address = parse_address(receiver.url.replace("127.0.0.1", "name.example"), "any")
        assert asyncio.run(post(address, "127.0.0.1", {"A": "b"}, b"body")) == Answer(204)
        (taken,) = receiver.posts
        assert taken.headers["host"] == f"name.example:{address.port}" and taken.headers["a"] == "b"
        assert taken.body == b"body"


def answer(says: bytes, address: str = "http://127.0.0.1/", hang: bool = False) -> Answer:
    """What a post makes of a server that says this."""

    async def ask() -> Answer:
        kept: list[asyncio.StreamWriter] = []

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            kept.append(writer)
            writer.write(says)
            if not hang:
                writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            try:
                return await post(parse_address(address, "any")._replace(port=port), "127.0.0.1", {}, b"{}")
            finally:
                for writer in kept:
                    writer.transport.abort()
                await asyncio.sleep(0)  # so that the transports close

    return asyncio.run(ask())


def test_answers_are_read_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n") == Answer(200)
    assert answer(b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n") == Answer(302)
    assert answer(b"HTTP/1.1 429 Slow\r\nRetry-After: 7.5\r\n\r\n") == Answer(429, 7)
    assert answer(b"HTTP/1.1 429 Slow\r\nRetry-After: 999999999\r\n\r\n") == Answer(429, 300)
    for said in (b"", b"SSH-2.0\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n", b"HTTP/1.1 200 OK\r\nX: " + b"x" * 20_000):
        with pytest.raises(Unavailable, match="not HTTP"):
            answer(said)
    monkeypatch.setattr(posting, "SECONDS", 0.1)
    with pytest.raises(Unavailable, match=r"no answer within 0\.1 s"):
        answer(b"HTTP/1.1 200 OK\r\n", hang=True)


def test_a_certificate_is_checked() -> None:
    with pytest.raises(Unavailable):
        answer(b"HTTP/1.1 200 OK\r\n\r\n", "https://127.0.0.1/")
    assert posting._context().verify_mode == ssl.CERT_REQUIRED and posting._context().check_hostname
