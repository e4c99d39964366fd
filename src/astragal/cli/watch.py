"""Long commands: a line of progress on standard error after a second, and a bound of their time (``--timeout``)."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from astragal.cli.parser import Parsed
from astragal.cli.render.screen import raw_stream
from astragal.errors import Malformed

LONGEST = 86_400.0
SILENT = "ASTRAGAL_PROGRESS"
"""The variable of the environment that, as 0, turns the lines off."""
PATIENCE = 1.0
"""Seconds before the first line."""
OFTEN, SELDOM = 0.2, 10.0
"""Seconds between two lines: on a terminal each replaces the one before, in a pipe all of them stay."""


class ProgressLine:
    """The progress of a command, for a person; standard output is left to programs."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._told = ""
        self._start = time.monotonic()
        self._closed = Event()
        self._stream = raw_stream(sys.stderr)
        self._live = self._stream.isatty()
        self._width = 0
        self._thread: Thread | None = None

    def __call__(self, done: int, total: int) -> None:
        """Say how much is done."""
        self._told = f", {done:,} of {total:,}"

    def __enter__(self) -> ProgressLine:
        if os.environ.get(SILENT) == "0":
            return self
        self._thread = Thread(target=self._print, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._closed.set()
        if self._thread is not None:
            self._thread.join()
        if self._width:
            self._write("\r" + " " * self._width + "\r")

    def _print(self) -> None:
        if self._closed.wait(PATIENCE):
            return
        while not self._closed.is_set():
            line = f"astragal: {self._title}{self._told}, {time.monotonic() - self._start:.0f} s"
            self._write("\r" + line.ljust(self._width) if self._live else f"{line}\n")
            self._width = max(self._width, len(line)) if self._live else 0
            self._closed.wait(OFTEN if self._live else SELDOM)

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def seconds_given(parsed: Parsed) -> float | None:
    """The time that ``--timeout`` allows; None without it."""
    text = parsed.text("timeout")
    if text is None:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= LONGEST:
        raise Malformed(f'timeout is "{text[:40]}"; it must be seconds, up to {LONGEST:,.0f}.')
    return seconds


@contextmanager
def answering(title: str, parsed: Parsed) -> Iterator[ProgressLine]:
    """Answer questions: with progress, until they are answered, Ctrl+C comes, or the time of ``--timeout`` is up."""
    seconds = seconds_given(parsed)
    with ProgressLine(title) as progress:
        if seconds is None:
            yield progress
            return
        from astragal.deadline import Deadline

        too_long = f"There was no answer within {seconds:g} seconds. Ask for less, or allow more with --timeout."
        with Deadline(seconds, too_long):
            yield progress
