"""Foundry's failures and margins: ``df`` and ``sf`` make dice count negatively, ``ms`` takes the margin.

A die that fails counts −1 (``df``) or the negative of what it shows (``sf``), whatever it counted before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from astragal.dice.dice import MAX_SIDES
from astragal.notation.condition import OPERATORS, Test
from astragal.notation.expression import Binary, Expression, Negative, Number
from astragal.notation.syntax.face_test import MAX_LISTED, has_test, one_of, read_test
from astragal.notation.term import DiceTerm, Face, Keep

if TYPE_CHECKING:
    from astragal.notation.syntax.lexer import Token
    from astragal.notation.syntax.modifiers import Modifiers


def read_failures(modifiers: Modifiers, token: Token, word: str) -> None:
    """Read ``df`` or ``sf``; without a test, every die fails that the count before left out."""
    parser, term = modifiers.parser, modifiers.dice(token)
    scores = modifiers.pick.scores
    if not isinstance(term.sides, int) or any(isinstance(value, str) for value in term.values()):
        parser.forbid(token.place, f"{word} needs dice with numbers; write count and fail with lists of faces")
    test = read_test(parser) if has_test(parser) else None
    if test is None and not scores:
        parser.forbid(token.place, f"name the faces that fail, such as {word}<3, or count before it: cs>3{word}")
    if test is not None:
        modifiers.tests.append((test, token.place, "fails"))
    if not modifiers.dialect.name:
        parser.note(f"{word} makes dice count negatively, as in Foundry.")
    if test is None and modifiers.last == "cf":
        _negate(modifiers, word == "sf")
    elif (
        word == "df"
        and test is not None
        and scores
        and not any(test.holds(value) and score.test.holds(value) for score in scores for value in term.values())
    ):
        modifiers.add_score(-1, test, token.place)
    elif scores:
        _rescore(modifiers, token, term, test, word == "sf")
    elif test is not None:
        _reface(modifiers, token, term, test, word == "sf")


def _negate(modifiers: Modifiers, inverted: bool) -> None:
    """Behind ``cf``, the dice that it counts fail, and all others count nothing."""
    if inverted:
        (score,) = modifiers.pick.scores
        modifiers.families.remove("count")
        modifiers.pick = modifiers.pick._replace(scores=())
        modifiers.add_keep(Keep("keep", 0, score.test))
    modifiers.then = Negative


def _rescore(modifiers: Modifiers, token: Token, term: DiceTerm, test: Test | None, inverted: bool) -> None:
    """Count each face again: failures negatively, the others as before."""
    scored = {value: modifiers.pick.score(value) for value in term.values()}
    for value, score in scored.items():
        if test.holds(value) if test is not None else not score:
            scored[value] = -value if inverted else -1
    modifiers.pick = modifiers.pick._replace(scores=())
    for sign in (1, -1):
        faces = [value for value, score in scored.items() for _ in range(max(score * sign, 0))]
        if len(faces) > MAX_LISTED:
            modifiers.parser.forbid(token.place, "these are too many faces to subtract; name them, such as sf<5")
        if faces:
            modifiers.add_score(sign, one_of(faces), token.place)


def _reface(modifiers: Modifiers, token: Token, term: DiceTerm, test: Test, inverted: bool) -> None:
    """A die with faces that count negatively is a die with other faces."""
    plain = term._replace(n=0, sides=0, faces=()) == DiceTerm(0, 0) and not modifiers.pick.keeps
    if not plain or len(term.values()) > MAX_LISTED:
        modifiers.parser.forbid(token.place, "this goes without other modifiers, or behind a count, such as cs>3")
    faces = [(-value if inverted else -1) if test.holds(value) else value for value in term.values()]
    modifiers.tests.pop()
    if not any(test.holds(value) for value in term.values()):
        modifiers.parser.forbid(token.place, f"no face of a {term.die} is {test.words()}")
    modifiers.families.append("count")
    modifiers.holder = term._replace(sides=len(faces), faces=tuple(map(Face, faces)))


def read_margin(modifiers: Modifiers, token: Token, word: str) -> None:
    """Read ``ms>12``: what the dice are above 12; with ``<``, what they are below it."""
    parser = modifiers.parser
    operator = parser.accept(*OPERATORS)
    limit: Expression
    if parser.accept("("):
        limit = parser.question()
        parser.expect(")")
    else:
        limit = Number(parser.number(0, MAX_SIDES * 1000, "a number to reach"))
    if operator == "!=":
        parser.forbid(token.place, "a margin is above or below a number, such as ms>12 or ms<12")
    below = operator[:1] == "<"
    if not modifiers.dialect.name:
        parser.note(f"ms is how far the dice are {'below' if below else 'above'} {limit}, as in Foundry.")
    modifiers.then = lambda dice: Binary("-", limit, dice) if below else Binary("-", dice, limit)
