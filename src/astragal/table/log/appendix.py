"""The appendix of a story: the machine's throws that a seat saw, with their proofs and a seal, for anybody to check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

import msgspec

from astragal.dice.provable import turn_of
from astragal.table import event as e
from astragal.table.entry import Entry
from astragal.table.fold import lane_of
from astragal.table.log.books import TWICE
from astragal.table.log.lines import heard, tell
from astragal.table.log.seal import Signing, is_signed
from astragal.table.log.shown import Waves
from astragal.table.log.verify import THROWN, Finding, LogCheck, Weight, holds, seats_of, ticket_of_key
from astragal.table.roll_event import Proof
from astragal.table.state import Member, State

TITLE = "## The dice, to be checked"
FENCE = "```"
SEALS = b'{"astragal":"story",'
"""How the line of the seal begins."""
_encode = msgspec.json.Encoder().encode


class StorySeal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the bytes before it hash to, and the server's signature of that; the fence alone comes after it."""

    astragal: str
    table: str
    file: str
    key: str
    signature: str


_seals = msgspec.json.Decoder(StorySeal)


class SeatsTold(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A line about seats: who has which role now, and the tickets that were announced; see ``Announced``."""

    seats: dict[str, str]
    book: str = ""
    tickets: dict[str, dict[str, str]] = {}
    why: str = ""
    seal: str = ""
    founding: bool = False


class ConfirmedTold(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A line about a page that confirmed new tickets."""

    confirmed: str
    book: str
    lost: int = 0


class CoveredTold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line about hidden dice: the ticket that was used and the next one, whose they are, and in which lane."""

    covered: tuple[str, str]
    by: str
    lane: str


class ThrowTold(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A line about a throw; without ``by``, one that was revealed, or whose dice came up again."""

    faces: Waves
    proof: Proof
    by: str = ""
    lane: str = ""


LINES: dict[bytes, msgspec.json.Decoder[Any]] = {
    f'{{"{kind.__struct_fields__[0]}":'.encode(): msgspec.json.Decoder(kind)
    for kind in (SeatsTold, ConfirmedTold, CoveredTold, ThrowTold)
}
"""How each line begins, and what reads it."""


class Appendix:
    """The throws and announced tickets that a check of a seat's dice needs, collected entry by entry."""

    def __init__(self, state: State, member: Member | None) -> None:
        self._state = state
        self._member = member
        self._found: list[msgspec.Struct] = []
        self._places: set[str] = set()
        """Throws that have a line: a revealed throw is in the log twice."""

    def take(self, entry: Entry) -> None:
        """Add what an entry says about throws and tickets."""
        events = list(heard(entry, self._member))
        seats, founding = seats_of(events), isinstance(entry.events[0], e.Founded)
        announced = next((event for event in events if isinstance(event, e.Announced)), None)
        if announced:
            told = announced.book, announced.tickets, announced.why, announced.seal
            self._found.append(SeatsTold(seats, *told, founding))
        elif seats:
            self._found.append(SeatsTold(seats))
        self._found += [
            ConfirmedTold(event.member, event.book, event.lost) for event in events if isinstance(event, e.Confirmed)
        ]
        self._throws(entry, events)

    def _throws(self, entry: Entry, events: list[e.Event]) -> None:
        lane = lane_of(events)
        if lane is None:
            fresh = set[str]()
        else:
            fresh = {event.proof.place for event in events if isinstance(event, THROWN) and event.proof}
            covered = next((event for event in events if isinstance(event, e.Covered) and event.ticket), None)
            if covered and not fresh:
                self._found.append(CoveredTold((covered.ticket, covered.next), entry.by, lane))
        for line in tell(entry, self._state, self._member):
            for faces, proof in [(thrown.faces, thrown.proof) for thrown in line.thrown]:
                if proof.place not in self._places:
                    whose = (entry.by, lane or "") if proof.place in fresh else ()
                    self._found.append(ThrowTold(faces, proof, *whose))
                    self._places.add(proof.place)

    def lines(self) -> Iterator[str]:
        """The lines of the appendix up to its seal; none if there are no such throws."""
        if self._places:
            yield from ("", TITLE, "", "Save this file, and run `astragal verify` with its name.", "", f"{FENCE}json")
            yield from (_encode(line).decode() for line in self._found)


def appendix(entries: Iterable[Entry], state: State, member: Member | None) -> Iterator[str]:
    """The lines of a whole log's appendix up to its seal."""
    found = Appendix(state, member)
    for entry in entries:
        found.take(entry)
    return found.lines()


def sealed_story(lines: Iterable[str], dice: Iterable[str], table: str, sign: Signing) -> Iterator[bytes]:
    """The bytes of a story, with its appendix and the seal of all of it if there are dice."""
    total, throws = sha256(), 0
    for part in (lines, dice):
        for line in part:
            throws += part is dice
            written = f"{line}\n".encode()
            total.update(written)
            yield written
    if throws:
        file = total.hexdigest()
        seal = StorySeal("story", table, file, sign.public, sign.sign(story_text(table, file)))
        yield _encode(seal) + f"\n{FENCE}\n".encode()


def story_text(table: str, file: str) -> bytes:
    """The bytes that the signature of a story's seal signs."""
    return f"astragal story 1\n{table}\n{file}\n".encode()


class StoryCheck:
    """Takes in the lines of a story: faces follow from their proofs, no key serves two rolls, and the seal is right."""

    def __init__(self, whole: bool = True) -> None:
        self.log = LogCheck()
        self.key = ""
        """The key of the seal, if there is one."""
        self._whole = whole
        """False for copied throws: their tickets cannot be followed."""
        self._total = sha256()
        self._rolls: dict[str, tuple[str, str]] = {}
        self._known: dict[str, ThrowTold] = {}
        self._turns: Counter[str] = Counter()
        self._confirmed: dict[str, bool] = {}
        """By ticket: whether it was confirmed when it was used."""
        self._line = 0

    def _say(self, text: str, weight: Weight = "wrong", line: int | None = None) -> None:
        self.log.findings.append(Finding(weight, self._line if line is None else line, text))

    def read(self, line: bytes) -> None:
        """Take in a line of the story itself, with any text that a member wrote in it."""
        self._line += 1
        self._total.update(line)
        self.log.at(self._line)

    def take(self, line: bytes) -> None:
        """Take in a line of the appendix that is not a seal."""
        self.read(line)
        decoder = next((decoder for begins, decoder in LINES.items() if line.startswith(begins)), None)
        if decoder is None:
            return
        try:
            told = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return self._say("The line of a throw cannot be read.")
        if isinstance(told, ThrowTold):
            return self._throw(told)
        return self._tickets(told) if self._whole else None

    def _tickets(self, told: SeatsTold | ConfirmedTold | CoveredTold) -> None:
        if isinstance(told, CoveredTold):
            self._use(told.by, told.lane, self.log.books.book, *told.covered)
        elif isinstance(told, ConfirmedTold):
            self.log.confirmed(e.Confirmed(member=told.confirmed, book=told.book, lost=told.lost), told.confirmed)
        else:
            self.log.seat(told.seats)
            if told.book:
                announced = e.Announced(book=told.book, tickets=told.tickets, why=told.why, seal=told.seal)
                self.log.announced(announced, told.founding)
            self.log.seated()

    def _use(self, by: str, lane: str, book: str, ticket: str, following: str) -> None:
        self._confirmed[ticket] = self.log.books.is_confirmed(by)
        for fault in self.log.books.use(by, lane, book, ticket, following):
            self._say(fault)

    def _throw(self, thrown: ThrowTold) -> None:
        proof = thrown.proof
        if self._known.setdefault(proof.place, thrown) is not thrown:
            self._say("The throw is told in two ways.")
            return
        roll = "/".join(proof.place.split("/")[:2]), proof.next
        if not holds(thrown.faces, proof):
            self._say("The faces do not follow from key and nonce.")
        if self._rolls.setdefault(proof.key, roll) != roll:
            self._say(TWICE)
        ticket = ticket_of_key(proof.key)
        if self._whole and thrown.by and ticket not in self._confirmed:
            self._use(thrown.by, thrown.lane, proof.place.split("/")[0], ticket, proof.next)
        # Dice that came up again may be of the middle of an action: a number out of turn is not wrong, but no proof.
        in_turn = turn_of(proof.place) == str(self._turns[proof.key])
        self._turns[proof.key] += 1
        known = ticket in self._confirmed or not self._whole
        self.log.count(proof, self._confirmed.get(ticket, proof.confirmed), in_turn and known)

    def seal(self, line: bytes, after: bytes) -> None:
        """Take in the seal, and what comes after it."""
        self._line += 1
        try:
            seal = _seals.decode(line)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return self._say("The seal cannot be read.")
        self.key = seal.key
        if _encode(seal) + b"\n" != line or after != f"{FENCE}\n".encode():
            self._say("The seal is not written as seals are, or something follows it.")
        if seal.file != self._total.hexdigest():
            self._say("The story was changed after it was sealed.", line=0)
        if not is_signed(story_text(seal.table, seal.file), seal.key, seal.signature):
            self._say("The signature of the seal is wrong.", line=0)
        return None

    def unsealed(self, whole: bool) -> None:
        """Say that there is no seal. Single throws that somebody copied need none; a whole story has one."""
        if whole:
            self._say("The seal at the end of the story is missing.", line=0)
        else:
            self._say("There is no seal, so only the dice were checked.", "note", 0)


def check_story(lines: Iterable[bytes]) -> StoryCheck:
    """Check a story and its appendix, without trusting its author."""
    whole = list(lines)
    titled = [n for n, line in enumerate(whole) if line.rstrip() == TITLE.encode()]
    found = StoryCheck(bool(titled))
    begins = titled[-1] if titled else 0
    for line in whole[:begins]:
        found.read(line)
    for n, line in enumerate(whole[begins:], begins + 1):
        if line.startswith(SEALS):
            found.seal(line, b"".join(whole[n:]))
            break
        found.take(line)
    else:
        found.unsealed(bool(titled))
    found.log.finish()
    return found
