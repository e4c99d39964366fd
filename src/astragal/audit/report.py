"""Reports: the findings of a file from top to bottom, as JSON data, GitHub annotations and SARIF."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from urllib.parse import quote

from astragal.audit.files import AuditedFile, problems_of, summary
from astragal.audit.finding import CheckedFigure
from astragal.dice.render.text import format_exact

SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
RULES = {
    "wrong-figure": "A printed figure is not what the exact value rounds to.",
    "wrong-sum": "A column of chances should add up to 100% and does not.",
    "unreadable": "A directive, an expression, a figure or a file cannot be read.",
    "rounding": "A column is not rounded half up.",
}
LEVELS = {"wrong-figure": "error", "wrong-sum": "error", "unreadable": "error", "rounding": "note"}
GITHUB_LEVELS = {"error": "error", "note": "notice"}


class Annotation(NamedTuple):
    """A finding with its position in a file; ``end`` is the column behind it.

    ``rule`` is one of ``RULES``, or right or fixed: tools are sent only what breaks a rule.
    """

    rule: str
    file: str
    line: int
    column: int
    end: int
    text: str
    guess: str = ""
    right: str = ""

    @property
    def message(self) -> str:
        """The finding and the guess in one text."""
        return f"{self.text} {self.guess}".rstrip()


def annotations_of(file: AuditedFile, every: bool = False) -> list[Annotation]:
    """Return what is wrong in a file, from top to bottom; with ``every``, also the right and the fixed figures."""
    found = [_figure_annotation(file.name, each) for each in (file.audit.figures if every else file.audit.wrong)]
    sorts = (("wrong-sum", file.audit.sums), ("unreadable", problems_of(file)), ("rounding", file.audit.notes))
    for rule, each in ((rule, each) for rule, findings in sorts for each in findings):
        found.append(Annotation(rule, file.name, each.line, each.column, each.column, each.sentence))
    return sorted(found, key=lambda annotation: (annotation.line, annotation.column))


def fixes_of(file: AuditedFile) -> Iterator[Annotation]:
    """Yield the figures of a file that were fixed."""
    for checked in file.changes:
        text = f"{checked.figure.text} was printed, {checked.right} is written now."
        yield _figure_annotation(file.name, checked)._replace(rule="fixed", text=checked.placed(text), guess="")


def _figure_annotation(name: str, checked: CheckedFigure) -> Annotation:
    line, column = checked.span.line, checked.span.column
    end = column + checked.span.end - checked.span.start
    rule, text = "right" if checked.is_right else "wrong-figure", checked.placed(checked.sentence)
    guess = f"Perhaps {', or '.join(checked.guesses)}." if checked.guesses else ""
    return Annotation(rule, name, line, column, end, text, guess, checked.right)


def as_data(files: Iterable[AuditedFile]) -> dict[str, Any]:
    """Return the data of the JSON report: each file with all its figures, and a summary."""
    listed = list(files)
    return {"files": [_file(file) for file in listed], "summary": summary(listed)._asdict()}


def _file(file: AuditedFile) -> dict[str, Any]:
    return {
        "file": file.name,
        "code": file.code,
        "figures": [_figure(checked) for checked in file.audit.figures],
        "fixed": [_figure(checked) for checked in file.changes],
        "sums": [
            {"line": sum.line, "column": sum.column, "heading": sum.heading, "printed": format_exact(sum.printed)}
            for sum in file.audit.sums
        ],
        "unreadable": [problem._asdict() for problem in problems_of(file)],
        "notes": [note._asdict() for note in file.audit.notes],
    }


def _figure(checked: CheckedFigure) -> dict[str, Any]:
    error = checked.error
    return {
        "line": checked.span.line,
        "column": checked.span.column,
        "heading": checked.heading,
        "row": checked.row,
        "expression": checked.expression,
        "printed": checked.figure.text,
        "is_right": checked.is_right,
        "rounding": checked.rounding.value if checked.rounding else None,
        "exact": format_exact(checked.value.exact),
        "value": float(checked.value.exact),
        "right": checked.right,
        "error": float(error),
        "guesses": list(checked.guesses),
    }


def github(files: Iterable[AuditedFile]) -> Iterator[str]:
    """Yield a workflow command for each annotation; GitHub shows it next to the line."""
    for file in files:
        for annotation in annotations_of(file):
            place = {"file": annotation.file, "line": annotation.line, "col": annotation.column}
            if annotation.end > annotation.column:
                place["endColumn"] = annotation.end
            place["title"] = RULES[annotation.rule].removesuffix(".")
            listed = ",".join(f"{key}={_property(str(value))}" for key, value in place.items())
            yield f"::{GITHUB_LEVELS[LEVELS[annotation.rule]]} {listed}::{_message(annotation.message)}"


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")


def sarif(files: Iterable[AuditedFile], version: str) -> dict[str, Any]:
    """Return a log in the Static Analysis Results Interchange Format 2.1.0, fixes included."""
    rules = [{"id": rule, "shortDescription": {"text": text}} for rule, text in RULES.items()]
    driver = {"name": "Astragal", "version": version, "rules": rules}
    results = [_result(annotation) for file in files for annotation in annotations_of(file)]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(annotation: Annotation) -> dict[str, Any]:
    artifact = {"uri": quote(annotation.file)}
    region = {"startLine": annotation.line, "startColumn": annotation.column, "endColumn": annotation.end}
    if annotation.end == annotation.column:
        del region["endColumn"]
    result = {
        "ruleId": annotation.rule,
        "ruleIndex": list(RULES).index(annotation.rule),
        "level": LEVELS[annotation.rule],
        "message": {"text": annotation.message},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
    }
    if annotation.right:
        replacement = {"deletedRegion": region, "insertedContent": {"text": annotation.right}}
        change = {"artifactLocation": artifact, "replacements": [replacement]}
        result["fixes"] = [{"description": {"text": "Write the right figure."}, "artifactChanges": [change]}]
    return result
