"""Policies of one's own: functions of the open roll, compared with every throw; wrong answers are refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from astragal import Choice, all_odds, odds
from astragal.errors import Illegal, Malformed, Refusal, Unknown
from astragal.games import chronicles, narraject, tgimh
from astragal.rule.chances.open_roll import OpenRoll
from astragal.rule.game import kind_of
from astragal.rule.inputs.ask import Ask
from tests.referee import tally

ASK = narraject.Attempt(d6=2, step=6, difficulty=2, ip=3)


def reroll_for_trouble(roll: OpenRoll) -> str | None:
    return "reroll" if roll.complications and roll.can("reroll") else None


def frugal(roll: OpenRoll) -> str | None:
    """One more die while a single one is missing and two IP are there, then the Step Die, once."""
    if roll.margin == -1 and roll.ip_left == 3:
        return "add"
    return "reroll" if roll.margin == -1 and roll.can("reroll") else "settle"


def takes_every_beat(roll: OpenRoll) -> str | None:
    return "take" if roll.can("take") else None


def takes_the_offer(roll: OpenRoll) -> str | None:
    return next((name for name in ("accept", "offer") if roll.can(name)), None)


def makes_conditions_and_crosses_boxes(roll: OpenRoll) -> str | None:
    if roll.choice.name == "condition":
        return "make" if roll.winner == "ours" else "none"
    return "box"


@pytest.mark.parametrize(
    ("ask", "own"),
    [
        (ASK, reroll_for_trouble),
        (ASK, frugal),
        (ASK, takes_the_offer),
        (chronicles.Attempt(pool=2, again="none", helpers=2, helper_pool=1), takes_every_beat),
        (tgimh.Contest(ours=2, theirs=1, die=4, crossed=(1,)), makes_conditions_and_crosses_boxes),
    ],
    ids=lambda each: getattr(each, "__name__", repr(each)),
)
def test_odds_by_a_policy_of_ones_own_are_the_tally_of_every_throw(
    ask: Ask, own: Callable[[OpenRoll], str | None]
) -> None:
    def answers(choice: Choice[Any]) -> str:
        return own(OpenRoll(choice)) or ""

    kind = kind_of(ask)
    wanted = tally(kind.rule(ask), answers=answers)
    assert odds(ask, policy=own).to_dict() == wanted != odds(ask).to_dict()
    assert odds(kind.rule(ask), policy=own).to_dict() == wanted


def test_facts_are_those_of_the_results() -> None:
    found = all_odds(ASK, frugal)
    for name, each in found.items():
        assert odds(ASK, name, policy=frugal) == each
    assert found["success"][True] > odds(ASK, "success")[True]
    assert found["degree"].order == odds(ASK, "degree").order
    assert odds(ASK, lambda result: result.ip_spent, policy=frugal).mean == 3 - found["ip_left"].mean


def test_what_leaves_every_roll_as_it_is_is_the_policy_never() -> None:
    assert odds(ASK, policy=lambda roll: None) == odds(ASK)


def test_a_policy_is_asked_again_with_each_question() -> None:
    """Odds are not remembered by function: what it answers may have changed."""
    answers = {"answer": "settle"}
    before = odds(ASK, "ip_left", policy=lambda roll: answers["answer"])
    with pytest.raises(Illegal, match=r"add.* needs 2 IP, and 1 is held"):
        answers["answer"] = "add"
        odds(ASK, "ip_left", policy=lambda roll: answers["answer"])
    assert before[3] == 1


@pytest.mark.parametrize(
    ("answer", "refusal", "says"),
    [
        ("partial", Illegal, "this roll succeeds"),
        ("rerol", Unknown, 'there are settle, reroll, add, partial. Did you mean "reroll"?'),
        (1, Malformed, "name of an option or None, not with a int"),
    ],
)
def test_answers_that_are_not_allowed_are_refused(answer: Any, refusal: type[Refusal], says: str) -> None:
    ask = narraject.Attempt(d6=1, step=6, difficulty=0 if answer == "partial" else 1, ip=3)
    with pytest.raises(refusal, match=says.replace("?", r"\?")):
        odds(ask, "success", policy=lambda roll: answer if roll.ip_left == 3 else None)


def test_fields_that_the_result_does_not_have_are_refused() -> None:
    with pytest.raises(Unknown, match=r'no field "mark" here; there are marks, .* Did you mean "marks"'):
        odds(ASK, policy=lambda roll: roll.mark)
    helped = chronicles.Attempt(pool=1, again="none", helpers=1, helper_pool=1)
    with pytest.raises(Unknown, match='at the choice "helper-beat" there is no result yet'):
        odds(helped, policy=lambda roll: roll.successes)


def test_a_policy_and_its_wish_are_given_by_name() -> None:
    assert odds(ASK, "success", policy="best", wish="succeed") == odds(ASK, "success", wish="succeed")
    assert odds(ASK, "success", policy="best")[True] > odds(ASK, "success", policy="never")[True]
    assert odds(ASK, "ip_left", policy="cheapest", wish="succeed").mean > Fraction(0)
    with pytest.raises(Unknown, match='no wish "fame"'):
        odds(ASK, "success", policy="best", wish="fame")
    with pytest.raises(Malformed, match="goes with a policy by name"):
        odds(ASK, "success", policy=frugal, wish="succeed")
    with pytest.raises(Malformed, match="no choices"):
        odds("4d6", wish="succeed")
    with pytest.raises(Malformed, match="A tree has no wishes"):
        odds(narraject.attempt(ASK), wish="succeed")
