"""``astragal audit FILES…``: the printed figures of rulebooks, compared with exact odds."""

from __future__ import annotations

import sys

from astragal.audit.directive import EXAMPLE
from astragal.audit.evaluator import Evaluator
from astragal.audit.files import AuditedFile, audit_file, find_files, summary
from astragal.audit.report import annotations_of, as_data, fixes_of, github, sarif
from astragal.cli.options import DIALECT
from astragal.cli.parser import Option, Parsed, command
from astragal.cli.render.screen import Screen, print_json
from astragal.cli.watch import ProgressLine, seconds_given
from astragal.deadline import Deadline, time_is_up
from astragal.errors import Malformed
from astragal.rule.inputs.total import counted

STYLES = {
    "right": "",
    "fixed": "green",
    "wrong-figure": "red",
    "wrong-sum": "red",
    "unreadable": "yellow",
    "rounding": "dim",
}
"""The style of a finding on a terminal."""
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
    style = parsed.text("format") or ("json" if parsed.flag("json") else "text")
    if parsed.flag("json") and style != "json":
        raise Malformed(f"--json and --format {style} are two formats; choose one.")
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
    elif style == "github":
        for line in github(files):
            print(line)
    else:
        from astragal import __version__

        print_json(as_data(files) if style == "json" else sarif(files, __version__))
    return 2 if missing else summary(files).code


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


def _show(files: list[AuditedFile], every: bool) -> None:
    screen = Screen()
    for file in files:
        found = [*annotations_of(file, every), *fixes_of(file)]
        for each in sorted(found, key=lambda annotation: (annotation.line, annotation.column)):
            where = each.file if each.text == file.refusal else f"{each.file}:{each.line}:{each.column}"
            first, *more = each.text.split("\n")
            screen.say(f"{where}: {first}", STYLES[each.rule])
            for line in (*more, *filter(None, [each.guess])):
                screen.say(f"    {line}")
    total = summary(files)
    just = f" ({total.fixed:,} of them fixed just now)" if total.fixed else ""
    parts = [f"{total.right:,} right{just}", f"{total.wrong:,} wrong"]
    parts += [f"{total.unreadable:,} unreadable"] if total.unreadable else []
    screen.say(f"{counted(total.files, 'file')}, {counted(total.figures, 'figure')}: {', '.join(parts)}.", "bold")
