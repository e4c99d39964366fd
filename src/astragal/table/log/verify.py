"""Verifying a log: every throw of the machine, every ticket, every chain, without trusting its author."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from typing import Any, Literal, NamedTuple, TypeAlias

from astragal.dice.provable import follows, parse_pool, turn_of
from astragal.errors import Illegal, Malformed
from astragal.rule.inputs.total import counted
from astragal.table import event as e
from astragal.table.access import both
from astragal.table.chain import START, Chains, blank_fault, linked
from astragal.table.entry import Entry, decode_entry
from astragal.table.fold import lane_of
from astragal.table.fold_sheets import move_name
from astragal.table.kept import fallen, new_faces, read_line
from astragal.table.log.books import Books
from astragal.table.log.export import FORMAT, OTHER_FORMAT
from astragal.table.log.seal import Seal, is_seal, is_signed, read_seal, seal_text
from astragal.table.roll_event import Proof

Weight: TypeAlias = Literal["wrong", "unproven", "note"]
Outcome: TypeAlias = Literal["right", "wrong", "unproven"]
RESTORED = {
    "restored": "The table was restored from a backup here: its tickets are new.",
    "imported": "The table was imported here: its tickets are new.",
    "": "The tickets are new from here on, and the log does not say why.",
}
SEALS = {
    "broken": "The file that was imported here had a broken seal: what came before may have been changed.",
    "missing": "The file that was imported here had no seal: what came before may have been changed.",
}
THROWN = (e.Thrown, e.MoveThrown)
SEATING = (e.Joined, e.Seated, e.Announced)
"""Events of entries after which every seat has to have tickets."""


def seats_of(events: Iterable[e.Event]) -> dict[str, str]:
    """The roles of the members who sat down or were given another role."""
    return {event.member: event.role for event in events if isinstance(event, (e.Joined, e.Seated))}


class Finding(NamedTuple):
    """Something about an entry, or with 0 about the whole file: it is wrong, or it should be known."""

    weight: Weight
    version: int
    text: str


class FellAt(NamedTuple):
    """Where a die showed a face: the entry in which it fell, the face, and who saw it."""

    source: str
    face: int
    audience: str


_Throw: TypeAlias = "tuple[str, e.Thrown | e.MoveThrown | e.Corrected]"


class LogCheck:
    """Takes in the entries of a log, one after the other, and keeps what is wrong with them."""

    def __init__(self, kept: tuple[int, str] | None = None) -> None:
        self.findings: list[Finding] = []
        self.throws: Counter[str] = Counter()
        """Numbers of throws: checked, not proven across a restore, without a nonce or ticket, typed, and used again."""
        self.chains: Chains = {}
        self._kept = kept
        """The number of public entries and the head that a member's page kept."""
        self._known: dict[str, tuple[Any, Proof, str]] = {}
        """By place: faces, proof and entry of every throw so far."""
        self.books = Books()
        self._struck: set[str] = set()
        self._thrown: dict[str, list[_Throw]] = {}
        """By roll or move: its throws since fresh dice were ordered, and corrections of them, each with its entry."""
        self._at = 0

    def take(self, entry: Entry) -> None:
        """Take in the next entry."""
        self.at(entry.version)
        self._announcements(entry)
        if entry.removed:
            self._removed(entry)
        for event in entry.events:
            if isinstance(event, THROWN):
                self._throw(entry, event)
            elif isinstance(event, e.Revealed):
                self._revealed(event)
            elif isinstance(event, e.Struck):
                self._struck.update(event.entries)
            elif isinstance(event, e.Restored):
                self._struck.difference_update(event.entries)
            elif isinstance(event, e.Corrected):
                self._thrown.setdefault(event.roll, []).append((entry.id, event))
        self._ticket(entry)
        self.chains = linked(self.chains, entry)
        self._compare_kept()

    def _announcements(self, entry: Entry) -> None:
        """Take in who sits at the table, and the tickets that are announced and confirmed."""
        if any(isinstance(event, SEATING) and event.audience for event in entry.events):
            self._wrong("Seats and tickets are hidden from some, which they never are.")
        self.seat(seats_of(entry.events))
        for event in entry.events:
            if isinstance(event, e.Announced):
                self.announced(event, founding=isinstance(entry.events[0], e.Founded))
            elif isinstance(event, e.Confirmed):
                self.confirmed(event, entry.by)
        if any(isinstance(event, SEATING) for event in entry.events):
            self.seated()

    def at(self, place: int) -> None:
        """Set the entry, or line of a story, that the next findings are about."""
        self._at = place

    def seat(self, roles: Mapping[str, str]) -> None:
        """Take in members who sat down or have another role."""
        for member, role in roles.items():
            self.books.seat(member, role)

    def seated(self) -> None:
        """Check that every seat has tickets."""
        for fault in self.books.withheld():
            self._wrong(fault)

    def announced(self, event: e.Announced, founding: bool) -> None:
        """Take in tickets that are announced, ``founding`` if that is in the table's first entry."""
        before = self.books.restores
        for fault in self.books.announce(event.book, event.tickets, founding):
            self._wrong(fault)
        if self.books.restores > before:
            self._note(RESTORED.get(event.why, RESTORED[""]))
        if event.seal in SEALS:
            self.findings.append(Finding("unproven", self._at, SEALS[event.seal]))

    def confirmed(self, event: e.Confirmed, by: str) -> None:
        """Take in that a member's page confirmed new tickets."""
        if by != event.member or not self.books.confirm(event.member, event.book):
            self._wrong("Tickets are confirmed that were not new, or by somebody else.")
        elif event.lost:
            entries = counted(event.lost, "open entry", "open entries")
            text = f"A member's page had seen {entries} more than the log had here: lost in the restore, or dropped."
            self.findings.append(Finding("unproven", self._at, text))

    def _removed(self, entry: Entry) -> None:
        if fault := blank_fault(entry):
            self._wrong(fault)
        else:
            n = sum(map(len, entry.removed.values()))
            self._note(f"{counted(n, 'text was', 'texts were')} removed by the server's operator. Nothing else was.")

    def _wrong(self, text: str) -> None:
        self.findings.append(Finding("wrong", self._at, text))

    def _note(self, text: str) -> None:
        self.findings.append(Finding("note", self._at, text))

    def _throw(self, entry: Entry, event: e.Thrown | e.MoveThrown) -> None:
        if event.dice and _flat(event.faces) != sorted(die[2] for die in event.dice):
            self._wrong("The dice that are told are not the dice that fell.")
        self._reuse(entry, event)
        if event.source == "again" and not (event.proof and event.proof.pool):
            self.throws["again"] += 1
        elif event.proof is None:
            self.throws["typed" if event.typed_by or event.source == "typed" else "unproven"] += 1
        elif event.typed_by or event.source != "machine":
            self._wrong("Typed dice claim that the machine threw them.")
        else:
            self._machine(entry, event, event.proof)

    def _machine(self, entry: Entry, event: e.Thrown | e.MoveThrown, proof: Proof) -> None:
        roll = event.roll if isinstance(event, e.Thrown) else entry.id
        if proof.place.split("/")[1:2] != [roll] or proof.place in self._known:
            self._wrong("The proof is of another throw.")
        faces = new_faces(event.faces, event.kept)
        if not holds(faces, proof):
            self._wrong("The faces do not follow from key and nonce: they were chosen, or changed later.")
        self._known[proof.place] = faces, proof, entry.id
        self.count(proof, self.books.is_confirmed(entry.by))

    def count(self, proof: Proof, confirmed: bool, proves: bool = True) -> None:
        """Count a throw of the machine; ``confirmed`` if its ticket is not of a restore, or was confirmed."""
        if proof.confirmed != confirmed:
            self._wrong("A throw is called proven across a restore, or not proven, and is the other.")
        proves = proves and bool(proof.nonce)
        self.throws["unproven" if not proves else "checked" if confirmed else "restored"] += 1

    def _reuse(self, entry: Entry, event: e.Thrown | e.MoveThrown) -> None:
        """Check that each kept die fell so in an entry that is undone, and that no kept die was thrown again (T-1)."""
        about = event.roll if isinstance(event, e.Thrown) else move_name(event)
        if event.fresh:
            self._thrown.pop(about, None)
        thrown = self._thrown.setdefault(about, [])
        named = {tuple(place): id for id, places in event.kept.items() for place in places}
        before = self._undone(thrown, isinstance(event, e.MoveThrown)) if thrown or named else {}
        for die in fallen(event) if before or named else ():
            fell = before.get((die.line, die.root), [])
            source = named.pop(die.place, "")
            if source and not any((at.source, at.face) == (source, die.face) for at in fell):
                self._wrong("Dice are said to come up again that were not undone, or never fell so.")
            elif not source and any(
                both(event.audience, at.audience) == event.audience and not _was_drawn(event, die.line, at.face)
                for at in fell
            ):
                self._wrong("Dice were thrown again that an undo had kept.")
        if named:
            self._wrong("Dice are said to come up again that are not in this throw.")
        thrown.append((entry.id, event))
        for faces, proof in event.kept_proofs:
            known = self._known.get(proof.place)
            if known is None or (_plain(known[0]), known[1]) != (_plain(faces), proof):
                self._wrong("Dice are said to come up again that never fell so.")

    def _undone(self, thrown: list[_Throw], is_move: bool) -> dict[tuple[str, int], list[FellAt]]:
        """Where each die fell in throws of a roll that are undone; of a move, since it was last made."""
        found: dict[tuple[str, int], list[FellAt]] = {}
        for id, event in thrown:
            if isinstance(event, e.Corrected):
                for line, root, _, _, now in event.dice:
                    known = found.get((line, root), [])
                    known += [fell._replace(face=now) for fell in known]
                continue
            if id not in self._struck:
                found = {} if is_move else found
                continue
            sources = {tuple(place): source for source, places in event.kept.items() for place in places}
            for die in fallen(event):
                fell = FellAt(sources.get(die.place, id), die.face, event.audience)
                found.setdefault((die.line, die.root), []).append(fell)
        return found

    def _revealed(self, event: e.Revealed) -> None:
        fell = _flat([waves for faces, _ in event.thrown for waves in faces])
        if event.thrown and event.dice and fell != sorted(die[2] for die in event.dice):
            self._wrong("The dice that are told are not the dice that fell.")
        for faces, proof in event.thrown:
            if proof is None:
                continue
            before = self._known.get(proof.place)
            if before is None or (_plain(before[0]), before[1]) != (_plain(faces), proof):
                self._wrong("What is revealed is not what was thrown.")

    def _ticket(self, entry: Entry) -> None:
        """Check that the ticket is the one that was shown, and that no other was used before it."""
        lane = lane_of(entry.events)
        thrown = [event for event in entry.events if isinstance(event, THROWN)]
        proofs = [event.proof for event in thrown if event.source == "machine" or event.proof]
        proof = next((each for each in proofs if each), None)
        covered = next((event for event in entry.events if isinstance(event, e.Covered) and event.ticket), None)
        if lane is None or proof is None:
            if covered:
                self._wrong("A ticket is said to be used, and no dice were thrown.")
            return
        if any(each is None or (each.key, each.next) != (proof.key, proof.next) for each in proofs):
            self._wrong("The throws of one action have several tickets.")
        if [each and turn_of(each.place) for each in proofs] != [str(turn) for turn in range(len(proofs))]:
            self._wrong("The throws of one action are not numbered as they fell: dice were chosen among several.")
        ticket = ticket_of_key(proof.key)
        if covered and (covered.ticket, covered.next) != (ticket, proof.next):
            self._wrong("The ticket that was told is not the one that was used.")
        for fault in self.books.use(entry.by, lane, proof.place.split("/")[0], ticket, proof.next):
            self._wrong(fault)

    def _compare_kept(self) -> None:
        n, head = self.chains.get("", (0, START))
        if self._kept and n == self._kept[0]:
            if head != self._kept[1]:
                self._wrong("The head that was kept is another: the log was rewritten, or two of them were shown.")
            self._kept = None

    def finish(self) -> None:
        """Say what is missing at the end, and what is not proven."""
        self._at = 0
        if n := self.throws["restored"]:
            text = f"{counted(n, 'throw is', 'throws are')} not proven across a restore"
            text += ": the throwers' pages had not confirmed their new tickets."
            self.findings.append(Finding("unproven", 0, text))
        if self._kept:
            n = self.chains.get("", (0, START))[0]
            self._wrong(
                f"A head of {self._kept[0]:,} open entries was kept, and there are {n:,}: entries were dropped."
            )


