"""The logbook: a JSON line for every request. Paths are templates, so that no token or id is in it."""

from __future__ import annotations

import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

import msgspec

DEEPEST = 6


class RequestLog:
    """Writes lines to a stream; a stream that cannot be written to stops nobody from playing."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream if stream is not None else sys.stderr

    def write(self, event: str, **facts: Any) -> None:
        line = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), "event": event, **facts}
        try:
            self._stream.write(msgspec.json.encode(line).decode() + "\n")
            self._stream.flush()
        except (OSError, ValueError):
            pass

    def broke(self, error: BaseException, path: str) -> None:
        """A mistake of ours: where it was made, but not what was in the variables or the message."""
        frames = traceback.extract_tb(error.__traceback__)[-DEEPEST:]
        where = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
        self.write("broken", path=path, error=type(error).__name__, where=where)


class Silent(RequestLog):
    """For tests and measurements."""

    def write(self, event: str, **facts: Any) -> None:
        """Nothing."""
