"""Presence: who has a table open, and who waits at its door."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from astragal.serve.access.auth import SCREEN_ID
from astragal.serve.live.frames import KnockShown

if TYPE_CHECKING:
    from astragal.serve.live.connection import Connection

REVOKED = "The link that you came by was revoked."


class Presence:
    """The open connections of one table. Whoever is connected learns who comes, goes and knocks."""

    def __init__(self, members: Callable[[], Iterable[str]]) -> None:
        self.connections: dict[Connection, None] = {}
        """In the order in which they came."""
        self.knocks: list[KnockShown] = []
        """Everybody who waits at the door, for GMs."""
        self._members = members

    @property
    def here(self) -> list[str]:
        """The members with an open connection, in the order of the table; last, a screen."""
        present = {connection.seat.member for connection in self.connections}
        return [id for id in (*self._members(), SCREEN_ID) if id in present]

    def add(self, connection: Connection) -> None:
        """Add an open connection; the others learn who is here."""
        before = self.here
        self.connections[connection] = None
        self._tell(before, connection)

    def remove(self, connection: Connection) -> None:
        """Remove a closed connection; the others learn who is here."""
        before = self.here
        self.connections.pop(connection, None)
        self._tell(before, connection)

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
