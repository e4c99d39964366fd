"""Databases of a PostgreSQL that the tests start themselves; each is emptied before it is used again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
import pytest

from astragal.storage import Database
from tools.postgres import MISSING, Postgres, binaries

EMPTY = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid();
    DROP SCHEMA IF EXISTS astragal CASCADE
"""


def word(value: object) -> str:
    """A value as a word of a command, a database's address with all that belongs to it."""
    return value.url if isinstance(value, Database) else str(value)


class Databases:
    """Lends databases, and takes them back. It is faster to empty one than to make one."""

    def __init__(self, postgres: Postgres) -> None:
        self.postgres = postgres
        self._free: list[Database] = []
        self._made = 0

    @contextmanager
    def lent(self) -> Iterator[Callable[[], Database]]:
        """A function that lends empty databases, until the end of the block."""
        out: list[Database] = []

        def lend() -> Database:
            out.append(self._empty(self._free.pop()) if self._free else self._make())
            return out[-1]

        yield lend
        self._free += out

    def _make(self) -> Database:
        self._made += 1
        return Database(self.postgres.new_database(f"test{self._made}"))

    @staticmethod
    def _empty(database: Database) -> Database:
        with psycopg.connect(database.url, autocommit=True) as connection:
            connection.execute(EMPTY)
        return database


@contextmanager
def own_postgres() -> Iterator[Postgres]:
    """A PostgreSQL of our own. Where there is none, tests that want it are skipped, but not by CI."""
    if binaries() is None:
        if os.environ.get("CI") == "true":
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    with Postgres(fsync=False) as postgres:  # a program that is killed loses nothing that the system has
        yield postgres


@contextmanager
def started() -> Iterator[Databases]:
    """Databases in one."""
    with own_postgres() as postgres:
        yield Databases(postgres)
