"""Guests of a cluster who use a server each time that is another one: nothing may rely on the balancer's choice."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Any

from tests.serve.running import Guest, LiveSocket


class Spread:
    """Some servers of one cluster, as guests see them."""

    request_id = ""

    def __init__(self, urls: Sequence[str], sockets: str = "") -> None:
        self.urls = list(urls)
        self._turns = cycle(self.urls)
        self._sockets = sockets
        """The server that all sockets are at; without one, each is at its guest's own."""
        self._guests: list[SpreadGuest] = []

    @property
    def url(self) -> str:
        """The next server."""
        return next(self._turns)

    def guest(self) -> SpreadGuest:
        self._guests.append(SpreadGuest(self, self._sockets))
        return self._guests[-1]

    def found(self, game: str = "narraject", **more: Any) -> SpreadGuest:
        """A new table's GM."""
        gm = self.guest()
        made = gm.post("/api/tables", {"game": game, "title": "The Drowned Bell", "name": "Mira", **more}, 201)
        gm.table, gm.links = made["table"], made["links"]
        return gm

    def close(self) -> None:
        for guest in self._guests:
            guest.http.close()


class SpreadGuest(Guest):
    """Somebody at one of the servers, whose socket may be at another one."""

    def __init__(self, server: Spread, sockets: str) -> None:
        super().__init__(server)  # type: ignore[arg-type]
        self._at = sockets

    def connection(self, since: int | None = None, headers: dict[str, str] | None = None, last: str = "") -> LiveSocket:
        own, self.http.base_url = self.http.base_url, self._at or self.http.base_url
        try:
            return super().connection(since, headers, last)
        finally:
            self.http.base_url = own
