"""Run every command of the docs' console blocks and write in what it prints today: ``make docs``."""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.fifth_game import PAGE, install
from tests.test_docs import BLOCK, PAGES, run


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        install(Path(folder))
        for page in PAGES:
            fill(page, Path(folder))


def fill(page: Path, folder: Path) -> None:
    """The text with the output below every command replaced. Each block runs in a folder of its own."""

    def renewed(block: re.Match[str]) -> str:
        if block["kind"] != "console":
            return block[0]
        lines = [line for line in block["text"].splitlines() if line.startswith("$ ")]
        with tempfile.TemporaryDirectory() as here:
            shown = [f"{line}\n{run(line[2:], Path(here), folder if page == PAGE else None)}" for line in lines]
        return f"```console\n{''.join(shown)}```"

    text = page.read_text("utf-8")
    page.write_text(BLOCK.sub(renewed, text), "utf-8")


if __name__ == "__main__":
    main()
