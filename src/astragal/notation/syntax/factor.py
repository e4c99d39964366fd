"""Factors as they are written: numbers, brackets, words, functions and the rolls of games."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from astragal.dice.dice import MAX_DICE
from astragal.notation.expression import FUNCTIONS, Expression, Function, GameCall, Name, Number, Word, number_of
from astragal.notation.syntax.dice import read_dice
from astragal.notation.syntax.group import read_group, read_listed, read_picked
from astragal.notation.syntax.instead import spellings
from astragal.notation.term import DiceTerm

if TYPE_CHECKING:
    from astragal.notation.syntax.grammar import NotationParser

MAX_NUMBER = 1_000_000
MAX_DIGITS = 12
"""Digits of a decimal number, and its point."""
ROUNDING = ("floor", "ceil", "round")
KEPT = {"max": "kh1", "min": "kl1"}
BEST = {"max": "the highest die", "min": "the lowest die"}
RESERVED = ("let", "if", "then", "else", "and", "or", "not", "vs", "versus", "cancel", "each", "sorted", *FUNCTIONS)


def read_factor(parser: NotationParser) -> Expression:
    """Parse a number, dice, a group, a word, a function, a game's roll or something in brackets."""
    token = parser.next
    if token.kind in ("number", "decimal"):
        return _read_number_or_dice(parser)
    if token.text == "(":
        return _read_brackets(parser)
    if token.text == "{":
        parser.take()
        return read_group(parser)
    if token.kind == "string":
        return Word(parser.take().text[1:-1])
    if token.kind == "word":
        return _read_word(parser)
    return parser.refuse(token.place, "a number, dice or a bracket")


def _read_number_or_dice(parser: NotationParser) -> Expression:
    if parser.next.kind == "decimal":
        return _read_decimal(parser)
    if _dice_follow(parser, 1):
        return read_dice(parser, parser.number(0, MAX_DICE, "a number of dice"))
    after = parser.ahead()
    if after.touches and after.text in ("k", "kh", "kl") and parser.ahead(2).kind == "number":
        parser.forbid(
            after.place, f"name the dice, such as {parser.next.text[:9]}d10{after.text}{parser.ahead(2).text[:9]}"
        )
    return Number(parser.number(0, MAX_NUMBER, "a number"))


def _read_decimal(parser: NotationParser) -> Expression:
    token = parser.take()
    if len(token.text) > MAX_DIGITS:
        parser.forbid(token.place, f"a number has at most {MAX_DIGITS - 1} digits")
    if _dice_follow(parser, 0) and parser.next.touches:
        parser.refuse(token.place, "a whole number of dice")
    return number_of(Fraction(token.text))


def _dice_follow(parser: NotationParser, by: int) -> bool:
    """True if the token so far ahead is a ``d`` with sides behind it."""
    token, after = parser.ahead(by), parser.ahead(by + 1)
    if token.kind != "word" or token.text[0] not in "dD":
        return False
    if token.text[1:2] in ("F", "f"):
        return True
    return token.text in ("d", "D") and (token.touches or after.text.isdigit() or after.text in ("%", "{", "("))


def _read_brackets(parser: NotationParser) -> Expression:
    start = parser.take()
    inner = parser.rounded(parser.exact and not _closes_before_dice(parser), parser.question)
    if parser.accept(","):
        return read_listed(parser, inner)
    parser.expect(")")
    if _dice_follow(parser, 0) and parser.next.touches:
        n = inner.n if isinstance(inner, Number) else inner
        if isinstance(n, Fraction) or (isinstance(n, int) and n > MAX_DICE):
            parser.refuse(start.place, f"a number of dice from 0 to {MAX_DICE:,}")
        return read_dice(parser, n)
    pick = read_picked(parser, inner) if parser.next.touches or parser.dialect.brackets else None
    return pick or inner


def _closes_before_dice(parser: NotationParser) -> bool:
    """True if the bracket that has just been opened holds a number of dice, which is a whole number."""
    depth = 1
    for by, token in enumerate(parser.tokens[parser.place :]):
        depth += (token.text == "(") - (token.text == ")")
        if not depth:
            return _dice_follow(parser, by + 1)
    return False


def _read_word(parser: NotationParser) -> Expression:
    token = parser.next
    if token.text in parser.names:
        parser.take()
        return read_picked(parser, Name(token.text)) or Name(token.text)
    following = parser.ahead()
    if _dice_follow(parser, 0) and (following.text != "(" or token.text in ("d", "D")):
        return read_dice(parser, 1)
    if token.text in RESERVED and token.text not in FUNCTIONS:
        parser.refuse(token.place, "a number, dice or a bracket")
    parser.take()
    if not parser.accept("("):
        if parser.next.kind in ("number", "word") and (instead := spellings().no_label.get(token.text.lower())):
            parser.forbid(token.place, f"write {token.text} with the dice, such as {instead}")
        return Word(token.text)
    return _read_function(parser, token.text) if token.text in FUNCTIONS else _read_call(parser, token.text)


def _read_function(parser: NotationParser, name: str) -> Expression:
    place = parser.tokens[parser.place - 1].place
    exact = parser.exact or name in ROUNDING
    arguments = [parser.rounded(exact, parser.question)]
    while parser.accept(","):
        arguments.append(parser.rounded(exact, parser.question))
    parser.expect(")")
    if name not in ("min", "max") and len(arguments) > 1:
        parser.forbid(place, f"{name} takes one number")
    alone = arguments[0] if len(arguments) == 1 else None
    if name in ("min", "max") and isinstance(alone, DiceTerm) and alone.n != 1:
        parser.note(f"{name} compares values, and {alone} is one, its sum; {BEST[name]} is {alone}{KEPT[name]}.")
    return Function(name, tuple(arguments))


def _read_call(parser: NotationParser, name: str) -> Expression:
    arguments: list[tuple[str, str]] = []
    while not parser.accept(")"):
        if arguments:
            parser.expect(",")
        arguments.append(_read_argument(parser))
    parser.expect(".")
    fact = parser.take()
    if fact.kind != "word":
        parser.refuse(fact.place, "the name of a fact")
    return GameCall(name, tuple(arguments), fact.text)


def _read_argument(parser: NotationParser) -> tuple[str, str]:
    token = parser.take()
    name = token.text
    while parser.next.kind == "number" and parser.next.touches:
        name += parser.take().text
    if token.kind != "word" or parser.next.text != "==":
        parser.refuse(token.place, f"an input's name and value, such as dice=5; functions are {', '.join(FUNCTIONS)}")
    parser.take()
    minus = "-" if parser.accept("-") else ""
    value = parser.take()
    if value.kind not in ("number", "word", "string"):
        parser.refuse(value.place, "a number, a word or quoted words")
    return name, minus + value.text.strip("\"'")
