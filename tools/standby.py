"""Two PostgreSQL servers, one the standby of the other: what is committed is on both, and one takes over for the other.

The steps are those that docs/cluster.md tells operators.
"""

from __future__ import annotations

import shutil
import time

from tools.postgres import USER, Postgres
from tools.program import Block

PATIENCE = 60.0
"""Seconds in which the standby must have caught up."""
SETTINGS = {"wal_level": "replica", "hot_standby": "on", "wal_keep_size": "1GB", "max_wal_senders": "10"}
IN_STEP = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum')"


class Pair(Block):
    """A primary and its standby; ``fail_over`` makes the standby the primary, and the other one its standby."""

    def __init__(self, *, fsync: bool = True) -> None:
        self.primary, self.standby = (Postgres(fsync=fsync, tcp=True, settings=SETTINGS) for _ in range(2))
        self._hosts = ",".join(f"127.0.0.1:{each.port}" for each in (self.primary, self.standby))

    @property
    def url(self) -> str:
        """The address of both; whoever connects is led to the one that takes writes."""
        return f"postgresql://{USER}@{self._hosts}/postgres?target_session_attrs=read-write"

    def begin(self) -> None:
        """Start the primary, and its standby."""
        self.primary.create()
        self.primary.start()
        self.follow()

    def follow(self) -> None:
        """Copy the primary, start the copy as its standby, and let every commit wait for it from now on."""
        shutil.rmtree(self.standby.data, ignore_errors=True)
        host, port = self.primary.folder, self.primary.port
        self.standby.run(
            "pg_basebackup", "-h", host, "-p", port, "-U", USER, "-D", self.standby.data,
            "--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync",
        )  # fmt: skip
        own = self.standby
        own.configure(port=str(own.port), unix_socket_directories=str(own.folder))  # the rest is the primary's
        self.standby.start()
        self._wait_for_commits()

    def _wait_for_commits(self) -> None:
        """Have every commit wait for the standby, and wait until it keeps step."""
        self.primary.psql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.primary.psql("SELECT pg_reload_conf()")
        until = time.monotonic() + PATIENCE
        while self.primary.psql(IN_STEP) == "0":
            if time.monotonic() > until:
                raise RuntimeError(f"The standby does not follow: {self.standby.log()[-2000:]}")
            time.sleep(0.05)

    def fail_over(self) -> float:
        """Kill the primary and promote the standby; the moment at which it took writes. Then call ``follow``."""
        self.primary.kill()
        self.standby.psql("SELECT pg_promote(wait => true, wait_seconds => 60)")
        self.standby.psql("ALTER SYSTEM SET synchronous_standby_names = ''")  # it has no standby to wait for yet
        self.standby.psql("SELECT pg_reload_conf()")
        back = time.monotonic()
        self.primary, self.standby = self.standby, self.primary
        return back

    def close(self) -> None:
        """Stop both, and delete their data."""
        self.primary.close()
        self.standby.close()
