"""A line of AnyDice in Astragal's notation: ``output [highest 3 of 4d6]`` is ``4d6kh3``."""

from __future__ import annotations

import re

from astragal.errors import Malformed

DICE = r"(\d*d(?:\d+|\{[^}]*\}))"
INNER = r"([^\[\]]+?)"
EXPLODE_DEPTH = 2
"""How often AnyDice explodes a die, unless a program sets it."""
FORMS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (rf"\[\s*highest\s+(\d+)\s+of\s+{DICE}\s*\]", r"\2kh\1"),
        (rf"\[\s*lowest\s+(\d+)\s+of\s+{DICE}\s*\]", r"\2kl\1"),
        (rf"\[\s*middle\s+(\d+)\s+of\s+{DICE}\s*\]", r"\2km\1"),
        (rf"\[\s*highest\s+of\s+{INNER}\s+and\s+{INNER}\s*\]", r"max(\1, \2)"),
        (rf"\[\s*lowest\s+of\s+{INNER}\s+and\s+{INNER}\s*\]", r"min(\1, \2)"),
        (rf"\[\s*absolute\s+{INNER}\s*\]", r"abs(\1)"),
        (rf"\[\s*explode\s+{DICE}\s*\]", rf"\1! {EXPLODE_DEPTH} times"),
        (rf"\[\s*count\s+(\{{[^}}]*\}})\s+in\s+{DICE}\s*\]", r"(\2 count\1)"),
        (rf"\[\s*count\s+(\d+)\s+in\s+{DICE}\s*\]", r"(\2 count\1)"),
    )
)
PLACE = re.compile(rf"(\d+)\s*@\s*{DICE}")
SAID = re.compile(r"^\s*output\s+|\s+named\s+\"[^\"]*\"\s*$")


def from_anydice(text: str) -> str:
    """Return the notation of a single AnyDice expression."""
    text = SAID.sub("", text[:1000])
    before = ""
    while before != text:
        before = text
        for pattern, replacement in FORMS:
            text = pattern.sub(replacement, text)
    text = PLACE.sub(lambda found: f"{found[2]}dh{int(found[1][:4]) - 1}kh1" if int(found[1][:4]) else "0", text)
    if "[" in text:
        raise Malformed(
            "This AnyDice function is not known here; highest, lowest, middle, explode, count and absolute are."
        )
    return text
