"""Secrecy, once more at two clusters: what a player gets is the same byte for byte, whichever server is asked."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from astragal.games.registry import names
from tests.cluster.spread import Spread
from tests.serve.test_secrecy import Servers, _compare
from tests.share import record, share
from tools.postgres import Postgres
from tools.program import Program, free_port

ROOT = Path(__file__).parents[2]
SERVERS = 3
HERE = r'"here":\[[^]]*\]'
"""Who is here is told between servers a moment later."""


class FixedServer(Program):
    """One of the servers, with known dice."""

    name = "A server with known dice"
    patience = 60.0
    cwd = ROOT

    def __init__(self, folder: Path, *words: str) -> None:
        self.port = free_port()
        super().__init__(folder / f"{self.port}.log")
        self.url = f"http://127.0.0.1:{self.port}"
        self._words = words

    def command(self) -> list[str]:
        return [sys.executable, "-m", "tests.cluster.fixed_server", str(self.port), *self._words]

    def is_ready(self) -> bool:
        try:
            return httpx.get(f"{self.url}/healthz").status_code == 200
        except httpx.TransportError:
            return False


@contextmanager
def fixed_servers(folder: Path, database: str, *more: str) -> Iterator[Spread]:
    """Servers on one database; requests go to all of them in turn, and the sockets are at the first."""
    running = [FixedServer(folder, database, *more) for _ in range(SERVERS)]
    try:
        for server in running:
            server.start(wait=False)
        for server in running:
            server.wait()
        urls = [server.url for server in running]
        spread = Spread(urls, urls[0])
        yield spread
        spread.close()
    finally:
        for server in running:
            server.kill()


@pytest.fixture(scope="module")
def servers(tools: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    folder = tmp_path_factory.mktemp("servers")
    with (
        Postgres(fsync=False) as postgres,
        fixed_servers(folder, postgres.new_database("secret")) as secret,
        fixed_servers(folder, postgres.new_database("plain"), "other") as plain,
    ):
        secret.request_id = plain.request_id = "SAME"
        yield Servers(secret, plain)  # type: ignore[arg-type]


def test_nothing_that_a_player_of_a_cluster_gets_tells_of_what_is_hidden(servers: Servers) -> None:
    n, hidden = share(30, 1, "ASTRAGAL_SECRECY"), 0
    for game in names():
        for seed in range(n):
            hidden += _compare(servers, game, f"cluster {game}-{seed}".replace(" ", "-"), HERE)
    assert hidden > n
    record(
        "sequences with and without hidden things at two clusters, the same to players",
        f"{n * len(names())}, {hidden} hidden actions, through {SERVERS} servers each",
    )
