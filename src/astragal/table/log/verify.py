"""Verifying a log: every throw of the machine, every ticket, every chain, with no trust in whoever wrote it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any, Literal, NamedTuple, TypeAlias

from astragal.dice.provable import follows, turn_of
from astragal.errors import Malformed
from astragal.table import event as e
from astragal.table.chain import START, Chains, linked
from astragal.table.entry import Entry, decode_entry
from astragal.table.fold import lane_of
from astragal.table.log.seal import Seal, is_seal, is_signed, read_seal, seal_text
from astragal.table.proof import Proof

Weight: TypeAlias = Literal["wrong", "note"]
THROWN = (e.Thrown, e.MoveThrown)


class Finding(NamedTuple):
    """Something about an entry, or with 0 about the whole file: it is wrong, or it should be known."""

    weight: Weight
    version: int
    text: str


class LogCheck:
    """Takes in the entries of a log, one after the other, and keeps what is wrong with them."""

    def __init__(self, kept: tuple[int, str] | None = None) -> None:
        self.findings: list[Finding] = []
        self.throws: Counter[str] = Counter()
        """Throws that were checked, thrown without a nonce or ticket, typed, and used again."""
        self.chains: Chains = {}
        self._kept = kept
        """The number of public entries and the head that somebody's page kept."""
        self._known: dict[str, tuple[Any, Proof, str]] = {}
        """By place: faces, proof and entry of every throw so far."""
        self._keys: dict[str, str] = {}
        """The entry that used each key."""
        self._next: dict[tuple[str, str, str], str] = {}
        """The ticket that each seat was shown last, by the tickets' book, seat and lane."""
        self._books: list[str] = []
        self._struck: set[str] = set()
        self._at = 0

    def take(self, entry: Entry) -> None:
        """Take in the next entry."""
        self._at = entry.version
        if entry.leaves:
            self._note("Words were removed from this entry by whoever runs the server; its hash is kept.")
        for event in entry.events:
            if isinstance(event, THROWN):
                self._throw(entry, event)
            elif isinstance(event, e.Revealed):
                self._revealed(event)
            elif isinstance(event, e.Struck):
                self._struck.update(event.entries)
            elif isinstance(event, e.Restored):
                self._struck.difference_update(event.entries)
        self._ticket(entry)
        self.chains = linked(self.chains, entry)
        self._compare_kept()

    def _wrong(self, text: str) -> None:
        self.findings.append(Finding("wrong", self._at, text))

    def _note(self, text: str) -> None:
        self.findings.append(Finding("note", self._at, text))

    def _throw(self, entry: Entry, event: e.Thrown | e.MoveThrown) -> None:
        if event.dice and _flat(event.faces) != sorted(die[2] for die in event.dice):
            self._wrong("The dice that are told are not the dice that fell.")
        if event.proof is None:
            self.throws["typed" if event.typed_by or event.source == "typed" else "unproven"] += 1
        elif event.typed_by or event.source not in ("machine", "again"):
            self._wrong("Typed dice claim that the machine threw them.")
        elif event.source == "again":
            self._again(event.proof, event.faces)
        else:
            self._machine(entry, event, event.proof)

    def _machine(self, entry: Entry, event: e.Thrown | e.MoveThrown, proof: Proof) -> None:
        roll = event.roll if isinstance(event, e.Thrown) else entry.id
        if proof.place.split("/")[1:2] != [roll] or proof.place in self._known:
            self._wrong("The proof is of another throw.")
        if not holds(event.faces, proof):
            self._wrong("The faces do not follow from key and nonce: they were chosen, or changed later.")
        self._known[proof.place] = event.faces, proof, entry.id
        self.throws["checked" if proof.nonce else "unproven"] += 1

    def _again(self, proof: Proof, faces: Any) -> None:
        before = self._known.get(proof.place)
        if before is None or (_plain(before[0]), before[1]) != (_plain(faces), proof):
            self._wrong("Dice are said to come up again that never fell so.")
        elif before[2] not in self._struck:
            self._wrong("Dice come up again that were not undone.")
        self.throws["again"] += 1

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
        lane = lane_of(entry)
        proofs = [event.proof for event in entry.events if isinstance(event, THROWN) and event.source == "machine"]
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
        ticket = _ticket_of(proof.key)
        if covered and (covered.ticket, covered.next) != (ticket, proof.next):
            self._wrong("The ticket that was told is not the one that was used.")
        self._follow(entry, lane, proof, ticket)

    def _follow(self, entry: Entry, lane: str, proof: Proof, ticket: str) -> None:
        book = proof.place.split("/")[0]
        if book not in self._books:
            if self._books:
                self._note("The tickets are new from here on: the table was imported or restored.")
            self._books.append(book)
        if proof.key in self._keys:
            self._wrong("The ticket was used before.")
        elif self._next.get((book, entry.by, lane), ticket) != ticket:
            self._wrong("Another ticket was shown before: its throw was aborted and hidden, or the key is another.")
        self._keys[proof.key] = entry.id
        self._next[book, entry.by, lane] = proof.next

    def _compare_kept(self) -> None:
        n, head = self.chains.get("", (0, START))
        if self._kept and n == self._kept[0]:
            if head != self._kept[1]:
                self._wrong("The head that was kept is another: the log was rewritten, or two of them were shown.")
            self._kept = None

    def finish(self) -> None:
        """Say what is missing at the end."""
        self._at = 0
        if self._kept:
            n = self.chains.get("", (0, START))[0]
            self._wrong(
                f"A head of {self._kept[0]:,} open entries was kept, and there are {n:,}: entries were dropped."
            )


