"""Servers that cheat: logs as they should be, and what each cheat makes of them.

``python -m tests.table.cheats`` writes what the page's tests read: test vectors, and what honest and cheating servers
would send to a page. ``EVENINGS`` are honest, each with what a check comes to; ``CHEATS`` are not.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from astragal.dice.dice import Cards, Dice
from astragal.dice.provable import format_pool, provable_faces
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import may_see
from astragal.table.chain import (
    START,
    WHOLE,
    content_of,
    leaf_of,
    leaf_text,
    link,
    whole_content,
    with_removed,
    word_hash,
)
from astragal.table.entry import Entry
from astragal.table.log.appendix import appendix, sealed_story
from astragal.table.log.export import export_lines
from astragal.table.log.lines import tell
from astragal.table.log.seal import HeadKey, code_of, head_text
from astragal.table.roll_event import Proof
from astragal.table.rolls.ticket import Tickets, ticket_of
from astragal.table.table import Table, folded
from astragal.table.words import with_words
from tests.table.tables import Party

KEY = HeadKey(b"a seed of 32 bytes for the tests")
TICKETS = Tickets("road", b"a secret of the table, for tests")
SHARED = Path(__file__).parents[2] / "page" / "test" / "verify" / "shared.json"
"""What Python and TypeScript both check."""


class HonestParty(Party):
    """A party whose machine throws with tickets."""

    def __init__(self, game: str = "razorweave") -> None:
        self.tickets = TICKETS
        super().__init__(game)

    def do(self, by: str, action: a.Action, dice: Any = None, key: str = "") -> Entry:
        key = key or f"key {next(self._keys)}"
        member = self.ids.get(by, by) if by else ""
        entry = self.table.decide(member, action, key, len(self.entries), tickets=self.tickets)
        self.table.apply(entry)
        self.entries.append(entry)
        return entry

    def rolls(self, by: str, nonce: str, **more: Any) -> Entry:
        return self.do(by, a.RollAction(who="Wren", inputs={"dc": 12}, nonce=nonce, **more))

    def join(self, name: str, role: Any) -> None:
        self.ids[name] = self.do("", a.JoinAction(name=name, role=role)).by

    def renew(self, secret: str, why: Any = "restored", seal: Any = "") -> None:
        """The table is restored or imported: it gets new tickets."""
        self.tickets = Tickets("road", secret.encode().ljust(32))
        self.do("", a.AnnounceAction(why=why, seal=seal))

    def confirms(self, by: str, lost: int = 0) -> None:
        self.do(by, a.ConfirmAction(book=self.tickets.book, lost=lost))


def evening() -> HonestParty:
    """A short evening: open, typed, blind and hidden rolls, two undos of one roll, and what was hidden revealed."""
    party = HonestParty()
    for n in range(3):
        party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 12 + n}, nonce=f"nonce-{n}"))
    party.do("Ada", a.RollAction(who="Kit", inputs={"dc": 11}, faces="6 5 4 4"))
    undone = party.entries[-2]
    party.do("Mira", a.UndoAction(entry=undone.id))
    party.do("Mira", a.BuildAction(roll=f"r{undone.id}", inputs={"edge": 1}))
    party.do("Jonas", a.ThrowAction(roll=f"r{undone.id}", nonce="nonce-again"))
    party.do("Mira", a.UndoAction())
    party.do("Jonas", a.ThrowAction(roll=f"r{undone.id}", nonce="nonce-kept"))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 10}, seen="blind", nonce="nonce-blind"))
    party.do("Mira", a.RollAction(who="Wren", inputs={"dc": 10}, seen="gm", nonce="nonce-gm"))
    party.do("Mira", a.RevealAction())
    party.do("Mira", a.RevealAction())
    party.do("Jonas", a.NoteAction(text="What a night, Größe 7."))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 9}, nonce="nonce-last"))
    return party


def restored() -> HonestParty:
    """A restore that everybody who throws later has confirmed."""
    party = evening()
    party.renew("after the restore")
    for name in ("Jonas", "Mira"):
        party.confirms(name)
    party.rolls("Jonas", "nonce-restored")
    party.rolls("Jonas", "nonce-restored-blind", seen="blind")
    party.do("Mira", a.RevealAction())
    return party


def unconfirmed() -> HonestParty:
    """A restore after which somebody throws with a program that remembers no tickets."""
    party = evening()
    party.renew("after the restore")
    party.confirms("Mira")
    party.rolls("Jonas", "nonce-program")
    party.rolls("Jonas", "nonce-program-blind", seen="blind")
    party.do("Mira", a.RevealAction())
    party.rolls("Mira", "nonce-page")
    return party


def imported(seal: str = "right") -> HonestParty:
    party = evening()
    party.renew("after the import", "imported", seal)
    party.confirms("Jonas")
    party.rolls("Jonas", "nonce-imported")
    return party


def with_loss() -> HonestParty:
    """A restore of an older backup: a page had seen more."""
    party = evening()
    party.renew("after the restore")
    party.confirms("Jonas", lost=2)
    party.rolls("Jonas", "nonce-later")
    return party


def with_guests() -> HonestParty:
    """Members who come later, change their roles and come back; two GMs, who throw for one player's eyes."""
    party = evening()
    party.join("Bo", "onlooker")
    party.do("Mira", a.SeatAction(member="Bo", role="gm"))
    party.do("Bo", a.RollAction(name="Guard", inputs={"dc": 12}, nonce="nonce-bo"))
    party.do("Bo", a.RollAction(who="Wren", inputs={"dc": 12}, seen="owner", nonce="nonce-for-jonas"))
    party.do("Mira", a.SeatAction(member="Ada", role="onlooker"))
    party.renew("after the restore")
    party.do("Mira", a.SeatAction(member="Ada", role="player"))
    party.confirms("Ada")
    party.join("Cleo", "player")
    party.do("Ada", a.RollAction(who="Kit", inputs={"dc": 12}, nonce="nonce-ada"))
    party.do("Cleo", a.RollAction(inputs={"dc": 12}, nonce="nonce-cleo"))
    return party


