"""A roll that is built together: the player, helpers and the GM each put in what is theirs."""

from __future__ import annotations

import pytest

from astragal.errors import Forbidden, Illegal, Malformed, Refusal, Unknown
from astragal.table import action as a
from astragal.table.decide.build import MAX_OPEN
from tests.table.tables import Party

WREN = {
    "stats": {"Might": {"now": 2, "full": 3}, "Wits": {"now": 1, "full": 3}},
    "specialties": {"Ropes": {"level": "expert", "dice": 1}},
    "gear": {"Hook": {"dice": 2}},
}


@pytest.fixture
def party() -> Party:
    """Jonas has Ada's Kit for a helper, and the GM has put a hidden difficulty into the roll."""
    party = Party()
    party.do("Jonas", a.CreateAction(name="Rook", sheet=WREN))
    party.do("Ada", a.CreateAction(name="Finch", sheet=WREN))
    party.do("Jonas", a.OpenAction(who="Rook"))
    party.do("Ada", a.AssistAction(who="Finch"))
    return party


def built(party: Party, by: str, **put: object) -> None:
    party.do(by, a.BuildAction(**put))  # type: ignore[arg-type]


def test_everybody_puts_in_what_is_theirs(party: Party) -> None:
    built(party, "Jonas", use={"Might": 2, "Ropes (expert)": 1})
    built(party, "Ada", use={"Finch's Wits": 1})
    built(party, "Mira", inputs={"difficulty": 2})
    seen = party.see("Olaf")[f"rolls/{party.roll.id}"]
    assert seen["headline"] == "Narraject (marks edition): 4d6 and a d10 (Ropes) against Difficulty 2"
    assert [source["label"] for source in seen["ask"]["d6"]["sources"]] == ["Might", "Ropes (expert)"]


def test_nothing_is_paid_before_the_dice_are_thrown(party: Party) -> None:
    built(party, "Jonas", use={"Might": 2})
    built(party, "Ada", use={"Finch's Wits": 1})
    assert party.item("Rook", "stats", "Might")["now"] == 2
    party.do("Jonas", a.ThrowAction())
    assert party.item("Rook", "stats", "Might")["now"] == 0
    assert party.item("Finch", "stats", "Wits")["now"] == 0


def test_what_was_put_in_can_be_taken_out(party: Party) -> None:
    built(party, "Jonas", use={"Might": 2, "Hook": 1}, inputs={"difficulty": 3})
    built(party, "Jonas", use={"Might": 0}, inputs={"difficulty": None})
    assert list(party.roll.use.values()) == [1]
    assert party.roll.inputs == {}


@pytest.mark.parametrize(
    ("by", "put", "sentence"),
    [
        ("Ada", {"use": {"Ropes": 1}}, "Ropes (expert) is not yours to put in."),
        ("Jonas", {"use": {"Finch's Wits": 1}}, "Finch's Wits is Finch's to put in."),
        (
            "Ada",
            {"inputs": {"difficulty": 1}},
            "This roll is not yours; you may put in what your own characters offer.",
        ),
        ("Ada", {"helpers": []}, "This roll is not yours; you may put in what your own characters offer."),
        ("Jonas", {"hide": ["difficulty"]}, "Only a GM may hide a part of a roll."),
    ],
)
def test_nobody_puts_in_what_is_not_theirs(party: Party, by: str, put: dict[str, object], sentence: str) -> None:
    with pytest.raises(Forbidden) as refused:
        built(party, by, **put)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("put", "kind", "words"),
    [
        ({"use": {"Might": 3}}, Illegal, "Might can be used 2 times, not 3"),
        ({"use": {"Luck": 1}}, Unknown, '"Luck" cannot be put into this roll; there are Might, Wits, Ropes'),
        ({"inputs": {"luck": 1}}, Unknown, 'There is no input "luck" here'),
        ({"inputs": {"difficulty": "very"}}, Malformed, 'difficulty is "very"'),
        ({"inputs": {"difficulty": -1}}, Illegal, "difficulty is -1"),
        ({"helpers": ["Zoe"]}, Unknown, 'There is nobody called "Zoe"'),
        ({"against": "Zoe"}, Unknown, 'There is nobody called "Zoe"'),
        ({}, Illegal, "That changes nothing"),
    ],
)
def test_nonsense_is_refused_at_once(party: Party, put: dict[str, object], kind: type[Refusal], words: str) -> None:
    with pytest.raises(kind) as refused:
        built(party, "Jonas", **put)
    assert words in str(refused.value)


