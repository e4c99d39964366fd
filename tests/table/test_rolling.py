"""Rolls at the table, in every game: sheets are read, dice thrown or typed, choices answered, sheets written."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import Forbidden, Illegal, Malformed, Refusal, Stale
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.entry import Entry
from astragal.table.state import encode_state
from tests.table.tables import Party


def refuses(party: Party, by: str, action: a.Action) -> Refusal:
    before = encode_state(party.state)
    with pytest.raises(Refusal) as refused:
        party.do(by, action)
    assert encode_state(party.state) == before
    return refused.value


def verdicts(party: Party) -> list[str]:
    return [event.verdict for entry in party.entries for event in entry.events if isinstance(event, e.Told)]


# Narraject: points are spent, IP pay for what comes after the roll, complications are owed.


def narraject() -> Party:
    party = Party("narraject")
    party.do("Jonas", a.CreateAction(name="Rook", sheet={"stats": {"Might": {"now": 3, "full": 3}}}))
    return party


def test_narraject_spends_points_and_ip_and_owes_complications() -> None:
    party = narraject()
    party.do("Jonas", a.RollAction(who="Rook", use={"Might": 2}, inputs={"difficulty": 3}, faces="2 3 | 1"))
    assert party.item("Rook", "stats", "Might")["now"] == 1
    party.do("Jonas", a.AnswerAction(answer="reroll", faces="2"))
    assert party.item("Jonas", "ip", "IP")["now"] == 1
    party.do("Jonas", a.AnswerAction(answer="settle"))
    assert party.roll.over
    assert list(party.holder("table").sheet["complications"])
    assert verdicts(party)[-1].startswith("Catastrophe")


def test_each_throw_is_one_action() -> None:
    party = narraject()
    party.do("Jonas", a.RollAction(who="Rook", inputs={"d6": 2, "difficulty": 3}))
    entry = party.do("Jonas", a.AnswerAction(answer="reroll"))
    assert [type(event).__name__ for event in entry.events if isinstance(event, (e.Thrown, e.Answered))] == [
        "Answered",
        "Thrown",
    ]
    assert len(party.roll.steps) == 3


def test_whoever_names_the_steps_of_a_roll_is_refused_once_it_has_gone_on() -> None:
    """The next choice has the same answers: what was meant for the one before must not answer it."""
    party = narraject()
    party.do("Jonas", a.RollAction(who="Rook", inputs={"d6": 2, "difficulty": 3}))
    assert len(party.roll.steps) == 1
    party.do("Jonas", a.AnswerAction(answer="reroll", steps=1))
    for action in (a.AnswerAction(answer="reroll", steps=1), a.AnswerAction(answer="settle", steps=2)):
        refusal = refuses(party, "Jonas", action)
        assert isinstance(refusal, Stale) and "gone on meanwhile" in str(refusal)
    assert isinstance(refuses(party, "Jonas", a.ThrowAction(steps=1)), Stale)
    party.do("Jonas", a.AnswerAction(answer="settle", steps=3))
    assert party.roll.over


def test_what_cannot_be_paid_is_refused_and_nothing_is_spent() -> None:
    party = narraject()
    party.do("Jonas", a.RollAction(who="Rook", inputs={"d6": 2, "difficulty": 3}, faces="1 2 | 3"))
    refusal = refuses(party, "Jonas", a.AnswerAction(answer="partial"))
    assert '"partial" needs 3 IP, and 2 are held; nothing is spent' in str(refusal)
    assert "was asked" not in str(refuses(party, "Jonas", a.AnswerAction(answer="fly")))


@pytest.mark.parametrize("answers", [["partial"], ["settle", "settle"], ["fly"], ["reroll", "reroll", "reroll"]])
def test_answers_given_beforehand_never_stop_the_dice(answers: list[str]) -> None:
    """Otherwise a player would be refused until the dice are such that the answer fits."""
    party = narraject()
    party.do("Jonas", a.RollAction(who="Rook", inputs={"d6": 2, "difficulty": 1}, answers=answers))
    assert party.roll.thrown


def test_answers_that_do_not_fit_typed_dice_are_refused() -> None:
    party = narraject()
    roll = a.RollAction(who="Rook", inputs={"d6": 2, "difficulty": 1}, faces="6 6 | 6", answers=["partial"])
    assert isinstance(refuses(party, "Jonas", roll), Illegal)


# TGIMH: Will and the track, between two characters.


def test_tgimh_reads_both_sheets_and_writes_to_the_loser() -> None:
    party = Party("tgimh")
    party.do("Mira", a.OpenAction(who="Wren", against="Kit", inputs={"ours": 3, "theirs": 2}))
    seen = party.see("Ada")[f"rolls/{party.roll.id}"]
    assert seen["ask"]["will"] == party.item("Wren", "will", "Will")["now"]
    before = encode_state(party.state)
    party.do("Ada", a.ReadyAction())
    party.do("Jonas", a.ThrowAction(faces="10 9 8 | 2 1"))
    while not party.roll.over:
        node = party.see("Mira")[f"rolls/{party.roll.id}"]["open"]
        option = node["options"][-1]
        party.do("Mira", a.AnswerAction(answer=option["name"] + (": Off balance" if option.get("words") else "")))
    assert encode_state(party.state) != before
    assert any(isinstance(event, e.Changed) for event in party.entries[-1].events)


def test_whoever_has_won_decides_and_nobody_else() -> None:
    party = Party("tgimh")
    party.do("Mira", a.OpenAction(who="Wren", against="Kit", inputs={"ours": 3, "theirs": 2}))
    party.do("Mira", a.ReadyAction())
    party.do("Mira", a.ThrowAction(faces="10 9 8 | 2 1"))
    assert "is Jonas's to say" in str(refuses(party, "Ada", a.AnswerAction(answer="none")))
    party.do("Jonas", a.AnswerAction(answer="none"))
    party.do("Mira", a.OpenAction(who="Wren", against="Kit", inputs={"ours": 2, "theirs": 3}))
    party.do("Mira", a.ReadyAction())
    party.do("Mira", a.ThrowAction(faces="2 1 | 10 9 8"))
    assert "is Ada's to say" in str(refuses(party, "Jonas", a.AnswerAction(answer="none")))
    party.do("Ada", a.AnswerAction(answer="none"))


# Chronicles: tries are counted, Beats and Conditions are gained.


def test_chronicles_counts_tries_and_gives_beats() -> None:
    party = Party("chronicles")
    party.do("Jonas", a.RollAction(who="Wren", inputs={"pool": 2, "task": "the lock"}, faces="2 3"))
    beats = party.item("Wren", "beats", "Beats")["now"]
    party.do("Jonas", a.AnswerAction(answer="take"))
    assert party.item("Wren", "beats", "Beats")["now"] == beats + 1
    assert party.item("Wren", "tries", "the lock")["tries"] == 1
    party.do("Jonas", a.RollAction(who="Wren", inputs={"pool": 2, "task": "the lock"}, faces="2 8"))
    assert "the lock" not in party.holder("Wren").sheet["tries"]


# Razorweave: Clocks are ticked.


def test_razorweave_ticks_the_clocks_that_a_check_names() -> None:
    party = Party("razorweave")
    for name, kind in (("Climb", "goal"), ("Storm", "threat")):
        party.do("Mira", a.EditAction(holder="table", section="clocks", item=name, to={"segments": 6, "kind": kind}))
    ask: dict[str, Any] = {"dc": 12, "goal": "Climb", "threat": "Storm"}
    party.do("Jonas", a.RollAction(who="Wren", inputs=ask, faces="6 6 6 6"))
    assert party.item("table", "clocks", "Climb")["filled"] > 0
    party.do("Jonas", a.RollAction(who="Wren", inputs=ask, faces="1 1 1 2"))
    assert party.item("table", "clocks", "Storm")["filled"] > 0


# Typed dice.


@pytest.mark.parametrize(
    ("faces", "words"),
    [
        ("1 2", "Too few faces"),
        ("1 2 3 | 4 | 5", ""),
        ("1 2 7 | 1", "7"),
        ("1 2 x | 1", "x"),
        ("0 1 2 | 3", "0"),
        ("1 2 3 4 | 5", ""),
    ],
)
def test_wrong_faces_are_refused_and_nothing_is_spent(faces: str, words: str) -> None:
    party = narraject()
    roll = a.RollAction(who="Rook", use={"Might": 3}, faces=faces)
    refusal = refuses(party, "Jonas", roll)
    assert isinstance(refusal, (Malformed, Illegal))
    assert words in str(refusal)
    assert party.item("Rook", "stats", "Might")["now"] == 3


def test_typed_faces_are_the_dice() -> None:
    party = narraject()
    party.do("Jonas", a.RollAction(who="Rook", inputs={"d6": 3}, faces="6 5 1 | 4"))
    dice = party.see("Olaf")[f"rolls/{party.roll.id}"]["dice"]
    assert [die["face"] for die in dice] == [6, 5, 1, 4]


# Whose turn it is.


def test_whoever_rolls_begins_the_throw_and_nobody_else() -> None:
    party = narraject()
    party.do("Jonas", a.OpenAction(who="Rook", inputs={"d6": 2}))
    party.do("Ada", a.AssistAction(who="Kit"))
    assert str(refuses(party, "Ada", a.ThrowAction())) == ("This is Jonas's roll; Jonas throws.")
    party.do("Ada", a.AssistAction(who="Kit", leave=True))
    assert str(refuses(party, "Ada", a.ThrowAction())) == "This is Jonas's roll; Jonas throws."
    party.do("Jonas", a.ThrowAction())
    assert party.roll.thrown


def test_a_roll_says_what_it_waits_for() -> None:
    party = narraject()
    party.do("Jonas", a.OpenAction(who="Rook", inputs={"d6": 2}))
    assert (
        str(refuses(party, "Jonas", a.AnswerAction(answer="settle"))) == "This roll waits for dice, not for an answer."
    )
    party.do("Jonas", a.ThrowAction())
    assert str(refuses(party, "Jonas", a.ThrowAction())) == "This roll waits for an answer, not for dice."
    roll = party.roll.id
    party.do("Jonas", a.AnswerAction(answer="settle"))
    assert str(refuses(party, "Jonas", a.ThrowAction(roll=roll))) == "This roll is over."
    assert str(refuses(party, "Jonas", a.AnswerAction(roll=roll, answer="settle"))) == "This roll is over."


def test_who_rolls_blind_learns_nothing_by_asking() -> None:
    party = narraject()
    party.do("Jonas", a.RollAction(who="Rook", inputs={"d6": 2}, seen="blind"))
    roll = party.roll.id
    for action in (
        a.ThrowAction(roll=roll),
        a.AnswerAction(roll=roll, answer="settle"),
        a.AnswerAction(roll=roll, answer="fly"),
        a.AnswerAction(roll=roll, answer="settle", steps=1),
        a.AnswerAction(roll=roll, answer="settle", steps=2),
        a.ThrowAction(roll=roll, steps=2),
    ):
        refusal = refuses(party, "Jonas", action)
        assert isinstance(refusal, Forbidden)
        assert str(refusal) == "How this roll goes on is hidden; it is the GM's to say."
    party.do("Mira", a.AnswerAction(roll=roll, answer="settle"))


def test_a_finished_roll_is_stored_as_it_was_shown() -> None:
    """The result is written once, at the end, and what dice did only for those who may know what is hidden."""
    party = Party()
    party.do("Mira", a.OpenAction(who="Wren", inputs={"d6": 3, "difficulty": 2}, hide=["difficulty"]))
    thrown, so_far = told_by(party.do("Jonas", a.ThrowAction(faces="6 6 1 | 3")))
    assert (so_far.over, so_far.result, so_far.effects) == (False, None, [])
    assert (thrown.title, thrown.by, thrown.value) == (party.roll.throws[0].title, party.holder("Wren").id, None)
    assert not any(did or counts for _, _, _, did, counts in thrown.dice)
    assert [[face for _, _, face, _, _ in dice] for dice in so_far.dice] == [[6, 6, 1, 3]]
    assert any(counts for _, _, _, _, counts in so_far.dice[0])
    (told,) = [event for event in party.do("Mira", a.AnswerAction(answer="settle")).events if isinstance(event, e.Told)]
    assert (told.over, told.dice, told.audience) == (True, [], "gm")
    assert told.result == party.see("Mira")[f"rolls/{party.roll.id}"]["result"]


def told_by(entry: Entry) -> tuple[e.Thrown, e.Told]:
    (thrown,) = [event for event in entry.events if isinstance(event, e.Thrown)]
    (told,) = [event for event in entry.events if isinstance(event, e.Told)]
    return thrown, told