def erased() -> HonestParty:
    """Words are removed, as ``astragal table erase`` does."""
    party = evening()
    jonas = party.ids["Jonas"]
    marks = {"note": "(removed)", "join": "(removed)"}
    for n, entry in enumerate(party.entries):
        if entry.by == jonas and entry.do in marks:
            events = [with_words(event, lambda *_: "(removed)") for event in entry.events]
            party.entries[n] = with_removed(replace(entry, events=events), entry)
    return party


EVENINGS: dict[str, tuple[Callable[[], HonestParty], str]] = {
    "an evening": (evening, "right"),
    "a restore that is confirmed": (restored, "right"),
    "a restore that is not confirmed": (unconfirmed, "unproven"),
    "an import": (imported, "right"),
    "an import with a broken seal": (lambda: imported("broken"), "unproven"),
    "a restore of an older backup": (with_loss, "unproven"),
    "guests and several GMs": (with_guests, "right"),
    "words that were removed": (erased, "right"),
}
"""Honest evenings, and what a check of each comes to."""


def open_throws(entries: list[Entry]) -> list[int]:
    """The places of Jonas's open throws in the log."""
    return [n for n, entry in enumerate(entries) if (proof := proof_of(entry)) and proof.nonce[6:].isdigit()]


def thrown_of(entry: Entry) -> e.Thrown | None:
    return next((event for event in entry.events if isinstance(event, e.Thrown)), None)


def proof_of(entry: Entry) -> Proof | None:
    thrown = thrown_of(entry)
    return thrown.proof if thrown else None


def with_thrown(entry: Entry, **changes: Any) -> Entry:
    """The entry with something else about its throw."""
    events = [replace(event, **changes) if isinstance(event, e.Thrown) else event for event in entry.events]
    return replace(entry, events=events)


