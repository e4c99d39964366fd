"""Files: found, read, audited and fixed; a file is written as a whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from astragal.audit.auditor import audit
from astragal.audit.evaluator import Evaluator
from astragal.audit.finding import Audit, CheckedFigure, DirectiveProblem
from astragal.audit.fix import fixed
from astragal.errors import Forbidden, Illegal, Malformed, Refusal, Stale, Unknown

MAX_FILE = 5_000_000
"""Bytes. Larger files are hardly rulebooks."""
ENDINGS = (".md", ".markdown")
WRITABLE = 0o222
WORSE = "With the right figures written, the next audit would find no less wrong; the file was left alone."
MAX_SHOWN = 200
"""Characters of a file name in a message."""


class AuditedFile(NamedTuple):
    """A file's audit and the figures that were fixed. A refusal concerns the file as a whole."""

    name: str
    audit: Audit
    changes: tuple[CheckedFigure, ...] = ()
    refusal: str = ""

    @property
    def code(self) -> int:
        """The exit code for this file alone."""
        return 2 if self.refusal else self.audit.code


class Summary(NamedTuple):
    """Counts over all audited files, and the exit code."""

    files: int
    figures: int
    right: int
    wrong: int
    fixed: int
    unreadable: int
    code: int


def find_files(names: Iterable[str]) -> Iterator[tuple[str, Path | Refusal]]:
    """Yield each named file, and all Markdown files below named folders, once and in order."""
    seen: set[str] = set()
    for name in names:
        for path in _named(name):
            key = os.path.realpath(path) if isinstance(path, Path) else name
            if key not in seen:
                seen.add(key)
                yield (path.as_posix() if isinstance(path, Path) else name), path


def _named(name: str) -> Iterator[Path | Refusal]:
    path = Path(name) if "\0" not in name else None
    if path is None or not path.exists():
        yield Unknown(f'There is no file or folder "{name[:MAX_SHOWN]}".')
    elif path.is_dir():
        found = list(_inside(path))
        yield from found
        if not found:
            yield Unknown(f'There are no Markdown files in the folder "{name[:MAX_SHOWN]}".')
    else:
        yield path


def _inside(folder: Path) -> Iterator[Path]:
    """The Markdown files below a folder, without hidden folders; links to folders are not followed."""
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        for name in sorted(files):
            if name.lower().endswith(ENDINGS) and not name.startswith("."):
                yield Path(where) / name


def audit_file(name: str, path: Path | Refusal, evaluator: Evaluator, fix: bool = False) -> AuditedFile:
    """Audit one file; with ``fix``, write the right figures and return the audit of the fixed text."""
    if isinstance(path, Refusal):
        return AuditedFile(name, Audit(), refusal=str(path))
    try:
        text = read_file(path)
    except Refusal as refusal:
        return AuditedFile(name, Audit(), refusal=str(refusal))
    found = audit(text, evaluator)
    return _fix_file(name, path, text, found, evaluator) if fix and found.wrong else AuditedFile(name, found)


def _fix_file(name: str, path: Path, text: str, found: Audit, evaluator: Evaluator) -> AuditedFile:
    changed = fixed(text, found, evaluator)
    if changed.text == text:
        return AuditedFile(name, found)
    if not changed.is_better_than(found):
        return AuditedFile(name, found, refusal=WORSE)
    try:
        write_file(path, text, changed.text)
    except Refusal as refusal:
        return AuditedFile(name, found, refusal=str(refusal))
    return AuditedFile(name, changed.audit, changed.changes)


def problems_of(file: AuditedFile) -> tuple[DirectiveProblem, ...]:
    """Return what could not be read; a refusal of the whole file comes first."""
    whole = (DirectiveProblem(1, 1, file.refusal),) if file.refusal else ()
    return (*whole, *file.audit.problems)


def summary(files: Iterable[AuditedFile]) -> Summary:
    """Count over all files; the exit code is the highest, since something unreadable may hide something wrong."""
    listed = list(files)
    figures = sum(len(file.audit.figures) for file in listed)
    wrong = sum(len(file.audit.wrong) for file in listed)
    return Summary(
        files=len(listed),
        figures=figures,
        right=figures - wrong,
        wrong=wrong,
        fixed=sum(len(file.changes) for file in listed),
        unreadable=sum(len(problems_of(file)) for file in listed),
        code=max((file.code for file in listed), default=0),
    )


def read_file(path: Path) -> str:
    """Return the text of a file, with its line endings and byte-order mark."""
    try:
        if not path.is_file():
            raise Illegal(f'"{path.as_posix()}" is not a file.')
        if path.stat().st_size > MAX_FILE:
            raise Illegal(f'"{path.as_posix()}" has more than {MAX_FILE // 1_000_000} MB and was not read.')
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(f'"{path.as_posix()}" is not UTF-8 text (byte {error.start + 1:,}).') from None
    except OSError as error:
        raise Forbidden(f'"{path.as_posix()}" cannot be read: {error.strerror}.') from None


def write_file(path: Path, before: str, after: str) -> None:
    """Replace a file's text atomically, unless it is read-only or no longer has the text ``before``."""
    real = Path(os.path.realpath(path))
    try:
        if not real.stat().st_mode & WRITABLE or not os.access(real, os.W_OK):
            raise Forbidden(f'"{path.as_posix()}" is read-only and was not changed.')
        if real.read_bytes() != before.encode("utf-8"):
            raise Stale(f'"{path.as_posix()}" was changed by another program in the meantime and was left alone.')
        _replace(real, after.encode("utf-8"))
    except OSError as error:
        raise Forbidden(f'"{path.as_posix()}" cannot be written: {error.strerror}.') from None


def _replace(real: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{real.name}.", dir=real.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        shutil.copymode(real, temporary)
        temporary.replace(real)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
