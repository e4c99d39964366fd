"""Presence: who has a table open, at this server and at others, and who waits at its door."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from astragal.serve.live.frames import KnockShown

if TYPE_CHECKING:
    from astragal.serve.live.connection import Connection

REVOKED = "The link that you came by was revoked."


class Presence:
    """The open connections of one table. Whoever is connected learns who comes, goes and knocks."""

    def __init__(self, members: Callable[[], Iterable[str]], on_move: Callable[[], None]) -> None:
        self.connections: set[Connection] = set()
        self.knocks: list[KnockShown] = []
        """Everybody who waits at the door, for GMs."""
        self.elsewhere: dict[str, tuple[str, ...]] = {}
        """The members who have the table open at other servers, by server."""
        self._members = members
        self._on_move = on_move

    @property
    def here(self) -> list[str]:
        """The members with an open connection at any server, in the order of the table."""
        return self._in_order(self._connected().union(*self.elsewhere.values()))

    @property
    def here_at_this_server(self) -> list[str]:
        """The members with an open connection here, in the order of the table."""
        return self._in_order(self._connected())

    def _connected(self) -> set[str]:
        return {connection.seat.member for connection in self.connections}

    def _in_order(self, present: set[str]) -> list[str]:
        return [id for id in self._members() if id in present]

    def add(self, connection: Connection) -> None:
        """Add an open connection; the others learn who is here."""
        before = self.here
        self.connections.add(connection)
        self._tell(before, connection)
        self._on_move()

    def remove(self, connection: Connection) -> None:
        """Remove a closed connection; the others learn who is here."""
        before = self.here
        self.connections.discard(connection)
        self._tell(before, connection)
        self._on_move()

    def set_elsewhere(self, elsewhere: dict[str, tuple[str, ...]]) -> None:
        """Learn who has the table open at other servers."""
        if elsewhere != self.elsewhere:
            before = self.here
            self.elsewhere = elsewhere
            self._tell(before)

    def _tell(self, before: list[str], source: Connection | None = None) -> None:
        if self.here != before:
            for connection in self.connections:
                if connection is not source:
                    connection.send_presence()

    def show_knocks(self, knocks: list[KnockShown]) -> None:
        """Tell the GMs who waits at the door, if that has changed."""
        if knocks != self.knocks:
            self.knocks = knocks
            for connection in self.connections:
                connection.send_knocks()

    def disconnect_link(self, id: str) -> None:
        """Close the connections of everybody who came by a link, at once."""
        for connection in list(self.connections):
            if connection.seat.link == id:
                connection.close(1008, REVOKED, "revoked")
