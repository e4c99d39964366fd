"""The parser of dice notation.

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

Modifiers are read in ``modifiers.py``. A comparison right behind dice that is followed by another comparison or a
modifier is a count: 6d10 >=8 >= 3.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from astragal.dice.cache import cached
from astragal.dice.dice import MAX_DICE
from astragal.dice.notation.anydice import from_anydice
from astragal.dice.notation.condition import OPERATORS
from astragal.dice.notation.dialect import ASTRAGAL, Dialect, dialect_named
from astragal.dice.notation.dice_reader import read_dice, read_group_modifiers, read_shared, shares
from astragal.dice.notation.expression import (
    EXACT,
    FUNCTIONS,
    Binary,
    Call,
    Cancel,
    Comparison,
    Each,
    Expression,
    Function,
    Group,
    If,
    Let,
    Logic,
    Name,
    Negative,
    Not,
    Number,
    Sets,
    Total,
    Versus,
    Word,
    spreads,
)
from astragal.dice.notation.lexer import MAX_LENGTH, NotationError, Tokens

__all__ = ["MAX_LENGTH", "NotationError", "Parser", "Read", "parse", "read"]

MAX_DEPTH = 30
"""Nested brackets and signs. Keeps recursion far below Python's limit."""
MAX_OPERATORS = 100
"""Operators of one expression, for the same reason."""
MAX_NUMBER = 1_000_000
MAX_SETS = 100
MAX_PARTS = 50
"""Parts of a group."""
ROUNDING = ("floor", "ceil", "round")
RESERVED = ("let", "if", "then", "else", "and", "or", "not", "vs", "versus", "cancel", "each", "sorted", *FUNCTIONS)


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
    """Return the expression that a text stands for, with notes about what other tools would read in it."""
    if dialect == "anydice":
        text = from_anydice(text)
    elif dialect == "dicemaiden":
        text = text.partition("!")[0]  # What follows is a comment there.
    parser = Parser(text, dialect_named(dialect))
    expression = parser.whole()
    return Read(expression, tuple(parser.notes))


