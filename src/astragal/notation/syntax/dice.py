"""Dice as they are written: the sides or faces behind a ``d``, and whatever modifiers follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from astragal.dice.dice import MAX_SIDES
from astragal.notation.expression import Binary, Expression, Let, Name, Number
from astragal.notation.syntax.face_test import MAX_LISTED, read_face, read_faces
from astragal.notation.syntax.modifiers import Modifiers
from astragal.notation.syntax.picked import KEEPS
from astragal.notation.term import FATE_VALUES, PLAIN, DiceTerm, Face

if TYPE_CHECKING:
    from astragal.notation.syntax.grammar import NotationParser

SINGLE = tuple(Face(value) for value in (-1, 0, 0, 0, 0, 1))
"""A Fate die of six sides with one plus and one minus, as some tools have it."""
DIGITS = {44: "1d4 * 10 + 1d4", 66: "1d6 * 10 + 1d6", 88: "1d8 * 10 + 1d8", 666: "1d6 * 100 + 1d6 * 10 + 1d6"}
"""Sides that many tables read as several dice."""
SHARED = "dice"
"""The name of dice that are used twice without a name: ``5d6kh1 - kl1``."""


def read_dice(parser: NotationParser, n: int | Expression) -> Expression:
    """Parse what follows a number of dice: the sides and the modifiers."""
    term = _read_sides(parser, n)
    return Modifiers(parser, term).read()


def _read_sides(parser: NotationParser, n: int | Expression) -> DiceTerm:
    token = parser.next
    if token.text[1:2] in ("F", "f"):
        parser.split(2)
        if _one_of_each(parser):
            return DiceTerm(n, len(SINGLE), SINGLE)
        return DiceTerm(n, len(FATE_VALUES), fate=True)
    parser.take()
    if parser.accept("%"):
        return DiceTerm(n, 100)
    if parser.accept("{"):
        faces = read_faces(parser, _read_face)
        return DiceTerm(n, len(faces), tuple(faces))
    if parser.next.text == "(":
        return DiceTerm(n, _read_rolled_sides(parser))
    sides = parser.number(1, MAX_SIDES, "a number of sides")
    if n == 1 and sides in DIGITS:
        parser.note(f"d{sides} is a die with {sides} sides; a die for each digit is {DIGITS[sides]}.")
    return DiceTerm(n, sides)


def _one_of_each(parser: NotationParser) -> bool:
    """True if ``.1`` follows: a die with one plus, one minus and four blanks; ``.2`` is the usual one."""
    number = parser.ahead()
    if parser.next.text != "." or number.text not in ("1", "2") or not number.touches:
        return False
    parser.take()
    return parser.take().text == "1"


def _read_rolled_sides(parser: NotationParser) -> int | Expression:
    start = parser.take()
    sides = parser.rounded(False, parser.question)
    parser.expect(")")
    if not isinstance(sides, Number):
        return sides
    if not isinstance(sides.n, int) or not 1 <= sides.n <= MAX_SIDES:
        parser.refuse(start.place, f"a number of sides from 1 to {MAX_SIDES:,}")
    return sides.n


def _read_face(parser: NotationParser) -> list[Face]:
    token = parser.next
    if token.kind in ("word", "string"):
        name = parser.take().text.strip("\"'")
        return [Face(read_face(parser), name)] if parser.accept("==") else [Face(name)]
    first = read_face(parser)
    last = read_face(parser) if parser.accept("..") else first
    if not first <= last < first + MAX_LISTED:
        parser.refuse(token.place, f"a range of at most {MAX_LISTED} faces, the lowest first")
    return [Face(value) for value in range(first, last + 1)]


def shares(parser: NotationParser, left: Expression) -> bool:
    """Return True if the next thing is picked of the dice before: ``5d6kh1 - kl1``."""
    token = parser.next
    kept = isinstance(left, DiceTerm) and left.pick.keeps
    return bool(kept) and token.kind == "word" and token.text in KEEPS and token.text not in parser.names


def read_shared(parser: NotationParser, operator: str, left: Expression) -> Expression:
    """Parse the second thing that is picked of the same dice; the dice get a name."""
    assert isinstance(left, DiceTerm)
    again = Modifiers(parser, Name(SHARED)).read()
    return Let(SHARED, left._replace(pick=PLAIN), Binary(operator, Name(SHARED, left.pick), again))
