"""Addresses of visitors: networks of them, and the number of connections that each has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.types import Scope

from astragal.errors import Malformed
from astragal.storage.tables.limits import Limits

NETWORK_BITS = 64
"""Bits of the network of an IPv6 user, who can choose any address within it."""


class Networks:
    """IP networks, such as those of trusted proxies."""

    def __init__(self, written: Iterable[str]) -> None:
        try:
            named = [ip_network(each) for each in written]
        except ValueError as error:
            raise Malformed(f"A network is written like 10.0.0.0/8 or 2001:db8::/32: {error}.") from None
        self._networks = [*named, *(_mapped(network) for network in named if isinstance(network, IPv4Network))]

    def __contains__(self, address: str) -> bool:
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._networks)

    def __str__(self) -> str:
        return ",".join(map(str, self._networks))


def _mapped(network: IPv4Network) -> IPv6Network:
    """The network as a server sees it that listens for both kinds of address."""
    return IPv6Network(f"::ffff:{network.network_address}/{96 + network.prefixlen}")


@lru_cache(4096)
def address_key(address: str) -> str:
    """The client that limits count for an address: the address itself, or the network of an IPv6 address."""
    try:
        found = ip_address(_without_port(address).partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(ip_network((found, NETWORK_BITS), strict=False))
    return str(found)


def client_key(scope: Scope) -> str:
    """The client that limits count for a request, by its address."""
    return address_key(scope["client"][0] if scope.get("client") else "?")


def _without_port(address: str) -> str:
    """The address alone: some proxies add the port, which differs for each connection."""
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


UNSENT, ABORT = "astragal.unsent", "astragal.abort"
"""Extensions of a socket's scope: the bytes that the browser has not read, and a way to cut the connection."""


class ConnectionCount:
    """Counts open connections, in total and by address."""

    def __init__(self, limits: Limits, proxies: Networks) -> None:
        self._limits = limits
        self._proxies = proxies
        self._by_address: Counter[str] = Counter()
        self.total = 0

    def take(self, address: str) -> bool:
        """Count a connection; False if there are too many, though it is counted."""
        key = address_key(address)
        self.total += 1
        self._by_address[key] += 1
        if self.total > self._limits.connections:
            return False
        return self._by_address[key] <= self._limits.address_connections or address in self._proxies

    def is_proxy(self, address: str) -> bool:
        """True if the address is a trusted proxy's."""
        return address in self._proxies

    def release(self, address: str) -> None:
        """Stop counting a connection."""
        key = address_key(address)
        self.total -= 1
        self._by_address[key] -= 1
        if not self._by_address[key]:
            del self._by_address[key]
