"""Verdicts: a tone, a name and numbers, also of a game that only says a sentence."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from astragal import all_games
from astragal.explain.example import examples_of, replay
from astragal.explain.report import in_a_line, judged
from astragal.rule.chances.fact import facts_of
from astragal.rule.game import Game
from astragal.rule.verdict import TONES, Verdict, turned, verdict_of


class Result(NamedTuple):
    success: bool


@pytest.mark.parametrize(
    ("said", "result", "tone", "tier", "numbers"),
    [
        ("Failure (heads: 1)", Result(False), "bad", "Failure", "heads: 1"),
        ("Done: 4 of 4", Result(True), "good", "Done", "4 of 4"),
        ("It is what it is", None, "mixed", "It is what it is", ""),
    ],
)
def test_a_sentence_is_a_verdict_too(said: str, result: object, tone: str, tier: str, numbers: str) -> None:
    verdict = verdict_of(said, result)
    assert (verdict.tone, verdict.tier, verdict.sum, in_a_line(verdict)) == (tone, tier, numbers, said)


def test_for_the_other_side_good_is_bad_and_the_name_is_theirs() -> None:
    won = Verdict("good", "Ilse wins", "2 successes", theirs="The Tollmaster loses")
    assert won.turned == Verdict("bad", "The Tollmaster loses", "2 successes", theirs="Ilse wins")
    assert won.turned.turned == won
    assert [turned(tone) for tone in TONES] == [*reversed(TONES)]


def test_a_line_has_tier_sum_and_gains() -> None:
    assert in_a_line(Verdict("bad", "Near miss", "2 Marks, 3 needed")) == "Near miss: 2 Marks, 3 needed"
    assert in_a_line(Verdict("good", "Done", gains=("a", "b"))) == "Done; a; b"


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_a_fact_with_tones_says_of_every_example_what_its_verdict_says(game: Game) -> None:
    for example in examples_of(game):
        played = replay(game, example).played
        if played is None or played.outcome is None:
            continue
        kind = game.kind(example.roll)
        verdict = judged(kind, played.outcome.result)
        assert verdict.tone in TONES
        assert verdict.tier
        for fact in facts_of(kind).values():
            value = fact.of(played.outcome.result)
            if fact.tones is not None and value is not None:
                assert fact.tones[value] == verdict.tone, example.title