def rethrown(entry: Entry, key: bytes | None = None, next: str | None = None, place: str = "") -> Entry:
    """The entry with dice that another key would have thrown, or the same one in another place."""
    thrown, proof = thrown_of(entry), proof_of(entry)
    assert thrown and proof
    key = key or bytes.fromhex(proof.key)
    pool = tuple(
        Dice(len(waves[0]) and int(part.split("d")[1]), len(waves[0])) for part, waves in _parts(thrown, proof)
    )
    place = place or proof.place
    faces = provable_faces(pool, key, place, proof.nonce)
    flat = iter([face for waves in faces for wave in waves for face in wave])
    dice = [(name, sides, _next(flat, face), did, counts) for name, sides, face, did, counts in thrown.dice]
    new = Proof(proof.nonce, key.hex(), next or proof.next, place, proof.pool)
    return with_thrown(entry, faces=faces, dice=dice, proof=new)


def _next(faces: Any, otherwise: int) -> int:
    return int(next(faces, otherwise))


def _parts(thrown: e.Thrown, proof: Proof) -> list[tuple[str, Any]]:
    return list(zip(proof.pool.split("+"), thrown.faces, strict=True))


def renumbered(entries: list[Entry]) -> list[Entry]:
    return [replace(entry, version=n) for n, entry in enumerate(entries, 1)]


# The cheats. Each takes the honest log and returns another, which its server seals as if it were right.


def faces_chosen(entries: list[Entry]) -> list[Entry]:
    """The faces are chosen after the nonce was seen."""
    return _changed(entries, open_throws(entries)[1], other_face)


def another_key(entries: list[Entry]) -> list[Entry]:
    """The key is another than the one whose hash was shown."""
    return _changed(entries, open_throws(entries)[1], with_other_key)


def ticket_twice(entries: list[Entry]) -> list[Entry]:
    """A ticket is used a second time."""
    first, second = open_throws(entries)[:2]
    proof = proof_of(entries[first])
    assert proof
    return _changed(entries, second, lambda entry: rethrown(entry, key=bytes.fromhex(proof.key)))


def turn_chosen(entries: list[Entry]) -> list[Entry]:
    """Of the dice that the key gives for one turn after the other, those are told that please most."""
    return _changed(entries, open_throws(entries)[1], with_other_turn)


def rewritten(entries: list[Entry]) -> list[Entry]:
    """Something that everybody has seen is changed later."""
    return _changed(entries, _note_at(entries), lambda entry: with_text(entry, "A quiet night."))


def dropped(entries: list[Entry]) -> list[Entry]:
    """Something that everybody has seen is left out later."""
    return renumbered([entry for entry in entries if entry.do != "note"])


def two_histories(entries: list[Entry]) -> list[Entry]:
    """Another seat is told another story from some entry on."""
    return _changed(entries, _note_at(entries), lambda entry: with_text(entry, "Nothing happened."))


def typed_as_thrown(entries: list[Entry]) -> list[Entry]:
    """Typed dice are shown as the machine's."""
    at = next(n for n, entry in enumerate(entries) if (thrown := thrown_of(entry)) and thrown.source == "typed")
    return _changed(entries, at, lambda entry: as_thrown(entry, TICKETS))


def aborted(entries: list[Entry]) -> list[Entry]:
    """A throw that did not please is hidden, and the next ticket is used."""
    at = open_throws(entries)[1]
    return renumbered([*entries[:at], *entries[at + 1 :]])


def aborted_and_announced(entries: list[Entry]) -> list[Entry]:
    """A throw that did not please is hidden, and the ticket after it announced as if it were the seat's first."""
    at = open_throws(entries)[1]
    proof = proof_of(entries[at])
    assert proof
    tickets = {entries[at].by: {"": proof.next}}
    announced = e.Announced(book=proof.place.split("/")[0], tickets=tickets)
    return _changed(entries, at, lambda entry: replace(entry, events=[announced], do="announce"))


def not_undone(entries: list[Entry]) -> list[Entry]:
    """Dice are said to be those of an undone throw, and that throw was never undone."""
    struck = next(n for n, entry in enumerate(entries) if entry.do == "undo")
    rest = [entry for entry in entries[struck + 1 :] if entry.do != "undo" and not proof_named(entry, "nonce-again")]
    return renumbered([*entries[:struck], *rest])