def outcome_of(findings: Iterable[Finding]) -> Outcome:
    """The outcome of findings: something is wrong, something is not proven, or neither."""
    weights = {finding.weight for finding in findings}
    return "wrong" if "wrong" in weights else "unproven" if "unproven" in weights else "right"


def holds(faces: Any, proof: Proof) -> bool:
    """True if the faces follow from the proof."""
    try:
        return follows(faces, proof.pool, bytes.fromhex(proof.key), proof.place, proof.nonce)
    except (Malformed, ValueError, TypeError):
        return False


def ticket_of_key(key: str) -> str:
    """The ticket of a key as a proof has it; empty if it is none."""
    try:
        return sha256(bytes.fromhex(key)).hexdigest()
    except ValueError:
        return ""


def _was_drawn(event: e.Thrown | e.MoveThrown, line: str, face: int) -> bool:
    """True if it is a card that another member has drawn since, so none is left; typed cards may repeat."""
    sides, name = read_line(line)[1:3]
    if name not in event.cards or event.proof is None:
        return name in event.cards
    with suppress(Malformed):
        decks = [part.cards.left for part in parse_pool(event.proof.pool) if part.cards and part.sides == sides]
        return 0 < face <= sides and any(not left[face - 1] for left in decks)
    return False


def _flat(faces: Any) -> list[int]:
    return sorted(face for waves in faces for wave in waves for face in wave)


