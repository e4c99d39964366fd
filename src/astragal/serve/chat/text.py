"""Texts for a chat. People's words are shown literally: they format nothing, mention no one and make no links."""

from __future__ import annotations

import re
from collections.abc import Iterable

from astragal.explain.visible import safe_for_terminal

MAX_CONTENT = 2000
"""Characters of a message, as Discord counts them: in UTF-16, where an emoji may be two."""
_MARKS = re.compile(r"([\\*_~`|<>#\[\]()])|(?<=http)(s?):(?=//)|(?<=[^\w\s]):(?=//)", re.IGNORECASE)
_LISTED = re.compile(r"^(\s*)([-+]|\d+\.)")
_CALLS = str.maketrans({"@": "@\u200b"})


def plain(text: str) -> str:
    """A text that a chat shows literally: one line, without formatting, mentions or links."""
    line = " ".join(safe_for_terminal(text).split())
    line = _MARKS.sub(lambda found: f"{found[2]}\\:" if found[2] is not None else f"\\{found[0]}", line)
    return _LISTED.sub(_unlisted, line).translate(_CALLS)


def _unlisted(found: re.Match[str]) -> str:
    """The escaped beginning of a line that would become a list."""
    mark = found[2]
    return f"{found[1]}\\{mark}" if len(mark) == 1 else f"{found[1]}{mark[:-1]}\\."


def length(text: str) -> int:
    """The characters of a text, as Discord counts them."""
    return len(text.encode("utf-16-le", "replace")) // 2


def cut(text: str, most: int) -> str:
    """The text, or its beginning with … if it is too long; an escape is never cut in half."""
    if length(text) <= most:
        return text
    kept = text[: most - 1]
    while length(kept) > most - 1:
        kept = kept[:-1]
    return f"{kept.rstrip(chr(92))}…"


def content_of(lines: Iterable[str], most: int = MAX_CONTENT) -> str:
    """Lines as a message: as many as fit, and the number of the rest. A very long line is cut."""
    kept: list[str] = []
    given, left = [cut(line, most // 2) for line in lines], most - len("\n… and 99999 more lines.")
    for n, line in enumerate(given):
        left -= length(line) + 1
        if left < 0:
            return "\n".join((*kept, f"… and {len(given) - n} more lines."))
        kept.append(line)
    return "\n".join(kept)
