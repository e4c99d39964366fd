"""T-2, T-3, T-11: whichever input a GM hides, two values of it look the same from every other seat.

Each input of each kind of all games is hidden, one at a time, at two tables that differ in nothing but its value. A
player answers the request with typed and machine dice, right and wrong, builds, answers, undoes and redoes in between.
"""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from astragal.errors import Illegal
from astragal.games.registry import game as registered
from astragal.rule.inputs.input import Input
from astragal.table import action as a
from tests.share import record, share
from tests.table.pairs import ANSWERS, FACES, Case, Pair, all_cases, asked
from tests.table.tables import Party

CASES = all_cases()


def input_of(case: Case) -> Input:
    return registered(case.game).kinds[case.kind].ask.inputs[case.input]


FEWEST = 147
"""Inputs that a GM can hide with two values; all others are what the sheets say."""


def test_nearly_every_input_can_be_hidden() -> None:
    assert len(CASES) >= FEWEST
    assert {case.game for case in CASES} == {"narraject", "tgimh", "chronicles", "razorweave"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}-{case.kind}-{case.input}")
def test_two_values_of_a_hidden_input_look_the_same(case: Case) -> None:
    pair = Pair(case.game)
    assert pair.by_gm(asked(case, 0), asked(case, 1))
    request = pair.request
    for faces in FACES[1:]:
        pair.by_player(a.RollAction(request=request, who="Wren", faces=faces, answers=["settle"]))
        if pair.by_player(a.RollAction(request=request, who="Wren", faces=faces)):
            pair.by_player(a.UndoAction())
            assert pair.by_gm(*[a.AllowAction()] * 2)
            pair.by_player(a.ThrowAction(faces=faces))
            pair.by_player(a.WithdrawAction())
            assert pair.by_gm(*[a.WithdrawAction(roll=pair.roll)] * 2)
    pair.by_player(a.OpenAction(request=request, who="Wren"))
    roll = pair.roll
    for name, value in case.instruments.items():
        pair.by_player(a.BuildAction(roll=roll, inputs={name: value}))
    pair.by_player(a.UndoAction())
    pair.by_player(a.RedoAction())
    assert pair.by_player(a.ThrowAction(roll=roll)), case
    for answer in ANSWERS:
        pair.by_player(a.AnswerAction(roll=roll, answer=answer))
        pair.by_player(a.AnswerAction(answer=answer))
    for more in (a.ThrowAction(roll=roll), a.ThrowAction(roll=roll, faces="1 2"), a.ThrowAction(), a.DescribeAction()):
        pair.by_player(more)
    pair.by_player(a.WithdrawAction(roll=roll))
    pair.by_player(a.RevealAction(roll=roll))
    pair.by_player(a.UndoAction())
    pair.by_gm(*[a.AllowAction()] * 2)
    pair.by_player(a.ThrowAction(roll=roll))
    pair.by_player(a.UndoAction())
    pair.by_gm(*[a.AllowAction()] * 2)
    pair.by_player(a.RedoAction())
    for answer in ("settle", "keep", "threat", "yes", "roll", "partial"):
        pair.by_gm(*[a.AnswerAction(roll=roll, answer=answer)] * 2)
    pair.by_gm(*[a.ThrowAction(roll=roll)] * 2)
    pair.by_player(a.RollAction(who="Wren", kind=case.kind, again=True))
    pair.compare_books()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}-{case.kind}-{case.input}")
def test_a_blind_roll_tells_nothing_whatever_is_in_it(case: Case) -> None:
    """The two values are open to GMs alone; nobody else sees the dice, and nobody types them (P-9)."""
    pair = Pair(case.game)
    hidden = [
        a.AskAction(
            who=["Wren"], kind=case.kind, inputs={**case.base, case.input: value}, hide=[case.input], seen="blind"
        )
        for value in case.values
    ]
    assert pair.by_gm(*hidden)
    for faces in FACES[1:]:
        assert not pair.by_player(a.RollAction(request=pair.request, who="Wren", faces=faces))
    assert pair.by_player(a.RollAction(request=pair.request, who="Wren", inputs=case.instruments))
    for answer in ANSWERS:
        assert not pair.by_player(a.AnswerAction(roll=pair.roll, answer=answer))
    pair.by_player(a.UndoAction())
    assert pair.by_gm(*[a.AllowAction()] * 2)
    for faces in FACES[1:]:
        assert not pair.by_player(a.ThrowAction(roll=pair.roll, faces=faces))
    pair.by_player(a.RedoAction())
    pair.compare_books()


