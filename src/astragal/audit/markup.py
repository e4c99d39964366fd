"""Inline Markdown as plain text, with the position of each character in the source."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import NamedTuple

RUN = re.compile(r"`+")
SKIPPED = re.compile(
    r"(?P<tag></?[a-zA-Z][^<>]*>)|(?P<note>\[\^[^\[\]]*\])|(?P<link>\]\([^()\s]*\)|[\[\]])"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])|(?P<entity>&#?\w{1,31};)|(?P<strike>~~)|(?P<emphasis>\*+|_+)"
)
COMMENT, COMMENT_END = "<!--", "-->"


class PlainText(NamedTuple):
    """Text without markup; ``places`` has each character's start and end in the source."""

    text: str
    places: tuple[tuple[int, int], ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the start and end, in the source, of a part of the text."""
        return self.places[start][0], self.places[end - 1][1]


def code_spans(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield each code span of a line: its start, its end, and the number of its backticks."""
    runs = [(found.start(), found.end()) for found in RUN.finditer(text)]
    later: dict[int, list[int]] = {}
    for place in range(len(runs) - 1, -1, -1):
        later.setdefault(runs[place][1] - runs[place][0], []).append(place)
    past = -1
    for place, (start, end) in enumerate(runs):
        same = later[end - start]
        while same and same[-1] <= place:
            same.pop()
        if place > past and same and not _escaped(text, start):
            past = same[-1]
            yield start, runs[past][1], end - start


def _escaped(text: str, place: int) -> bool:
    slashes = place
    while slashes and text[slashes - 1] == "\\":
        slashes -= 1
    return (place - slashes) % 2 == 1


def comments(text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each comment outside code spans; one that the line does not close ends at -1."""
    code = iter([*code_spans(text), (len(text), len(text), 0)])
    span = next(code)
    place = text.find(COMMENT, start)
    while place >= 0:
        while span[1] <= place and span[2]:
            span = next(code)
        if span[0] <= place < span[1]:
            place = text.find(COMMENT, span[1])
            continue
        end = text.find(COMMENT_END, place + len(COMMENT))
        yield place, end + len(COMMENT_END) if end >= 0 else -1
        if end < 0:
            return
        place = text.find(COMMENT, end)


def strip_markup(text: str) -> PlainText:
    """Return the text without emphasis, code marks, links, tags, comments and footnotes.

    Digits with markup between them are two numbers: ``6<sup>1</sup>`` is a 6 with a note, and ``~~6~~5`` a corrected 6.
    """
    chars: list[str] = []
    places: list[tuple[int, int]] = []

    def put(seen: str, start: int, end: int) -> None:
        if seen[:1].isdigit() and chars and chars[-1].isdigit() and places[-1][1] < start:
            chars.append(" ")
            places.append((places[-1][1], start))
        chars.extend(seen)
        places.extend([(start, end)] * len(seen))

    place = 0
    for start, end, marks in [*_opaque(text), (len(text), len(text), 0)]:
        _put_marked(text, place, start, put)
        for inner in range(start + marks, end - marks if marks else start):
            put(text[inner], inner, inner + 1)
        place = max(place, end)
    return PlainText("".join(chars), tuple(places))


def _opaque(text: str) -> list[tuple[int, int, int]]:
    """Code spans with their number of backticks, and comments with 0: nothing inside them is markup."""
    hidden = [(start, end if end >= 0 else len(text), 0) for start, end in comments(text)]
    found: list[tuple[int, int, int]] = []
    for span in sorted([*code_spans(text), *hidden]):
        if not found or span[0] >= found[-1][1]:
            found.append(span)
    return found


def _put_marked(text: str, place: int, stop: int, put: Callable[[str, int, int], None]) -> None:
    for found in SKIPPED.finditer(text, place, stop):
        for inner in range(place, found.start()):
            put(text[inner], inner, inner + 1)
        put(_kept(found, text), found.start(), found.end())
        place = found.end()
    for inner in range(place, stop):
        put(text[inner], inner, inner + 1)


def _kept(found: re.Match[str], text: str) -> str:
    """The visible part of a piece of markup, such as an underscore inside a word or a star between numbers."""
    if found["escaped"]:
        return found["escaped"]
    if found["entity"]:
        return unescape(found[0])
    if found["emphasis"]:
        before, after = text[max(0, found.start() - 1) : found.start()], text[found.end() : found.end() + 1]
        inside = before.isalnum() and after.isalnum()
        return found[0] if inside or (before.isspace() and after.isspace()) else ""
    return ""


def normalized(text: str) -> str:
    """Return the text without markup and with single spaces, for comparing headings."""
    return " ".join(strip_markup(text).text.split())
