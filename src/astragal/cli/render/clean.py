"""Clean output: whatever is printed, no sign of it commands the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from astragal.explain.visible import safe_for_terminal


class CleanStream:
    """A text stream that shows control signs as � and passes the rest on. ``raw`` is for our own colours."""

    def __init__(self, raw: TextIO) -> None:
        self.raw = raw

    def write(self, text: str) -> int:
        """Write the text, cleaned."""
        self.raw.write(safe_for_terminal(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write the lines, cleaned."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)


@contextmanager
def clean_output() -> Iterator[None]:
    """Clean everything that is printed inside."""
    out, err = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = cast(TextIO, CleanStream(out)), cast(TextIO, CleanStream(err))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err


def raw_stream(stream: TextIO) -> TextIO:
    """The stream below a clean one."""
    return stream.raw if isinstance(stream, CleanStream) else stream


def continued(text: str, indent: int) -> str:
    """A text whose further lines are indented, so that none of them can pass for a line of its own."""
    return text.replace("\n", "\n" + " " * indent)
