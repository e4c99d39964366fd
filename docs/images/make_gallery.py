"""Make the pictures of gallery.md: run every command of the page that writes one, beside the page."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from astragal.cli.main import main as astragal

PAGE = Path(__file__).parent.parent / "gallery.md"
COMMAND = re.compile(r"^astragal (?P<words>.*) --svg (?P<file>\S+)$", re.MULTILINE)


class Picture(NamedTuple):
    """A file, and the words of the command that makes it."""

    file: Path
    words: list[str]

    def made(self) -> str:
        """What the command prints today."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            code = astragal([*self.words, "--svg", "-"])
        if code:
            raise SystemExit(f"astragal {shlex.join(self.words)} was refused.")
        return printed.getvalue()


def pictures() -> Iterator[Picture]:
    for found in COMMAND.finditer(PAGE.read_text("utf-8")):
        yield Picture(PAGE.parent / found["file"], shlex.split(found["words"]))


def main() -> None:
    for picture in pictures():
        picture.file.write_text(picture.made(), "utf-8")


if __name__ == "__main__":
    main()
