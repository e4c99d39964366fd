"""A small share of ``make attack``: an honest table is served while others attack, and loses nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from astragal.serve.workers.answers import OddsRequest
from astragal.storage.tables.limits import Limits
from bench.attack import __main__ as attack
from bench.attack.attacks import (
    ATTACKS,
    half_bodies,
    half_requests,
    hidden_histories,
    hostile_imports,
    worst_question,
)
from bench.attack.cause import Action, Reading, longest, stalls
from bench.attack.disk import Bare
from bench.attack.times import Times
from tests.soak import page

SOON = 5.0
"""Seconds: machines that run tests are busy, so this only finds a server that stands still."""


def test_an_honest_table_is_served_under_attack_and_loses_nothing(tmp_path: Path) -> None:
    chosen = (hidden_histories, half_requests, half_bodies, hostile_imports)
    done, peak = asyncio.run(attack.run(chosen, 0.4, tmp_path))
    assert [each.name for each in done] == ["rest", *(each.__name__ for each in chosen)]
    for each in done:
        assert each.stored and not each.refused, each
        assert each.percentile(0.5) < SOON
    assert sum(peak) < Limits().memory


def test_the_worst_questions_are_questions_and_no_answer_is_remembered() -> None:
    """Each is one that the server reads; ``test_budget.py`` asks some of them."""
    asked = [worst_question(n) for n in range(20)]
    assert len({str(body) for body in asked}) == len(asked)
    assert [msgspec.convert(body, OddsRequest) for body in asked]


def test_a_full_disk_refuses_with_a_sentence_and_loses_nothing(tmp_path: Path) -> None:
    assert "refused with 503" in asyncio.run(attack.full_disk(tmp_path))


def test_the_figures_go_into_the_page_and_replace_older_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attack, "PAGE", tmp_path / "page.md")
    attack.PAGE.write_text("\n".join(page({}, 60)), "utf-8")
    still = Reading(0, 0, 0, 0)
    rest = Times("rest", "Nobody else is there.", [Action(0.001, still), Action(0.002, still)], ["a"], [], 0, 9)
    slow = rest._replace(name="slow", what="Slow.", actions=[Action(0.004, still), Action(0.04, still, 0.025)])
    for peak in ((1 << 20, 0), (7 << 20, 3 << 20)):
        attack.write("\n".join(attack.lines([rest, slow], peak, "none", Bare([0.002]))))
    text = attack.PAGE.read_text("utf-8")
    assert text.count(attack.TITLE) == 1 and text.startswith("# Reliability")
    assert "| Slow. | 40.0 ms | 40.0 ms | 20.0 | 0 of 2 | 1 × disk; the slowest took 40 ms | 0 of 9 |" in text
    assert "7 MB" in text and "takes 2.0 ms (p50)" in text


def test_a_slow_action_is_put_down_to_what_took_half_of_its_time() -> None:
    def cause(commit: float = 0.0, **meanwhile: float) -> str:
        none = dict.fromkeys(Reading._fields, 0.0)
        return Action(0.05, Reading(**{**none, **meanwhile}), commit).cause

    assert [cause(client=0.03), cause(core=0.04), cause(work=0.045)] == ["client", "core", "server"]
    assert [cause(0.05), cause(0.05, discard=0.03), cause(0.05, work=0.045)] == ["disk", "disk, discarding", "server"]
    assert cause(0.01, work=0.02, core=0.01) == "turn"


def test_commits_between_two_looks_are_told_from_those_before() -> None:
    bounds = (0.01, 0.025, 0.05, float("inf"))
    before, after = (dict(zip(bounds, counts, strict=True)) for counts in ((5, 5, 6, 6), (8, 9, 11, 11)))
    assert longest(before, after, 1.0) == pytest.approx(0.0375) and longest(after, after, 1.0) == 0.0
    assert longest({}, before, 0.035) == pytest.approx(0.03) and longest({}, before, 0.01) == 0.025
    assert stalls(before, after) == (1, 5)


def test_every_attack_says_what_it_does() -> None:
    assert all((each.__doc__ or "").endswith(".") for each in ATTACKS)
