"""Razorweave: what the oracle answered is kept, and may be put into a Check (RW-14)."""

from __future__ import annotations

from itertools import permutations

from astragal import Typed, play
from astragal.games.razorweave import Oracle, oracle
from tests.games.razorweave_trial import after, offers, participants, rolled


def test_rw14_every_answer_is_kept_with_the_dc_that_they_came_to() -> None:
    given = participants(oracle={"Is it old?": {"answer": "no", "dc": 12, "turn": 4}})
    question = (("Is it old?", "helps"), ("Anyone near/by?", "hinders"))
    kept = after(given, rolled("oracle", given, "5 3", question=question))["table"]["oracle"]
    assert kept == {
        "Is it old?": {"answer": "yes", "yes": "helps", "dc": 12, "turn": 5},
        "Anyone near-by?": {"answer": "mixed", "yes": "hinders", "dc": 12, "turn": 5},
    }


def test_rw14_the_last_dc_may_be_put_into_a_check() -> None:
    oracle = {"Old?": {"answer": "no", "dc": 16, "turn": 2}, "Near?": {"answer": "yes", "dc": 12, "turn": 1}}
    for kind in ("check", "split"):
        assert offers(kind, participants(oracle=oracle))["table/oracle/!dc"].gives == 16
    assert "table/oracle/!dc" not in offers("check", participants())


def test_rw14_the_usual_questions_and_those_asked_before_may_be_asked() -> None:
    found = offers("oracle", participants(oracle={"Old?": {"answer": "no", "yes": "hinders", "dc": 16}}))
    given = [offer.gives for offer in found.values()]
    assert ("Old?", "hinders") in given
    assert len(given) == 4


def test_rw14_the_order_of_questions_never_matters() -> None:
    """Held once, after all answers: every order of the same answers comes to the same DC."""
    answers = ((6, "helps"), (6, "helps"), (1, "helps"), (5, "hinders"))
    found = set()
    for order in permutations(answers):
        ask = Oracle(question=tuple((f"Question {place}?", word) for place, (_, word) in enumerate(order)))
        result = play(oracle(ask), Typed(" ".join(str(face) for face, _ in order))).result
        assert result is not None
        found.add(result.dc)
    assert found == {14}


def test_rw14_what_is_kept_is_the_dc_within_the_ladder() -> None:
    given = participants()
    question = tuple((f"Easy {n}?", "helps") for n in range(3))
    kept = after(given, rolled("oracle", given, "5 6 5", question=question))["table"]["oracle"]
    assert {item["dc"] for item in kept.values()} == {12}