def kept_dice_thrown(entries: list[Entry]) -> list[Entry]:
    """Dice that an undo had kept are thrown anew, until they please."""
    at = next(n for n, entry in enumerate(entries) if proof_named(entry, "nonce-again"))
    return _changed(entries, at, thrown_anew)


def fresh_books(entries: list[Entry]) -> list[Entry]:
    """Each throw has a book of its own, which was tried until the dice pleased, and which no entry announces."""
    for n, at in enumerate(open_throws(entries)):
        entries = _changed(entries, at, partial(with_other_book, tickets=_ground(n)))
    return entries


def fresh_books_announced(entries: list[Entry]) -> list[Entry]:
    """The same, and each book is said to come of a restore just before its throw."""
    party = evening()
    for n in range(3):
        party.renew(f"a secret that gives good dice {n}")
        party.rolls("Jonas", f"nonce-ground-{n}")
    return party.entries


def rewritten_as_erasure(entries: list[Entry]) -> list[Entry]:
    """An old roll becomes four sixes, with a nonce that gives them, and is called an erasure."""
    return _changed(entries, open_throws(entries)[1], with_better_nonce)


def other_words(entries: list[Entry]) -> list[Entry]:
    """Other words are put where words are said to be removed."""
    at = open_throws(entries)[1]
    told = [replace(event, verdict="Critical success: 24 against 13") for event in _told(entries[at])]
    return _changed(entries, at, lambda entry: with_removed(_with_told(entry, told[0]), entry))


def code_erased(entries: list[Entry]) -> list[Entry]:
    """A result code is removed, as if it were words."""
    at = open_throws(entries)[1]
    told = replace(_told(entries[at])[0], tier="(removed)")
    kept = {"": {"0": word_hash(entries[at], told.headline)}}
    return _changed(entries, at, lambda entry: replace(_with_told(entry, told), removed=kept))


def position_invented(entries: list[Entry]) -> list[Entry]:
    """Something is said to be removed that is no word at all."""
    at = open_throws(entries)[1]
    return _changed(entries, at, lambda entry: replace(entry, removed={"": {"99": START}}))


def amount_rewritten(entries: list[Entry]) -> list[Entry]:
    """What a roll came to is another, and its faces are the same."""
    at = open_throws(entries)[1]
    told = _told(entries[at])[0]
    result = {**told.result, "margin": told.result["margin"] + 3}
    return _changed(entries, at, lambda entry: _with_told(entry, replace(told, result=result)))


def tickets_swapped(entries: list[Entry]) -> list[Entry]:
    """A member's throw uses the ticket that was announced for somebody else, whose dice are better."""
    at = open_throws(entries)[0]
    joined = [event for entry in entries for event in entry.events if isinstance(event, e.Joined)]
    ada = next(event.member for event in joined if event.name == "Ada")
    theirs = [TICKETS.ticket(ada, "", n) for n in (0, 1)]
    return _changed(entries, at, lambda entry: rethrown(entry, key=theirs[0].key, next=theirs[1].hash))


def thrown_as_typed(entries: list[Entry]) -> list[Entry]:
    """The machine's dice are shown as typed by the player."""
    at = open_throws(entries)[1]
    by = entries[at].by
    return _changed(entries, at, lambda entry: with_thrown(entry, source="typed", typed_by=by, proof=None))


def another_table(entries: list[Entry]) -> list[Entry]:
    """A throw of another table, with its proof, is told at this one."""
    elsewhere = Tickets("elsewhere", b"a secret of another table, tests")
    return _changed(entries, open_throws(entries)[1], partial(with_other_book, tickets=elsewhere))


def crash_restored(entries: list[Entry]) -> list[Entry]:
    """The last throw did not please: the server "crashes", restores what was before it, and throws again."""
    assert proof_of(entries[-1])
    party = evening()
    party.entries.pop()
    party.table = Table.replayed(party.entries)
    party.renew("after the crash")
    party.confirms("Jonas", lost=1)  # the page of whoever threw had seen it
    party.rolls("Jonas", "nonce-last-again")
    return party.entries


