"""The words and signs of an AnyDice program, each with its line; comments between backslashes are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from astragal.errors import Malformed

MAX_LENGTH = 20_000
"""Characters of a program."""
TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<comment>\\[^\\]*\\)|(?P<string>\"[^\"]*\")|(?P<number>\d+)|(?P<variable>[A-Z_]+)"
    r"|(?P<word>[a-z]+)|(?P<sign>\.\s*\.|!=|<=|>=|[-+*/^@#!=<>&|:,(){}\[\]?])"
)


OTHERWISE = {"==": "=", "<>": "!=", "&&": "&", "||": "|"}
"""Signs of other languages, and what AnyDice writes."""


class Token(NamedTuple):
    """A token: what it is, its text, and the line where it stands."""

    kind: str
    text: str
    line: int


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a program, and one of kind ``end`` behind them."""
    if len(text) > MAX_LENGTH:
        raise Malformed(f"The program has {len(text):,} characters; at most {MAX_LENGTH:,} are allowed.")
    return list(_tokens(text))


def _tokens(text: str) -> Iterator[Token]:
    at, line = 0, 1
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            _refuse(text[at], line)
        kind, found = str(match.lastgroup), match.group()
        if (instead := OTHERWISE.get(text[at : at + 2])) and kind == "sign":
            refuse(line, f"{text[at : at + 2]} means nothing in AnyDice; write {instead}.")
        if kind not in ("space", "comment"):
            yield Token(kind, ".." if found[0] == "." else found, line)
        line += found.count("\n")
        at = match.end()
    yield Token("end", "", line)


def _refuse(sign: str, line: int) -> NoReturn:
    if sign == "\\":
        refuse(line, "a comment has no end; write a backslash behind it.")
    if sign == '"':
        refuse(line, "a text has no end; write a quotation mark behind it.")
    instead = "; write d100 for d%" if sign == "%" else ""
    refuse(line, f"{sign!r} means nothing in AnyDice{instead}.")


def refuse(line: int, sentence: str) -> NoReturn:
    """Refuse a program that cannot be read, and name the line."""
    raise Malformed(f"Line {line}: {sentence}")
