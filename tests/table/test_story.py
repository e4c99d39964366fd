"""The story reads like one: a roll is a paragraph with its aim, its sources, what came of it and what people said."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from astragal.explain.report import sentence
from astragal.explain.translation import speaker
from astragal.games.registry import game, names
from astragal.rule.inputs.total import listed
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.log.lines import tell
from astragal.table.log.sample import play_sample
from astragal.table.log.story import story
from astragal.table.log.tale import escape
from tests.table.tables import Party, all_show


def told(party: Party, name: str) -> str:
    return "\n".join(story(party.entries, party.state, party.member(name)))


def razorweave() -> Party:
    party = Party("razorweave")
    party.do("Mira", a.SceneAction(title="The granary"))
    return party


CHECK = {
    "dc": 16,
    "attribute": 2,
    "intent": "get past the guard",
    "approach": "over the roofs!",
    "edge": "1 rope ladder",
    "burden": "1 loose tiles",
}


def test_a_roll_is_one_paragraph_though_it_took_several_entries() -> None:
    """RW-1: intent, approach, sources and narration stand with the roll."""
    party = razorweave()
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"intent": CHECK["intent"], "approach": CHECK["approach"]}))
    party.do("Mira", a.BuildAction(inputs={"dc": 16, "edge": CHECK["edge"], "burden": CHECK["burden"]}))
    party.do("Jonas", a.BuildAction(inputs={"attribute": 2}))
    party.do("Ada", a.NoteAction(text="Careful!"))
    party.do("Jonas", a.ThrowAction(faces="6 5 3 2"))
    party.do("Mira", a.NoteAction(text="Rain sets in."))
    party.do("Mira", a.DescribeAction(text="A tile goes down, and a dog barks."))
    paragraph = next(part for part in told(party, "Olaf").split("\n\n") if part.startswith("**Wren**"))
    assert paragraph == (
        "**Wren** acts. Get past the guard. Over the roofs! With rope ladder, despite loose tiles. "
        "**Full success.**  \nA tile goes down, and a dog barks. *(Mira)*  \n*(18 against 16.)*"
    )


def test_the_log_says_what_was_put_in_by_name() -> None:
    party = razorweave()
    entry = party.do("Jonas", a.RollAction(who="Wren", inputs=CHECK, faces="6 5 3 2"))
    for name in ("Jonas", "Mira", "Olaf"):
        assert "Get past the guard. Over the roofs! With rope ladder, despite loose tiles." in party.lines(name, entry)


def test_a_hidden_ask_is_told_to_the_gm_until_it_is_revealed() -> None:
    party = razorweave()
    party.do("Mira", a.RollAction(who="Wren", inputs=CHECK, hide=["dc"], faces="6 5 3 2"))
    assert "rope ladder" not in told(party, "Olaf")
    assert "rope ladder" in told(party, "Mira")
    party.do("Mira", a.RevealAction(roll=party.roll.id))
    assert "With rope ladder" in told(party, "Olaf")
    assert "**Full success.**" in told(party, "Olaf")


def test_a_revealed_roll_is_told_like_any_other() -> None:
    """The whole verdict stood there as a title: "**Success: 1 Mark, 1 needed; As yourself: …**"."""
    party, open_party = Party(), Party()
    throw = a.RollAction(who="Wren", inputs={"d6": 1, "difficulty": 1}, faces="1 | 6", seen="gm")
    for one, action in ((party, throw), (open_party, replace(throw, seen="all"))):
        one.do("Mira", action)
        one.do("Mira", a.AnswerAction(answer="settle"))
    party.do("Mira", a.RevealAction())
    assert "**Success.** As yourself: the Step Die is highest." in told(open_party, "Olaf")
    assert "**Success.** As yourself: the Step Die is highest." in told(party, "Olaf")
    lines = tell(party.entries[-1], party.state, party.member("Olaf"))
    verdict = [line for line in lines if line.kind == "verdict"]
    assert [(line.tone, line.tier, line.sum) for line in verdict] == [("good", "Success", "1 Mark, 1 needed")]


def test_a_blind_roll_is_told_without_how_it_went() -> None:
    party = razorweave()
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 10}, seen="blind"), all_show(6))
    assert "**Wren** acts. Only the GM knows how it went." in told(party, "Jonas")
    assert "Wren** acts" not in told(party, "Ada")
    assert "success" in told(party, "Mira")


def test_withdrawn_rolls_and_book_keeping_are_left_out() -> None:
    party = razorweave()
    party.do("Jonas", a.OpenAction(who="Wren"))
    party.do("Jonas", a.WithdrawAction())
    party.do("Mira", a.EditAction(holder="table", section="clocks", item="Flood", to={"segments": 4}))
    party.do("Mira", a.ChangeAction(holder="table", section="clocks", item="Flood", by=2))
    text = told(party, "Olaf")
    assert "acts" not in text
    assert "segments" not in text
    assert "Flood +2." in text


def test_an_undo_that_a_gm_allowed_is_left_out() -> None:
    party = razorweave()
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 12}, faces="6 5 3 2"))
    party.do("Jonas", a.UndoAction())
    party.do("Mira", a.AllowAction())
    party.do("Jonas", a.ThrowAction())
    text = told(party, "Olaf")
    assert "undo" not in text and "undid" not in text
    assert text.count("**Wren**") == 1


def test_that_both_sides_got_ready_is_left_out() -> None:
    party = Party("tgimh")
    party.do("Mira", a.SceneAction(title="The yard"))
    party.do("Jonas", a.OpenAction(who="Wren", against="Kit", inputs={"ours": 3}))
    party.do("Ada", a.BuildAction(inputs={"theirs": 2}))
    party.do("Ada", a.ReadyAction())
    party.do("Jonas", a.ThrowAction(faces="9 8 3 | 5 2"))
    assert "ready" in str([party.lines("Olaf", entry) for entry in party.entries])
    assert "**Wren**" in told(party, "Olaf") and "ready" not in told(party, "Olaf")


@pytest.mark.parametrize("game", names())
def test_no_rule_numbers_ids_or_field_names_stand_in_a_story(game: str) -> None:
    table, entries = play_sample(game, 1)
    text = "\n".join(story(entries, table.state, table.state.members[entries[0].by]))
    assert not any(f"({number})" in text for number in ("NJ-", "TG-", "CD-", "RW-"))
    assert not any(id in text for id in table.state.world.holders if id not in ("table", "scene"))
    assert " is now " not in text


def test_names_are_listed_and_sentences_end() -> None:
    assert [listed(["A"]), listed(["A", "B"]), listed(["A", "B", "C"])] == ["A", "A and B", "A, B and C"]
    assert [sentence("over it"), sentence("Run!"), sentence("so?")] == ["Over it.", "Run!", "So?"]


def test_a_story_opens_with_those_who_play() -> None:
    assert told(razorweave(), "Olaf").split("\n\n")[1] == "*Mira tells the story. Jonas plays Wren. Ada plays Kit.*"


def test_a_gm_s_words_are_told_and_a_player_s_are_quoted() -> None:
    party = razorweave()
    party.do("Mira", a.NoteAction(text="Rain sets in."))
    party.do("Jonas", a.NoteAction(text="I have a bad feeling."))
    assert told(party, "Olaf").split("\n\n")[3:] == ["Rain sets in.", "“I have a bad feeling.” *(Jonas)*\n"]


def test_numbers_stand_in_a_line_of_their_own_below_what_happened() -> None:
    table, entries = play_sample("narraject", 1)
    paragraphs = "\n".join(story(entries, table.state, None)).split("\n\n")
    dives = next(part for part in paragraphs if part.startswith("**Ysolde**"))
    first, *_, last = dives.split("  \n")
    assert "Might −2" in last and last.startswith("*(") and last.endswith(")*")
    assert "Might −2" not in first


def test_another_day_is_said_when_it_begins() -> None:
    table, entries = play_sample("narraject", 1)
    day = 24 * 60 * 60 * 1000
    later = [replace(entry, at=entry.at + day * (entry.version > len(entries) - 2)) for entry in entries]
    assert "*(1970-01-02)*" in "\n".join(story(later, table.state, None)).split("\n\n")
    assert "1970" not in "\n".join(story(entries, table.state, None))


@pytest.mark.parametrize("name", ["narraject", "tgimh", "chronicles", "razorweave"])
def test_a_story_in_german_has_english_only_where_people_wrote_it(name: str) -> None:
    """What the sample's people and things are called stays as it is; every sentence around it is German."""
    table, entries = play_sample(name, 0)
    gm = next(one for one in table.state.members.values() if one.role == "gm")
    said = "\n".join(story(entries, table.state, gm, speaker(game(name), "de")))
    assert "erzählt die Geschichte" in said
    assert not re.search(r"\*\* (tries|acts|goes|rolls|asks)|helped by|knows how it went|^With |is gone|\. With ", said)
    notes = {event.text for entry in entries for event in entry.events if isinstance(event, e.Noted) and event.said}
    assert notes and all(escape(note) in said for note in notes)


