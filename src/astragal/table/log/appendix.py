"""The appendix of a story: the machine's throws that a seat saw, with their proofs and a seal, for anybody to check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256

import msgspec

from astragal.dice.provable import turn_of
from astragal.table.entry import Entry
from astragal.table.log.lines import tell
from astragal.table.log.seal import Signing, is_signed
from astragal.table.log.shown import ThrownTold
from astragal.table.log.verify import Finding, LogCheck, Weight, holds
from astragal.table.state import Member, State

TITLE = "## The dice, to be checked"
FENCE = "```"
BEGINS = b'{"faces":'
"""How the line of a throw begins."""
SEALS = b'{"astragal":"story",'
"""How the line of the seal begins."""
_encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(ThrownTold)


class StorySeal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the bytes before it hash to, and the server's signature of that; the fence alone comes after it."""

    astragal: str
    table: str
    file: str
    key: str
    signature: str


_seals = msgspec.json.Decoder(StorySeal)


def appendix(entries: Iterable[Entry], state: State, member: Member | None) -> Iterator[str]:
    """The lines of the appendix up to its seal; none if there are no such throws."""
    throws = (thrown for entry in entries for line in tell(entry, state, member) for thrown in line.thrown)
    # A throw that was revealed is told twice.
    found = dict.fromkeys(_encode(thrown).decode() for thrown in throws)
    if found:
        yield from ("", TITLE, "", "Save this file, and run `astragal verify` with its name.", "", f"{FENCE}json")
        yield from found


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
    """What the signature of a story's seal is for."""
    return f"astragal story 1\n{table}\n{file}\n".encode()


class StoryCheck:
    """Takes in the lines of a story: faces follow from their proofs, no key serves two rolls, and the seal is right."""

    def __init__(self) -> None:
        self.log = LogCheck()
        self.key = ""
        """The key of the seal, if there is one."""
        self._total = sha256()
        self._rolls: dict[str, tuple[str, str]] = {}
        self._known: dict[str, ThrownTold] = {}
        self._turns: Counter[str] = Counter()
        self._line = 0

    def _say(self, text: str, weight: Weight = "wrong", line: int | None = None) -> None:
        self.log.findings.append(Finding(weight, self._line if line is None else line, text))

    def read(self, line: bytes) -> None:
        """Take in a line of the story itself, whatever somebody wrote in it."""
        self._line += 1
        self._total.update(line)

    def take(self, line: bytes) -> None:
        """Take in a line of the appendix that is no seal."""
        self.read(line)
        if not line.startswith(BEGINS):
            return
        try:
            self._throw(_decoder.decode(line))
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            self._say("The line of a throw cannot be read.")

    def _throw(self, thrown: ThrownTold) -> None:
        proof = thrown.proof
        if self._known.setdefault(proof.place, thrown) is not thrown:
            if self._known[proof.place] != thrown:
                self._say("The throw is told in two ways.")
            return
        roll = "/".join(proof.place.split("/")[:2]), proof.next
        if not holds(thrown.faces, proof):
            self._say("The faces do not follow from key and nonce.")
        if self._rolls.setdefault(proof.key, roll) != roll:
            self._say("The ticket was used before.")
        # Dice that came up again may be of the middle of an action: a number out of turn is not wrong, but no proof.
        in_turn = turn_of(proof.place) == str(self._turns[proof.key])
        self._turns[proof.key] += 1
        self.log.throws["checked" if proof.nonce and in_turn else "unproven"] += 1

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
            self._say("There is no seal, so that only the dice were checked.", "note", 0)


def check_story(lines: Iterable[bytes]) -> StoryCheck:
    """Check a story and its appendix, with no trust in whoever wrote it."""
    found, whole = StoryCheck(), list(lines)
    titled = [n for n, line in enumerate(whole) if line.rstrip() == TITLE.encode()]
    begins = titled[-1] if titled else 0
    for line in whole[:begins]:
        found.read(line)
    for n, line in enumerate(whole[begins:], begins + 1):
        if line.startswith(SEALS):
            found.seal(line, b"".join(whole[n:]))
            return found
        found.take(line)
    found.unsealed(bool(titled))
    return found
