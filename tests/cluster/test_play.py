"""``make play-cluster``: it says what runs where, and starts again what somebody killed."""

from __future__ import annotations

import os
import signal
import socket

import pytest

from tests.serve.running import until
from tools import cluster as tool
from tools.cluster import Cluster, start_again, wanted_port


def test_what_somebody_kills_is_started_again(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tool, "WITHOUT", 0)
    parts = cluster.parts()
    assert [*parts] == ["PostgreSQL", "server 1", "server 2", "server 3", "HAProxy"]
    start_again(cluster)
    assert capsys.readouterr().out == ""
    member, _ = parts["server 2"]
    killed = member.pid
    os.kill(killed, signal.SIGKILL)
    until(lambda: not member.running)
    start_again(cluster)
    assert member.is_ready() and member.pid != killed
    assert capsys.readouterr().out == f"server 2 was killed.\nserver 2 is there again, as process {member.pid}.\n"


def test_a_port_that_cannot_be_had_is_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for wrong in ("0", "65536", "eighty", "²", "1" * 5_000):
            with pytest.raises(SystemExit, match="PORT must be a whole number from 1 to 65,535"):
                wanted_port(wrong)
        with pytest.raises(SystemExit, match="cannot be used"):
            wanted_port(str(taken.getsockname()[1]))
    assert wanted_port("") == 0
