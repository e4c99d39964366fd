"""What to write instead: spellings of other tools, and of everyday speech, that the grammar does not read.

They are looked for only in a text that was refused, or in one that would be read as something else without a word.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from astragal.notation.expression import Expression, Word
from astragal.notation.syntax.lexer import NotationError

GENERAL = ("expected", "@", "adv", "dis", "ask for one roll", "put a label")
"""The beginning of refusals that cannot guess the intended notation."""
MODIFIER = r"(?P<plus>\s*[+-]\s*\d+)?"
MISREAD = tuple(
    (re.compile(pattern, re.IGNORECASE), sentence)
    for pattern, sentence in (
        (
            r"\s*(?P<n>\d{1,3})\s*(?P<at>#)\s*(?P<dice>\d*d\d+)",
            "# begins a comment; for several rolls write {n} x {dice}",
        ),
        (
            r".*?(?<![a-z])d(?P<at>\[)(?P<faces>[^\]]{0,30})\]?",
            "square brackets hold labels; faces go in braces, as in d{{{faces}}}",
        ),
    )
)
"""Spellings that would be read as something else: a pattern, and the sentence about it, filled by what it finds."""


class Spellings(NamedTuple):
    """The content of ``spellings.toml``: refused spellings, and the notation for words and aliases."""

    refused: list[tuple[re.Pattern[str], str]]
    alone: dict[str, str]
    no_label: dict[str, str]
    aliases: list[tuple[re.Pattern[str], str]]


@cache
def spellings() -> Spellings:
    """Read the file, when a word or a refusal first needs it."""
    import tomllib
    from pathlib import Path

    data = tomllib.loads(Path(__file__).with_name("spellings.toml").read_text("utf-8"))
    alone, no_label = [
        {word: instead for instead, words in data[name].items() for word in words} for name in ("alone", "no_label")
    ]
    refused = [(re.compile(pattern, re.IGNORECASE), sentence) for pattern, sentence in data["refused"]]
    aliases = [(re.compile(pattern.replace("(+)", MODIFIER)), meaning) for pattern, meaning in data["aliases"].items()]
    return Spellings(refused, alone, no_label, aliases)


def alias_of(text: str) -> str:
    """Return the notation that an alias stands for, in Astragal's own words; empty if the text is none."""
    for pattern, meaning in spellings().aliases:
        if found := pattern.fullmatch(text):
            known = {name: value or "" for name, value in found.groupdict().items()}
            return meaning.format(**known) + known.get("plus", "")
    return ""


def check_spelling(text: str) -> None:
    """Refuse a text that would be read as something else without a word."""
    for pattern, sentence in MISREAD:
        if found := pattern.match(text):
            raise NotationError(text.rstrip(), found.start("at"), "", sentence.format(**found.groupdict()))


def told_better(refused: NotationError) -> NotationError:
    """Return a refusal that says what to write instead, if the text has a spelling that is known."""
    text, column = refused.text, refused.column
    if refused.said.startswith("no face") and text[column : column + 1] in ("x", "X"):
        return NotationError(text, column, "", f"{refused.said}; x explodes, and times is *")
    if not refused.said.startswith(GENERAL):
        return refused
    if alias := alias_of(text.strip().lower()):
        return NotationError(text, 0, "", f"this is an alias of Dice Maiden; use its dialect, or write {alias}")
    for pattern, sentence in spellings().refused:
        if found := pattern.search(text):
            return NotationError(text, found.start("at"), "", sentence.format(**found.groupdict()))
    return refused


def check_alone(text: str, expression: Expression) -> None:
    """Refuse a single word that is not a roll, and say how to write the roll."""
    if isinstance(expression, Word) and (instead := spellings().alone.get(expression.word.lower())):
        raise NotationError(text.rstrip(), 0, "", instead)
