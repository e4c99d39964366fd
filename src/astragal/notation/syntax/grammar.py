"""The grammar of dice notation.

    text       = [ times "x" ] question [ "sorted" ] [ words | "#" comment ]
    question   = "let" name "=" question ":" question | "if" question "then" question "else" question | either
    either     = both { "or" both }          both = single { "and" single }        single = "not" single | compared
    compared   = facing [ comparison [ "each" ] facing ]
    facing     = sum [ ( "vs" [ comparison ] | "cancel" ) sum ]
    sum        = product { ( "+" | "-" ) product }
    product    = signed { ( "*" | "/" | "%" ) signed }
    signed     = ( "-" | "+" ) signed | factor [ "**" signed ]
    factor     = number | dice | group | name | word | function "(" … ")" | game "(" … ")" "." fact | "(" question ")"
    dice       = [ number | "(" question ")" ] "d" ( sides | "%" | "F" | "{" faces "}" | "(" question ")" ) { modifier }
    group      = "{" part { "," part } "}" { modifier }

Factors are read in ``factor.py``, groups in ``group.py``, dice in ``dice.py``, modifiers in ``modifiers.py``. A
comparison right behind dice that is followed by another comparison or a modifier is a count: 6d10 >=8 >= 3.
"""

from __future__ import annotations

from collections.abc import Callable

from astragal.notation.condition import OPERATORS
from astragal.notation.dialect import ASTRAGAL, Dialect
from astragal.notation.expression import (
    EXACT,
    Binary,
    Cancel,
    Comparison,
    Each,
    Expression,
    If,
    Let,
    Logic,
    Negative,
    Not,
    Number,
    Sets,
    Versus,
)
from astragal.notation.syntax.dice import read_shared, shares
from astragal.notation.syntax.factor import RESERVED, read_factor
from astragal.notation.syntax.instead import spellings
from astragal.notation.syntax.lexer import Tokens

MAX_DEPTH = 30
"""Nested brackets and signs. Keeps recursion far below Python's limit."""
MAX_OPERATORS = 100
"""Operators of one expression, for the same reason."""
MAX_SETS = 100


NO_SIGNS = {
    "(": "put a sign before the bracket, as in 2 * (3d6); two rolls are 2 x 3d6",
    **dict.fromkeys(
        (",", ";"), "ask for one roll at a time, or for a group, such as {3d6, 2d8}kh1; compare sets rolls side by side"
    ),
    ":": "put a label behind the roll, as in 1d20 + 5 attack",
}
"""Signs behind an expression that mean something elsewhere; and how that is written."""


