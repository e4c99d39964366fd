"""``astragal verify FILE``: the dice of an exported table or a story, checked without trust in a server."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from astragal.cli.parser import JSON, Option, Parsed, command, file_errors
from astragal.cli.render.screen import print_json
from astragal.cli.watch import ProgressLine
from astragal.errors import Malformed
from astragal.rule.inputs.total import counted

if TYPE_CHECKING:
    from astragal.table.log.verify import LogCheck, Outcome

EXIT_CODES: dict[Outcome, int] = {"right": 0, "wrong": 1, "unproven": 3}
SENTENCES: dict[Outcome, str] = {
    "right": "Nothing is wrong.",
    "wrong": "Something is wrong.",
    "unproven": "Nothing is wrong, but not everything is proven.",
}
SIGNS = {"wrong": "WRONG", "unproven": "NOT PROVEN", "note": "note"}
TOLD = {
    "checked": "checked",
    "restored": "not proven across a restore",
    "again": "used again after an undo",
    "typed": "typed, which nobody can check",
    "unproven": "thrown here without a ticket or a nonce, which proves nothing",
}


@command(
    "verify FILE",
    options=(
        Option("head", "N:HEAD", "what a page kept: the number of open entries, and the head as hex"),
        Option("key", "KEY", "the server's public key as hex, as pages show it; another one is refused"),
        JSON,
    ),
)
def run_verify(parsed: Parsed) -> int:
    """Check an exported table: every throw, every ticket, the chains and the seal. Of a story (.md): throws, seal.

    astragal verify bell.jsonl
    astragal verify bell.jsonl --head 42:9f3c…
    astragal verify story.md
    """
    from astragal.table.log.export import bounded_lines
    from astragal.table.log.verify import Finding, check_file

    path = Path(parsed.places[0])
    with file_errors(str(path), "read"):
        if path.suffix.lower() in (".md", ".markdown"):
            return _verify_story(parsed, path)
        with path.open("rb") as file, ProgressLine(f"check of {path.name}"):
            found = check_file(bounded_lines(file), _kept(parsed.text("head")))
    key, seal = parsed.text("key"), found.seal.key if found.seal else ""
    if key and seal != key.strip().lower():
        found.findings.append(Finding("wrong", 0, "The seal is not by the key that was named."))
    if parsed.flag("json"):
        heads = {audience: f"{n}:{head}" for audience, (n, head) in found.log.chains.items()}
        about = _about(found.log, found.outcome)
        print_json({**about, "entries": found.entries, "heads": heads, "key": seal or None})
    else:
        print(f"{counted(found.entries, 'entry', 'entries')}, {counted(sum(found.log.throws.values()), 'throw')}:")
        _print(found.log, found.outcome, seal, "entry")
    return EXIT_CODES[found.outcome]


def _verify_story(parsed: Parsed, path: Path) -> int:
    """Check a story, the throws in its appendix and its seal; it has no chains."""
    from astragal.table.log.appendix import check_story
    from astragal.table.log.export import bounded_lines
    from astragal.table.log.verify import Finding, outcome_of

    if parsed.text("head"):
        raise Malformed("A story has no chains, so --head is for exports.")
    with path.open("rb") as file, ProgressLine(f"check of {path.name}"):
        story = check_story(bounded_lines(file))
    found, key = story.log, parsed.text("key")
    if not found.throws and not any(finding.version for finding in found.findings):
        raise Malformed("There are no throws in this story; write it with astragal table story --dice.")
    if key and story.key != key.strip().lower():
        found.findings.append(Finding("wrong", 0, "The seal is not by the key that was named."))
    outcome = outcome_of(found.findings)
    if parsed.flag("json"):
        print_json({**_about(found, outcome), "key": story.key or None})
    else:
        _print(found, outcome, story.key, "line")
    return EXIT_CODES[outcome]


def _about(found: LogCheck, outcome: Outcome) -> dict[str, Any]:
    """What a program learns of every check."""
    return {
        "outcome": outcome,
        "exit": EXIT_CODES[outcome],
        "right": outcome == "right",
        "restores": found.books.restores,
        "throws": dict(found.throws),
        "findings": [finding._asdict() for finding in found.findings],
    }


def _print(found: LogCheck, outcome: Outcome, key: str, place: str) -> None:
    """Print the throws, the findings at their lines or entries, and the outcome."""
    from astragal.table.log.code import code_of

    for kind, words in TOLD.items():
        if n := found.throws[kind]:
            print(f"{counted(n, 'throw')} {words}" if place == "line" else f"  {n} {words}")
    for finding in found.findings:
        where = f"{place} {finding.version}: " if finding.version else ""
        print(f"{SIGNS[finding.weight]}: {where}{finding.text}")
    if found.books.restores:
        print(f"The table was restored or imported {counted(found.books.restores, 'time')}.")
    if "" in found.chains:
        n, head = found.chains[""]
        print(f"What everyone saw, {counted(n, 'entry', 'entries')}: {code_of(head)}\n  head {n}:{head}")
    if key:
        print(f"  sealed by the key {key}")
    print(SENTENCES[outcome])


def _kept(text: str | None) -> tuple[int, str] | None:
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,9}):([0-9a-f]{64})", text.strip().lower())
    if not found:
        raise Malformed("--head is a number, a colon and 64 hex digits, as the page shows them.")
    return int(found[1]), found[2]
