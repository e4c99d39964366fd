"""The tables in the database: made and upgraded by the first server that starts, while the others wait for it."""

from __future__ import annotations

from psycopg import Connection

from astragal.errors import Unavailable
from astragal.store.postgres.failures import FOREIGN, MAY_NOT_WRITE, NEWER, OLD, refusing

SCHEMA = 1
"""Version of the schema; a database with a higher one is refused, one with a lower one upgraded."""
OLDEST = 15
"""Version of PostgreSQL; what is older has not been tried."""
LOCK = int.from_bytes(b"Astragal", "big")
"""The advisory lock of whoever makes or upgrades the tables."""
FOUND = """
    SELECT to_regclass('astragal.about') IS NOT NULL,
           EXISTS (SELECT 1 FROM pg_catalog.pg_class WHERE relnamespace = to_regnamespace('astragal'))
"""
RIGHTS = """
    SELECT bool_and(has_table_privilege(c.oid, wanted))
    FROM pg_catalog.pg_class c, unnest(ARRAY['INSERT', 'UPDATE', 'DELETE']) AS wanted
    WHERE c.relnamespace = to_regnamespace('astragal') AND c.relkind = 'r' AND c.relname <> 'about'
"""
TABLES = f"""
    CREATE SCHEMA IF NOT EXISTS astragal;
    CREATE TABLE astragal.about (schema bigint NOT NULL);
    INSERT INTO astragal.about VALUES ({SCHEMA});
    CREATE TABLE astragal.tables (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- never reused, so a reader cannot end up in another
        name text COLLATE "C" NOT NULL UNIQUE,
        game text NOT NULL,
        title text NOT NULL,
        created bigint NOT NULL,
        token bigint NOT NULL DEFAULT 0, -- tells whoever made it, and lost the answer, that it is theirs
        unindexed bigint NOT NULL DEFAULT 0 -- records up to here were there before the index of audiences
    );
    CREATE TABLE astragal.log (
        number bigint NOT NULL,
        version bigint NOT NULL,
        key text COLLATE "C" NOT NULL,
        sum bigint NOT NULL,
        body bytea NOT NULL,
        public bigint, -- everybody may see it, as their first, second, third … record
        PRIMARY KEY (number, version)
    );
    CREATE UNIQUE INDEX log_key ON astragal.log (number, key);
    CREATE INDEX log_public ON astragal.log (number, public) WHERE public IS NOT NULL;
    CREATE TABLE astragal.seen ( -- what one audience may see and not everybody
        number bigint NOT NULL,
        audience text COLLATE "C" NOT NULL,
        nth bigint NOT NULL,
        version bigint NOT NULL,
        PRIMARY KEY (number, audience, nth)
    );
    CREATE TABLE astragal.snapshots (
        number bigint PRIMARY KEY,
        version bigint NOT NULL,
        sum bigint NOT NULL,
        body bytea NOT NULL,
        size bigint NOT NULL -- bytes of the records up to this version
    );
    ALTER TABLE astragal.snapshots ALTER body SET STORAGE EXTERNAL; -- large ones are packed already
    CREATE TABLE astragal.settings (name text COLLATE "C" PRIMARY KEY, body bytea NOT NULL)
"""
UPGRADES: dict[int, str] = {}
"""By the schema that they upgrade, each to the next one; each sets ``astragal.about``."""


def prepare(connection: Connection) -> None:
    """Make or upgrade the tables, all of it or nothing; a newer schema, or another's, is refused and left unchanged."""
    check_version(connection)
    with refusing():
        if found_schema(connection) == SCHEMA:
            return
        with connection.transaction():
            connection.execute("SET LOCAL statement_timeout = 0")
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
            _upgrade(connection, found_schema(connection))


def check_version(connection: Connection) -> None:
    """Unavailable if the database is of an older version than we know."""
    major = connection.info.server_version // 10_000
    if major < OLDEST:
        raise Unavailable(OLD.format(version=major))


def check_rights(rows: list[tuple[object, ...]]) -> None:
    """Unavailable if ``RIGHTS`` found a table that may be read and not written."""
    if rows != [(True,)]:
        raise Unavailable(MAY_NOT_WRITE)


def found_schema(connection: Connection) -> int:
    """The schema that is there, 0 for none; Unavailable for a newer one."""
    ours, used = connection.execute(FOUND).fetchone() or (False, False)
    if used and not ours:
        raise Unavailable(FOREIGN)
    if not ours:
        return 0
    (schema,) = connection.execute("SELECT schema FROM astragal.about").fetchone() or (0,)
    if schema > SCHEMA:
        raise Unavailable(NEWER)
    return int(schema)


def _upgrade(connection: Connection, schema: int) -> None:
    if not schema:
        connection.execute(TABLES, prepare=False)
        return
    for older in range(schema, SCHEMA):
        connection.execute(UPGRADES[older], prepare=False)
