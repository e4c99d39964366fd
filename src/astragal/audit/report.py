"""Reports: an audit as plain data for JSON, as annotations for GitHub, and as SARIF for other tools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from urllib.parse import quote

from astragal.audit.files import Page, complaints_of, summary
from astragal.audit.finding import Checked
from astragal.dice.render.text import format_exact

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
RULES = {
    "wrong-figure": "A printed figure is not what the exact value rounds to.",
    "wrong-sum": "A column of chances should add up to 100% and does not.",
    "unreadable": "A directive, an expression, a figure or a file cannot be read.",
    "rounding": "A column is not rounded in the plain way.",
}
LEVELS = {"wrong-figure": "error", "wrong-sum": "error", "unreadable": "error", "rounding": "note"}
GITHUB = {"error": "error", "note": "notice"}


class Remark(NamedTuple):
    """Something to say about a place in a file, for the formats of other programs."""

    rule: str
    file: str
    line: int
    column: int
    end: int
    text: str
    right: str = ""


def guessed(checked: Checked) -> str:
    """The guesses as a sentence; nothing if none fits."""
    return f"Perhaps {', or '.join(checked.guesses)}." if checked.guesses else ""


def remarks(page: Page) -> list[Remark]:
    """Everything to say about a page, from top to bottom."""
    found = [_remark_of(page.name, checked) for checked in page.audit.wrong]
    found += [Remark("wrong-sum", page.name, *sum[:2], sum.column, sum.sentence) for sum in page.audit.sums]
    found += [Remark("unreadable", page.name, *told[:2], told.column, told.sentence) for told in complaints_of(page)]
    found += [Remark("rounding", page.name, *note[:2], note.column, note.sentence) for note in page.audit.notes]
    return sorted(found, key=lambda remark: (remark.line, remark.column))


def _remark_of(name: str, checked: Checked) -> Remark:
    where = f"{checked.where}: " if checked.where else ""
    text = f"{where}{checked.sentence} {guessed(checked)}".rstrip()
    end = checked.span.column + checked.span.end - checked.span.start
    return Remark("wrong-figure", name, checked.span.line, checked.span.column, end, text, checked.right)


def as_data(pages: Iterable[Page]) -> dict[str, Any]:
    """Plain data: each file with all of its figures, and a summary."""
    listed = list(pages)
    return {"files": [_page(page) for page in listed], "summary": summary(listed)._asdict()}


def _page(page: Page) -> dict[str, Any]:
    return {
        "file": page.name,
        "code": page.code,
        "figures": [_figure(checked) for checked in page.audit.checked],
        "fixed": [_figure(checked) for checked in page.changes],
        "sums": [
            {"line": sum.line, "column": sum.column, "heading": sum.heading, "printed": format_exact(sum.printed)}
            for sum in page.audit.sums
        ],
        "unreadable": [told._asdict() for told in complaints_of(page)],
        "notes": [note._asdict() for note in page.audit.notes],
    }


def _figure(checked: Checked) -> dict[str, Any]:
    error = checked.error
    return {
        "line": checked.span.line,
        "column": checked.span.column,
        "heading": checked.heading,
        "row": checked.row,
        "expression": checked.expression,
        "printed": checked.figure.text,
        "is_right": checked.is_right,
        "rounding": checked.mode.value if checked.mode else None,
        "exact": format_exact(checked.value.exact),
        "value": float(checked.value.exact),
        "right": checked.right,
        "error": float(error),
        "guesses": list(checked.guesses),
    }


def github(pages: Iterable[Page]) -> Iterator[str]:
    """A workflow command for each remark, which GitHub shows beside the line."""
    for page in pages:
        for remark in remarks(page):
            place = {"file": remark.file, "line": remark.line, "col": remark.column}
            if remark.end > remark.column:
                place["endColumn"] = remark.end
            place["title"] = RULES[remark.rule].removesuffix(".")
            listed = ",".join(f"{key}={_property(str(value))}" for key, value in place.items())
            yield f"::{GITHUB[LEVELS[remark.rule]]} {listed}::{_message(remark.text)}"


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")


def sarif(pages: Iterable[Page], version: str) -> dict[str, Any]:
    """A log in the Static Analysis Results Interchange Format, 2.1.0, with the fixes."""
    rules = [{"id": rule, "shortDescription": {"text": text}} for rule, text in RULES.items()]
    driver = {"name": "Astragal", "version": version, "rules": rules}
    results = [_result(remark) for page in pages for remark in remarks(page)]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(remark: Remark) -> dict[str, Any]:
    artifact = {"uri": quote(remark.file)}
    region = {"startLine": remark.line, "startColumn": remark.column, "endColumn": remark.end}
    if remark.end == remark.column:
        del region["endColumn"]
    result = {
        "ruleId": remark.rule,
        "ruleIndex": list(RULES).index(remark.rule),
        "level": LEVELS[remark.rule],
        "message": {"text": remark.text},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
    }
    if remark.right:
        replacement = {"deletedRegion": region, "insertedContent": {"text": remark.right}}
        change = {"artifactLocation": artifact, "replacements": [replacement]}
        result["fixes"] = [{"description": {"text": "Write the right figure."}, "artifactChanges": [change]}]
    return result
