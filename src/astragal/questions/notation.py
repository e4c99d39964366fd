"""Dice notation, read and solved: ``4d6kh3``, ``chronicles(pool=7, again=9).successes >= 5``, AnyDice programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from astragal.errors import Refusal
from astragal.notation.dialect import ANYDICE
from astragal.questions import SolvedQuestion

if TYPE_CHECKING:
    from astragal.dice.distribution import Distribution
    from astragal.notation.expression import Expression
    from astragal.notation.parser import Read

FACT = "value"
"""The only fact of dice notation: what it comes to."""
PROGRAM_TITLE = "AnyDice program"


def read(text: str, dialect: str = "") -> Read:
    """Read a text in any dialect, with notes about what tools read differently."""
    from astragal.notation import parser

    if dialect != ANYDICE:
        return parser.read(text, dialect)
    from astragal.anydice.as_notation import from_anydice

    return parser.Read(from_anydice(text))


def parse(text: str, dialect: str = "") -> Expression:
    """Return the expression of a text in any dialect."""
    return read(text, dialect).expression


def solve_notation(text: str, up_to: int | None = None, dialect: str = "") -> SolvedQuestion:
    """Solve a text in dice notation or, in AnyDice's dialect, a program with all its outputs."""
    if dialect == ANYDICE:
        return _solve_anydice(text)
    from astragal.notation.odds.plain import plain_notation, plain_odds

    odds = None if dialect else plain_odds(text)
    if odds is not None and (notation := plain_notation(text)):
        return SolvedQuestion(notation, {FACT: odds}, None, notation)
    written = read(text, dialect)
    notation = str(written.expression)
    if odds is None:
        odds = _expression_odds(written.expression, up_to)
    return SolvedQuestion(notation, {FACT: odds}, None, notation, written.notes)


def solve_program(text: str, title: str = PROGRAM_TITLE) -> SolvedQuestion:
    """Solve an AnyDice program, with a fact for each output."""
    from astragal.anydice import run_program

    return SolvedQuestion(title, _by_name(run_program(text)))


def _solve_anydice(text: str) -> SolvedQuestion:
    """A program, or an expression, which is a program with one output."""
    from astragal.anydice import as_program
    from astragal.anydice.values import UNNAMED

    solved = solve_program(as_program(text))
    if len(solved.facts) > 1:
        return solved
    ((name, chances),) = solved.facts.items()
    try:
        name = str(parse(text, ANYDICE))
    except Refusal:
        name = text.strip() if name == UNNAMED else name  # It has odds, but cannot be written in notation.
    return SolvedQuestion(name, {FACT: chances}, None, name)


def _by_name(outputs: Iterable[tuple[str, Distribution[Any]]]) -> dict[str, Distribution[Any]]:
    """The outputs of a program by name; a name that was there before gets a number."""
    found: dict[str, Distribution[Any]] = {}
    for name, chances in outputs:
        known, n = name, 1
        while known in found:
            n += 1
            known = f"{name} ({n})"
        found[known] = chances
    return found


def odds_of(text: str, up_to: int | None = None, dialect: str = "") -> Distribution[Any]:
    """The exact distribution of what a text in dice notation comes to."""
    if dialect == ANYDICE:
        return _solve_anydice(text).odds
    from astragal.notation.odds.plain import plain_odds

    plain = None if dialect else plain_odds(text)
    return _expression_odds(parse(text, dialect), up_to) if plain is None else plain


def _expression_odds(expression: Expression, up_to: int | None) -> Distribution[Any]:
    from astragal.notation.solve import expression_odds
    from astragal.questions.calls import solve_call

    return expression_odds(expression, solve_call, up_to)
