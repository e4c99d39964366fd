"""A server that cheats, in nine ways: a log as it should be, and what each cheat makes of it.

``python -m tests.table.cheats`` writes what the page's tests read: test vectors, and what an honest and each
cheating server would send to a page.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from astragal.dice.dice import Cards, Dice
from astragal.dice.provable import format_pool, provable_faces
from astragal.repository.head_key import HeadKey
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import may_see
from astragal.table.chain import START, WHOLE, leaf_content, leaf_of, link, whole_content
from astragal.table.entry import Entry
from astragal.table.log.appendix import appendix, sealed_story
from astragal.table.log.code import code_of
from astragal.table.log.export import export_lines
from astragal.table.log.lines import tell
from astragal.table.log.seal import head_text
from astragal.table.proof import Proof
from astragal.table.rolls.ticket import Tickets, ticket_of
from astragal.table.table import folded
from tests.table.tables import Party

KEY = HeadKey(b"a seed of 32 bytes for the tests")
TICKETS = Tickets("road", b"a secret of the table, for tests")
SHARED = Path(__file__).parents[2] / "page" / "test" / "verify" / "shared.json"
"""What Python and TypeScript both check."""


class HonestParty(Party):
    """A party whose machine throws with tickets."""

    def __init__(self, game: str = "razorweave") -> None:
        super().__init__(game)

    def do(self, by: str, action: a.Action, dice: Any = None, key: str = "") -> Entry:
        key = key or f"key {next(self._keys)}"
        entry = self.table.decide(self.ids.get(by, by) if by else "", action, key, len(self.entries), tickets=TICKETS)
        self.table.apply(entry)
        self.entries.append(entry)
        return entry


def evening() -> HonestParty:
    """A short evening: open, typed, blind and hidden rolls, an undo, and what was hidden revealed."""
    party = HonestParty()
    for n in range(3):
        party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 12 + n}, nonce=f"nonce-{n}"))
    party.do("Ada", a.RollAction(who="Kit", inputs={"dc": 11}, faces="6 5 4 4"))
    party.do("Jonas", a.UndoAction(entry=party.entries[-2].id))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 14}, nonce="nonce-again"))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 10}, seen="blind", nonce="nonce-blind"))
    party.do("Mira", a.RollAction(who="Wren", inputs={"dc": 10}, seen="gm", nonce="nonce-gm"))
    party.do("Mira", a.RevealAction())
    party.do("Mira", a.RevealAction())
    party.do("Jonas", a.NoteAction(text="What a night, Größe 7."))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 9}, nonce="nonce-last"))
    return party


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


def _changed(entries: list[Entry], at: int, change: Callable[[Entry], Entry]) -> list[Entry]:
    return [*entries[:at], change(entries[at]), *entries[at + 1 :]]


def _note_at(entries: list[Entry]) -> int:
    return next(n for n, entry in enumerate(entries) if entry.do == "note")


# What cheats do to an entry.


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
    place, next = f"{tickets.book}/{thrown.roll}/0/0", tickets.ticket(entry.by, "", 1).hash
    proof = Proof("nonce-typed", key.hex(), next, place, pool)
    return with_thrown(entry, source="machine", typed_by="", proof=proof)


CHEATS: dict[str, Callable[[list[Entry]], list[Entry]]] = {
    "faces chosen after the nonce": faces_chosen,
    "another key than the ticket": another_key,
    "a ticket used twice": ticket_twice,
    "dice chosen among several turns": turn_chosen,
    "an entry rewritten": rewritten,
    "an entry dropped": dropped,
    "two histories for two seats": two_histories,
    "typed dice claimed as verified": typed_as_thrown,
    "an aborted throw hidden": aborted,
}
BY_HEAD = {"an entry rewritten", "an entry dropped", "two histories for two seats"}
"""Cheats that a sealed file alone cannot tell: somebody's page has kept a head, or two people compare theirs."""


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
    contents = [
        leaf_content(entry, "").decode() for entry in entries if any(not event.audience for event in entry.events)
    ]
    head = "0" * 64
    for content in contents:
        head = link(head, leaf_of(content.encode()))
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
        contents = {each: leaf_content(entry, each).decode() for each in audiences}
        entries.append({"id": entry.id, "contents": contents | ({WHOLE: whole_content(entry).decode()} if gm else {})})
    page = {"since": 0, "version": len(own), "entries": entries, "heads": heads, "key": KEY.public, "handovers": []}
    dice = {entry.id: [die[2] for line in tell(entry, state, member) for die in line.dice] for entry in own}
    return {"page": page, "dice": {id: faces for id, faces in dice.items() if faces}}


def _dice(party: HonestParty) -> Iterator[str]:
    return appendix(party.entries, party.state, party.member("Mira"))


def shared() -> dict[str, Any]:
    """All that Python and TypeScript check alike."""
    party = evening()
    honest = party.entries
    cheats = {
        name: {"chain": chain_of(cheat(honest)), "file": sealed_file(cheat(honest)).decode()}
        for name, cheat in CHEATS.items()
    }
    found = {
        "throws": vectors(),
        "honest": {"chain": chain_of(honest), "file": sealed_file(honest).decode()},
        "story": b"".join(sealed_story(["# Road", ""], _dice(party), "road", KEY)).decode(),
        "seats": {name: seat_chain(party, name) for name in ("Mira", "Jonas", "Ada")},
        "cheats": cheats,
        "by_head": sorted(BY_HEAD),
        "german": code_of(chain_of(honest)["head"], "de"),
    }
    plain: dict[str, Any] = json.loads(msgspec.json.encode(found))
    return plain


if __name__ == "__main__":
    sys.stdout.write(json.dumps(shared(), ensure_ascii=False, separators=(",", ":")) + "\n")