def test_points_that_were_spent_elsewhere_refuse_the_throw_and_cost_nothing(party: Party) -> None:
    built(party, "Jonas", use={"Might": 2, "Hook": 1})
    party.do("Jonas", a.ChangeAction(holder="Rook", section="stats", item="Might", by=-1))
    with pytest.raises(Illegal, match="Might can be used 1 time, not 2"):
        party.do("Jonas", a.ThrowAction())
    assert party.item("Rook", "stats", "Might")["now"] == 1
    built(party, "Jonas", use={"Might": 1})
    party.do("Jonas", a.ThrowAction())


def test_a_hidden_difficulty_is_nobody_elses_to_see_or_to_set(party: Party) -> None:
    built(party, "Mira", hide=["difficulty"])
    built(party, "Mira", inputs={"difficulty": 4})
    built(party, "Jonas", use={"Might": 1})
    with pytest.raises(Forbidden, match="Only a GM may set difficulty, which is hidden"):
        built(party, "Jonas", inputs={"difficulty": 1})
    seen, known = party.see("Jonas")[f"rolls/{party.roll.id}"], party.see("Mira")[f"rolls/{party.roll.id}"]
    assert seen["hidden"] == ["difficulty"]
    assert "difficulty" not in seen["inputs"]
    assert (seen["headline"], seen["missing"], seen.get("ask")) == ("", "", None)
    assert known["ask"]["difficulty"] == 4


def test_a_refusal_tells_nothing_of_what_is_hidden(party: Party) -> None:
    built(party, "Mira", hide=["trait"], inputs={"trait": [["Curse", "expert"], ["Hex", "trained"]]})
    built(party, "Jonas", inputs={"step": "d6"})
    with pytest.raises(Illegal, match="for a reason that is hidden; ask the GM"):
        party.do("Jonas", a.ThrowAction())


def test_something_hidden_that_a_gm_puts_in_hides_what_it_gives(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="scene", section="circumstances", item="Omen", to={"dice": 3, "seen": "gm"}))
    assert "Omen" not in str(party.see("Jonas"))
    with pytest.raises(Unknown, match='"Omen" cannot be put into this roll'):
        built(party, "Jonas", use={"Omen": 1})
    built(party, "Mira", use={"Omen": 1})
    built(party, "Jonas", use={"Might": 1})
    seen = party.see("Jonas")[f"rolls/{party.roll.id}"]
    assert seen["hidden"] == ["d6"]
    assert "Omen" not in str(seen)
    assert int(party.see("Mira")[f"rolls/{party.roll.id}"]["ask"]["d6"]["total"]) == 4


def test_a_roll_is_withdrawn_by_whose_it_is_before_it_is_thrown(party: Party) -> None:
    with pytest.raises(Forbidden):
        party.do("Ada", a.WithdrawAction())
    party.do("Jonas", a.WithdrawAction())
    assert not party.state.world.rolls
    party.do("Jonas", a.RollAction(who="Rook", inputs={"d6": 1}))
    for action in (a.WithdrawAction(), a.BuildAction(inputs={"d6": 2})):
        with pytest.raises(Illegal, match="The dice of this roll are thrown; nothing can be put in any more"):
            party.do("Jonas", action)


def test_so_many_rolls_of_ones_own_may_be_open(party: Party) -> None:
    for _ in range(MAX_OPEN - 1):
        party.do("Jonas", a.OpenAction())
    with pytest.raises(Illegal, match="50 rolls of yours are open"):
        party.do("Jonas", a.OpenAction())
    party.do("Ada", a.OpenAction())


def test_what_is_in_a_roll_already_is_no_change_and_no_line(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"difficulty": 2}, use={"Might": 1}))
    with pytest.raises(Illegal, match="That changes nothing"):
        party.do("Jonas", a.BuildAction(inputs={"difficulty": 2, "about": None}, use={"Might": 1, "Agility": 0}))
    party.do("Jonas", a.BuildAction(inputs={"difficulty": 3}, use={"Might": 1}))
    assert party.lines("Olaf") == ["Jonas claims Difficulty 3."]


def test_a_gm_who_sets_what_is_there_makes_it_the_gms(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"difficulty": 2}))
    party.do("Mira", a.BuildAction(inputs={"difficulty": 2}))
    with pytest.raises(Forbidden, match="A GM has set difficulty"):
        party.do("Jonas", a.BuildAction(inputs={"difficulty": 1}))
    with pytest.raises(Illegal, match="That changes nothing"):
        party.do("Mira", a.BuildAction(inputs={"difficulty": 2}))


def test_what_is_named_twice_is_put_in_twice(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"difficulty": 2}))
    party.do("Jonas", a.BuildAction(use={"Might": 1, "stats: might": 1}))
    assert party.lines("Olaf") == ["Jonas puts Might in (2 times)."]
