"""A small share of ``make attack``: an honest table is served while others attack, and loses nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from astragal.repository.limits import Limits
from bench.attack import __main__ as attack
from bench.attack.attacks import ATTACKS, half_requests, hidden_histories, hostile_imports, worst_question
from tests.serve.test_budget import cost
from tests.soak import page

SOON = 5.0
"""Seconds: machines that run tests are busy, so this only finds a server that stands still."""


def test_an_honest_table_is_served_under_attack_and_loses_nothing(tmp_path: Path) -> None:
    chosen = (hidden_histories, half_requests, hostile_imports)
    done, peak = asyncio.run(attack.run(chosen, 1.0, tmp_path))
    assert [each.name for each in done] == ["rest", *(each.__name__ for each in chosen)]
    for each in done:
        assert each.stored and not each.refused, each
        assert each.percentile(0.5) < SOON
    assert sum(peak) < Limits().memory


def test_the_worst_questions_are_questions_and_no_answer_is_remembered() -> None:
    """Each is one that the server reads and works on, or refuses for its work alone."""
    asked = [worst_question(n) for n in range(20)]
    assert len({str(body) for body in asked}) == len(asked)
    found = [cost(body) for body in asked[:5]]
    assert all(each.size or "is allowed" in each.refusal or "bytes" in each.refusal for each in found)


def test_a_full_disk_refuses_with_a_sentence_and_loses_nothing(tmp_path: Path) -> None:
    assert "refused with 503" in asyncio.run(attack.full_disk(tmp_path))


def test_the_figures_go_into_the_page_and_replace_older_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attack, "PAGE", tmp_path / "page.md")
    attack.PAGE.write_text("\n".join(page({}, 60)), "utf-8")
    rest = attack.Times("rest", "Nobody else is there.", [0.001, 0.002], ["a"], [])
    slow = rest._replace(name="slow", what="Slow.", times=[0.004, 0.004])
    for peak in ((1 << 20, 0), (7 << 20, 3 << 20)):
        attack.write("\n".join(attack.lines([rest, slow], peak, "none")))
    text = attack.PAGE.read_text("utf-8")
    assert text.count(attack.TITLE) == 1 and text.startswith("# Reliability")
    assert "| Slow. | 4.0 ms | 4.0 ms | 2.0 | 0 of 2 |" in text and "7 MB" in text


def test_every_attack_says_what_it_does() -> None:
    assert all((each.__doc__ or "").endswith(".") for each in ATTACKS)
