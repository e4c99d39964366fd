"""Run every command of the docs' console blocks and write in what it prints today: ``make docs``."""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.fifth_game import install
from tests.test_docs import BLOCK, PAGES, prepared, run


def main() -> None:
    """Fill all pages, or those that are named."""
    named = [Path(word).resolve() for word in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        install(Path(folder))
        for page in named or PAGES:
            fill(page, Path(folder))


def fill(page: Path, folder: Path) -> None:
    """The text with the output below every command replaced. Each block runs in a folder of its own."""

    def renewed(block: re.Match[str]) -> str:
        if block["kind"] != "console":
            return block[0]
        at = text.count("\n", 0, block.start()) + 1
        lines = [line for line in block["text"].splitlines() if line.startswith("$ ")]
        with tempfile.TemporaryDirectory() as here:
            outside = prepared(page, at, Path(here), folder)
            shown = [f"{line}\n{run(line[2:], Path(here), outside)}" for line in lines]
        return f"```console\n{''.join(shown)}```"

    text = page.read_text("utf-8")
    page.write_text(BLOCK.sub(renewed, text), "utf-8")


if __name__ == "__main__":
    main()
