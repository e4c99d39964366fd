"""Decks at a table: no card comes twice, whoever draws, until it is put back, undone or shuffled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from astragal import Refusal
from astragal.dice.dice import Faces, Pool
from astragal.rule.chances.odds import odds
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.entry import encode_entry
from astragal.table.log.export import ExportReader, export_lines, sound_state
from astragal.table.log.verify import LogCheck
from astragal.table.rolls.chances import chances
from tests import omens
from tests.installed import installed
from tests.referee import tally
from tests.table.cheats import HonestParty
from tests.table.tables import Party

EVERYBODY = ("Mira", "Jonas", "Ada", "Olaf")


@pytest.fixture
def party(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Party:
    return Party(installed("omens", tmp_path, monkeypatch))


def left(party: Party, deck: str = "omens") -> dict[str, int]:
    return {card: item["left"] for card, item in party.holder("table").sheet[deck].items()}


def read(faces: str = "", who: str = "Wren", **more: Any) -> a.RollAction:
    return a.RollAction(kind="read", who=who, faces=faces, **more)


def turn(faces: str = "") -> a.MoveAction:
    return a.MoveAction(name="turn", who="Wren", faces=faces)


def refused(party: Party, by: str, action: a.Action, why: str, dice: Any = None) -> None:
    before = party.state
    with pytest.raises(Refusal) as refusal:
        party.do(by, action, dice)
    assert why in refusal.value.sentence
    assert party.state is before


def test_what_is_drawn_is_not_in_the_deck_any_more_and_everybody_sees_it(party: Party) -> None:
    party.do("Jonas", read("sun star", inputs={"n": 2}))
    assert left(party) == {"sun": 1, "moon": 1, "star": 0}
    for seat in EVERYBODY:
        sheet = party.see(seat)["holders/table"]["sheet"]["omens"]
        assert {card: item["left"] for card, item in sheet.items()} == left(party)
        assert "Cards: sun, star (typed by Jonas)." in party.lines(seat)
        assert not any("−1" in line for line in party.lines(seat))


def test_a_card_that_was_drawn_cannot_be_typed(party: Party) -> None:
    party.do("Jonas", read("moon"))
    refused(party, "Ada", read("moon", "Kit"), "Omens has no moon left, and 1 was typed; left are sun × 2, star.")


def test_the_machine_draws_every_card_once(party: Party) -> None:
    for _ in range(4):
        party.do("Jonas", read())
        party.do("Jonas", a.AnswerAction(answer="stop")) if party.roll and not party.roll.over else None
    assert left(party) == {"sun": 0, "moon": 0, "star": 0}
    refused(party, "Jonas", read(), "Omens has no card left, and 1 is drawn; shuffle first.")


def test_two_open_rolls_never_draw_the_same_card(party: Party) -> None:
    party.do("Jonas", a.OpenAction(kind="read", who="Wren"))
    first = party.roll.id
    party.do("Ada", a.OpenAction(kind="read", who="Kit", inputs={"n": 2}))
    second = party.roll.id
    party.do("Jonas", a.ThrowAction(roll=first, faces="sun"))
    party.do("Ada", a.ThrowAction(roll=second, faces="sun moon"))
    refused(party, "Jonas", a.AnswerAction(roll=first, answer="more", faces="moon"), "Omens has no moon left")
    party.do("Jonas", a.AnswerAction(roll=first, answer="more"))
    assert party.see("Ada")[f"rolls/{first}"]["dice"][-1]["label"] == "star"
    assert left(party) == {"sun": 0, "moon": 0, "star": 0}
    refused(party, "Ada", a.AnswerAction(roll=second, answer="more"), "Omens has no card left")
    party.do("Ada", a.AnswerAction(roll=second, answer="stop"))


def test_a_deck_that_is_shuffled_in_the_middle_of_a_roll_has_its_cards_again(party: Party) -> None:
    party.do("Jonas", read("sun moon star", inputs={"n": 3}))
    party.do("Mira", a.MoveAction(name="shuffle_omens"))
    party.do("Jonas", a.AnswerAction(answer="more", faces="moon"))
    assert left(party) == {"sun": 2, "moon": 0, "star": 1}
    assert party.see("Olaf")[f"rolls/{party.roll.id}"]["over"]


def test_odds_at_a_table_are_those_of_the_cards_that_are_left(party: Party) -> None:
    party.do("Jonas", turn("sun"))
    party.do("Ada", a.OpenAction(kind="read", who="Kit", inputs={"n": 2}))
    member = party.member("Ada")
    assert member is not None
    found = chances(party.state, party.roll, member)["suns"]
    assert found == odds(omens.Read(cards=(1, 1, 1), n=2), "suns")
    every = tally(omens.read(omens.Read(cards=(1, 1, 1), n=2)))
    assert found[1] == sum(chance for result, chance in every.items() if result.suns == 1)


def test_the_tray_and_the_next_draw_show_what_is_left(party: Party) -> None:
    party.do("Jonas", turn("sun"))
    party.do("Ada", a.OpenAction(kind="read", who="Kit"))
    (dice,) = party.see("Olaf")[f"rolls/{party.roll.id}"]["tray"]["dice"]
    assert (dice["role"], dice["labels"], dice["left"]) == ("card", ["sun", "moon", "star"], [1, 1, 1])
    assert party.see("Olaf")[f"rolls/{party.roll.id}"]["tray"]["words"] == "1 card"


def test_shuffling_brings_all_cards_back(party: Party) -> None:
    party.do("Jonas", turn("sun"))
    party.do("Mira", a.MoveAction(name="shuffle_omens"))
    assert left(party) == {"sun": 2, "moon": 1, "star": 1}
    for seat in EVERYBODY:
        assert party.lines(seat) == ["Omens: all cards are shuffled together (O-1)."]
    refused(party, "Jonas", a.MoveAction(name="shuffle_omens"), "Only a GM may do this")


def test_a_card_is_put_back_by_a_move_or_by_the_gm(party: Party) -> None:
    party.do("Jonas", turn("sun"))
    party.do("Jonas", a.MoveAction(name="back", who="Wren"))
    assert party.lines("Ada") == ["Omens: sun is put back (O-1)."]
    party.do("Jonas", turn("star"))
    party.do("Mira", a.ChangeAction(holder="table", section="omens", item="star", by=1))
    assert left(party) == {"sun": 2, "moon": 1, "star": 1}
    party.do("Mira", a.ChangeAction(holder="table", section="omens", item="star", by=-1))
    assert party.lines("Ada") == ["Omens: star is taken out (O-1)."]


@pytest.mark.parametrize(
    ("by", "action", "why"),
    [
        ("Jonas", a.ChangeAction(holder="table", section="omens", item="sun", by=-1), "The table is not yours"),
        ("Mira", a.EditAction(holder="table", section="omens", item="sun", to={"seen": "gm"}), "Omens is a deck"),
        ("Mira", a.EditAction(holder="table", section="omens", item="comet", to={"left": 1}), "Omens is a deck"),
        (
            "Mira",
            a.ChangeAction(holder="table", section="omens", item="sun", field="copies", by=-1),
            "The game says how",
        ),
    ],
)
def test_a_deck_is_not_edited(party: Party, by: str, action: a.Action, why: str) -> None:
    refused(party, by, action, why)


@pytest.mark.parametrize(
    ("by", "action"),
    [
        ("Mira", read("sun", seen="gm")),
        ("Mira", read(seen="gm")),
        ("Jonas", read(seen="blind")),
        ("Mira", a.MoveAction(name="turn", who="Wren", seen="gm")),
    ],
)
def test_nobody_draws_where_others_do_not_see_it(party: Party, by: str, action: a.Action) -> None:
    refused(
        party, by, action, "Everybody sees which cards are left, so none can be drawn where others do not see them."
    )


def test_a_deck_that_reshuffles_does_so_when_too_few_are_left(party: Party) -> None:
    party.do("Jonas", a.RollAction(kind="count", who="Wren", inputs={"n": 2}, faces="5 1"))
    assert left(party, "numbers") == {"1": 0, "2": 1, "5": 0}
    party.do("Ada", a.RollAction(kind="count", who="Kit", inputs={"n": 2}, faces="5 2"))
    assert left(party, "numbers") == {"1": 1, "2": 0, "5": 0}
    assert "Numbers: all cards are shuffled together." in party.lines("Jonas")


def showing(*faces: int) -> Any:
    def dice(pool: Pool) -> Faces:
        return tuple((tuple(faces[: kind.n]),) for kind in pool)

    return dice


def test_a_die_that_wants_more_cards_than_there_are_waits_for_the_shuffle(party: Party) -> None:
    """It is not refused: somebody could go on throwing until the die suits."""
    party.do("Jonas", turn("sun"))
    party.do("Jonas", a.RollAction(kind="fate", who="Wren"), showing(4))
    roll = party.roll.id
    assert party.see("Ada")[f"rolls/{roll}"]["open"]["dice"][0]["left"] == [1, 1, 1]
    refused(party, "Jonas", a.ThrowAction(roll=roll), "Omens has 3 cards left, and 4 are drawn; shuffle first.")
    party.do("Mira", a.MoveAction(name="shuffle_omens"))
    party.do("Jonas", a.ThrowAction(roll=roll))
    assert left(party) == {"sun": 0, "moon": 0, "star": 0}


def test_a_move_whose_die_may_want_more_cards_than_there_are_is_refused_before_it_is_thrown(party: Party) -> None:
    """A deck of four: the d4 never wants too many. With one card less it may, whatever it would show."""
    party.do("Jonas", turn("sun"))
    thrown: list[Pool] = []

    def dice(pool: Pool) -> Faces:
        thrown.append(pool)
        return (((1,),),)

    why = "Turn over some cards: its dice may lead to cards that cannot be drawn. Omens has 3 cards left, and 4 are"
    refused(party, "Jonas", a.MoveAction(name="fortune", who="Wren"), why, dice)
    assert thrown == []
    party.do("Mira", a.MoveAction(name="shuffle_omens"))
    party.do("Jonas", a.MoveAction(name="fortune", who="Wren", faces="4 | sun sun moon star"))
    assert party.lines("Olaf")[-1] == "So it is (O-1)."


def test_a_gm_turns_over_no_cards_unseen_also_after_a_die(party: Party) -> None:
    refused(
        party, "Mira", a.MoveAction(name="fortune", seen="gm"),
        "Turn over some cards: its dice may lead to cards that cannot be drawn. Everybody sees which cards are left",
    )  # fmt: skip


# Undo.


def test_undo_puts_the_cards_back_and_the_same_come_up_again(party: Party) -> None:
    party.do("Jonas", read(inputs={"n": 2}))
    drawn = left(party)
    party.do("Mira", a.UndoAction())
    assert left(party) == {"sun": 2, "moon": 1, "star": 1}
    party.do("Jonas", a.ThrowAction())
    assert left(party) == drawn
    assert any("the same cards as before the undo" in line for line in party.lines("Olaf"))


def test_cards_that_somebody_else_drew_since_do_not_come_up_again(party: Party) -> None:
    party.do("Jonas", read("moon"))
    party.do("Mira", a.UndoAction())
    party.do("Ada", read("moon", "Kit"))
    party.do("Jonas", a.ThrowAction(roll=next(iter(party.state.world.rolls))))
    assert left(party)["moon"] == 0
    assert sum(left(party).values()) == 2


def test_a_draw_is_not_done_again_when_its_card_is_gone(party: Party) -> None:
    drawn = party.do("Jonas", turn("moon")).id
    party.do("Mira", a.UndoAction())
    party.do("Ada", read("moon", "Kit"))
    refused(party, "Mira", a.RedoAction(), "moon of Omens was drawn again since; undo that first.")
    party.do("Mira", a.UndoAction())
    party.do("Mira", a.RedoAction(entry=drawn))
    assert left(party) == {"sun": 2, "moon": 0, "star": 1}


def test_a_shuffle_is_not_undone_under_later_draws(party: Party) -> None:
    party.do("Jonas", turn("moon"))
    shuffle = party.do("Mira", a.MoveAction(name="shuffle_omens")).id
    party.do("Ada", read("moon", "Kit"))
    refused(party, "Mira", a.UndoAction(entry=shuffle), "Cards of Omens were drawn since; undo those draws first.")
    party.do("Mira", a.UndoAction())
    party.do("Mira", a.UndoAction(entry=shuffle))
    assert left(party) == {"sun": 2, "moon": 0, "star": 1}


def test_an_earlier_draw_is_undone_under_a_later_one(party: Party) -> None:
    first = party.do("Jonas", turn("sun")).id
    party.do("Ada", read("sun", "Kit"))
    party.do("Mira", a.UndoAction(entry=first))
    assert left(party) == {"sun": 1, "moon": 1, "star": 1}


def test_a_table_with_decks_is_exported_and_read_back(party: Party) -> None:
    party.do("Jonas", read("sun moon", inputs={"n": 2}))
    party.do("Mira", a.MoveAction(name="shuffle_omens"))
    party.do("Jonas", a.AnswerAction(answer="more", faces="moon"))
    entries = list(ExportReader(list(export_lines("a" * 16, party.state, party.entries))).entries())
    assert list(map(encode_entry, entries)) == list(map(encode_entry, party.entries))
    assert sound_state(entries).world.holders == party.state.world.holders


@pytest.mark.parametrize("nonce", ["one", "two", "three", "four"])
def test_a_kept_card_that_others_have_drawn_since_may_be_drawn_anew_and_the_check_knows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nonce: str
) -> None:
    party = HonestParty(installed("omens", tmp_path, monkeypatch))
    cards = list(left(party))
    drawn = party.do("Jonas", a.RollAction(kind="read", who="Wren", nonce=nonce))
    card = cards[next(event.faces for event in drawn.events if isinstance(event, e.Thrown))[0][0][0] - 1]
    party.do("Mira", a.UndoAction(entry=drawn.id))
    copies = left(party)[card]
    party.do("Mira", read(" ".join([card] * copies), "Kit", inputs={"n": copies}))
    again = party.do("Jonas", a.ThrowAction(roll=f"r{drawn.id}", nonce="again"))
    assert next(event.proof for event in again.events if isinstance(event, e.Thrown))
    check = LogCheck()
    for entry in party.entries:
        check.take(entry)
    assert check.findings == []