def announced_late(entries: list[Entry]) -> list[Entry]:
    """The throw comes first, and the book that it is of is announced behind it."""
    party = restored()
    at = next(n for n, entry in enumerate(party.entries) if entry.do == "announce")
    thrown = next(
        n for n, entry in enumerate(party.entries) if (it := proof_of(entry)) and it.nonce == "nonce-restored"
    )
    moved = [*party.entries[:at], *party.entries[at + 1 : thrown + 1], party.entries[at]]
    return renumbered([entry for entry in moved if entry.do != "confirm"])


def withheld(entries: list[Entry]) -> list[Entry]:
    """A seat's tickets are announced only once its first nonce is known."""
    at = next(n for n, entry in enumerate(entries) if entry.do == "join")
    tickets = [event for event in entries[at].events if isinstance(event, e.Announced)]
    later = replace(entries[at], events=tickets, id="0" * 16, key="later", do="announce")
    bare = replace(entries[at], events=[event for event in entries[at].events if event not in tickets])
    before = open_throws(entries)[0]
    return renumbered([*entries[:at], bare, *entries[at + 1 : before], later, *entries[before:]])


def called_proven(entries: list[Entry]) -> list[Entry]:
    """A throw after a restore is called proven, and nobody has confirmed its ticket."""
    entries = unconfirmed().entries
    at = next(n for n, entry in enumerate(entries) if (proof := proof_of(entry)) and proof.nonce == "nonce-program")
    proof = proof_of(entries[at])
    assert proof
    return _changed(entries, at, lambda entry: with_thrown(entry, proof=replace(proof, confirmed=True)))


def confirmed_for_others(entries: list[Entry]) -> list[Entry]:
    """A GM's page confirms the tickets of somebody else."""
    entries = restored().entries
    at = next(n for n, entry in enumerate(entries) if entry.do == "confirm")
    gm = entries[0].by
    return _changed(entries, at, lambda entry: replace(entry, by=gm))


def old_book_again(entries: list[Entry]) -> list[Entry]:
    """A book whose keys are known in part is announced a second time."""
    party = restored()
    party.tickets = TICKETS
    party.do("", a.AnnounceAction())
    return party.entries


def reordered(entries: list[Entry]) -> list[Entry]:
    """Two throws of one seat are told in another order, so that the better one counts for the harder roll."""
    first, second = open_throws(entries)[:2]
    swapped = [*entries[:first], entries[second], entries[first], *entries[second + 1 :]]
    return renumbered(swapped)


def _ground(n: int) -> Tickets:
    return Tickets("road", f"a secret that gives good dice {n:2}".encode())


def _told(entry: Entry) -> list[e.Told]:
    return [event for event in entry.events if isinstance(event, e.Told)]


def _with_told(entry: Entry, told: e.Told) -> Entry:
    return replace(entry, events=[told if isinstance(event, e.Told) else event for event in entry.events])


def _changed(entries: list[Entry], at: int, change: Callable[[Entry], Entry]) -> list[Entry]:
    return [*entries[:at], change(entries[at]), *entries[at + 1 :]]


def _note_at(entries: list[Entry]) -> int:
    return next(n for n, entry in enumerate(entries) if entry.do == "note")


def proof_named(entry: Entry, nonce: str) -> bool:
    proof = proof_of(entry)
    return proof is not None and proof.nonce == nonce


# What cheats do to an entry.


def thrown_anew(entry: Entry) -> Entry:
    """The entry with new dice of its own key where some were kept."""
    thrown, proof = thrown_of(entry), proof_of(entry)
    assert thrown and proof
    pool = (Dice(6, len(thrown.dice)),)
    faces = provable_faces(pool, bytes.fromhex(proof.key), proof.place, proof.nonce)
    dice = [(*die[:2], face, *die[3:]) for die, face in zip(thrown.dice, faces[0][0], strict=True)]
    new = Proof(proof.nonce, proof.key, proof.next, proof.place, format_pool(pool))
    return with_thrown(entry, faces=faces, dice=dice, proof=new, kept={}, kept_proofs=[])


