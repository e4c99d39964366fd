"""Appending: records of many tables by one statement, which is a transaction and so one wait for the disk.

The statement itself finds the tables for which it is too late. It locks rows in the order of the tables' numbers, so
two servers never deadlock, and while it runs, its tables cannot be dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from psycopg import Connection, errors

from astragal.storage.postgres.arrays import BYTES, Numbers, Texts, columns, seen_columns
from astragal.storage.postgres.failures import damaged
from astragal.storage.record import VERSION, Appended, Moved, Record, no_table, record_in, too_late

APPEND = """
    WITH heads AS (
        SELECT t.number, g.*
        FROM unnest(
            %s::text[], %s::text[], %s::bigint[],
            %s::bigint[], %s::text[], %s::bigint[], %s::bytea[], %s::bigint[]
        ) AS g (name, after, epoch, version, key, sum, body, public)
        JOIN astragal.tables t ON t.name = g.name
        WHERE (g.epoch IS NULL OR g.epoch = t.epoch) AND CASE
            WHEN g.version = 1 THEN coalesce(g.after, '') = ''
            ELSE EXISTS (
                SELECT 1 FROM astragal.log l WHERE l.number = t.number AND l.version = g.version - 1
                AND (g.after IS NULL OR l.key = g.after)
            ) END
        ORDER BY t.number FOR KEY SHARE OF t
    ), first AS (
        INSERT INTO astragal.log (number, version, key, sum, body, public)
        SELECT number, version, key, sum, body, public FROM heads ORDER BY number
        ON CONFLICT DO NOTHING RETURNING number
    ), rest AS (
        INSERT INTO astragal.log (number, version, key, sum, body, public)
        SELECT t.number, r.version, r.key, r.sum, r.body, r.public
        FROM unnest(%s::text[], %s::bigint[], %s::text[], %s::bigint[], %s::bytea[], %s::bigint[])
            AS r (name, version, key, sum, body, public)
        JOIN astragal.tables t ON t.name = r.name
        WHERE (t.number IN (SELECT number FROM first)) IS TRUE ORDER BY t.number, r.version
    ), seen AS (
        INSERT INTO astragal.seen (number, audience, nth, version)
        SELECT t.number, s.audience, s.nth, s.version
        FROM unnest(%s::text[], %s::text[], %s::bigint[], %s::bigint[]) AS s (name, audience, nth, version)
        JOIN astragal.tables t ON t.name = s.name
        WHERE (t.number IN (SELECT number FROM first)) IS TRUE ORDER BY t.number, s.audience, s.nth
        ON CONFLICT (number, audience, nth) DO UPDATE SET version = excluded.version
    )
    SELECT name FROM heads WHERE (number IN (SELECT number FROM first)) IS TRUE
"""
"""The next record of each table, then those that follow it, if it is still the next. IS TRUE keeps the planner from
a join that compares every row with every other: a list of numbers is looked up in a hash table instead.

The epoch is the fence. A claim's lock on the table's row excludes this statement's KEY SHARE lock: either the claim
waits for the statement, or the statement waits for the claim, looks at the row again and finds another epoch."""
LOOK_UP = """
    SELECT t.number, t.epoch, (SELECT max(version) FROM astragal.log WHERE number = t.number),
           l.version, l.key, l.sum, l.body
    FROM unnest(%s::text[], %s::text[]) WITH ORDINALITY AS g (name, key, nth)
    LEFT JOIN astragal.tables t ON t.name = g.name
    LEFT JOIN astragal.log l ON l.number = t.number AND l.key = g.key
    ORDER BY g.nth
