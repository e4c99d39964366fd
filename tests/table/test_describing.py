"""Words about a finished roll: who is asked, who may say them, who hears them."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import Forbidden, Illegal, Refusal, Unknown
from astragal.table import action as a
from astragal.table.log.story import story
from tests.table.tables import Party

GREAT = "6 6 6 6 6 | 5"
"""Six Marks, five more than needed, and a Step Die below every d6."""


def rolled(faces: str, **more: Any) -> Party:
    """Jonas has rolled 5d6 against Difficulty 1 for Wren, and settled."""
    party = Party("narraject")
    by = "Mira" if more else "Jonas"
    party.do(by, a.RollAction(who="Wren", inputs={"d6": 5, "difficulty": 1}, faces=faces, **more))
    party.do(by, a.AnswerAction(answer="settle"))
    return party


def prompts(party: Party, name: str) -> list[tuple[str, bool]]:
    seen = party.see(name)[f"rolls/{party.roll.id}"]
    return [(prompt["rule"], prompt["yours"]) for prompt in seen.get("prompts", [])]


def test_a_triumph_asks_the_player_and_a_lowest_step_die_the_gm() -> None:
    """NJ-8, NJ-10: everybody sees who is asked, each sees what is theirs to say."""
    party = rolled(GREAT)
    assert prompts(party, "Jonas") == [("NJ-8", True), ("NJ-10", False)]
    assert prompts(party, "Mira") == [("NJ-8", False), ("NJ-10", True)]
    assert prompts(party, "Ada") == prompts(party, "Olaf") == [("NJ-8", False), ("NJ-10", False)]


def test_words_stand_with_the_roll_for_everybody_in_view_log_and_story() -> None:
    party = rolled(GREAT)
    party.do("Jonas", a.DescribeAction(text="  The rope holds. "))
    party.do("Mira", a.DescribeAction(text="A gull steals the lamp."))
    for name in ("Jonas", "Mira", "Ada", "Olaf"):
        seen = party.see(name)[f"rolls/{party.roll.id}"]
        assert [words["text"] for words in seen["words"]] == ["The rope holds.", "A gull steals the lamp."]
        assert "prompts" not in seen
        assert party.lines(name) == ["Mira: A gull steals the lamp."]
    told = "\n".join(story(party.entries, party.state, party.member("Olaf")))
    assert "The rope holds. *(Jonas)*" in told
    assert "A gull steals the lamp. *(Mira)*" in told


def test_whoever_is_asked_may_leave_it() -> None:
    party = rolled(GREAT)
    party.do("Jonas", a.DescribeAction())
    assert prompts(party, "Mira") == [("NJ-10", True)]
    assert party.lines("Ada") == []
    with pytest.raises(Illegal, match="Say in words"):
        party.do("Jonas", a.DescribeAction(roll=party.roll.id))


def test_a_gm_may_describe_any_roll_and_its_roller_too() -> None:
    party = rolled("5 4 4 3 2 | 2")
    assert prompts(party, "Mira") == [("NJ-8", True)]
    party.do("Mira", a.DescribeAction(text="It creaks.", roll=party.roll.id))
    party.do("Jonas", a.DescribeAction(text="I hold my breath.", roll=party.roll.id))
    assert [text for _, text in party.roll.words] == ["It creaks.", "I hold my breath."]


@pytest.mark.parametrize("by", ["Ada", "Olaf"])
def test_others_describe_nothing(by: str) -> None:
    party = rolled(GREAT)
    with pytest.raises(Forbidden):
        party.do(by, a.DescribeAction(text="Mine.", roll=party.roll.id))
    with pytest.raises(Refusal):
        party.do(by, a.DescribeAction(text="Mine."))


def test_an_open_roll_is_described_when_it_is_over() -> None:
    party = Party("narraject")
    with pytest.raises(Unknown, match="nothing to describe"):
        party.do("Jonas", a.DescribeAction(text="Early."))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 5, "difficulty": 1}, faces=GREAT))
    with pytest.raises(Illegal, match="not over"):
        party.do("Jonas", a.DescribeAction(text="Early.", roll=party.roll.id))


def test_words_about_a_hidden_roll_are_heard_by_those_who_saw_it_until_it_is_revealed() -> None:
    party = rolled(GREAT, seen="blind")
    with pytest.raises(Refusal):
        party.do("Jonas", a.DescribeAction(text="Did it work?", roll=party.roll.id))
    party.do("Mira", a.DescribeAction(text="Somebody saw you."))
    for name in ("Jonas", "Ada"):
        assert party.lines(name) == []
        assert "Somebody saw you" not in str(party.see(name))
    party.do("Mira", a.RevealAction(roll=party.roll.id))
    assert "Mira: Somebody saw you." in party.lines("Ada")
    assert "Somebody saw you." in str(party.see("Ada"))


def test_what_others_told_of_a_roll_goes_only_with_a_gms_consent() -> None:
    """T-6."""
    party = rolled(GREAT)
    party.do("Mira", a.DescribeAction(text="A gull steals the lamp."))
    party.do("Jonas", a.UndoAction(entry=party.entries[-3].id))
    assert party.roll.words
    party.do("Mira", a.AllowAction())
    assert not party.roll.words


def test_a_roll_takes_twenty_descriptions() -> None:
    party = rolled(GREAT)
    for n in range(20):
        party.do("Jonas", a.DescribeAction(text=f"And {n}.", roll=party.roll.id))
    with pytest.raises(Illegal, match="20 descriptions"):
        party.do("Jonas", a.DescribeAction(text="And more.", roll=party.roll.id))
