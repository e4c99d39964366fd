"""Evenings in virtual time: no entry is lost, doubled or told twice, whatever fails and whoever comes and goes."""

from __future__ import annotations

import pytest

from astragal.serve.live.owner import Job, Owner
from tests.share import record, share
from tests.simulation.evening import Plan, failure, played, shrunk

EVENINGS = share(20_000, 300)
SERVERS = (1, 2, 3)
PARTS = 5
"""Of how many evenings in a row each test plays one, so that several can run at the same time."""


def plan(seed: int) -> Plan:
    return Plan(seed, servers=SERVERS[seed % len(SERVERS)])


@pytest.mark.parametrize("servers", SERVERS)
def test_a_seed_gives_the_same_evening_twice(servers: int) -> None:
    assert played(Plan(1, servers)) == played(Plan(1, servers))
    assert played(Plan(1, servers)).log != played(Plan(2, servers)).log


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_is_lost_doubled_or_told_twice(part: int) -> None:
    for seed in range(part, EVENINGS, PARTS):
        if found := failure(plan(seed)):
            least = shrunk(plan(seed))
            raise AssertionError(f"Seed {seed}: {found}\n\nWith less, {least}:\n{failure(least)}")
    if part == 0:
        record("simulated evenings without anything lost, doubled or told twice", f"{EVENINGS}")


def test_a_fault_is_found_and_shrunk_to_a_short_script(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here: a refusal counts though another program has changed the table since."""

    async def refuse(self: Owner, job: Job, error: Exception, line: object) -> None:
        self._answer(job, error)

    monkeypatch.setattr(Owner, "_on_refused", refuse)
    found = next(each for each in map(plan, range(30)) if failure(each))
    least = shrunk(found)
    assert sum(least[1:8]) < sum(found[1:8]) and least.seed == found.seed
    what, *script = failure(least).split("\n")
    assert "was refused" in what
    assert len(script) < 40


def test_an_evening_has_everything_that_is_tried() -> None:
    total = sum((played(Plan(seed)).counts for seed in range(30)), start=played(Plan(30)).counts)
    assert min(total[what] for what in ("stored", "repeated", "refused", "retries", "cut slow", "frames")) > 0, total


def test_an_evening_of_several_servers_has_claims_that_move_and_appends_that_are_fenced() -> None:
    total = sum((played(Plan(seed, servers=2)).counts for seed in range(10)), start=played(Plan(10, servers=3)).counts)
    assert min(total[what] for what in ("claims", "Moved", "cut moved", "repeated", "refused", "frames")) > 0, total


@pytest.mark.parametrize("servers", SERVERS)
@pytest.mark.parametrize("seed", range(share(200, 6)))
def test_what_is_hidden_changes_nothing_that_a_player_gets(seed: int, servers: int) -> None:
    """Neither what they are told, nor in how many frames, nor in which order."""
    hidden = [played(Plan(seed, servers, hidden=what)).told for what in ("the lamp", "a very long knife")]
    assert hidden[0] == hidden[1]