def other_face(entry: Entry) -> Entry:
    """The entry with another face on the first die, and in what is told of it."""
    thrown = thrown_of(entry)
    assert thrown
    faces = [[[wave[0] % 6 + 1, *wave[1:]] for wave in waves] for waves in thrown.faces]
    first = thrown.dice[0]
    dice = [(first[0], first[1], faces[0][0][0], first[3], first[4]), *thrown.dice[1:]]
    return with_thrown(entry, faces=faces, dice=dice)


def with_other_key(entry: Entry) -> Entry:
    """The entry with the dice of a key that nobody was shown."""
    return rethrown(entry, key=b"a key that gives better dice ...")


def with_other_turn(entry: Entry) -> Entry:
    """The entry with the dice that its key gives for a later throw of the action, of which there is none."""
    proof = proof_of(entry)
    assert proof
    return rethrown(entry, place=f"{proof.place.rpartition('/')[0]}/7")


def with_text(entry: Entry, text: str) -> Entry:
    """A note with other words."""
    return replace(entry, events=[replace(entry.events[0], text=text)])


def as_thrown(entry: Entry, tickets: Tickets) -> Entry:
    """The entry with typed dice that are said to be the machine's."""
    thrown, key = thrown_of(entry), tickets.ticket(entry.by, "", 0).key
    assert thrown
    pool = "+".join(f"{len(waves[0])}d6" for waves in thrown.faces)
    place, next = f"{tickets.book}/{thrown.roll}/{entry.id}.0/0", tickets.ticket(entry.by, "", 1).hash
    proof = Proof("nonce-typed", key.hex(), next, place, pool)
    return with_thrown(entry, source="machine", typed_by="", proof=proof)


def with_other_book(entry: Entry, tickets: Tickets, confirmed: bool = True) -> Entry:
    """The entry as if it had been thrown with the first ticket of another book."""
    proof = proof_of(entry)
    assert proof
    place = "/".join([tickets.book, *proof.place.split("/")[1:]])
    keys = [tickets.ticket(entry.by, "", n) for n in (0, 1)]
    entry = rethrown(entry, key=keys[0].key, next=keys[1].hash, place=place)
    return with_thrown(entry, proof=replace(proof_of(entry), confirmed=confirmed))  # type: ignore[type-var]


def with_better_nonce(entry: Entry) -> Entry:
    """The entry with a nonce that makes its key give sixes, and another verdict under the mark of an erasure."""
    proof, told = proof_of(entry), _told(entry)[0]
    assert proof
    pool = (Dice(6, 4),)
    nonce = next(
        nonce
        for nonce in map("better-{}".format, range(100_000))
        if set(provable_faces(pool, bytes.fromhex(proof.key), proof.place, nonce)[0][0]) == {6}
    )
    thrown = rethrown(with_thrown(entry, proof=replace(proof, nonce=nonce)))
    forged = _with_told(thrown, replace(told, verdict="(removed)", headline="(removed)"))
    kept = {"0": word_hash(entry, told.headline), "1": word_hash(entry, told.verdict)}
    first = len(content_of(replace(entry, events=entry.events[: entry.events.index(told)]), "").words)
    return replace(forged, removed={"": {str(first + int(n)): hash for n, hash in kept.items()}})


class Cheat(NamedTuple):
    """A cheat: what it makes of an honest log, what Python says of it, and what the page does."""

    made: Callable[[list[Entry]], list[Entry]]
    said: str
    what: str
    """The page's name for it."""
    by_head: bool = False
    """True if a sealed file alone cannot tell: a page has kept a head, or two people compare theirs."""
    outcome: str = "wrong"


