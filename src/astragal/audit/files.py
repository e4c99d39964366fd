"""Books: many files audited one after another, and fixed if that is wanted."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from astragal.audit.auditor import audit
from astragal.audit.evaluator import Evaluator
from astragal.audit.files_file import read_file, write_file
from astragal.audit.finding import Audit, Checked, Complaint
from astragal.audit.fix import fixed
from astragal.errors import Refusal


class Page(NamedTuple):
    """A file, what was found in it, and what was fixed. A refusal has no line: it is about the file as a whole."""

    name: str
    audit: Audit
    changes: tuple[Checked, ...] = ()
    refusal: str = ""

    @property
    def code(self) -> int:
        return 2 if self.refusal else self.audit.code


class Summary(NamedTuple):
    """How many there are of everything."""

    files: int
    figures: int
    right: int
    wrong: int
    fixed: int
    unreadable: int
    code: int


def audit_file(name: str, path: Path | Refusal, oracle: Evaluator, fix: bool = False) -> Page:
    """One file; with ``fix`` what is told is what is left to say once the right figures are in it."""
    if isinstance(path, Refusal):
        return Page(name, Audit(), refusal=str(path))
    try:
        text = read_file(path)
    except Refusal as refusal:
        return Page(name, Audit(), refusal=str(refusal))
    found = audit(text, oracle)
    return _fix_file(name, path, text, found, oracle) if fix and found.wrong else Page(name, found)


def _fix_file(name: str, path: Path, text: str, found: Audit, oracle: Evaluator) -> Page:
    changed = fixed(text, found, oracle)
    if changed.text == text:
        return Page(name, found)
    try:
        write_file(path, text, changed.text)
    except Refusal as refusal:
        return Page(name, found, refusal=str(refusal))
    return Page(name, changed.audit, changed.changes)


def complaints_of(page: Page) -> tuple[Complaint, ...]:
    """What could not be read, the file as a whole first."""
    whole = (Complaint(1, 1, page.refusal),) if page.refusal else ()
    return (*whole, *page.audit.complaints)


def summary(pages: Iterable[Page]) -> Summary:
    """All pages together; what is unreadable weighs more than what is wrong, since nobody knows what it would say."""
    listed = list(pages)
    figures = sum(len(page.audit.checked) for page in listed)
    wrong = sum(len(page.audit.wrong) for page in listed)
    return Summary(
        files=len(listed),
        figures=figures,
        right=figures - wrong,
        wrong=wrong,
        fixed=sum(len(page.changes) for page in listed),
        unreadable=sum(len(complaints_of(page)) for page in listed),
        code=max((page.code for page in listed), default=0),
    )
