"""Moves that throw dice: thrown or typed, logged with whose they were, undone as one, hidden if made hidden."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from astragal import Refusal
from astragal.author import Malformed, NoInputs, Participants, random_table
from astragal.dice.dice import Faces, Pool
from astragal.rule.chances.odds import odds
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.entry import encode_entry
from astragal.table.log.export import ExportReader, export_lines, sound_state
from astragal.table.log.lines import shown
from astragal.table.log.story import story
from astragal.table.log.verify import LogCheck
from astragal.table.rolls.basis import participants_of
from tests import parlour
from tests.installed import installed
from tests.table.tables import Party

MISHAP = next(move for move in parlour.TABLE_RULES.moves if move.name == "mishap")


@pytest.fixture
def party(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Party:
    party = Party(installed("parlour", tmp_path, monkeypatch))
    party.do("Mira", a.ChangeAction(holder="Wren", section="stress", item="Stress", by=8))
    return party


def move(name: str, **more: Any) -> a.MoveAction:
    return a.MoveAction(name=name, who="Wren", **more)


def showing(*faces: int) -> Any:
    left = list(faces)

    def dice(pool: Pool) -> Faces:
        return tuple((tuple(left.pop(0) for _ in range(kind.n)),) for kind in pool)

    return dice


def held(party: Party, section: str, item: str) -> int:
    return int(party.item("Wren", section, item)["now"])


def test_the_machine_throws_and_everybody_is_told_whose_dice_they_were(party: Party) -> None:
    party.do("Jonas", move("recover"), showing(3))
    assert held(party, "stress", "Stress") == 5
    for seat in ("Mira", "Jonas", "Ada", "Olaf"):
        assert party.lines(seat) == ["Wren: Recover.", "Dice: 3.", "Wren: Stress −3 (a rest) (P-2)."]


def test_typed_faces_count_and_say_who_typed_them(party: Party) -> None:
    party.do("Jonas", move("recover", faces="4"))
    assert held(party, "stress", "Stress") == 4
    assert party.lines("Olaf")[1] == "Dice: 4 (typed by Jonas)."


@pytest.mark.parametrize(
    ("action", "why"),
    [
        (move("recover", faces="7"), "The d6 cannot show 7"),
        (move("recover", faces="1 2"), "Too many faces"),
        (move("recover", faces="1 | 2"), "Too many faces"),
        (move("carouse", faces="1"), "Too few faces: the d6 is thrown next"),
        (move("sigh", faces="1"), "Sigh throws no dice, so that no faces can be typed for it"),
        (move("recover", seen="gm"), "make a move that only GMs see"),
        (move("recover", fresh=True), "throw fresh dice after an undo"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_spent(party: Party, action: a.MoveAction, why: str) -> None:
    before = party.state
    with pytest.raises(Refusal, match=why):
        party.do("Jonas", action)
    assert party.state is before


def test_who_may_type_is_the_tables_setting(party: Party) -> None:
    party.do("Mira", a.SetAction(typed_dice="gm"))
    with pytest.raises(Refusal, match="type dice at this table"):
        party.do("Jonas", move("recover", faces="6"))
    party.do("Mira", move("recover", faces="6"))
    party.do("Mira", a.SetAction(typed_dice="nobody"))
    with pytest.raises(Refusal, match="nobody types dice"):
        party.do("Mira", move("recover", faces="6"))


def test_a_price_is_refused_before_a_die_is_thrown(party: Party) -> None:
    for left in (1, 0):
        party.do("Jonas", move("carouse"), showing(1, 1))
        assert held(party, "coins", "Coins") == left
    with pytest.raises(Refusal, match="Wren has 0 Coins and 1 were asked for"):
        party.do("Jonas", move("carouse"), showing())


def test_after_the_dice_nothing_is_refused_so_that_nobody_tries_until_they_suit(party: Party) -> None:
    party.do("Jonas", move("carouse"), showing(6, 5))
    assert held(party, "stress", "Stress") == 0
    assert party.lines("Ada") == [
        "Wren: Coins −1 (a night out) (P-2).",
        "Wren: Carouse.",
        "Dice: 6.",
        "Wren: the small hours.",
        "Dice: 5.",
        "Wren: Stress −8 (a night out) (P-2).",
        "What a night (P-2).",
    ]


def test_a_move_is_undone_as_one_and_its_dice_come_up_again(party: Party) -> None:
    before = party.state.world
    entry = party.do("Jonas", move("carouse"), showing(6, 5))
    party.do("Mira", a.UndoAction(entry=entry.id))
    assert replace(party.state.world, kept_moves={}) == before
    party.do("Jonas", move("carouse"), showing(1, 1))
    assert "Dice: 6, the same dice as before the undo." in party.lines("Ada")
    assert "Dice: 5, the same dice as before the undo." in party.lines("Ada")
    party.do("Mira", a.UndoAction())
    with pytest.raises(Refusal, match="only new ones are typed"):
        party.do("Jonas", move("carouse", faces="1 | 1"))
    party.do("Mira", move("carouse", faces="1 | 1", fresh=True))
    assert held(party, "stress", "Stress") == 6
    assert not party.state.world.kept_moves


def test_whatever_is_put_into_a_move_its_undone_dice_come_up_again(party: Party) -> None:
    first = party.do("Jonas", move("recover"), showing(1))
    party.do("Mira", a.UndoAction(entry=first.id))
    second = party.do("Jonas", move("recover"), showing(6))
    assert "Dice: 1, the same dice as before the undo." in party.lines("Ada")
    with pytest.raises(Refusal, match="Its dice were thrown again"):
        party.do("Mira", a.RedoAction(entry=first.id))
    third = party.do("Jonas", move("recover"), showing(6))
    assert "Dice: 6." in party.lines("Ada")
    check = LogCheck()
    for entry in party.entries:
        check.take(entry)
    assert check.findings == []
    assert second.id != third.id


def test_undoing_a_move_leaves_the_next_one_alone(party: Party) -> None:
    entry = party.do("Jonas", move("recover"), showing(1))
    party.do("Jonas", move("recover"), showing(2))
    party.do("Mira", a.UndoAction(entry=entry.id))
    assert held(party, "stress", "Stress") == 6


def test_a_hidden_move_shows_others_nothing_and_what_they_see_waits(party: Party) -> None:
    """T-11: a hidden outcome has no open effects. They happen when the GM reveals the move, and go with its undo."""
    before = held(party, "stress", "Stress")
    entry = party.do("Mira", move("mishap", seen="gm"), showing(1, 1))
    assert party.lines("Mira") == [
        "Roll a mishap, where only GMs see it (P-3).",
        "Wren: Roll a mishap.",
        "Dice: 1, 1.",
        "11: The rope breaks (P-3).",
        "Wren: Stress +1 waits until you reveal this move.",
    ]
    assert held(party, "stress", "Stress") == before
    for seat in ("Jonas", "Ada", "Olaf"):
        assert party.lines(seat) == []
        assert shown(entry, party.state, party.member(seat)) is None
    with pytest.raises(Refusal, match="Only a GM may reveal"):
        party.do("Jonas", a.RevealAction(roll=entry.id))
    party.do("Mira", a.RevealAction(roll=entry.id))
    assert held(party, "stress", "Stress") == before + 1
    told = ["Revealed: Roll a mishap.", "11: The rope breaks (P-3).", "Wren: Stress +1 (a mishap) (P-2)."]
    assert party.lines("Olaf") == told
    with pytest.raises(Refusal):
        party.do("Mira", a.RevealAction(roll=entry.id))
    party.do("Mira", a.UndoAction())
    assert held(party, "stress", "Stress") == before
    party.do("Mira", a.RevealAction())
    party.do("Mira", a.UndoAction(entry=entry.id))
    assert held(party, "stress", "Stress") == before
    assert not party.state.world.delayed_moves


def test_a_move_of_the_gm_without_a_character_is_the_members_own(party: Party) -> None:
    party.do("Mira", a.MoveAction(name="weather"), showing(3, 4))
    assert party.lines("Ada") == ["Mira: Roll the weather.", "Dice: 3, 4.", "7: Weather 7."]
    with pytest.raises(Refusal, match="Roll the weather"):
        party.do("Jonas", a.MoveAction(name="weather"))


def test_the_story_tells_the_row_and_not_the_dice(party: Party) -> None:
    party.do("Jonas", move("mishap"), showing(4, 4))
    told = "".join(story(party.entries, party.state, party.member("Ada")))
    assert "44: A door slams." in told
    assert "Dice" not in told


def everybody(party: Party) -> Participants:
    return participants_of(party.state, party.holder("Wren").id)


def test_the_odds_of_a_random_table_are_those_of_its_dice(party: Party) -> None:
    tree = MISHAP.does(NoInputs(), everybody(party))
    found = odds(tree, lambda result: result[0].text.partition(": ")[2])  # type: ignore[arg-type]
    rows = {11: "The rope breaks."}
    counted = Counter(
        rows.get(10 * first + second, "Nothing worse." if first < 4 else "A door slams.")
        for first, second in product(range(1, 7), repeat=2)
    )
    assert {text: found[text] for text in counted} == {text: Fraction(n, 36) for text, n in counted.items()}


@pytest.mark.parametrize(
    ("dice", "rows", "why"),
    [
        ("d6", {"1-5": "Rain."}, "6 has no row"),
        ("d6", {"1-6": "Rain.", 6: "Sun."}, "6 has two rows"),
        ("d6", {"1-7": "Rain."}, '"1-7" is not a row; rows are numbers or ranges from 1 to 6'),
        ("d66", {"11-66": "Rain.", 17: "Sun."}, '"17" is not a row'),
        ("d6", {"5-2": "Rain."}, '"5-2" is not a row'),
        ("d6", ["Rain."], "it has 1 rows, and the dice can show 6 numbers"),
        ("six", ["Rain."], '"six" is not dice for a table'),
        ("d", ["Rain."], '"d" is not dice for a table'),
    ],
)
def test_a_table_with_a_hole_is_a_mistake(dice: str, rows: Any, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        random_table("weather", "Weather", dice, rows)


def test_an_export_comes_back_with_its_dice(party: Party) -> None:
    entry = party.do("Jonas", move("recover"), showing(3))
    lines = list(export_lines("a" * 16, party.state, party.entries))
    entries = list(ExportReader(lines).entries())
    assert encode_entry(entries[-1]) == encode_entry(entry)
    assert isinstance(entry.events[0], e.MoveThrown)
    assert entry.events[0].by == party.holder("Wren").id
    lines[-1] = lines[-1].replace(b'"d6",6,3', b'"d6",6,4')
    with pytest.raises(Malformed, match="dice are told that were not thrown"):
        sound_state(list(ExportReader(lines).entries()))
