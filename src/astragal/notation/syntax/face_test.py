"""The part after a modifier: a test on faces (``>=8``, ``{2,4,6}``, ``even``), a number of dice or of times."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from astragal.dice.dice import MAX_DICE, MAX_SIDES
from astragal.notation.condition import OPERATORS, Limit, Listed, Parity, Test

if TYPE_CHECKING:
    from astragal.notation.syntax.grammar import NotationParser

F = TypeVar("F")

MAX_TIMES = 100
"""Most rerolls or explosions in a row that can be asked for by number."""
TIMES = {"once": 1, "twice": 2, "thrice": 3}
MAX_LISTED = 100
"""Faces of a list, or of a die of one's own."""


def read_test(parser: NotationParser, bare: str = "==") -> Test:
    """Parse a comparison with a number, a list of faces, even or odd; a number alone is compared by ``bare``."""
    if parser.accept("{"):
        if parser.next.text in ("even", "odd") and parser.ahead().text == "}":
            odd = parser.take().text == "odd"
            parser.take()
            return Parity(odd)
        return one_of(read_faces(parser, _read_values))
    if word := parser.accept("even", "odd"):
        return Parity(word == "odd")
    operator = parser.accept(*OPERATORS)
    if parser.dialect.inclusive:
        operator = {">": ">=", "<": "<="}.get(operator, operator)
    operator, face = operator or bare, parser.next
    if operator == "==" and face.kind in ("word", "string"):
        parser.forbid(face.place, f"put faces with names in braces, such as {{{face.text[:20]}}}")
    return Limit(operator, read_face(parser))


def read_faces(parser: NotationParser, read: Callable[[NotationParser], Iterable[F]]) -> list[F]:
    """Parse the rest of a list of faces up to its brace; ``read`` parses one, which may stand for several."""
    faces: list[F] = []
    while not parser.accept("}"):
        if faces:
            parser.expect(",")
        faces += read(parser)
        if len(faces) > MAX_LISTED:
            parser.refuse(parser.next.place, f"at most {MAX_LISTED} faces")
    if not faces:
        parser.refuse(parser.next.place, "at least one face")
    return faces


def _read_values(parser: NotationParser) -> Iterable[int | str]:
    if parser.next.kind in ("word", "string"):
        return [parser.take().text.strip("\"'")]
    first = read_face(parser)
    return range(first, (read_face(parser) if parser.accept("..") else first) + 1)


def one_of(faces: list[int | str]) -> Test:
    """Return the test for these faces, each as often as it is listed."""
    only = faces[0] if len(faces) == 1 else ""
    return Limit("==", only) if isinstance(only, int) else Listed(tuple(faces))


def read_face(parser: NotationParser) -> int:
    """Parse a face's number, which may be negative."""
    minus = -1 if parser.accept("-") else 1
    return minus * parser.number(0, MAX_SIDES, "a face")


def has_test(parser: NotationParser) -> bool:
    """Return True if a test stands right here; a number that says how many times is none."""
    token = parser.next
    if token.kind == "number":
        return parser.ahead().text not in ("times", "x") or parser.ahead().touches
    return token.touches and ((token.text in OPERATORS and not _compares_dice(parser)) or token.text == "{")


def _compares_dice(parser: NotationParser) -> bool:
    """True if dice stand behind the operator here: ``1d8!>1d6!`` is a comparison."""
    by = 2 if parser.ahead().text == "-" else 1
    number, after = parser.ahead(by), parser.ahead(by + 1)
    dice = after if number.kind == "number" else number
    if parser.dialect.name == "foundry" and dice.text.startswith("df"):
        return False  # 6d6cs>3df deducts failures there.
    return dice.kind == "word" and dice.touches and is_die(dice.text)


def is_die(word: str) -> bool:
    """Return True if a word is the d of dice, or begins with that of Fate dice."""
    return word.lower() == "d" or word.lower().startswith("df")


def read_times(parser: NotationParser, default: int = 0) -> int:
    """Parse how many times at most: ``2 times``, ``once``; ``default`` if nothing is said."""
    if parser.next.kind == "word" and parser.next.text in TIMES:
        return TIMES[parser.take().text]
    if parser.next.kind == "number" and parser.ahead().text == "times":
        n = parser.number(1, MAX_TIMES, "a number of times")
        parser.take()
        return n
    return default


def read_number_of_dice(parser: NotationParser, default: int) -> int:
    """Parse a number of dice; ``default`` if none is given."""
    return parser.number(0, MAX_DICE, "a number of dice") if parser.next.kind == "number" else default