def _plain(faces: Any) -> list[list[list[int]]]:
    return [[list(wave) for wave in waves] for waves in faces]


class FileCheck(NamedTuple):
    """The findings about a file."""

    header: dict[str, Any]
    log: LogCheck
    seal: Seal | None
    entries: int

    @property
    def findings(self) -> list[Finding]:
        """All that was found, in order."""
        return self.log.findings

    @property
    def outcome(self) -> Outcome:
        """The outcome of the findings."""
        return outcome_of(self.findings)

    @property
    def is_right(self) -> bool:
        """True if nothing is wrong, and everything is proven that could be."""
        return self.outcome == "right"


def check_file(lines: Iterable[bytes], kept: tuple[int, str] | None = None) -> FileCheck:
    """Check a table's file; Malformed if it is none at all, Illegal if it has another format."""
    import msgspec

    log, total, seal, n = LogCheck(kept), sha256(), None, 0
    rest = iter(lines)
    first = next(rest, b"")
    try:
        header = msgspec.json.decode(first, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        header = {}
    if header.get("astragal") != "table":
        raise Malformed("This file is not an Astragal table: its first line does not say so.")
    if header.get("format") != FORMAT:
        raise Illegal(OTHER_FORMAT.format(found=str(header.get("format"))[:20], ours=FORMAT))
    total.update(first)
    for line in rest:
        if seal is not None:
            log.findings.append(Finding("wrong", 0, "There is something after the seal."))
        try:
            if is_seal(line):
                seal = read_seal(line)
                continue
            total.update(line)
            n += 1
            entry = decode_entry(line)
        except Malformed as refusal:
            log.findings.append(Finding("wrong", 0 if is_seal(line) else n, refusal.sentence))
            continue
        if entry.version != n:
            text = "The entries do not follow each other: some were dropped or moved."
            log.findings.append(Finding("wrong", n, text))
        log.take(entry)
    log.finish()
    log.findings += _at_the_end(log, header, seal, total.hexdigest(), n)
    return FileCheck(header, log, seal, n)


def _at_the_end(log: LogCheck, header: dict[str, Any], seal: Seal | None, file: str, n: int) -> Iterator[Finding]:
    if header.get("version") != n:
        yield Finding("wrong", 0, f"The file should have {header.get('version')} entries and has {n:,}.")
    if seal is None:
        yield Finding("note", 0, "The file has no seal, so changes of anything but dice are not found.")
        return
    if seal.file != file:
        yield Finding("wrong", 0, "The file was changed after it was sealed.")
    if seal.chains != log.chains:
        text = "The entries do not make the chains that the seal names: some were rewritten or dropped."
        yield Finding("wrong", 0, text)
    if not is_signed(seal_text(str(header.get("table")), seal.file, seal.chains), seal.key, seal.signature):
        yield Finding("wrong", 0, "The signature of the seal is wrong.")
