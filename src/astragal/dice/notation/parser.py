"""The parser of dice notation.

    text       = [ times "x" ] question [ "#" comment ]
    question   = sum [ ">=" | "<=" | ">" | "<" | "==" | "=" | "!=" sum ]
    sum        = product { ( "+" | "-" ) product }
    product    = factor { "*" factor }
    factor     = "-" factor | number | dice | word | game "(" … ")" "." fact | "(" question ")"
    dice       = [ n ] "d" ( sides | "%" | "F" ) { modifier }
    modifier   = "r" test | "ro" test | "!" [ test ] | "!!" [ test ] | ( "kh" | "kl" | "k" | "dh" | "dl" ) [ n ]
               | "count" test | "fail" test | "doubles"

A test is a comparison with a number, or a number alone. A comparison right behind dice
that is followed by another comparison, "!" or "fail" is a count: 6d10 >=8 >= 3.
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
"""Characters of an expression."""
MAX_DEPTH = 30
"""Nested brackets and signs. Keeps recursion far below Python's limit."""
MAX_NUMBER = 1_000_000
MAX_SETS = 100
TOKEN = re.compile(
    r"\s*(?:(?P<string>\"[^\"]*\"|'[^']*')|(?P<number>\d+)|(?P<word>[A-Za-z_]+)"
    r"|(?P<sign>>=|<=|==|!=|!!|[-+*()!<>=.,%×−≥≤]))"
)
SYNONYMS = {"=": "==", "×": "x", "−": "-", "≥": ">=", "≤": "<="}


class Token(NamedTuple):
    """A token: its kind, its text and the column where it starts."""

    kind: str
    text: str
    place: int


def parse(text: str) -> Expression:
    """Return the expression that a text stands for.

    Raises ``NotationError`` with a caret below the column where parsing stopped.
    """
    if len(text) > MAX_LENGTH:
        raise Malformed(f"The notation has {len(text):,} characters; at most {MAX_LENGTH} are allowed.")
    return Parser(text).whole()


class NotationError(Malformed):
    """Text that is not dice notation; ``expected`` says what should stand at ``column`` (from 0)."""

    def __init__(self, text: str, column: int, expected: str) -> None:
        super().__init__(f"This is not dice notation:\n  {text}\n  {' ' * column}^ expected {expected}")
        self.column = column
        self.expected = expected


class Parser:
    """A recursive-descent parser, with a method for each rule of the grammar."""

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
            text = match.group(match.lastgroup)
            found.append(Token(match.lastgroup, SYNONYMS.get(text, text), match.start(match.lastgroup)))
            at = match.end()
        found.append(Token("end", "", end))
        return found

    def refuse(self, at: int, expected: str) -> NoReturn:
        """Raise a refusal that points at this column."""
        raise NotationError(self.text.rstrip(), at, expected)

    @property
    def next(self) -> Token:
        """The token that is parsed next."""
        return self.tokens[self.place]

    def take(self) -> Token:
        """Consume and return the next token; the last one, ``end``, stays."""
        token = self.next
        self.place += token.kind != "end"
        return token

    def accept(self, *texts: str) -> str:
        """Consume and return the next token if it is one of these; else return an empty string."""
        return self.take().text if self.next.text in texts and self.next.kind in ("sign", "word") else ""

    def expect(self, text: str) -> None:
        """Consume this token, or refuse."""
        if not self.accept(text):
            self.refuse(self.next.place, f'"{text}"')

    def number(self, lowest: int, highest: int, what: str) -> int:
        """Consume a number within these bounds, or refuse."""
        token = self.next
        if token.kind != "number":
            self.refuse(token.place, what)
        n = int(token.text) if len(token.text) <= 9 else MAX_NUMBER + 1
        if not lowest <= n <= highest:
            self.refuse(token.place, f"{what} from {lowest:,} to {highest:,}")
        self.place += 1
        return n

    def whole(self) -> Expression:
        """Parse the whole text."""
        expression = self.sets()
        if self.next.kind != "end":
            self.refuse(self.next.place, "an operator or the end")
        return expression

    def sets(self) -> Expression:
        """Parse ``6 x …`` or a question."""
        times = self.tokens[1] if len(self.tokens) > 1 else self.tokens[0]
        if self.next.kind == "number" and times.text == "x":
            n = self.number(1, MAX_SETS, "a number of sets")
            self.place += 1
            return Sets(n, self.question())
        return self.question()

    def question(self) -> Expression:
        """Parse a sum, or a comparison of two."""
        left = self.sum()
        operator = self.accept(*OPERATORS)
        return Comparison(operator, left, self.sum()) if operator else left

    def sum(self) -> Expression:
        """Parse products that are added and subtracted."""
        left = self.product()
        while operator := self.accept("+", "-"):
            left = Binary(operator, left, self.product())
        return left

    def product(self) -> Expression:
        """Parse factors that are multiplied."""
        left = self.factor()
        while self.accept("*"):
            left = Binary("*", left, self.factor())
        return left

    def factor(self) -> Expression:
        """Parse a number, dice, a word, a game's roll or something in brackets."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.refuse(self.next.place, f"at most {MAX_DEPTH} nested brackets and signs")
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
            self.refuse(fact.place, "the name of a fact")
        return Call(name, tuple(arguments), fact.text)

    def _argument(self) -> tuple[str, str]:
        token = self.take()
        name = token.text
        while self.next.kind == "number" and self.next.place == token.place + len(name):
            name += self.take().text
        if token.kind != "word":
            self.refuse(token.place, "an input's name and value, such as dice=5")
        if self.next.text != "==":
            self.refuse(self.next.place, '"="')
        self.place += 1
        minus = "-" if self.accept("-") else ""
        value = self.take()
        if value.kind not in ("number", "word", "string"):
            self.refuse(value.place, "a number, a word or quoted words")
        return name, minus + value.text.strip("\"'")

    def dice(self, n: int) -> Expression:
        """Parse what follows a number of dice: the sides and the modifiers."""
        return read_dice(self, n)