KEPT = "The head that was kept is another"
CHEATS: dict[str, Cheat] = {
    "faces chosen after the nonce": Cheat(faces_chosen, "The faces do not follow from key and nonce", "faces"),
    "another key than the ticket": Cheat(another_key, "or the key is another", "aborted"),
    "a ticket used twice": Cheat(ticket_twice, "The ticket was used before.", "twice"),
    "dice chosen among several turns": Cheat(turn_chosen, "are not numbered as they fell", "turns"),
    "an entry rewritten": Cheat(rewritten, KEPT, "kept", by_head=True),
    "an entry dropped": Cheat(dropped, "entries were dropped", "dropped", by_head=True),
    "two histories for two seats": Cheat(two_histories, "two of them were shown", "kept", by_head=True),
    "typed dice claimed as verified": Cheat(typed_as_thrown, "The faces do not follow from key and nonce", "faces"),
    "an aborted throw hidden": Cheat(aborted, "its throw was aborted and hidden", "aborted"),
    #
    "a fresh book for each throw": Cheat(fresh_books, "that no entry announced before it", "otherBook"),
    "a roll rewritten as an erasure": Cheat(rewritten_as_erasure, KEPT, "kept", by_head=True),
    "dice used again that were not undone": Cheat(
        not_undone, "Dice are said to come up again that were not undone", "neverFell"
    ),
    "kept dice thrown anew": Cheat(kept_dice_thrown, "Dice were thrown again that an undo had kept.", "keptThrown"),
    # those that no finding names
    "a fresh book for each throw, announced": Cheat(
        fresh_books_announced, "not proven across a restore", "across", outcome="unproven"
    ),
    "the last throw thrown again after a crash": Cheat(
        crash_restored, "had seen 1 open entry more", "lost", outcome="unproven"
    ),
    "an aborted throw hidden by an announcement": Cheat(
        aborted_and_announced, "for a seat that has others already", "announcedTwice"
    ),
    "two members' tickets swapped": Cheat(tickets_swapped, "Another ticket was shown before", "aborted"),
    "the machine's dice shown as typed": Cheat(thrown_as_typed, "Another ticket was shown before", "aborted"),
    "a throw of another table": Cheat(another_table, "that no entry announced before it", "otherBook"),
    "a book announced behind its throws": Cheat(announced_late, "that no entry announced before it", "otherBook"),
    "a book announced a second time": Cheat(old_book_again, "is announced that was used before", "oldBook"),
    "a seat's tickets withheld": Cheat(withheld, "its tickets were not announced", "withheld"),
    "a throw called proven across a restore": Cheat(called_proven, "A throw is called proven", "called"),
    "tickets confirmed for somebody else": Cheat(confirmed_for_others, "or by somebody else", "confirmation"),
    "throws told in another order": Cheat(reordered, "Another ticket was shown before", "aborted"),
    "other words under the mark of an erasure": Cheat(other_words, "Other words stand where", "erased"),
    "something removed that was no word": Cheat(position_invented, "that was no word", "erased"),
    "a result code erased as words": Cheat(code_erased, "Other words stand where", "erased"),
    "an amount rewritten and not the faces": Cheat(amount_rewritten, KEPT, "kept", by_head=True),
}
BY_HEAD = {name for name, cheat in CHEATS.items() if cheat.by_head}


def sealed_file(entries: list[Entry]) -> bytes:
    """The file that a server writes and seals, whatever it did to the entries."""
    return b"".join(export_lines("road", folded(entries), entries, KEY))


# What the page's tests read.


def vectors() -> list[dict[str, Any]]:
    """Throws with all that they follow from."""
    pools = [
        (Dice(6, 4), Dice(10)),
        (Dice(10, 9, again=frozenset({8, 9, 10}), retry=frozenset({1, 2})),),
        (Dice(6, 0), Dice(20)),
        (Dice(1000, 3), Dice(256, 2), Dice(255, 2)),
        (Dice(4, 3, cards=Cards((1, 0, 3, 2))), Dice(6, 2)),
        (Dice(100, 40),),
    ]
    found = []
    for n, pool in enumerate(pools):
        key, nonce, place = TICKETS.ticket("seat", "", n).key, f"nonce-{n}" if n else "", f"{TICKETS.book}/r{n}/0/{n}"
        faces = provable_faces(pool, key, place, nonce)
        found.append(
            {
                "key": key.hex(),
                "ticket": ticket_of(key),
                "nonce": nonce,
                "place": place,
                "pool": format_pool(pool),
                "faces": faces,
            }
        )
    return found


