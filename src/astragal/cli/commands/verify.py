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
THROWS = {
    "checked": "checked",
    "restored": "not proven across a restore",
    "again": "used again after an undo",
    "typed": "typed, which cannot be checked",
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
    from astragal.table.log.appendix import check_story
    from astragal.table.log.export import bounded_lines
    from astragal.table.log.verify import Finding, check_file, outcome_of

    path, kept = Path(parsed.places[0]), _kept(parsed.text("head"))
    is_story = path.suffix.lower() in (".md", ".markdown")
    if is_story and kept:
        raise Malformed("A story has no chains, so --head is for exports.")
    with file_errors(str(path), "read"), path.open("rb") as file, ProgressLine(f"check of {path.name}"):
        story = check_story(bounded_lines(file)) if is_story else None
        table = None if story else check_file(bounded_lines(file), kept)
    if story:
        found, key = story.log, story.key
        if not found.throws and not any(finding.version for finding in found.findings):
            raise Malformed("There are no throws in this story; write it with astragal table story --dice.")
    else:
        assert table
        found, key = table.log, table.seal.key if table.seal else ""
    wanted = parsed.text("key")
    if wanted and key != wanted.strip().lower():
        found.findings.append(Finding("wrong", 0, "The seal is not by the key that was named."))
    outcome = outcome_of(found.findings)
    if parsed.flag("json"):
        data: dict[str, Any] = {
            "outcome": outcome,
            "exit": EXIT_CODES[outcome],
            "right": outcome == "right",
            "restores": found.books.restores,
            "throws": dict(found.throws),
            "findings": [finding._asdict() for finding in found.findings],
        }
        if table:
            heads = {audience: f"{n}:{head}" for audience, (n, head) in found.chains.items()}
            data |= {"entries": table.entries, "heads": heads}
        print_json({**data, "key": key or None})
    else:
        if table:
            print(f"{counted(table.entries, 'entry', 'entries')}, {counted(sum(found.throws.values()), 'throw')}:")
        _print(found, outcome, key, "entry" if table else "line")
    return EXIT_CODES[outcome]


def _print(found: LogCheck, outcome: Outcome, key: str, place: str) -> None:
    """Print the throws, the findings at their lines or entries, and the outcome."""
    from astragal.table.log.seal import code_of

    for kind, words in THROWS.items():
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
