"""Chronicles: what an action leaves behind, and the tries before it (CD-10, CD-11)."""

from __future__ import annotations

from astragal import Typed, play
from astragal.games.chronicles import Attempt, Contested, Extended, attempt, extended
from astragal.games.chronicles.sheet import item_name
from astragal.games.chronicles.table import TABLE_RULES
from astragal.rule.sheets.table_rules import Change
from astragal.rule.tree.note import Note
from tests.games.chronicles_trial import (
    BLANK,
    DEXTERITY,
    LARCENY,
    TRIAL,
    UNTRIED,
    asked,
    changes,
    holder,
    offers,
    participants,
    settled,
)

HALLORAN = holder("c9", "Halloran")


def test_cd11_a_try_under_pressure_sets_the_task_and_takes_a_die_for_each_try_before() -> None:
    ask = asked("attempt", participants(), [DEXTERITY, LARCENY, "c1/tries/the dome's lock"])
    assert (ask.task, ask.tries, ask.dice) == ("the dome's lock", 2, 5)


def test_cd11_with_time_and_no_pressure_the_full_pool_stands() -> None:
    assert asked("attempt", participants(), [DEXTERITY, LARCENY], task="the dome's lock").dice == 7


def test_cd11_tries_are_counted_when_they_come_to_nothing_and_forgotten_after_a_success() -> None:
    at, ask = participants(), Attempt(pool=2, task="the dome's lock")
    assert changes(settled(at, ask, "1 2", "keep")) == [("tries", "the dome's lock", 1)]
    (done,) = settled(at, ask, "8 2")
    assert isinstance(done, Change)
    assert (done.item, done.field, done.to, done.by) == ("the dome's lock", "", None, None)


def test_cd11_the_first_try_starts_the_count_and_a_first_success_needs_none() -> None:
    fresh = participants(who=UNTRIED)
    (first,) = settled(fresh, Attempt(pool=2, task="the safe"), "1 2", "keep")
    assert isinstance(first, Change)
    assert (first.item, first.to) == ("the safe", {"tries": 1})
    assert settled(fresh, Attempt(pool=2, task="the safe"), "8 2") == []


def test_cd11_a_try_without_a_task_is_not_counted() -> None:
    assert settled(participants(), Attempt(pool=2), "1 2", "keep") == []


def test_cd11_a_task_in_many_words_or_with_a_stroke_can_be_counted_too() -> None:
    task = "either/or " + "and so on " * 30
    (first,) = settled(participants(), Attempt(pool=2, task=task), "1 2", "keep")
    assert isinstance(first, Change)
    assert first.item == item_name(first.item)
    assert item_name(" / ") == "something"


def test_cd11_extended_and_contested_actions_know_no_earlier_tries() -> None:
    for kind in ("extended", "contested"):
        assert not [id for id in offers(kind, participants()) if "/tries/" in id]


def test_cd10_either_side_of_a_contest_may_take_a_beat_or_gain_a_condition() -> None:
    at = participants(who=BLANK, against=HALLORAN)
    both = {"beat": ["take"], "their-beat": ["take"]}
    deeds = TRIAL.written("contested", at, Contested(ours=1, theirs=1), "2 | 3", both)
    assert [(deed.holder, deed.section) for deed in deeds if isinstance(deed, Change)] == [
        ("c1", "beats"),
        ("c9", "beats"),
    ]
    deeds = TRIAL.written("contested", at, Contested(ours=1, theirs=5), "8 | 8 8 8 8 8")
    assert [(deed.holder, deed.item) for deed in deeds if isinstance(deed, Change)] == [("c9", "Inspired")]


def test_cd13_each_roll_of_a_long_task_gives_its_beat_or_its_condition_at_once() -> None:
    ask = Extended(pool=5, target=9)
    played = play(extended(ask), Typed("1 2 3 4 5 | 8 8 8 8 8 | 8 8 8 8 1", {"beat": ["take"]}))
    answers = [effect for effect in played.effects if effect.when == "answer"]
    assert [(effect.what, effect.who) for effect in answers] == [("beats", "roller"), ("conditions", "roller")]
    assert changes(TRIAL.checked(TABLE_RULES.apply("extended", ask, answers, participants(who=BLANK)))) == [
        ("beats", "Beats", 1),
        ("conditions", "Inspired", None),
    ]


def test_cd12_a_helpers_beat_is_the_helpers() -> None:
    ask = Attempt(pool=6, helpers=1, helper_pool=1)
    played = play(attempt(ask), Typed("2 | 8 1", {"helper-beat": ["take"]}))
    (beat,) = played.effects
    assert (beat.what, beat.who, beat.when) == ("beats", "helper 1", "answer")
    (change,) = TABLE_RULES.apply("attempt", ask, [beat], participants(helpers=(HALLORAN,)))
    assert isinstance(change, Change)
    assert (change.holder, change.section, change.by) == ("c9", "beats", 1)


def test_cd10_a_failure_made_dramatic_is_a_beat() -> None:
    assert changes(settled(participants(), Attempt(pool=2), "1 2", "take")) == [("beats", "Beats", 1)]
    assert settled(participants(), Attempt(pool=2), "1 2", "keep") == []


def test_cd10_an_exceptional_success_gives_a_condition_once() -> None:
    fresh = participants(who=BLANK, options={"boon": "Charmed"})
    assert TRIAL.reads("attempt", fresh) == {"boon": "Charmed", "has_boon": False}
    ask = asked("attempt", fresh, [], pool=5)
    assert changes(settled(fresh, ask, "8 8 8 8 8")) == [("conditions", "Charmed", None)]
    again = settled(participants(), Attempt(pool=5), "8 8 8 8 8")
    assert [str(each) for each in again] == ["Teodor has the Condition Inspired already (CD-10)."]


def test_without_a_character_nothing_is_written_and_the_log_says_what_would_have_been() -> None:
    nobody = participants(who=None)
    written = settled(nobody, Attempt(pool=2, task="the safe"), "1 2", "take")
    written += settled(nobody, Attempt(pool=5, task="the safe"), "8 8 8 8 8")
    assert {type(each) for each in written} == {Note}
    assert [each.rule for each in written] == ["CD-11", "CD-10", "CD-10"]
