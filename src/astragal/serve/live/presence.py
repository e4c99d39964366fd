"""Presence: the members who have a table open, and the people who wait at its door."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from astragal.serve.access.auth import SCREEN_ID
from astragal.serve.live.frames import KnockShown

if TYPE_CHECKING:
    from astragal.serve.live.connection import Connection

REVOKED = "Your link was revoked."


class Presence:
    """The open connections of one table. Each is notified when someone comes, leaves or knocks."""

    def __init__(self, members: Callable[[], Iterable[str]]) -> None:
        self.connections: dict[Connection, None] = {}
        """In the order of their arrival."""
        self.knocks: list[KnockShown] = []
        """The people who wait at the door, for GMs."""
        self._members = members

    @property
    def here(self) -> list[str]:
        """The members with an open connection, in the order of the table; a screen comes last."""
        present = {connection.seat.member for connection in self.connections}
        return [id for id in (*self._members(), SCREEN_ID) if id in present]

    def add(self, connection: Connection) -> None:
        """Add an open connection, and notify the others."""
        before = self.here
        self.connections[connection] = None
        self._notify(before, connection)

    def remove(self, connection: Connection) -> None:
        """Remove a closed connection, and notify the others."""
        before = self.here
        self.connections.pop(connection, None)
        self._notify(before, connection)

    def _notify(self, before: list[str], source: Connection | None = None) -> None:
        if self.here != before:
            for connection in self.connections:
                if connection is not source:
                    connection.send_presence()

    def show_knocks(self, knocks: list[KnockShown]) -> None:
        """Send the GMs the people at the door, if they have changed."""
        if knocks != self.knocks:
            self.knocks = knocks
            for connection in self.connections:
                connection.send_knocks()

    def disconnect_link(self, id: str) -> None:
        """Close all connections of a link immediately."""
        for connection in list(self.connections):
            if connection.seat.link == id:
                connection.close(1008, REVOKED, "revoked")
