"""Chances by tone at a table: the tray, each option, each help, the rest; nothing that gives away what is hidden."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from astragal.dice.distribution import Distribution
from astragal.dice.estimates import trees_up_to
from astragal.errors import Illegal
from astragal.explain.tones import tone_odds
from astragal.games.chronicles import Extended
from astragal.games.narraject import Attempt
from astragal.games.tgimh import Contest
from astragal.rule.chances.odds import odds
from astragal.rule.verdict import WINS, Tone
from astragal.table import action as a
from astragal.table.rolls.chances import EMPTY, RollChances, advice, tone_chances
from astragal.table.rolls.chances import chances as all_chances
from tests.table.tables import Party


def chances(party: Party, name: str, offer: str = "") -> RollChances:
    member = party.member(name)
    assert member is not None
    return tone_chances(party.state, party.roll, member, offer)


def success(tones: Distribution[Tone] | None) -> Fraction:
    assert tones is not None
    return sum((tones[tone] for tone in WINS), Fraction(0))


def test_everybody_who_sees_the_tray_knows_its_chance_and_that_with_all_points_spent() -> None:
    party = Party()
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"d6": 4, "difficulty": 3}))
    for name in ("Mira", "Jonas", "Ada", "Olaf"):
        found = chances(party, name)
        assert success(found.now) == odds(Attempt(d6=4, difficulty=3), "success")[True]
        assert found.points == 2
        assert success(found.spending) > success(found.now)


def test_a_helper_knows_the_chance_with_each_stat_and_the_leader_that_without_it() -> None:
    party = Party()
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"d6": 3, "difficulty": 2}))
    party.do("Ada", a.AssistAction(who="Kit"))
    stat = next(iter(party.holder("Kit").sheet["stats"]))
    id = f"{party.holder('Kit').id}/stats/{stat}!help"
    with_help = odds(Attempt(d6=4, difficulty=2), "success")[True]
    assert success(chances(party, "Ada").helps[id]) == with_help
    party.do("Ada", a.BuildAction(use={id: 1}))
    assert success(chances(party, "Jonas").now) == with_help
    assert success(chances(party, "Jonas").helps[id]) == odds(Attempt(d6=3, difficulty=2), "success")[True]


def test_one_thing_more_is_told_where_somebody_asks_for_it() -> None:
    party = Party()
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"difficulty": 1}))
    stat = next(name for name, item in party.holder("Wren").sheet["stats"].items() if item["now"])
    id = f"{party.holder('Wren').id}/stats/{stat}"
    assert chances(party, "Jonas").helps == {}
    assert success(chances(party, "Jonas", id).helps[id]) == odds(Attempt(d6=1, difficulty=1), "success")[True]


def test_a_hidden_difficulty_leaves_no_chance_but_for_the_gm() -> None:
    party = Party()
    party.do("Mira", a.OpenAction(who="Wren", inputs={"d6": 4, "difficulty": 3}, hide=["difficulty"]))
    assert chances(party, "Jonas") == RollChances(why="Something about this roll is hidden, so its chances are too.")
    assert chances(party, "Mira").now is not None
    party.do("Jonas", a.ThrowAction(faces="5 5 1 1 | 3"))
    assert chances(party, "Jonas").options == {}
    assert chances(party, "Mira").options


def test_each_option_has_its_chances_and_the_best_is_named() -> None:
    party = Party()
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2, "step": 10, "difficulty": 2}, faces="5 1 | 2"))
    found = chances(party, "Ada")
    assert found.best == "reroll"
    assert success(found.options["reroll"]) == 1 - Fraction(4, 10) ** 2  # a d10 shows 5 or more, once or twice
    assert success(found.options["add"]) == Fraction(1, 3)
    assert success(found.options["settle"]) == 0


def test_the_rest_of_a_long_task_has_its_chance_at_every_choice() -> None:
    party = Party("chronicles")
    inputs = {"pool": 5, "target": 6, "task": "The codex"}
    party.do("Jonas", a.RollAction(kind="extended", who="Wren", inputs=inputs, faces="9 8 1 1 1"))
    party.do("Jonas", a.OpenAction(kind="extended", who="Wren", use={"The codex": 1}, inputs={"pool": 5}))
    assert chances(party, "Olaf").now == tone_odds(Extended(pool=5, target=4, rolls=4))
    party.do("Jonas", a.ThrowAction(faces="1 2 3 4 5"))
    found, left = chances(party, "Olaf"), tone_odds(Extended(pool=5, target=4, rolls=3))
    assert (found.now, *found.options.values()) == (left, left, left)


def test_what_a_gms_character_does_to_a_player_is_told_for_the_player() -> None:
    party = Party("tgimh")
    party.do("Mira", a.CreateAction(name="Tollmaster"))
    party.do("Mira", a.OpenAction(who="Tollmaster", against="Wren", inputs={"ours": 6, "theirs": 3}))
    ours = odds(Contest(ours=6, theirs=3), "winner")
    assert success(chances(party, "Jonas").now) == ours["theirs"]


def test_a_roll_that_lacks_something_says_so_and_has_no_chance() -> None:
    party = Party("razorweave")
    party.do("Jonas", a.OpenAction(kind="check", who="Wren"))
    found = chances(party, "Jonas")
    assert found.now is None
    assert "dc" in found.why


def test_a_long_task_that_waits_for_a_helper_knows_its_chance_and_walks_nowhere() -> None:
    """Before a roll it is that of the rest; in the middle of one it is foreseen in a closed form."""
    party = Party("chronicles")
    traits = {"physical": {"Strength": {"dots": 3}}, "physical_skills": {"Brawl": {"dots": 1}}}
    for who, name in (("Jonas", "Vera"), ("Ada", "Pell")):
        party.do(who, a.CreateAction(name=name, sheet=traits))
    party.do("Jonas", a.OpenAction(who="Vera", kind="extended", use={"Strength": 1, "Brawl": 1}, inputs={"target": 5}))
    party.do("Ada", a.AssistAction(who="Pell"))
    before = chances(party, "Jonas").now
    party.do("Jonas", a.ThrowAction())
    assert chances(party, "Jonas").now == before
    party.do("Ada", a.ThrowAction(faces="8 8 9 1"))
    after = chances(party, "Jonas").now
    assert before is not None and after is not None and success(after) > success(before)


@pytest.mark.parametrize(
    ("kind", "about"), [("attempt", {}), ("contested", {"theirs": 2}), ("extended", {"target": 5})]
)
def test_a_helper_who_fails_knows_what_a_beat_does_to_the_chance(kind: str, about: dict[str, int]) -> None:
    """In every kind of roll, also where the rest is foreseen and not walked through (CD-10, CD-12)."""
    party = Party("chronicles")
    traits = {"physical": {"Strength": {"dots": 3}}, "physical_skills": {"Brawl": {"dots": 1}}}
    for who, name in (("Jonas", "Vera"), ("Ada", "Pell")):
        party.do(who, a.CreateAction(name=name, sheet=traits))
    party.do("Jonas", a.OpenAction(who="Vera", kind=kind, use={"Strength": 1, "Brawl": 1}, inputs=dict(about)))
    party.do("Ada", a.AssistAction(who="Pell"))
    party.do("Jonas", a.ThrowAction())
    party.do("Ada", a.ThrowAction(faces="7 6 5 4"))
    options = chances(party, "Ada").options
    assert success(options["take"]) < success(options["keep"])


# An undone throw: its dice are kept (T-1), so the chances are those of the dice that are still open.


def undone(party: Party, roll: a.RollAction, by: str = "Jonas") -> Party:
    """A roll that a GM undid."""
    party.do(by, roll)
    party.do("Mira", a.UndoAction())
    assert party.roll.reopened
    return party


def test_kept_dice_leave_nothing_to_chance() -> None:
    party = undone(Party("razorweave"), a.RollAction(who="Wren", inputs={"dc": 14}, faces="3 3 3 3"))
    for seat in ("Mira", "Jonas", "Olaf"):
        assert success(chances(party, seat).now) == 0
    party.do("Mira", a.BuildAction(inputs={"dc": 5}))
    assert success(chances(party, "Jonas").now) == 1
    (tier,) = table_odds(party, "Jonas")["tier"].weights
    assert "success" in tier


def test_only_added_dice_are_chance_beside_kept_ones() -> None:
    """One die more: of 3 3 3 3 and a d6, the best four come to 15 if it shows 6."""
    party = undone(Party("razorweave"), a.RollAction(who="Wren", inputs={"dc": 15}, faces="3 3 3 3"))
    party.do("Mira", a.BuildAction(inputs={"edge": "1 High ground"}))
    assert success(chances(party, "Jonas").now) == Fraction(1, 6)


def test_an_added_die_that_goes_again_without_end_counts_beside_kept_ones() -> None:
    party = undone(Party("chronicles"), a.RollAction(who="Wren", inputs={"pool": 3}, faces="1 2 3"))
    assert success(chances(party, "Jonas").now) == 0
    party.do("Jonas", a.BuildAction(inputs={"pool": 4}))
    assert success(chances(party, "Jonas").now) == Fraction(3, 10)
    assert table_odds(party, "Jonas")["successes"][0] == Fraction(7, 10)


def test_both_sides_of_a_contest_keep_their_dice() -> None:
    """One more die for the other side wins with a 10; a 9 ties, and then 8 beats 7."""
    party = Party("tgimh")
    dice = {"ours": 2, "theirs": 2}
    party.clash("Mira", a.RollAction(who="Wren", against="Kit", inputs=dice, faces="9 8 | 7 2"))
    party.do("Mira", a.UndoAction())
    assert success(chances(party, "Jonas").now) == 1
    party.do("Mira", a.BuildAction(inputs={"theirs": 3}))
    assert success(chances(party, "Jonas").now) == Fraction(9, 10)


def test_an_undone_reroll_is_no_chance_either() -> None:
    """The next reroll shows the same face: what it comes to is known, and it is not the best of all options."""
    party = Party()
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2, "step": 10, "difficulty": 2}, faces="5 1 | 2"))
    assert chances(party, "Jonas").best == "reroll"
    party.do("Jonas", a.AnswerAction(answer="reroll", faces="1"))
    party.do("Mira", a.UndoAction())
    found = chances(party, "Jonas")
    assert success(found.options["reroll"]) == 1 - Fraction(4, 10)  # by a second reroll, which is new


def test_an_undone_roll_of_a_long_task_counts_what_it_gathered() -> None:
    party = Party("chronicles")
    inputs = {"pool": 5, "target": 6, "task": "The codex"}
    undone(party, a.RollAction(kind="extended", who="Wren", inputs=inputs, faces="9 8 1 1 1"))
    assert chances(party, "Olaf").now == tone_odds(Extended(pool=5, target=4, rolls=4))
    with pytest.raises(Illegal, match=r"kept \(T-1\)"):
        table_odds(party, "Jonas")


def test_dice_that_were_hidden_tell_no_chances_when_they_are_kept() -> None:
    party = Party("razorweave")
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 14}, seen="blind"))
    party.do("Mira", a.UndoAction())
    found = chances(party, "Jonas")
    assert found.now is None
    assert "hidden from you" in found.why
    assert chances(party, "Mira").now is not None


def table_odds(party: Party, name: str) -> dict[str, Distribution[Any]]:
    member = party.member(name)
    assert member is not None
    return all_chances(party.state, party.roll, member)


def test_t8_no_chance_is_told_while_a_side_has_no_dice_yet() -> None:
    """R-16: "3 against 0 · 100 %" stood there while Odo had not put anything in."""
    party = Party("tgimh")
    party.do("Jonas", a.OpenAction(who="Wren", against="Kit", inputs={"ours": 3}))
    assert chances(party, "Jonas") == RollChances(why=EMPTY)
    party.do("Ada", a.BuildAction(inputs={"theirs": 2}))
    assert chances(party, "Jonas").now is not None
    party.do("Ada", a.BuildAction(inputs={"theirs": 0}))
    party.do("Ada", a.ReadyAction())
    assert chances(party, "Jonas").now is not None, "no dice is Ada's own choice now"


def test_a_helpers_choice_in_a_long_task_takes_no_walk_through_every_roll() -> None:
    """Eight rolls are left after this one (CD-12, CD-13): the chances are those of the whole tree, in few nodes."""
    party = Party("chronicles")
    party.do("Jonas", a.CreateAction(name="Teodor", template="Teodor Lisk"))
    party.do("Ada", a.CreateAction(name="Inez", template="Inez Calloway"))
    task = {"target": 3, "rolls": 2}
    for inputs in ({"target": 15}, task):
        party.do(
            "Jonas", a.OpenAction(kind="extended", who="Teodor", use={"Dexterity": 1, "Larceny": 1}, inputs=inputs)
        )
        party.do("Ada", a.AssistAction(who="Inez"))
        party.do("Ada", a.ThrowAction(faces="7"))
        with trees_up_to(5_000):
            found = chances(party, "Ada")
        assert set(found.options) == {"keep", "take"}
    whole = advice(party.state, party.roll, party.state.members[party.ids["Ada"]], "done")
    for option in whole.options:
        assert found.options[option.name]["good"] == option.worth