def chain_of(entries: list[Entry]) -> dict[str, Any]:
    """The public chain as a page gets it: what was hashed, and the signed head at its end."""
    seen = [entry for entry in entries if any(not event.audience for event in entry.events)]
    contents = [leaf_text(entry, "").decode() for entry in seen]
    head = START
    for entry in seen:
        head = link(head, leaf_of(entry, ""))
    n = len(contents)
    signature = KEY.sign(head_text("road", "", n, head))
    return {
        "contents": contents,
        "n": n,
        "head": head,
        "key": KEY.public,
        "signature": signature,
        "code": code_of(head),
    }


def seat_chain(party: HonestParty, name: str) -> dict[str, Any]:
    """What a seat's page gets when it asks for its chains, and the dice that its log shows."""
    state, member = party.state, party.member(name)
    assert member
    gm = member.role == "gm"
    own = [entry for entry in party.entries if any(may_see(member, event.audience) for event in entry.events)]
    heads = {}
    for audience in ("", WHOLE if gm else member.id):
        n, head = state.chains.get(audience, (0, START))
        heads[audience] = {"n": n, "head": head, "signature": KEY.sign(head_text("road", audience, n, head))}
    entries = []
    for entry in own:
        audiences = [each for each in dict.fromkeys(event.audience for event in entry.events) if may_see(member, each)]
        contents = {each: leaf_text(entry, each).decode() for each in audiences}
        entries.append({"id": entry.id, "contents": contents | ({WHOLE: whole_content(entry).decode()} if gm else {})})
    page = {"since": 0, "version": len(own), "entries": entries, "heads": heads, "key": KEY.public, "handovers": []}
    dice = {entry.id: [die[2] for line in tell(entry, state, member) for die in line.dice] for entry in own}
    return {"page": page, "dice": {id: faces for id, faces in dice.items() if faces}}


def story_of(party: HonestParty, name: str = "Mira") -> bytes:
    """The story that a seat saves with its dice."""
    return b"".join(sealed_story(["# Road", ""], appendix(party.entries, party.state, party.member(name)), "road", KEY))


def story_of_entries(entries: list[Entry]) -> bytes:
    """The story of a log that a server tells, whatever it did to the entries."""
    state = folded(entries)
    gm = next(member for member in state.members.values() if member.role == "gm")
    return b"".join(sealed_story(["# Road", ""], appendix(entries, state, gm), "road", KEY))


IN_STORIES = [
    "faces chosen after the nonce", "another key than the ticket", "a ticket used twice", "an aborted throw hidden",
    "a fresh book for each throw", "a fresh book for each throw, announced", "two members' tickets swapped",
    "a throw of another table", "a book announced behind its throws", "a seat's tickets withheld",
    "a throw called proven across a restore", "the last throw thrown again after a crash",
]  # fmt: skip
"""Cheats that a story tells of as well."""


def shared() -> dict[str, Any]:
    """All that Python and TypeScript check alike."""
    party = evening()
    honest = party.entries
    cheats = {
        name: {
            "chain": chain_of(cheat.made(honest)),
            "file": sealed_file(cheat.made(honest)).decode(),
            "what": cheat.what,
            "outcome": cheat.outcome,
        }
        for name, cheat in CHEATS.items()
    }
    found = {
        "throws": vectors(),
        "honest": {"chain": chain_of(honest), "file": sealed_file(honest).decode()},
        "story": story_of(party).decode(),
        "cheating_stories": {name: story_of_entries(CHEATS[name].made(honest)).decode() for name in IN_STORIES},
        "seats": {name: seat_chain(party, name) for name in ("Mira", "Jonas", "Ada")},
        "cheats": cheats,
        "evenings": {
            name: {"file": sealed_file(made().entries).decode(), "story": story_of(made()).decode(), "outcome": outcome}
            for name, (made, outcome) in EVENINGS.items()
        },
        "by_head": sorted(BY_HEAD),
        "german": code_of(chain_of(honest)["head"], "de"),
    }
    plain: dict[str, Any] = json.loads(msgspec.json.encode(found))
    return plain


if __name__ == "__main__":
    sys.stdout.write(json.dumps(shared(), ensure_ascii=False, separators=(",", ":")) + "\n")
