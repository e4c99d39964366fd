"""What the app knows of its connections, whatever server it runs on: how many there are, and what ends one."""

from __future__ import annotations

from collections import Counter

from astragal.serve.limits.addresses import Networks, address_key
from astragal.storage.tables.limits import Limits

UNSENT, ABORT = "astragal.unsent", "astragal.abort"
"""Extensions of a socket's scope: the bytes that a browser has still to take, and how to end it without a farewell."""


class ConnectionCount:
    """Counts open connections, in all and by address."""

    def __init__(self, limits: Limits, proxies: Networks) -> None:
        self._limits = limits
        self._proxies = proxies
        self._by_address: Counter[str] = Counter()
        self.total = 0

    def take(self, address: str) -> bool:
        """Count a connection; False if there are too many, but then it is counted too."""
        key = address_key(address)
        self.total += 1
        self._by_address[key] += 1
        if self.total > self._limits.connections:
            return False
        return self._by_address[key] <= self._limits.address_connections or address in self._proxies

    def is_proxy(self, address: str) -> bool:
        """Whether an address is a proxy's, whose word is taken."""
        return address in self._proxies

    def release(self, address: str) -> None:
        """Count a connection no longer."""
        key = address_key(address)
        self.total -= 1
        self._by_address[key] -= 1
        if not self._by_address[key]:
            del self._by_address[key]
