"""Idle connections of a pool of readers: any thread takes one, uses it alone and puts it back."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar


class Closable(Protocol):
    """What can be closed."""

    def close(self) -> None:
        """Close it."""


C = TypeVar("C", bound=Closable)


class Idle(Generic[C]):
    """At most so many connections that nobody uses now."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._connections: deque[C] = deque()
        self.closed = False

    def __iter__(self) -> Iterator[C]:
        return iter(tuple(self._connections))

    def take(self) -> C | None:
        """One of them, if there is any."""
        try:
            return self._connections.pop()
        except IndexError:
            return None

    def put_back(self, connection: C) -> None:
        """Keep a connection for the next who reads, or close it."""
        if len(self._connections) >= self._most:
            connection.close()
            return
        self._connections.append(connection)
        if self.closed:  # while this one was in use
            self.close()

    def close(self) -> None:
        """Close all of them; one that is in use is closed when it is put back."""
        self.closed = True
        while connection := self.take():
            connection.close()
