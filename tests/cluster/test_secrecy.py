"""Secrecy, once more at two clusters: what a player gets is the same byte for byte, whichever server is asked."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from astragal.games.registry import names
from tests.cluster.spread import Spread
from tests.serve.test_secrecy import Servers, _compare
from tests.share import record, share
from tools.postgres import Postgres, free_port

ROOT = Path(__file__).parents[2]
SERVERS = 3
HERE = r'"here":\[[^]]*\]'
"""Who is here is told between servers a moment later."""


@contextmanager
def fixed_servers(database: str, *more: str) -> Iterator[Spread]:
    """Servers on one database; requests go to all of them in turn, and the sockets are at the first."""
    ports = [free_port() for _ in range(SERVERS)]
    command = [sys.executable, "-m", "tests.cluster.fixed_server"]
    running = [subprocess.Popen([*command, str(port), database, *more], cwd=ROOT) for port in ports]
    urls = [f"http://127.0.0.1:{port}" for port in ports]
    try:
        end = time.monotonic() + 60
        while not all(map(_answers, urls)):
            assert time.monotonic() < end and all(each.poll() is None for each in running)
            time.sleep(0.1)
        spread = Spread(urls, urls[0])
        yield spread
        spread.close()
    finally:
        for each in running:
            each.kill()
            each.wait()


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/healthz").status_code == 200
    except httpx.TransportError:
        return False


@pytest.fixture(scope="module")
def servers(tools: None) -> Iterator[Servers]:
    with (
        Postgres(fsync=False) as postgres,
        fixed_servers(postgres.new_database("secret")) as secret,
        fixed_servers(postgres.new_database("plain"), "other") as plain,
    ):
        secret.request_id = plain.request_id = "SAME"
        yield Servers(secret, plain)  # type: ignore[arg-type]


def test_nothing_that_a_player_of_a_cluster_gets_tells_of_what_is_hidden(servers: Servers) -> None:
    n, hidden = share(60, 1, "ASTRAGAL_SECRECY"), 0
    for game in names():
        for seed in range(n):
            hidden += _compare(servers, game, f"cluster {game}-{seed}".replace(" ", "-"), HERE)
    assert hidden > n
    record(
        "sequences with and without hidden things at two clusters, the same to players",
        f"{n * len(names())}, {hidden} hidden actions, through {SERVERS} servers each",
    )
