"""``astragal audit FILES…``: the printed figures of rulebooks, compared with exact odds."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from astragal.audit.directive import EXAMPLE
from astragal.audit.evaluator import Evaluator
from astragal.audit.files import AuditedFile, Summary, audit_file, find_files, summary
from astragal.audit.finding import CheckedFigure
from astragal.audit.report import as_data, format_guesses, github, sarif
from astragal.cli.options import DIALECT
from astragal.cli.parser import Option, Parsed, command
from astragal.cli.render.screen import Screen, print_json
from astragal.cli.watch import ProgressLine, seconds_given
from astragal.deadline import Deadline, time_is_up
from astragal.errors import Malformed

FORMATS = ("text", "json", "github", "sarif")
OPTIONS = (
    Option("fix", help="write the right figures into the files, each in its own format"),
    Option("all", help="list the right figures too"),
    DIALECT,
    Option("format", help="how findings are printed; text without it", choices=FORMATS),
    Option("example", help="print a page with directives and a few wrong figures, to try it on"),
    Option("json", help="one JSON object, for programs: the same as --format json"),
    Option("timeout", "SECONDS", "stop after this time, and say which files were left out"),
)


@command("audit [FILE-OR-FOLDER…]", options=OPTIONS)
def run_audit(parsed: Parsed) -> int:
    """Check the figures of Markdown files against exact odds, where a comment says what they should be.

    astragal audit rules.md
    astragal audit docs README.md --fix
    astragal audit book --format github
    """
    style = _format(parsed)
    if parsed.flag("all") and style not in ("text", "json"):
        raise Malformed(f"--format {style} lists wrong figures only; leave out --all.")
    if parsed.flag("example"):
        if parsed.places or len(parsed.given) > 1:
            raise Malformed("--example prints a page to try; leave out everything else.")
        print(EXAMPLE, end="")
        return 0
    if not parsed.places:
        raise Malformed("Say which files or folders: for example astragal audit rules.md.")
    evaluator = Evaluator(parsed.text("dialect") or "")
    files, missing = _audited(parsed, evaluator)
    for name in missing:
        print(f"astragal: {name} was left out: the time was up.", file=sys.stderr)
    if style == "text":
        _show(files, parsed.flag("all"))
    else:
        _print(files, style)
    return 2 if missing else summary(files).code


def _format(parsed: Parsed) -> str:
    style = parsed.text("format") or ("json" if parsed.flag("json") else "text")
    if parsed.flag("json") and style != "json":
        raise Malformed(f"--json and --format {style} are two formats; choose one.")
    return style


def _audited(parsed: Parsed, evaluator: Evaluator) -> tuple[list[AuditedFile], list[str]]:
    """Each file in turn, and the names of those for which there was no time."""
    listed = list(find_files(parsed.places))
    audited: list[AuditedFile] = []
    with Deadline(seconds_given(parsed)), ProgressLine("audit") as progress:
        for name, path in listed:
            found = audit_file(name, path, evaluator, parsed.flag("fix")) if not time_is_up() else None
            # A file that was cut short would seem to have unreadable figures.
            if found is None or (time_is_up() and not found.changes):
                break
            audited.append(found)
            progress(len(audited), len(listed))
    return audited, [name for name, _ in listed[len(audited) :]]


def _print(files: list[AuditedFile], style: str) -> None:
    if style == "github":
        for line in github(files):
            print(line)
        return
    from astragal import __version__

    print_json(as_data(files) if style == "json" else sarif(files, __version__))


def _show(files: list[AuditedFile], every: bool) -> None:
    screen = Screen()
    for file in files:
        for _, _, lines, look in sorted(_findings(file, every), key=lambda found: found[:2]):
            for place, line in enumerate(lines):
                screen.say(line if not place else f"    {line}", look if not place else "")
    screen.say(_totals(summary(files)), "bold")


def _findings(file: AuditedFile, every: bool) -> Iterator[tuple[int, int, list[str], str]]:
    """What is said about a file: line, column, the lines to print, and their style."""
    for checked in file.audit.figures if every else file.audit.wrong:
        look = "" if checked.is_right else "red"
        yield checked.span.line, checked.span.column, _lines(file.name, checked), look
    for checked in file.changes:
        head = f"{file.name}:{checked.span.line}:{checked.span.column}: "
        where = f"{checked.where}: " if checked.where else ""
        told = f"{head}{where}{checked.figure.text} was printed, {checked.right} is written now."
        yield checked.span.line, checked.span.column, [told], "green"
    for sum in file.audit.sums:
        yield sum.line, sum.column, [f"{file.name}:{sum.line}:{sum.column}: {sum.sentence}"], "red"
    if file.refusal:
        yield 1, 1, f"{file.name}: {file.refusal}".split("\n"), "yellow"
    for problem in file.audit.problems:
        head = f"{file.name}:{problem.line}:{problem.column}"
        yield problem.line, problem.column, f"{head}: {problem.sentence}".split("\n"), "yellow"
    for note in file.audit.notes:
        yield note.line, note.column, [f"{file.name}:{note.line}:{note.column}: {note.sentence}"], "dim"


def _lines(name: str, checked: CheckedFigure) -> list[str]:
    where = f"{checked.where}: " if checked.where else ""
    first = f"{name}:{checked.span.line}:{checked.span.column}: {where}{checked.sentence}"
    return [first, *filter(None, [format_guesses(checked)])]


def _totals(found: Summary) -> str:
    just = f" ({found.fixed:,} of them fixed just now)" if found.fixed else ""
    parts = [f"{found.right:,} right{just}", f"{found.wrong:,} wrong"]
    parts += [f"{found.unreadable:,} unreadable"] if found.unreadable else []
    return f"{_count(found.files, 'file')}, {_count(found.figures, 'figure')}: {', '.join(parts)}."


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
