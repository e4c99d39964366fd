"""The lint: flaws that were planted are found, with their proof; where there are none, nothing is said."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest

from astragal.errors import Illegal
from astragal.games.chronicles import GAME as CHRONICLES
from astragal.games.chronicles import Attempt as Action
from astragal.games.narraject import GAME as NARRAJECT
from astragal.games.narraject import Attempt
from astragal.games.razorweave import GAME as RAZORWEAVE
from astragal.games.razorweave import Check
from astragal.games.registry import BUILT_IN, game
from astragal.games.tgimh import GAME as TGIMH
from astragal.lint import Finding, lint, lint_report
from astragal.lint.finding import format_ask, format_chance
from astragal.rule.chances.fact import wishes_of
from astragal.rule.chances.odds import odds
from astragal.rule.game import Kind
from tests.lint.toy_games import MEADOW, PIT, PLAIN, Dare


def found(kind: Kind, category: str) -> list[Finding]:
    return [finding for finding in lint(kind) if finding.category == category]


def every_kind() -> Iterator[Kind]:
    for name in BUILT_IN:
        yield from game(name).kinds.values()


def test_a_charm_that_hurts_under_a_curse_is_found() -> None:
    (finding,) = found(PIT, "backwards")
    assert finding.severity == "warning"
    assert finding.rules == ("PIT-2", "PIT-3")
    assert "All 3 exceptions have cursed yes (PIT-2, PIT-3)." in str(finding)
    before, after = finding.proof
    assert (before.ask, after.ask) == (Dare(dice=3, charm=2, cursed=True), Dare(dice=3, charm=3, cursed=True))
    assert (before.exact, after.exact) == (1 - Fraction(2, 3) * Fraction(5, 6), Fraction(1, 3))


def test_an_outcome_that_is_listed_and_never_happens_is_found() -> None:
    never, _ = found(PIT, "impossible")
    assert never.sentence.startswith('"Outcome: void" never happens: its chance is 0 in all ')
    assert [part.exact for part in never.proof] == [0]


def test_two_facts_that_never_meet_are_found() -> None:
    _, apart = found(PIT, "impossible")
    assert '"Outcome: lose" and "Omen: bright" never occur together' in apart.sentence
    assert apart.proof[-1].exact == 0
    assert all(part.exact > 0 for part in apart.proof[:-1])


def test_a_choice_that_only_costs_is_found() -> None:
    (finding,) = found(PIT, "pointless")
    assert "sulk (Sulk) is never worth taking" in finding.sentence
    assert finding.rules == ("PIT-6",)


def test_a_tier_that_hardly_anybody_reaches_is_found() -> None:
    (finding,) = found(PIT, "rare")
    (best,) = finding.proof
    assert '"Outcome: legend" is reached less than once in 10,000 rolls' in finding.sentence
    assert best.exact == odds(best.ask, "outcome")["legend"]
    assert 0 < best.exact < Fraction(1, 46656)


def test_a_game_without_flaws_has_no_findings() -> None:
    assert lint(MEADOW) == ()


def test_a_roll_without_tables_and_wishes_is_looked_over_in_vain() -> None:
    linted = lint_report(PLAIN)
    assert linted.findings == ()
    assert linted.survey.measure is None


def test_a_bigger_step_die_hurts_in_the_hits_edition_of_narraject() -> None:
    (finding,) = found(NARRAJECT.main, "backwards")
    low, high = (Attempt(d6=5, step=step, difficulty=3, edition="hits") for step in (6, 8))
    assert [part.ask for part in finding.proof] == [low, high]
    assert [part.exact for part in finding.proof] == [odds(ask, "success")[True] for ask in (low, high)]
    assert "All 3 exceptions have edition hits" in finding.sentence


def test_success_highest_and_a_complication_never_meet_in_narraject() -> None:
    sentences = [finding.sentence for finding in found(NARRAJECT.main, "impossible")]
    assert sum('"Success: true", "Step Die: highest" and "its complication: true"' in each for each in sentences) == 1
    assert not any("triumph" in each for each in sentences), "what follows from success is not told again"


def test_helpers_with_a_chance_die_hurt_in_chronicles() -> None:
    (finding,) = found(CHRONICLES.main, "backwards")
    before, after = finding.proof
    assert before.ask == Action(pool=5, helpers=1, helper_pool=0)
    assert after.exact < before.exact < 1 - odds(Action(pool=5), "outcome")["failure"]


def test_burden_helps_against_a_dc_that_only_ones_can_miss() -> None:
    _, burden = found(RAZORWEAVE.main, "backwards")
    assert [part.ask for part in burden.proof] == [Check(dc=1), Check(dc=1, burden=1)]
    assert [part.exact for part in burden.proof] == [1 - Fraction(1, 6**4), 1 - Fraction(1, 6**5)]


def test_an_input_that_goes_both_ways_has_no_direction() -> None:
    """In TGIMH larger dice help whoever has fewer of them; that is no surprise, and no finding."""
    assert found(TGIMH.main, "backwards") == []


@pytest.mark.parametrize("kind", list(every_kind()), ids=lambda kind: kind.name)
def test_the_proof_is_what_the_solved_tree_says(kind: Kind) -> None:
    for finding in found(kind, "backwards"):
        before, after = finding.proof
        assert before.exact != after.exact
        for part in finding.proof if wishes_of(kind) else ():
            try:
                solved = odds(part.ask, next(iter(wishes_of(kind).values())).worth)
            except Illegal:
                continue
            assert solved.mean == part.exact


def test_numbers_in_words() -> None:
    assert format_chance(Fraction(11, 27)) == "11/27 (40.7%)"
    assert format_chance(Fraction(10**30 + 1, 3 * 10**30)) == "33.3%"
    assert format_ask(Dare(dice=3, cursed=True)) == "dice 3, cursed"
