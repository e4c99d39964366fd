"""Tickets: shown before a throw, used once, and their key revealed to those who see the dice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from astragal.dice.provable import follows
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.entry import Entry
from astragal.table.log.lines import tell
from astragal.table.log.shown import ThrownTold
from astragal.table.log.verify import LogCheck
from astragal.table.roll_event import Proof
from astragal.table.rolls.ticket import Tickets, ticket_of
from tests.installed import installed
from tests.table.tables import Party

ASK = {"dc": 14}


class TicketParty(Party):
    """A party whose machine throws with tickets."""

    def __init__(self, game: str = "razorweave") -> None:
        self.tickets = Tickets("road", b"secret" * 6)
        super().__init__(game)

    def do(self, by: str, action: a.Action, dice: Any = None, key: str = "") -> Entry:
        key = key or f"key {next(self._keys)}"
        member = self.ids.get(by, by) if by else ""
        entry = self.table.decide(member, action, key, len(self.entries), tickets=self.tickets)
        self.table.apply(entry)
        self.entries.append(entry)
        return entry

    def holds(self, name: str) -> dict[str, str]:
        member = self.member(name)
        assert member
        return self.tickets.shown(self.state, member)

    def roll_dice(self, by: str = "Jonas", **more: Any) -> Entry:
        return self.do(by, a.RollAction(who="Wren", inputs=ASK, **more))

    def told(self, name: str, entry: Entry) -> list[ThrownTold]:
        return [thrown for line in tell(entry, self.state, self.member(name)) for thrown in line.thrown]


def proof_of(entry: Entry) -> Proof:
    proof = next(event.proof for event in entry.events if isinstance(event, (e.Thrown, e.MoveThrown)))
    assert proof
    return proof


def holds_true(thrown: ThrownTold) -> bool:
    proof = thrown.proof
    return follows(thrown.faces, proof.pool, bytes.fromhex(proof.key), proof.place, proof.nonce)


def test_a_throw_uses_the_ticket_that_was_shown_and_shows_the_next() -> None:
    party = TicketParty()
    before = party.holds("Jonas")[""]
    entry = party.roll_dice(nonce="mine")
    proof = proof_of(entry)
    assert ticket_of(bytes.fromhex(proof.key)) == before
    assert party.holds("Jonas")[""] == proof.next != before
    assert proof.nonce == "mine"
    assert proof.place == f"{party.tickets.book}/r{entry.id}/{entry.id}.0/0"
    for name in ("Jonas", "Ada", "Olaf", "Mira"):
        assert all(map(holds_true, party.told(name, entry)))
        assert len(party.told(name, entry)) == 1


def test_each_later_throw_of_a_roll_takes_a_new_ticket() -> None:
    party = TicketParty("narraject")
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 3, "difficulty": 6}, nonce="first"))
    again = party.do("Jonas", a.AnswerAction(answer="reroll", nonce="second"))
    first, second = proof_of(party.entries[-2]), proof_of(again)
    assert ticket_of(bytes.fromhex(second.key)) == first.next
    assert second.place.split("/")[1] == first.place.split("/")[1]
    assert all(map(holds_true, party.told("Ada", again)))


def test_the_throws_of_one_action_share_its_ticket_and_differ_in_their_place() -> None:
    party = TicketParty("narraject")
    inputs = {"d6": 3, "difficulty": 6}
    entry = party.do("Jonas", a.RollAction(who="Wren", inputs=inputs, answers=["reroll", "reroll"], nonce="mine"))
    proofs = [event.proof for event in entry.events if isinstance(event, e.Thrown)]
    assert len(proofs) > 1
    assert len({proof.key for proof in proofs if proof}) == 1
    assert len({proof.place for proof in proofs if proof}) == len(proofs)
    assert party.state.tickets == {f"{party.ids['Jonas']}/": 1}


def test_typed_dice_use_no_ticket_and_prove_nothing() -> None:
    party = TicketParty()
    before = party.holds("Jonas")
    entry = party.roll_dice(faces="6 5 4 4", nonce="mine")
    assert party.told("Jonas", entry) == []
    assert party.holds("Jonas") == before
    assert [event.source for event in entry.events if isinstance(event, e.Thrown)] == ["typed"]


def test_dice_that_come_up_again_are_proven_by_how_they_fell_first() -> None:
    party = TicketParty()
    first = party.roll_dice(nonce="mine")
    held = party.holds("Jonas")
    party.do("Mira", a.UndoAction())
    assert party.holds("Jonas") == held
    again = party.do("Jonas", a.ThrowAction(nonce="another"))
    (thrown,) = [event for event in again.events if isinstance(event, e.Thrown)]
    assert thrown.proof is None
    assert [proof for _, proof in thrown.kept_proofs] == [proof_of(first)]
    assert party.holds("Jonas") == held
    assert all(map(holds_true, party.told("Ada", again)))


def test_new_dice_beside_kept_ones_are_proven_for_themselves() -> None:
    party = TicketParty()
    first = party.roll_dice(nonce="mine")
    party.do("Mira", a.UndoAction())
    party.do("Mira", a.BuildAction(inputs={"edge": 2}))
    again = party.do("Jonas", a.ThrowAction(nonce="another"))
    (thrown,) = [event for event in again.events if isinstance(event, e.Thrown)]
    assert (len(thrown.faces[0][0]), thrown.proof and thrown.proof.pool) == (6, "2d6")
    assert list(thrown.kept) == [first.id]
    assert len(party.told("Ada", again)) == 2
    assert all(map(holds_true, party.told("Ada", again)))


def test_a_covered_throw_uses_a_ticket_whether_or_not_dice_are_kept() -> None:
    """Else the ticket would tell whether a hidden number of dice has grown."""
    party = TicketParty()
    own = f"{party.ids['Jonas']}~"
    party.roll_dice(seen="blind", nonce="mine")
    for burden in (0, 2):
        before = party.holds("Jonas")[own]
        party.do("Mira", a.UndoAction())
        if burden:
            party.do("Mira", a.BuildAction(inputs={"burden": burden}))
        again = party.do("Jonas", a.ThrowAction(nonce="another"))
        lines = tell(again, party.state, party.member("Jonas"))
        assert [line.ticket for line in lines if line.ticket] == [(before, party.holds("Jonas")[own])]
    check = LogCheck()
    for entry in party.entries:
        check.take(entry)
    assert check.findings == []


def test_a_blind_roll_says_which_ticket_it_used_and_keeps_its_key_until_it_is_revealed() -> None:
    party = TicketParty()
    before = party.holds("Jonas")
    entry = party.roll_dice(seen="blind", nonce="mine")
    own = f"{party.ids['Jonas']}~"
    lines = tell(entry, party.state, party.member("Jonas"))
    assert [line.ticket for line in lines if line.ticket] == [(before[own], party.holds("Jonas")[own])]
    assert party.told("Jonas", entry) == []
    assert proof_of(entry).key not in str(lines)
    shown = party.do("Mira", a.RevealAction())
    for name in ("Jonas", "Ada"):
        [thrown] = party.told(name, shown)
        assert holds_true(thrown)
        assert ticket_of(bytes.fromhex(thrown.proof.key)) == before[own]


def test_hidden_throws_change_no_ticket_that_others_see() -> None:
    party = TicketParty()
    first = party.roll_dice(nonce="open")
    for seen in ("owner", "blind"):
        party.roll_dice(seen=seen, nonce="hidden")
    party.roll_dice("Mira", seen="gm", nonce="hidden")
    later = party.roll_dice(nonce="open")
    assert ticket_of(bytes.fromhex(proof_of(later).key)) == proof_of(first).next


def test_whoever_throws_for_somebody_uses_their_own_ticket() -> None:
    party = TicketParty()
    jonas, mira = party.holds("Jonas"), party.holds("Mira")
    entry = party.roll_dice("Mira", nonce="mine")
    assert ticket_of(bytes.fromhex(proof_of(entry).key)) == mira[""]
    assert party.holds("Jonas") == jonas


def test_an_onlooker_holds_no_ticket() -> None:
    assert TicketParty().holds("Olaf") == {}


def test_a_throw_that_is_decided_again_keeps_its_dice() -> None:
    party = TicketParty()
    action = a.RollAction(who="Wren", inputs=ASK, nonce="mine")
    first = party.table.decide(party.ids["Jonas"], action, "twice", 1, tickets=party.tickets)
    party.roll_dice("Mira", nonce="between", seen="gm")
    party.do("Ada", a.NoteAction(text="Faster."))
    again = party.table.decide(party.ids["Jonas"], action, "twice", 1, tickets=party.tickets)
    assert proof_of(again) == proof_of(first)


def test_a_move_with_dice_is_proven_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    party = TicketParty(installed("parlour", tmp_path, monkeypatch))
    before = party.holds("Mira")[""]
    entry = party.do("Mira", a.MoveAction(name="weather", nonce="mine"))
    proof = proof_of(entry)
    assert ticket_of(bytes.fromhex(proof.key)) == before
    assert proof.place == f"{party.tickets.book}/{entry.id}/{entry.id}.0/0"
    assert all(map(holds_true, party.told("Ada", entry)))


@pytest.mark.parametrize("nonce", ["a b", "ä", "x" * 65, "a/b", "a\n"])
def test_a_nonce_is_a_short_word(nonce: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"do": "throw", "nonce": nonce}, a.ThrowAction)
