"""``astragal verify FILE``: the dice of an exported table or a story, checked without trust in a server."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from astragal.cli.parser import Option, Parsed, Parser
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
OPTIONS = (
    Option("head", "N:HEAD", "what a page kept: the number of open entries, and the head as hex"),
    Option("key", "KEY", "the server's public key as hex, as pages show it; another one is refused"),
    Option("json", help="one JSON object, for programs"),
)
EXAMPLES = ("astragal verify bell.jsonl", "astragal verify bell.jsonl --head 42:9f3c…", "astragal verify story.md")


def run(words: list[str]) -> int:
    """Check a file; 0 if it is right, 1 if something is wrong, 2 if it cannot be read, 3 if something is not proven."""
    about = (
        "Check an exported table: every throw, every ticket, the chains and the seal. Of a story (.md): throws, seal."
    )
    parser = Parser("verify", about, ("FILE",), EXAMPLES, required=1)
    parser.add("options", *OPTIONS)
    parsed = parser.parse(words)
    return _verify(parsed, Path(parsed.places[0]))


def _verify(parsed: Parsed, path: Path) -> int:
    from astragal.table.log.export import bounded_lines
    from astragal.table.log.verify import Finding, check_file

    try:
        if path.suffix.lower() in (".md", ".markdown"):
            return _verify_story(parsed, path)
        with path.open("rb") as file, ProgressLine(f"check of {path.name}"):
            found = check_file(bounded_lines(file), _kept(parsed.text("head")))
    except OSError as error:
        raise Malformed(f'"{str(path)[:80]}" cannot be read: {error.strerror}.') from None
    key = parsed.text("key")
    if key and (found.seal is None or found.seal.key != key.strip().lower()):
        found.findings.append(Finding("wrong", 0, "The seal is not by the key that was named."))
    _print_json(found) if parsed.flag("json") else _print(found)
    return EXIT_CODES[found.outcome]


def _verify_story(parsed: Parsed, path: Path) -> int:
    """Check a story, the throws in its appendix and its seal; it has no chains."""
    from astragal.cli.render.screen import print_json
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
        _print_story(found, story.key, outcome)
    return EXIT_CODES[outcome]


def _print_story(found: LogCheck, key: str, outcome: Outcome) -> None:
    for kind, words in TOLD.items():
        if found.throws[kind]:
            print(f"{counted(found.throws[kind], 'throw')} {words}")
    _print_findings(found, "line")
    if key:
        print(f"  sealed by the key {key}")
    print(SENTENCES[outcome])


def _print_findings(found: LogCheck, place: str) -> None:
    for finding in found.findings:
        where = f"{place} {finding.version}: " if finding.version else ""
        print(f"{SIGNS[finding.weight]}: {where}{finding.text}")
    if found.books.restores:
        print(f"The table was restored or imported {counted(found.books.restores, 'time')}.")


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


def _kept(text: str | None) -> tuple[int, str] | None:
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,9}):([0-9a-f]{64})", text.strip().lower())
    if not found:
        raise Malformed("--head is a number, a colon and 64 signs 0-9 and a-f, as the page shows them.")
    return int(found[1]), found[2]


def _print(found: object) -> None:
    from astragal.table.log.code import code_of
    from astragal.table.log.verify import FileCheck

    assert isinstance(found, FileCheck)
    throws = found.log.throws
    print(f"{counted(found.entries, 'entry', 'entries')}, {counted(sum(throws.values()), 'throw')}:")
    for kind, words in TOLD.items():
        if throws[kind]:
            print(f"  {throws[kind]} {words}")
    _print_findings(found.log, "entry")
    if "" in found.log.chains:
        n, head = found.log.chains[""]
        print(f"What everybody saw, {counted(n, 'entry', 'entries')}: {code_of(head)}\n  head {n}:{head}")
    if found.seal:
        print(f"  sealed by the key {found.seal.key}")
    print(SENTENCES[found.outcome])


def _print_json(found: object) -> None:
    from astragal.cli.render.screen import print_json
    from astragal.table.log.verify import FileCheck

    assert isinstance(found, FileCheck)
    heads = {audience: f"{n}:{head}" for audience, (n, head) in found.log.chains.items()}
    print_json(
        {
            **_about(found.log, found.outcome),
            "entries": found.entries,
            "heads": heads,
            "key": found.seal.key if found.seal else None,
        }
    )
