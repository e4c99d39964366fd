"""Parsing dice notation: a text in, an expression out, with a sentence for whatever tools read differently."""

from __future__ import annotations

from typing import NamedTuple

from astragal.dice.cache import cached
from astragal.errors import Malformed
from astragal.notation.dialect import ANYDICE, dialect_named
from astragal.notation.expression import Expression
from astragal.notation.syntax.grammar import NotationParser
from astragal.notation.syntax.instead import check_alone, check_spelling, told_better
from astragal.notation.syntax.lexer import MAX_LENGTH, NotationError
from astragal.notation.syntax.pasted import unwrapped, without_command

__all__ = ["MAX_LENGTH", "NotationError", "Read", "parse", "read"]


class Read(NamedTuple):
    """An expression, with a sentence for everything in its text that tools read differently."""

    expression: Expression
    notes: tuple[str, ...] = ()


def parse(text: str, dialect: str = "") -> Expression:
    """Return the expression that a text stands for.

    Raises ``NotationError`` with a caret below the column where parsing stopped.
    """
    return read(text, dialect).expression


@cached(2048)
def read(text: str, dialect: str = "") -> Read:
    """Return the expression that a text stands for, with notes about what other tools would read in it.

    Every dialect but AnyDice's, which ``questions.notation.read`` reads, too.
    """
    if dialect == ANYDICE:
        raise Malformed("AnyDice has a language of its own, which is not read here.")
    known = dialect_named(dialect)
    check_spelling(text)
    try:
        parser = NotationParser(unwrapped(text, known), known)
        expression = parser.whole()
    except NotationError as refused:
        raise told_better(refused) from None
    check_alone(text, expression)
    if dialect == "dicemaiden" and (said := without_command(text).partition("!")[2].strip()):
        parser.note(f'"{said}" is taken as a comment.')
    return Read(expression, tuple(parser.notes))
