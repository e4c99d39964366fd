"""Razorweave: the oracle's questions, all at once or one after the other, and the Check that uses its DC (RW-14)."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from astragal import Typed, play
from astragal.explain.report import explain
from astragal.games.razorweave import Oracle, oracle
from tests.games.razorweave_trial import TRIAL, after, offers, participants, rolled

CASE = (
    ("Are conditions ideal?", "helps"),
    ("Is the lock sophisticated?", "hinders"),
    ("Do I have the right tools?", "helps"),
)
"""The worked case of the document: 2, 5 (already counted), 4."""


def answer(shift: int, **more: Any) -> dict[str, Any]:
    """An answer that the oracle keeps."""
    said = {-2: "yes", 0: "mixed", 2: "no"}[shift]
    kept = {"answer": said, "yes": "helps", "counted": False, "shift": shift, "whose": None, "turn": 1, "used": False}
    return {**kept, **more}


def dc_of(faces: str, *judged: str, **given: Any) -> int:
    result = play(oracle(Oracle(**given)), Typed(faces, {"judge": judged} if judged else None, ("judge",))).result
    assert result is not None
    return result.dc


def test_rw14_the_worked_case_comes_to_16_whether_counted_is_said_before_or_after_the_die() -> None:
    assert dc_of("2 5 4", question=CASE, counted=(2,)) == 16
    assert dc_of("2 5 4", "counted-2", question=CASE) == 16
    assert dc_of("2 5 4", question=CASE) == 18


def test_rw14_several_answers_may_turn_out_to_be_counted() -> None:
    assert dc_of("2 5 1", "counted-2", "counted-1", question=CASE) == 16
    assert dc_of("2 5 1", question=CASE) == 20


def test_rw14_one_after_the_other_adds_up_as_all_at_once_do() -> None:
    assert dc_of("2", question=CASE[:1]) == 16
    assert dc_of("5", "counted-1", question=CASE[1:2], start=16) == 16
    assert dc_of("4", question=CASE[2:], start=16) == 16


def test_rw14_the_dc_is_held_once_so_that_single_questions_come_to_the_same_in_any_order() -> None:
    """22, 24 and back to 22: nothing is lost at the end of the ladder."""
    assert dc_of("1", question=CASE[:1], start=22) == 22
    assert dc_of("6", question=CASE[:1], start=24) == 22
    assert dc_of("6", question=CASE[:1], start=24, start_over=True) == 12


def test_rw14_an_explanation_says_where_the_oracle_stood() -> None:
    played = play(oracle(Oracle(question=CASE[1:2], start=16)), Typed("5"))
    notes = [note.text for note in explain(played).notes]
    assert notes == [
        "The oracle stands at 16 after what it said before.",
        "Is the lock sophisticated? yes, +2: 18.",
        "DC 18: Hard.",
    ]


def test_rw14_answers_of_one_oracle_are_kept_side_by_side_and_those_of_an_earlier_one_make_room() -> None:
    given = participants(oracle={"Is it old?": answer(2, turn=4, used=True)})
    question = (("Is it old?", "helps"), ("Anyone near/by?", "hinders"))
    kept = after(given, rolled("oracle", given, "5 3", question=question))["table"]["oracle"]
    assert kept == {
        "Is it old?": answer(-2, turn=5, whose="Kira"),
        "Anyone near-by?": answer(0, yes="hinders", turn=5, whose="Kira"),
    }
    again = participants(oracle=kept)
    kept = after(again, rolled("oracle", again, "1", question=question[:1]))["table"]["oracle"]
    assert kept["Is it old? 2"] == answer(2, turn=5, whose="Kira")
    assert kept["Is it old?"] == answer(-2, turn=5, whose="Kira")


def test_rw14_a_roll_reads_where_its_own_oracle_stands() -> None:
    kept = {"A?": answer(2, whose="Kira"), "B?": answer(2, whose="Kira"), "C?": answer(-2, whose="Dex", turn=2)}
    assert TRIAL.asked("oracle", participants(oracle=kept), {}).begins == 18
    assert TRIAL.asked("oracle", participants(oracle=kept), {}, start_over=True).begins == 14
    used = {name: {**item, "used": True} for name, item in kept.items()}
    assert TRIAL.asked("oracle", participants(oracle=used), {}).begins == 14


def test_rw14_a_check_may_use_the_oracles_dc_and_the_next_question_begins_anew() -> None:
    given = participants(oracle={"Old?": answer(2, whose="Kira"), "Near?": answer(-2, whose="Dex", turn=2)})
    for kind in ("check", "split"):
        found = offers(kind, given)["table/oracle/!dc"]
        assert (found.gives, found.label) == (16, "The oracle's DC 16")
        kept = after(given, found.changes)["table"]["oracle"]
        assert {name: item["used"] for name, item in kept.items()} == {"Old?": True, "Near?": False}
    assert "table/oracle/!dc" not in offers("check", participants())


def test_rw14_who_asked_nothing_may_use_the_dc_of_whoever_asked_last() -> None:
    given = participants(oracle={"Old?": answer(2), "Near?": answer(-2, whose="Dex", turn=2)})
    assert offers("check", given)["table/oracle/!dc"].gives == 12


def test_rw14_the_dc_that_a_check_may_use_is_held_within_the_ladder() -> None:
    kept = {f"Q{n}?": answer(2, whose="Kira") for n in range(6)}
    assert offers("check", participants(oracle=kept))["table/oracle/!dc"].gives == 22


def test_rw14_the_usual_questions_and_those_asked_before_may_be_asked() -> None:
    found = offers("oracle", participants(oracle={"Old?": answer(2, yes="hinders")}))
    given = [offer.gives for offer in found.values()]
    assert ("Old?", "hinders") in given
    assert len(given) == 4


def test_rw14_the_order_of_questions_never_matters() -> None:
    """Held once, after all answers: every order of the same answers comes to the same DC."""
    answers = ((6, "helps"), (6, "helps"), (1, "helps"), (5, "hinders"))
    found = set()
    for order in permutations(answers):
        question = tuple((f"Question {place}?", word) for place, (_, word) in enumerate(order))
        found.add(dc_of(" ".join(str(face) for face, _ in order), question=question))
    assert found == {14}


def test_rw14_an_odd_dc_that_an_edited_answer_led_to_has_the_name_and_the_tone_of_the_nearest_step() -> None:
    """Whoever edits the sheet may write any shift; halfway between two steps the easier one counts (RW-2)."""
    kind = TRIAL.game.kinds["oracle"]
    played = play(oracle(Oracle.read({"question": "Is it old?=helps", "start": 15})), Typed("3"))
    assert played.result is not None
    assert (played.result.dc, played.result.dc_name) == (15, "Routine")
    verdict = kind.verdict(played.result)
    assert not isinstance(verdict, str)
    assert verdict.tone == "good"
