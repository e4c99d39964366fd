"""The appendix of a story: the machine's throws that a seat saw, with their proofs, for anybody to check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from astragal.table.entry import Entry
from astragal.table.log.lines import tell
from astragal.table.log.shown import ThrownTold
from astragal.table.log.verify import Finding, LogCheck, holds
from astragal.table.state import Member, State

TITLE = "## The dice, to be checked"
BEGINS = '{"faces":'
"""How the line of a throw begins."""
_encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(ThrownTold)


def appendix(entries: Iterable[Entry], state: State, member: Member | None) -> Iterator[str]:
    """The lines of the appendix; none if there are no such throws."""
    throws = (thrown for entry in entries for line in tell(entry, state, member) for thrown in line.thrown)
    found = [_encode(thrown).decode() for thrown in throws]
    if found:
        yield from ("", TITLE, "", "Save this file, and run `astragal verify` with its name.", "", "```json")
        yield from found
        yield "```"


def check_appendix(lines: Iterable[str]) -> LogCheck:
    """Check the throws in a story's appendix: faces follow from their proofs, and no key serves two rolls."""
    log = LogCheck()
    rolls: dict[str, tuple[str, str]] = {}
    for number, line in enumerate(lines, 1):
        if not line.startswith(BEGINS):
            continue
        try:
            thrown = _decoder.decode(line)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            log.findings.append(Finding("wrong", number, "The line of a throw cannot be read."))
            continue
        roll = thrown.proof.place.rpartition("/")[0]
        if not holds(thrown.faces, thrown.proof):
            log.findings.append(Finding("wrong", number, "The faces do not follow from key and nonce."))
        if rolls.setdefault(thrown.proof.key, (roll, thrown.proof.next)) != (roll, thrown.proof.next):
            log.findings.append(Finding("wrong", number, "The ticket was used before."))
        log.throws["checked" if thrown.proof.nonce else "unproven"] += 1
    return log