"""
BARRIER = "UPDATE astragal.about SET schema = schema"
"""A commit that waits for the disk and for a standby, so everything that was read before it is safe, too."""

Append: TypeAlias = tuple[str, Record, str | None, int | None]
"""A table, its record, the key of the record before it, and the claim that must be current."""
Chain: TypeAlias = list[int]
"""Indexes of consecutive appends to one table."""
Outcomes: TypeAlias = list[Appended | Exception | None]


class Appending:
    """A batch of appends. It may be run again after a broken connection: each record is stored once."""

    def __init__(self, appends: Sequence[Append]) -> None:
        self._appends = appends
        self.outcomes: Outcomes = [None] * len(appends)
        self._again = False
        self._last: dict[str, int] = {}
        """The last known version of each table."""

    def run(self, connection: Connection) -> Outcomes:
        """The outcome of every append, in order."""
        again, self._again = self._again, True
        self._last.clear()
        while pending := [place for place, outcome in enumerate(self.outcomes) if outcome is None]:
            chains, lost = self._chains(pending)
            for chain, n in zip(chains, self._insert(connection, chains), strict=True):
                lost += chain[:1] if not n else ()
                for place in chain[:n]:
                    table, record, *_ = self._appends[place]
                    self.outcomes[place] = Appended(record, False)
                    self._last[table] = record.version
            if lost:
                self._look_up(connection, lost, again)
        if again:
            connection.execute(BARRIER)
        return self.outcomes

    def _chains(self, pending: Iterable[int]) -> tuple[list[Chain], list[int]]:
        """The pending appends for one statement: the first consecutive ones of each table.

        And the appends that are known to be too late.
        """
        chains: dict[str, Chain] = {}
        late: list[int] = []
        ended: set[str] = set()
        size = 0
        for place in pending:
            table, record, *_ = self._appends[place]
            chain = chains.get(table)
            size += len(record.body)
            if table in ended or (chains and size > BYTES) or (chain and not self._follows(chain, place)):
                ended.add(table)
            elif chain:
                chain.append(place)
            elif record.version == self._last.get(table, record.version - 1) + 1:
                chains[table] = [place]
            else:
                late.append(place)
        return list(chains.values()), late

    def _follows(self, chain: Chain, place: int) -> bool:
        _, record, after, epoch = self._appends[place]
        _, last, _, claimed = self._appends[chain[-1]]
        if record.version != last.version + 1 or after not in (None, last.key) or epoch != claimed:
            return False
        return all(self._appends[each][1].key != record.key for each in chain)

    def _insert(self, connection: Connection, chains: Sequence[Chain]) -> list[int]:
        """The number of stored records of each chain: all of them, or none if another writer was faster."""
        if not chains:
            return []
        try:
            stored = self._insert_all(connection, chains)
        except errors.UniqueViolation:  # the key of a later record is already in the log
            if len(chains) > 1:
                return [self._insert(connection, [chain])[0] for chain in chains]
            return self._insert(connection, [chains[0][:1]])
        return [len(chain) if self._appends[chain[0]][0] in stored else 0 for chain in chains]

    def _insert_all(self, connection: Connection, chains: Sequence[Chain]) -> set[str]:
        """The tables whose records were stored."""
        heads = [self._appends[chain[0]] for chain in chains]
        rest = [self._appends[place] for chain in chains for place in chain[1:]]
        private = [each for each in (*heads, *rest) if each[1].seen and each[1].seen[0][0]]
        rows = connection.execute(
            APPEND,
            (
                Texts(table for table, *_ in heads),
                Texts(after for _, _, after, _ in heads),
                Numbers(epoch for *_, epoch in heads),
                *columns([_bounded(record) for _, record, *_ in heads]),
                Texts(table for table, *_ in rest),
                *columns([record for _, record, *_ in rest]),
                Texts(table for table, record, *_ in private for audience, _ in record.seen if audience),
                *seen_columns([record for _, record, *_ in private]),
            ),
        ).fetchall()
        return {name for (name,) in rows}

    def _look_up(self, connection: Connection, lost: Sequence[int], again: bool) -> None:
        """Find out why records were not stored: their keys are already in the log, or another writer was faster."""
        names = Texts(self._appends[place][0] for place in lost)
        keys = Texts(self._appends[place][1].key for place in lost)
        rows = connection.execute(LOOK_UP, (names, keys), binary=True).fetchall()
        for place, (number, claimed, last, *row) in zip(lost, rows, strict=True):
            table, record, _, epoch = self._appends[place]
            self._last[table] = last or 0
            if number is None:
                self.outcomes[place] = no_table(table)
            elif row[0] is None:
                self.outcomes[place] = (
                    Moved() if epoch not in (None, claimed) else too_late(table, record.version, last or 0)
                )
            else:
                found = record_in(row, damaged)
                ours = again and found == record._replace(seen=(), stored=b"")
                self.outcomes[place] = Appended(record, False) if ours else Appended(found, True)


def _bounded(record: Record) -> Record:
    """A record with a version that fits into the database; a larger one is never the next."""
    return record if abs(record.version) <= VERSION << 1 else record._replace(version=-1)