UNSET = [case for case in CASES if (input := input_of(case)).required or input.default is None]


@pytest.mark.parametrize("case", UNSET, ids=lambda case: f"{case.game}-{case.kind}-{case.input}")
def test_nothing_is_hidden_that_nobody_has_said(case: Case) -> None:
    """Else whether it goes with a pool, an Attribute or nothing at all would tell what is there from what is not."""
    party = Party(case.game)
    rest = {name: value for name, value in case.base.items() if name != case.input}
    asks = a.AskAction(who=["Wren"], kind=case.kind, inputs=rest, hide=[case.input])
    with pytest.raises(Illegal, match="is hidden, so nobody else can say it; say what it is"):
        party.do("Mira", asks)
    with pytest.raises(Illegal, match="is hidden, so nobody else can say it; say what it is"):
        party.do("Mira", a.OpenAction(who="Wren", kind=case.kind, inputs=rest, hide=[case.input]))


# Point 10: no sequence of actions without a reveal tells two hidden values apart.

SEARCHED = {
    ("narraject", "attempt", "difficulty"): (1, 4),
    ("narraject", "attempt", "d6"): (2, 6),
    ("tgimh", "contest", "theirs"): (2, 7),
    ("chronicles", "attempt", "modifier"): (-3, 3),
    ("chronicles", "extended", "target"): (3, 12),
    ("razorweave", "check", "dc"): (12, 20),
    ("razorweave", "check", "edge"): (-1, 2),
    ("razorweave", "split", "dc"): (12, 20),
}
"""DCs, Difficulties, targets and pools, each with two values."""


def alphabet(case: Case) -> list[a.Action]:
    """What a player may try next."""
    actions: list[a.Action] = [a.BuildAction(inputs={name: value}) for name, value in case.instruments.items()]
    actions += [a.ThrowAction(), a.ThrowAction(faces="6 5 4 3"), a.ThrowAction(faces="1 2 1 2"), a.UndoAction()]
    actions += [
        a.RedoAction(),
        a.WithdrawAction(),
        a.DescribeAction(text="so"),
        a.OpenAction(who="Wren", kind=case.kind),
    ]
    actions += [a.AnswerAction(answer=answer) for answer in ("settle", "reroll", "take", "stop", "threat")]
    if case.game == "razorweave" and case.kind == "check":
        actions += [a.BuildAction(inputs={"strike": True}, against="Kit")]
    return actions


@pytest.mark.parametrize("searched", SEARCHED, ids="-".join)
def test_no_short_sequence_of_actions_tells_two_hidden_values_apart(searched: tuple[str, str, str]) -> None:
    case = Case(*searched, SEARCHED[searched])
    moves = alphabet(case)
    sequences = list(product(range(len(moves)), repeat=4))
    Random("-".join(searched)).shuffle(sequences)
    tried = done = 0
    for sequence in sequences[: share(6_000, 30)]:
        pair = Pair(case.game)
        assert pair.by_gm(asked(case, 0), asked(case, 1))
        assert pair.by_player(a.OpenAction(request=pair.request, who="Wren"))
        for place in sequence:
            pair.by_player(moves[place])
            pair.by_gm(*[a.AnswerAction(roll=pair.roll, answer="settle")] * 2)
            pair.by_gm(*[a.AllowAction()] * 2)
        tried, done = tried + 1, done + pair.done
    assert done > tried
    record("sequences of four actions with two hidden values", f"{tried:,} of each: no difference")