def holds(faces: Any, proof: Proof) -> bool:
    """Whether the faces follow from the proof."""
    try:
        return follows(faces, proof.pool, bytes.fromhex(proof.key), proof.place, proof.nonce)
    except (Malformed, ValueError, TypeError):
        return False


def _ticket_of(key: str) -> str:
    try:
        return sha256(bytes.fromhex(key)).hexdigest()
    except ValueError:
        return ""


def _flat(faces: Any) -> list[int]:
    return sorted(face for waves in faces for wave in waves for face in wave)


def _plain(faces: Any) -> list[list[list[int]]]:
    return [[list(wave) for wave in waves] for waves in faces]


class FileCheck(NamedTuple):
    """What was found in a file."""

    header: dict[str, Any]
    log: LogCheck
    seal: Seal | None
    entries: int

    @property
    def findings(self) -> list[Finding]:
        """All that was found, in order."""
        return self.log.findings

    @property
    def is_right(self) -> bool:
        """Whether nothing is wrong."""
        return not any(finding.weight == "wrong" for finding in self.findings)


def check_file(lines: Iterable[bytes], kept: tuple[int, str] | None = None) -> FileCheck:
    """Check a table's file; Malformed if it is none at all."""
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
    total.update(first)
    for line in rest:
        if seal is not None:
            log.findings.append(Finding("wrong", 0, "There is something after the seal."))
        if is_seal(line):
            seal = _checked_seal(log, line)
            continue
        total.update(line)
        n += 1
        _take(log, line, n)
    log.finish()
    _check_end(log, header, seal, total.hexdigest(), n)
    return FileCheck(header, log, seal, n)


def _take(log: LogCheck, line: bytes, n: int) -> None:
    try:
        entry = decode_entry(line)
    except Malformed as refusal:
        log.findings.append(Finding("wrong", n, refusal.sentence))
        return
    if entry.version != n:
        log.findings.append(Finding("wrong", n, "The entries do not follow each other: some were dropped or moved."))
    log.take(entry)


def _checked_seal(log: LogCheck, line: bytes) -> Seal | None:
    try:
        return read_seal(line)
    except Malformed as refusal:
        log.findings.append(Finding("wrong", 0, refusal.sentence))
        return None


def _check_end(log: LogCheck, header: dict[str, Any], seal: Seal | None, file: str, n: int) -> None:
    log.findings += [Finding("wrong", 0, text) for text in _at_the_end(log, header, seal, file, n)]
    if seal is None:
        text = "The file has no seal, so that changes of what is not dice are not found."
        log.findings.append(Finding("note", 0, text))


def _at_the_end(log: LogCheck, header: dict[str, Any], seal: Seal | None, file: str, n: int) -> Iterator[str]:
    if header.get("version") != n:
        yield f"The file should have {header.get('version')} entries and has {n:,}."
    if seal is None:
        return
    if seal.file != file:
        yield "The file was changed after it was sealed."
    if seal.chains != log.chains:
        yield "The entries do not make the chains that the seal names: some were rewritten or dropped."
    if not is_signed(seal_text(str(header.get("table")), seal.file, seal.chains), seal.key, seal.signature):
        yield "The signature of the seal is wrong."
