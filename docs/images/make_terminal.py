"""Make terminal.svg: real commands, run at a terminal of their own, as a picture."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.text import Text

WIDTH = 100
COMMANDS = (
    'astragal roll narraject --d6 "3 Agility, 2 gear" --step 10 --faces "6 5 4 2 1 | 7" --explain',
    'astragal roll razorweave 18 --attribute 2 --skill --edge "1 tools" --faces "2 3 4 5 6"',
)
PICTURE = Path(__file__).with_name("terminal.svg")
LINKS = re.compile(r"@font-face \{.*?\}\s*|<!--.*?-->\s*", re.DOTALL)


def run_at_terminal(command: str) -> str:
    """What the command writes when it finds a terminal."""
    program, *words = shlex.split(command)
    master, slave = pty.openpty()
    look = {"COLUMNS": str(WIDTH), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    path = Path(sys.executable).with_name(program)
    with subprocess.Popen([path, *words], stdin=slave, stdout=slave, env={**os.environ, **look}):
        os.close(slave)
        return b"".join(_read_all(master)).decode().replace("\r\n", "\n")


def _read_all(terminal: int) -> Iterator[bytes]:
    """A terminal that has been closed on the other side is an error on Linux, and the end elsewhere."""
    with contextlib.suppress(OSError):
        while some := os.read(terminal, 65536):
            yield some


def main() -> None:
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    for command in COMMANDS:
        console.print(f"$ {command}", style="bold", markup=False, highlight=False)
        console.print(Text.from_ansi(run_at_terminal(command)))
    svg = console.export_svg(title="Astragal", unique_id="astragal")
    PICTURE.write_text(LINKS.sub("", svg), "utf-8")


if __name__ == "__main__":
    main()
