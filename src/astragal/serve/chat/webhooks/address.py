"""Addresses of webhooks: the ones that a server posts to, so that no one reaches its own network through it.

The name is resolved for every post, and the connection goes to the checked IP address. So a name that changes a moment
later gains nothing.
"""

from __future__ import annotations

import asyncio
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple
from urllib.parse import urlsplit

from astragal.errors import Illegal, Unavailable
from astragal.serve.settings import WebhookTargets

MAX_ADDRESS = 1000
NOBODY = "This server does not post to webhooks. Ask the person who runs it to allow them with --webhooks."
PRIVATE = (
    "The address of the webhook is in a private network, and this server does not post there. Ask the person who runs "
    "it to allow that with --webhooks any."
)
NOT_HTTPS = (
    "A webhook's address begins with https://. Ask the person who runs this server to allow others with --webhooks any."
)
MALFORMED = "A webhook's address looks like https://example.org/path: a host and a path, without a user name or a #."
TUNNELS = tuple(map(IPv6Network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96")))
"""Networks whose addresses stand for IPv4 addresses, perhaps private ones."""
SPECIAL = tuple(map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "fec0::/10", "3fff::/20")))
"""Networks for protocols, relays, sites and documentation, which Python counts as public."""


class Address(NamedTuple):
    """The parts of a webhook's address."""

    secure: bool
    host: str
    port: int
    path: str

    @property
    def shown(self) -> str:
        """The address for people, without its path, which may be secret."""
        return f"{'https' if self.secure else 'http'}://{self._authority}/…"

    @property
    def _authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.secure else 80) else f"{host}:{self.port}"

    @property
    def header(self) -> str:
        """The Host header."""
        return self._authority


def parse_address(text: str, targets: WebhookTargets) -> Address:
    """An address that a server with these targets may post to, as far as can be known without resolving it."""
    if targets == "nobody":
        raise Illegal(NOBODY)
    if not 0 < len(text) <= MAX_ADDRESS or not all("!" <= sign <= "~" for sign in text) or set('"<>\\^`{|}') & {*text}:
        raise Illegal(f"{MALFORMED} It has at most {MAX_ADDRESS} ASCII characters.")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise Illegal(MALFORMED) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc or "#" in text or port == 0:
        raise Illegal(MALFORMED)
    secure = parts.scheme == "https"
    if not secure and targets != "any":
        raise Illegal(NOT_HTTPS)
    path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    address = Address(secure, parts.hostname, port or (443 if secure else 80), path)
    if targets != "any" and (_is_local_name(address.host) or not _may_be_public(address.host)):
        raise Illegal(PRIVATE)
    return address


def _is_local_name(host: str) -> bool:
    name = host.rstrip(".").lower()
    return ("." not in name and ":" not in name) or name.endswith((".localhost", ".local", ".internal"))


def _may_be_public(host: str) -> bool:
    """True if a host is a name or a public address."""
    try:
        return is_public(ip_address(host))
    except ValueError:
        return not host.rstrip(".").replace(".", "").isdigit()  # some systems read 127.1 as an address


def is_public(ip: IPv4Address | IPv6Address) -> bool:
    """True if an address is on the public internet."""
    if isinstance(ip, IPv6Address):
        if ip.ipv4_mapped:
            return is_public(ip.ipv4_mapped)
        if any(ip in network for network in TUNNELS):
            return False
    if any(ip in network for network in SPECIAL):
        return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


async def resolve(address: Address, targets: WebhookTargets) -> str:
    """An IP address of the host; refused if any address of the name is private."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unavailable("The host of the webhook's address cannot be found.") from None
    ips = [str(each[4][0]).partition("%")[0] for each in found]
    if not ips:
        raise Unavailable("The host of the webhook's address cannot be found.")
    if targets != "any" and not all(is_public(ip_address(ip)) for ip in ips):
        raise Illegal(PRIVATE)
    return ips[0]