class NotationParser(Tokens):
    """A recursive-descent parser, with a method for each rule of the grammar down to factors."""

    def __init__(self, text: str, dialect: Dialect = ASTRAGAL) -> None:
        super().__init__(text)
        self.dialect = dialect
        self.notes: list[str] = []
        self.names: list[str] = []
        self.depth = 0
        self.operators = 0
        self.exact = False
        self.faced = False
        """True if the dice that are read belong to a second pool, so that what follows is asked of both."""

    def note(self, sentence: str) -> None:
        """Say how something was read that could be read otherwise."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    def whole(self) -> Expression:
        """Parse the whole text."""
        expression = self.sets()
        if self.next.kind != "end":
            self._label()
        return expression

    def _label(self) -> None:
        """Words behind an expression are a label; whatever looks like notation is refused."""
        start = self.next
        rest = self.tokens[self.place : -1]
        for word in rest:
            if instead := spellings().no_label.get(word.text.lower()):
                self.forbid(word.place, f"write {word.text} with the dice, such as {instead}")
        if start.text == "(" and self.ahead().kind == "word" and self.ahead(2).text == ")":
            self.forbid(start.place, f"put what is only said in square brackets, as in [{self.ahead().text[:20]}]")
        if start.text in NO_SIGNS:
            self.forbid(start.place, NO_SIGNS[start.text])
        if start.text in ("w", "W") and start.touches:
            self.forbid(start.place, "write d for dice, as in 3d6")
        numbers = any(token.kind in ("number", "decimal") for token in rest)
        if start.touches or start.kind != "word" or (numbers and not self.dialect.comments):
            self.refuse(start.place, "an operator or the end")
        if not self.dialect.comments and any(
            token.text not in ("-", ".", ",", "!", ":") for token in rest if token.kind == "sign"
        ):
            self.refuse(start.place, "an operator or the end; what is only said goes behind a #")
        self.note(f'"{self.text[start.place :].strip()}" is taken as a label.')

    def sets(self) -> Expression:
        """Parse ``6 x …`` or a question."""
        times = self.ahead()
        named = times.kind == "word" and times.text.lower() in ("x", "xd", "xdf")
        if self.next.kind != "number" or not (named or (self.dialect.sets and times.kind == "number")):
            return self.question()
        n = self.number(1, MAX_SETS, "a number of sets")
        if named:
            self.split(1)
        inner = self.question()
        return Sets(n, inner, bool(self.accept("sorted")))

    def nested(self, rule: Callable[[], Expression]) -> Expression:
        """Parse a rule one level deeper."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.refuse(self.next.place, f"at most {MAX_DEPTH} nested brackets and signs")
        found = rule()
        self.depth -= 1
        return found

    def rounded(self, exact: bool, rule: Callable[[], Expression]) -> Expression:
        """Parse a rule in which ``/`` is exact, or rounds down."""
        before, self.exact = self.exact, exact
        found = rule()
        self.exact = before
        return found

    def question(self) -> Expression:
        """Parse a question, or anything that can be asked for."""
        if self.next.text == "let" and self.next.kind == "word":
            return self.nested(self._let)
        if self.next.text == "if" and self.next.kind == "word":
            return self.nested(self._if)
        return self._joined("or", lambda: self._joined("and", self._single))

    def _joined(self, word: str, part: Callable[[], Expression]) -> Expression:
        left = part()
        while self.accept(word):
            self._count_operator()
            left = Logic(word, left, part())
        return left

    def _single(self) -> Expression:
        return Not(self.nested(self._single)) if self.accept("not") else self.compared()

    def _let(self) -> Expression:
        self.take()
        token = self.take()
        if token.kind != "word" or token.text in RESERVED or token.text.lower() in ("d", "df"):
            self.refuse(token.place, "a name for a roll, such as let x = 2d6: x * 10 + x")
        self.expect("==")
        value = self.question()
        self.expect(":")
        self.names.append(token.text)
        body = self.question()
        self.names.pop()
        return Let(token.text, value, body)

    def _if(self) -> Expression:
        self.take()
        asked = self.question()
        self.expect("then")
        then = self.question()
        self.expect("else")
        return If(asked, then, self.question())

    def compared(self) -> Expression:
        """Parse a value, or a comparison of two."""
        left = self.facing()
        operator = self.accept(*OPERATORS)
        if not operator:
            return left
        self._count_operator()
        if self.accept("each"):
            return Each(operator, left, self.factor())
        return Comparison(operator, left, self.facing())

    def facing(self) -> Expression:
        """Parse a sum, or two pools against each other."""
        left = self.sum()
        if self.accept("vs", "versus"):
            operator = self.accept(*OPERATORS) or ">"
            right = self._facing()
            if isinstance(right, Number):
                self.note(f"vs pairs two pools, so that more than {right} wins; to reach {right}, write >= {right}.")
            return Versus(operator, left, right)
        return Cancel(left, self._facing()) if self.accept("cancel") else left

    def _facing(self) -> Expression:
        """The second of two pools."""
        self.faced = True
        right = self.sum()
        self.faced = False
        return right

    def sum(self) -> Expression:
        """Parse products that are added and subtracted."""
        left = self.product()
        while operator := self.accept("+", "-"):
            self._count_operator()
            left = read_shared(self, operator, left) if shares(self, left) else Binary(operator, left, self.product())
        return left

    def product(self) -> Expression:
        """Parse factors that are multiplied and divided."""
        left = self.signed()
        while operator := self.accept("*", "/", "%"):
            self._count_operator()
            if isinstance(left, Number) and self.text[self.tokens[self.place - 1].place] == "×":
                self.note(f"× multiplies; {left} rolls are written with an x, as in {left} x 4d6.")
            if operator == "/" and not self.exact and self.dialect.fractions:
                self.note(f"/ rounds down; {self.dialect.title} keeps the fraction.")
            left = Binary(EXACT if operator == "/" and self.exact else operator, left, self.signed())
        return left

    def _count_operator(self) -> None:
        self.operators += 1
        if self.operators > MAX_OPERATORS:
            self.refuse(self.next.place, f"at most {MAX_OPERATORS} operators")

    def signed(self) -> Expression:
        """Parse a factor with its signs and powers."""
        if self.accept("-"):
            return Negative(self.nested(self.signed))
        if self.accept("+"):
            return self.nested(self.signed)
        left = self.factor()
        if self.accept("**"):
            self._count_operator()
            return Binary("**", left, self.nested(self.signed))
        return left

    def factor(self) -> Expression:
        """Parse a number, dice, a group, a word, a function, a game's roll or something in brackets."""
        return self.nested(lambda: read_factor(self))
