"""Modifiers of dice notation: ``kh4``, ``!>=9``, ``ro<3``, ``count>=8``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from astragal.dice.dice import MAX_DICE, MAX_SIDES
from astragal.dice.notation.expression import OPERATORS, DiceTerm, Expression, Limit

if TYPE_CHECKING:
    from astragal.dice.notation.parser import Parser, Token

KEEPS = {"kh": "kh", "k": "kh", "kl": "kl", "dh": "dh", "dl": "dl"}
WORDS = ("doubles", "count", "fail", "kh", "kl", "dh", "dl", "ro", "k", "r", "f")
"""Longer words first, so that ``kh`` is not parsed as ``k``."""


def read_dice(parser: Parser, n: int) -> Expression:
    """Parse the sides of ``n`` dice and all modifiers behind them; each may appear once."""
    term = _read_sides(parser, n)
    given: set[str] = set()
    while True:
        place = parser.next.place
        found = _read_modifier(parser, term)
        if found is None:
            return term
        name, term = found
        if name in given:
            parser.refuse(place, "each modifier once")
        given.add(name)


def _read_sides(parser: Parser, n: int) -> DiceTerm:
    token = parser.take()
    rest = token.text[1:]
    if rest.startswith("F"):
        _put_back(parser, token, 2)
        return DiceTerm(n, 3, fate=True)
    if rest:
        parser.refuse(token.place + 1, "a number of sides, % or F")
    if parser.accept("%"):
        return DiceTerm(n, 100)
    return DiceTerm(n, parser.number(1, MAX_SIDES, "a number of sides"))


def _put_back(parser: Parser, token: Token, used: int) -> None:
    """Words may touch, as in ``4dFkh3``: the unused rest becomes the next token."""
    if len(token.text) > used:
        parser.place -= 1
        parser.tokens[parser.place] = token._replace(text=token.text[used:], place=token.place + used)


def _read_modifier(parser: Parser, term: DiceTerm) -> tuple[str, DiceTerm] | None:
    """The kind of the next modifier, and the dice with it; None at the end."""
    token = parser.next
    if token.text in ("!", "!!"):
        parser.place += 1
        return "explode", term._replace(explode=_explosion(parser, term), compound=token.text == "!!")
    if token.kind == "word":
        return _read_word(parser, term, token)
    if token.text in OPERATORS and _is_count(parser):
        return "count", term._replace(counting=_test(parser))
    return None


def _explosion(parser: Parser, term: DiceTerm) -> Limit:
    """The faces that explode: those of the test right behind the sign, or else the highest."""
    if parser.next.kind == "number" or (parser.next.text in OPERATORS and _adjacent(parser)):
        return _test(parser)
    return Limit("==", 1 if term.fate else term.sides)


def _adjacent(parser: Parser) -> bool:
    before = parser.tokens[parser.place - 1]
    return before.place + len(before.text) == parser.next.place


def _read_word(parser: Parser, term: DiceTerm, token: Token) -> tuple[str, DiceTerm] | None:
    word = next((word for word in WORDS if token.text.startswith(word)), "")
    if not word:
        return None
    parser.place += 1
    _put_back(parser, token, len(word))
    if word in KEEPS:
        n = parser.number(0, MAX_DICE, "a number of dice") if parser.next.kind == "number" else 1
        return "keep", term._replace(keep=KEEPS[word], kept=n)
    if word == "doubles":
        return "doubles", term._replace(doubles=True)
    if word in ("r", "ro"):
        return "reroll", term._replace(reroll=_test(parser), once=word == "ro")
    test = _test(parser)
    return ("count", term._replace(counting=test)) if word == "count" else ("fail", term._replace(fail=test))


def _test(parser: Parser) -> Limit:
    """A comparison with a number; a number alone means exactly that face."""
    operator = parser.accept(*OPERATORS) or "=="
    minus = -1 if parser.accept("-") else 1
    return Limit(operator, minus * parser.number(0, MAX_SIDES, "a face"))


def _is_count(parser: Parser) -> bool:
    """Whether a comparison behind dice is a count: another one, an explosion or failures follow its number."""
    ahead = parser.tokens[parser.place + 1 : parser.place + 3]
    if len(ahead) < 2 or ahead[0].kind != "number":
        return False
    return ahead[1].text in OPERATORS or ahead[1].text[:1] in ("!", "f")