class Parser(Tokens):
    """A recursive-descent parser, with a method for each rule of the grammar."""

    def __init__(self, text: str, dialect: Dialect = ASTRAGAL) -> None:
        super().__init__(text)
        self.dialect = dialect
        self.notes: list[str] = []
        self.names: list[str] = []
        self.depth = 0
        self.operators = 0
        self.exact = False

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
        if start.touches or start.kind != "word" or any(token.kind == "number" for token in rest):
            self.refuse(start.place, "an operator or the end")
        if any(token.text not in ("-", ".", ",", "!", ":") for token in rest if token.kind == "sign"):
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

    def question(self) -> Expression:
        """Parse a question, or anything that can be asked for."""
        if self.next.text == "let" and self.next.kind == "word":
            return self.nested(self._let)
        if self.next.text == "if" and self.next.kind == "word":
            return self.nested(self._if)
        return self._joined(("or",), lambda: self._joined(("and",), self._single))

    def _joined(self, words: tuple[str, ...], part: Callable[[], Expression]) -> Expression:
        left = part()
        while operator := self.accept(*words):
            self._count_operator()
            left = Logic(operator, left, part())
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
            return Versus(operator, left, self.sum())
        return Cancel(left, self.sum()) if self.accept("cancel") else left

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
            if operator == "/" and not self.exact and self.dialect.name in ("roll20", "foundry", "avrae"):
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
        return self.nested(self._factor)

    def _factor(self) -> Expression:
        token = self.next
        if token.kind == "number":
            return self._number_or_dice()
        if token.text == "(":
            return self._brackets()
        if token.text == "{":
            self.take()
            return self._group()
        if token.kind == "string":
            return Word(self.take().text[1:-1])
        if token.kind == "word":
            return self._word()
        return self.refuse(token.place, "a number, dice or a bracket")

    def _number_or_dice(self) -> Expression:
        if self._dice_follow(1):
            return read_dice(self, self.number(0, MAX_DICE, "a number of dice"))
        return Number(self.number(0, MAX_NUMBER, "a number"))

    def _dice_follow(self, by: int) -> bool:
        """Whether the token so far ahead is a ``d`` with sides behind it."""
        token, after = self.ahead(by), self.ahead(by + 1)
        if token.kind != "word" or token.text[0] not in "dD":
            return False
        if token.text[1:2] in ("F", "f"):
            return True
        return token.text in ("d", "D") if token.touches else token.text in ("d", "D") and _are_sides(after.text)

    def _brackets(self) -> Expression:
        start = self.take()
        exact, self.exact = self.exact, self.exact and not self._closes_before_dice()
        inner = self.question()
        self.exact = exact
        if self.accept(","):
            return self._listed(inner)
        self.expect(")")
        if self._dice_follow(0) and self.next.touches:
            n = inner.n if isinstance(inner, Number) else inner
            if isinstance(n, int) and n > MAX_DICE:
                self.refuse(start.place, f"a number of dice from 0 to {MAX_DICE:,}")
            return read_dice(self, n)
        pick = read_group_modifiers(self, inner) if self.next.touches or self.dialect.brackets else None
        return pick or inner

    def _closes_before_dice(self) -> bool:
        """Whether the bracket that has just been opened holds a number of dice, which is a whole number."""
        depth = 1
        for by, token in enumerate(self.tokens[self.place :]):
            depth += (token.text == "(") - (token.text == ")")
            if not depth:
                return self._dice_follow(by + 1)
        return False

    def _listed(self, first: Expression) -> Expression:
        """A group in round brackets, as Avrae writes it: each part is one value."""
        parts = [first]
        while not self.accept(")"):
            parts.append(self.question())
            if not self.accept(","):
                self.expect(")")
                break
        group = Group(tuple(Total(part) if spreads(part) else part for part in parts))
        return read_group_modifiers(self, group) or group

    def _group(self) -> Expression:
        parts = [self._part()]
        while self.accept(","):
            parts.append(self._part())
            if len(parts) > MAX_PARTS:
                self.refuse(self.next.place, f"at most {MAX_PARTS} parts")
        self.expect("}")
        group = Group(tuple(_summands(parts[0]) if len(parts) == 1 else parts))
        found = read_group_modifiers(self, group) or group
        return self._values_of(found) if isinstance(found, Group) and found != group and len(parts) > 1 else found

    def _values_of(self, group: Group) -> Expression:
        """Two dice in a group are two values, unless the dialect says that they are one."""
        several = [part for part in group.parts if spreads(part) and getattr(part, "n", 1) != 1]
        if not several or isinstance(several[0], Cancel):
            return group
        if self.dialect.totals:
            return group._replace(parts=tuple(Total(part) if part in several else part for part in group.parts))
        self.note(f"{several[0]} in the group is a value for each die; ({several[0]}) is one value, their sum.")
        return group

    def _part(self) -> Expression:
        start = self.next.text
        part = self.nested(self.sets)
        bracketed = start == "(" and self.tokens[self.place - 1].text == ")"
        return Total(part) if bracketed and spreads(part) else part

    def _word(self) -> Expression:
        token = self.next
        if token.text in self.names:
            self.take()
            return read_group_modifiers(self, Name(token.text)) or Name(token.text)
        following = self.ahead()
        if self._dice_follow(0) and following.text != "(":
            return read_dice(self, 1)
        if token.text in ("d", "D") and following.text == "(":
            return read_dice(self, 1)
        if token.text in RESERVED and token.text not in FUNCTIONS:
            self.refuse(token.place, "a number, dice or a bracket")
        self.take()
        if not self.accept("("):
            return Word(token.text)
        return self._function(token.text) if token.text in FUNCTIONS else self._call(token.text)

    def _function(self, name: str) -> Expression:
        place = self.tokens[self.place - 1].place
        exact, self.exact = self.exact, self.exact or name in ROUNDING
        arguments = [self.question()]
        while self.accept(","):
            arguments.append(self.question())
        self.exact = exact
        self.expect(")")
        if name not in ("min", "max") and len(arguments) > 1:
            self.forbid(place, f"{name} takes one number")
        return Function(name, tuple(arguments))

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
        while self.next.kind == "number" and self.next.touches:
            name += self.take().text
        if token.kind != "word":
            self.refuse(token.place, "an input's name and value, such as dice=5")
        if self.next.text != "==":
            self.refuse(self.next.place, '"="')
        self.take()
        minus = "-" if self.accept("-") else ""
        value = self.take()
        if value.kind not in ("number", "word", "string"):
            self.refuse(value.place, "a number, a word or quoted words")
        return name, minus + value.text.strip("\"'")


def _are_sides(text: str) -> bool:
    return text.isdigit() or text in ("%", "{", "(")


def _summands(part: Expression) -> list[Expression]:
    """The dice of a sum in a group of its own: ``{4d6 + 3d8}kh4`` keeps four of seven dice."""
    if isinstance(part, Binary) and part.operator == "+":
        parts = [*_summands(part.left), *_summands(part.right)]
        return parts if all(map(spreads, parts)) else [part]
    return [part]
