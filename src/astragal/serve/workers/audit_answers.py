"""The answer to a question about a text: which of its printed figures are right."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from astragal.audit.auditor import audit
from astragal.audit.evaluator import Evaluator
from astragal.audit.files import AuditedFile
from astragal.audit.report import as_data
from astragal.serve.workers.answers import DialectName

MAX_TEXT = 20_000
"""Characters of a text, about a chapter, so that it fits into a body in any encoding of its letters."""


class AuditRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A Markdown text with comments that say what its figures should be, and the dialect of their notation."""

    text: Annotated[str, Meta(max_length=MAX_TEXT)]
    dialect: DialectName = ""


class FigureAudited(Struct, frozen=True):
    """A printed figure: its place, if it is right, the exact value, and what should be printed."""

    line: int
    column: int
    heading: str
    row: str
    expression: str
    printed: str
    is_right: bool
    rounding: str | None
    exact: str
    value: float
    right: str
    error: float
    guesses: list[str]


class SumAudited(Struct, frozen=True):
    """A column of chances that should add up to 100% and does not."""

    line: int
    column: int
    heading: str
    printed: str


class RemarkAudited(Struct, frozen=True):
    """A sentence about a place in the text."""

    line: int
    column: int
    sentence: str


class AuditShown(Struct, frozen=True):
    """The result for a text; ``unreadable`` are directives, expressions and figures."""

    figures: list[FigureAudited]
    sums: list[SumAudited]
    unreadable: list[RemarkAudited]
    notes: list[RemarkAudited]


def audit_text(asked: AuditRequest) -> AuditShown:
    """The figures of a text against exact odds, as the command line's JSON has them."""
    found = as_data([AuditedFile("", audit(asked.text, Evaluator(asked.dialect)))])
    return msgspec.convert(found["files"][0], AuditShown)