TOLD_WITH_MOVES = (
    ("Mira", "The lamp hisses and goes out. The bell rings once, close by."),
    ("Ada", "Soup in the ferryman's kitchen. Odo tells her the three names."),
)
"""What people say in the samples with a move."""


@pytest.mark.parametrize(("name", "told"), list(zip(("narraject", "tgimh"), TOLD_WITH_MOVES, strict=True)))
def test_t9_words_that_people_gave_with_a_move_are_in_the_story(name: str, told: tuple[str, str]) -> None:
    table, entries = play_sample(name, 0)
    for member in (*table.state.members.values(), None):
        assert escape(told[1]) in "\n".join(story(entries, table.state, member))


@pytest.mark.parametrize("name", ["narraject", "tgimh", "chronicles", "razorweave"])
def test_every_line_of_a_log_has_german_words(name: str) -> None:
    table, entries = play_sample(name, 0)
    gm = next(one for one in table.state.members.values() if one.role == "gm")
    say = speaker(game(name), "de")
    told = (line for entry in entries if entry.do != "note" for line in tell(entry, table.state, gm))
    lines = {line.text for line in told if line.kind != "words"}
    alike = {text for text in lines if say(text) == text}
    lines -= {f"{who}: {words}" for who, words in TOLD_WITH_MOVES}
    alike &= lines
    by_hand = {"Ada: IP +1 (for the finest excuse ever heard in that office).", "Tobren: Heart −2.", "Ada: IP +1."}
    assert alike <= {*by_hand, "Ysolde: In the dark (No light until somebody dries the wick)."}


def test_an_answer_that_was_counted_already_is_told_once() -> None:
    """It was told with its shift, without it, and as a deed: three sentences that contradicted each other."""
    party = razorweave()
    inputs = {"question": ["Is the lock sophisticated?=hinders"]}
    party.do("Jonas", a.RollAction(who="Wren", kind="oracle", inputs=inputs, faces="5"))
    party.do("Jonas", a.AnswerAction(answer="counted-1"))
    tale = told(party, "Olaf")
    assert tale.count("Is the lock sophisticated? yes") == 1
    assert "Is the lock sophisticated? yes, already counted. **DC 14.**" in tale


def test_what_a_gm_says_to_a_check_that_is_not_needed_is_told_once() -> None:
    party = razorweave()
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"intent": "step over a puddle"}))
    party.do("Mira", a.BuildAction(inputs={"matters": "no"}))
    party.do("Mira", a.AnswerAction(answer="yes: You step over."))
    assert told(party, "Olaf").count("You step over") == 1
