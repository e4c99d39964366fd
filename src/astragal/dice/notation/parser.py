"""Dice notation: the text that players know, read into an expression.

    text       = [ times "x" ] question [ "#" comment ]
    question   = sum [ ">=" | "<=" | ">" | "<" | "==" | "=" | "!=" sum ]
    sum        = product { ( "+" | "-" ) product }
    product    = factor { "*" factor }
    factor     = "-" factor | number | dice | word | game "(" … ")" "." fact | "(" question ")"
    dice       = [ n ] "d" ( sides | "%" | "F" ) { modifier }
    modifier   = "r" test | "ro" test | "!" [ test ] | "!!" [ test ] | ( "kh" | "kl" | "k" | "dh" | "dl" ) [ n ]
               | "count" test | "fail" test | "doubles"

A test is a comparison with a number, or a number alone. A comparison right behind dice
that is itself followed by a comparison, "!" or "fail" is a count: 6d10 >=8 >= 3.
"""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from astragal.dice.dice import MAX_DICE
from astragal.dice.notation.expression import (
    OPERATORS,
    Binary,
    Call,
    Comparison,
    Expression,
    Negative,
    Number,
    Sets,
    Word,
)
from astragal.dice.notation.modifiers import read_dice
from astragal.errors import Malformed

MAX_LENGTH = 500
MAX_DEPTH = 30
MAX_NUMBER = 1_000_000
MAX_SETS = 100
TOKEN = re.compile(
    r"\s*(?:(?P<string>\"[^\"]*\"|'[^']*')|(?P<number>\d+)|(?P<word>[A-Za-z_]+)"
    r"|(?P<sign>>=|<=|==|!=|!!|[-+*()!<>=.,%×−≥≤]))"
)
SAME = {"=": "==", "×": "x", "−": "-", "≥": ">=", "≤": "<="}


class Token(NamedTuple):
    """A piece of the text, what kind it is, and where it begins."""

    kind: str
    text: str
    place: int


def parse(text: str) -> Expression:
    """The expression that a text says; a refusal points at the column where it no longer makes sense."""
    if len(text) > MAX_LENGTH:
        raise Malformed(f"The notation has {len(text):,} characters; at most {MAX_LENGTH} are read.")
    return Parser(text).whole()


class Parser:
    """One text, read from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text.partition("#")[0]
        self.tokens = list(self._tokens())
        self.place = 0
        self.depth = 0

    def _tokens(self) -> list[Token]:
        found = []
        at, end = 0, len(self.text.rstrip())
        while at < end:
            match = TOKEN.match(self.text, at)
            if not match or match.lastgroup is None:
                at += len(self.text[at:]) - len(self.text[at:].lstrip())
                self.refuse(at, "a number, dice or one of + - * ( )")
            piece = match.group(match.lastgroup)
            found.append(Token(match.lastgroup, SAME.get(piece, piece), match.start(match.lastgroup)))
            at = match.end()
        found.append(Token("end", "", end))
        return found

    def refuse(self, at: int, expected: str) -> NoReturn:
        raise Malformed(f"This is no dice notation:\n  {self.text.rstrip()}\n  {' ' * at}^ expected {expected}")

    @property
    def next(self) -> Token:
        return self.tokens[self.place]

    def take(self) -> Token:
        """The next piece; behind the last there is always the end."""
        token = self.next
        self.place += token.kind != "end"
        return token

    def accept(self, *texts: str) -> str:
        """The next piece, if it is one of these."""
        return self.take().text if self.next.text in texts and self.next.kind in ("sign", "word") else ""

    def expect(self, text: str) -> None:
        if not self.accept(text):
            self.refuse(self.next.place, f'"{text}"')

    def number(self, lowest: int, highest: int, what: str) -> int:
        token = self.next
        if token.kind != "number":
            self.refuse(token.place, what)
        n = int(token.text) if len(token.text) <= 9 else MAX_NUMBER + 1
        if not lowest <= n <= highest:
            self.refuse(token.place, f"{what} from {lowest:,} to {highest:,}")
        self.place += 1
        return n

    def whole(self) -> Expression:
        expression = self.sets()
        if self.next.kind != "end":
            self.refuse(self.next.place, "an operator or the end")
        return expression

    def sets(self) -> Expression:
        times = self.tokens[1] if len(self.tokens) > 1 else self.tokens[0]
        if self.next.kind == "number" and times.text == "x":
            n = self.number(1, MAX_SETS, "a number of sets")
            self.place += 1
            return Sets(n, self.question())
        return self.question()

    def question(self) -> Expression:
        left = self.sum()
        operator = self.accept(*OPERATORS)
        return Comparison(operator, left, self.sum()) if operator else left

    def sum(self) -> Expression:
        left = self.product()
        while operator := self.accept("+", "-"):
            left = Binary(operator, left, self.product())
        return left

    def product(self) -> Expression:
        left = self.factor()
        while self.accept("*"):
            left = Binary("*", left, self.factor())
        return left

    def factor(self) -> Expression:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.refuse(self.next.place, f"at most {MAX_DEPTH} brackets and signs inside each other")
        found = self._factor()
        self.depth -= 1
        return found

    def _factor(self) -> Expression:
        if self.accept("-"):
            return Negative(self.factor())
        if self.accept("("):
            inner = self.question()
            self.expect(")")
            return inner
        if self.next.kind == "number":
            return self._number_or_dice()
        if self.next.kind == "string":
            return Word(self.take().text[1:-1])
        if self.next.kind == "word":
            return self._word()
        self.refuse(self.next.place, "a number, dice or a bracket")

    def _number_or_dice(self) -> Expression:
        following = self.tokens[self.place + 1]
        if following.kind == "word" and following.text[0] == "d" and following.place == self._end_of_number():
            n = self.number(0, MAX_DICE, "a number of dice")
            return self.dice(n)
        return Number(self.number(0, MAX_NUMBER, "a number"))

    def _end_of_number(self) -> int:
        return self.next.place + len(self.next.text)

    def _word(self) -> Expression:
        token = self.next
        following = self.tokens[self.place + 1]
        if token.text == "d" or (token.text.startswith("dF") and following.text != "("):
            return self.dice(1)
        self.place += 1
        return self._call(token.text) if self.accept("(") else Word(token.text)

    def _call(self, name: str) -> Expression:
        arguments: list[tuple[str, str]] = []
        while not self.accept(")"):
            if arguments:
                self.expect(",")
            arguments.append(self._argument())
        self.expect(".")
        fact = self.take()
        if fact.kind != "word":
            self.refuse(fact.place, "the name of a table, such as .success")
        return Call(name, tuple(arguments), fact.text)

    def _argument(self) -> tuple[str, str]:
        token = self.take()
        name = token.text
        while self.next.kind == "number" and self.next.place == token.place + len(name):
            name += self.take().text
        if token.kind != "word":
            self.refuse(token.place, "an input's name, such as d6=5")
        if self.next.text != "==":
            self.refuse(self.next.place, '"="')
        self.place += 1
        minus = "-" if self.accept("-") else ""
        value = self.take()
        if value.kind not in ("number", "word", "string"):
            self.refuse(value.place, "a number, a word or words in quotes")
        return name, minus + value.text.strip("\"'")

    def dice(self, n: int) -> Expression:
        """What follows a number of dice: the sides, then everything that is done to them."""
        return read_dice(self, n)
