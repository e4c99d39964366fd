"""Files: which ones are meant, what stands in them, and writing back without losing anything."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from astragal.errors import Forbidden, Illegal, Malformed, Refusal, Stale, Unknown

LARGEST = 5_000_000
ENDINGS = (".md", ".markdown")
WRITABLE = 0o222


def find_files(names: Iterable[str]) -> Iterator[tuple[str, Path | Refusal]]:
    """Every file that is meant, once: those named, and the Markdown files of folders and their folders, in order."""
    seen: set[str] = set()
    for name in names:
        for path in _meant(name):
            key = os.path.realpath(path) if isinstance(path, Path) else name
            if key not in seen:
                seen.add(key)
                yield (path.as_posix() if isinstance(path, Path) else name), path


def _meant(name: str) -> Iterator[Path | Refusal]:
    path = Path(name) if "\0" not in name else None
    if path is None or not path.exists():
        yield Unknown(f'There is no file or folder "{name[:200]}".')
    elif path.is_dir():
        found = list(_inside(path))
        yield from found
        if not found:
            yield Unknown(f'There are no Markdown files in the folder "{name[:200]}".')
    else:
        yield path


def _inside(folder: Path) -> Iterator[Path]:
    """The Markdown files below a folder; hidden folders are left alone, and links to folders are not followed."""
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        for name in sorted(files):
            if name.lower().endswith(ENDINGS) and not name.startswith("."):
                yield Path(where) / name


def read_file(path: Path) -> str:
    """The text of a file, with its line endings and its byte-order mark."""
    try:
        if not path.is_file():
            raise Illegal(f'"{path.as_posix()}" is no file.')
        if path.stat().st_size > LARGEST:
            raise Illegal(f'"{path.as_posix()}" has more than {LARGEST // 1_000_000} MB; nothing was read.')
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(f'"{path.as_posix()}" is no UTF-8 text (byte {error.start + 1:,}).') from None
    except OSError as error:
        raise Forbidden(f'"{path.as_posix()}" cannot be read: {error.strerror}.') from None


def write_file(path: Path, before: str, after: str) -> None:
    """Put the new text in place of the old one, as a whole or not at all."""
    real = Path(os.path.realpath(path))
    try:
        if not real.stat().st_mode & WRITABLE or not os.access(real, os.W_OK):
            raise Forbidden(f'"{path.as_posix()}" is read-only and was not changed.')
        if real.read_bytes() != before.encode("utf-8"):
            raise Stale(f'"{path.as_posix()}" was changed by somebody else in the meantime, and was left alone.')
        _replace(real, after.encode("utf-8"))
    except OSError as error:
        raise Forbidden(f'"{path.as_posix()}" cannot be written: {error.strerror}.') from None


def _replace(real: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{real.name}.", dir=real.parent)
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        shutil.copymode(real, beside)
        beside.replace(real)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
