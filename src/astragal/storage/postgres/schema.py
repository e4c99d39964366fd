"""The tables in the database: the first server creates them while others wait."""

from __future__ import annotations

from psycopg import Connection

from astragal.errors import Unavailable
from astragal.storage.postgres.failures import FOREIGN, OLD, OTHER, refusing

SCHEMA = 3
"""Version of the schema; a database of another version is refused and left unchanged."""
OLDEST = 15
"""The oldest version of PostgreSQL that is tested."""
LOCK = int.from_bytes(b"Astragal", "big")
"""The advisory lock of the server that creates the tables."""
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
        token bigint NOT NULL DEFAULT 0, -- recognised by a creator that lost the answer
        server text NOT NULL DEFAULT '', -- the server that claimed the table last
        epoch bigint NOT NULL DEFAULT 0, -- counts its claims
        claimed timestamptz NOT NULL DEFAULT '-infinity'
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


def prepare(connection: Connection) -> None:
    """Create the tables, all or none; those of another version or program are refused and left unchanged."""
    major = connection.info.server_version // 10_000
    if major < OLDEST:
        raise Unavailable(OLD.format(version=major))
    with refusing():
        if _made(connection):
            return
        with connection.transaction():
            connection.execute("SET LOCAL statement_timeout = 0")
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
            if not _made(connection):
                connection.execute(TABLES, prepare=False)


def _made(connection: Connection) -> bool:
    """True if the tables exist; Unavailable if they are of another version or program."""
    ours, used = connection.execute(FOUND).fetchone() or (False, False)
    if used and not ours:
        raise Unavailable(FOREIGN)
    if ours and connection.execute("SELECT schema FROM astragal.about").fetchone() != (SCHEMA,):
        raise Unavailable(OTHER)
    return bool(ours)
