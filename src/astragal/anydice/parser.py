"""The parser of AnyDice programs. Comments between backslashes are left out.

    program    = { statement }
    statement  = variable ":" value | "output" value [ "named" text ] | "set" text "to" ( value | text )
               | "function" ":" { word | variable [ ":" ( "n" | "s" | "d" | "?" ) ] } block
               | "if" value block { "else" "if" value block } [ "else" block ]
               | "loop" variable "over" value block | "result" ":" value
    block      = "{" { statement } "}"
    value      = prefixed { operator prefixed }
    prefixed   = ( "-" | "+" | "!" | "#" | "d" ) prefixed | number | variable | "(" value ")"
               | "{" [ part { "," part } ] "}" | "[" { word | value } "]"
    part       = value [ ".." value ] [ ":" value ]

Operators bind in the order d, @, ^, * and /, + and -, comparisons, & and |, those of one
kind from left to right; signs before a value bind tighter than all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from astragal.anydice.expression import (
    Chain,
    Element,
    Expression,
    FunctionCall,
    Listed,
    Number,
    Prefix,
    Step,
    Variable,
    step_of,
)
from astragal.anydice.functions import Function, Parameter
from astragal.anydice.statement import (
    Assign,
    Block,
    Define,
    If,
    Loop,
    Output,
    Result,
    Setting,
    Statement,
)
from astragal.anydice.values import MAX_NUMBER, Name
from astragal.errors import Malformed

MAX_LENGTH = 20_000
"""Characters of a program."""
TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<comment>\\[^\\]*\\)|(?P<string>\"[^\"]*\")|(?P<number>\d+)|(?P<variable>[A-Z_]+)"
    r"|(?P<word>[a-z]+)|(?P<sign>\.\s*\.|!=|<=|>=|[-+*/^@#!=<>&|:,(){}\[\]?])"
)
OTHERWISE = {"==": "=", "<>": "!=", "&&": "&", "||": "|"}
"""Signs of other languages, and what AnyDice writes."""
MAX_NESTED = 100
"""Blocks, brackets, signs and operators inside each other. Keeps recursion below Python's limit."""
WORDS = {
    **{"and": "&", "or": "|", "not": "!", "print": "output", "!": "[explode d6]"},
    **dict.fromkeys(("k", "kh", "dl"), "[highest 3 of 4d6]"),
    **dict.fromkeys(("kl", "dh"), "[lowest 3 of 4d6]"),
}
"""Words of other languages, and what AnyDice writes."""
LEVELS = (("&", "|"), ("=", "!=", "<", ">", "<=", ">="), ("+", "-"), ("*", "/"), ("^",), ("@",), ("d",))
BINDS = {sign: level for level, signs in enumerate(LEVELS) for sign in signs}
PREFIXES = ("-", "+", "!", "#", "d")


class Token(NamedTuple):
    """A token: its kind, its text and its line."""

    kind: str
    text: str
    line: int


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a program, and one of kind ``end`` behind them."""
    if len(text) > MAX_LENGTH:
        raise Malformed(f"The program has {len(text):,} characters; at most {MAX_LENGTH:,} are allowed.")
    return list(_tokens(text))


def _tokens(text: str) -> Iterator[Token]:
    at, line = 0, 1
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            _refuse(text[at], line)
        kind, found = str(match.lastgroup), match.group()
        if (instead := OTHERWISE.get(text[at : at + 2])) and kind == "sign":
            refuse(line, f"{text[at : at + 2]} means nothing in AnyDice; write {instead}.")
        if kind not in ("space", "comment"):
            yield Token(kind, ".." if found[0] == "." else found, line)
        line += found.count("\n")
        at = match.end()
    yield Token("end", "", line)


def _refuse(sign: str, line: int) -> NoReturn:
    if sign == "\\":
        refuse(line, "a comment has no end; write a backslash behind it.")
    if sign == '"':
        refuse(line, "a text has no end; write a quotation mark behind it.")
    instead = "; write d100 for d%" if sign == "%" else ""
    refuse(line, f"{sign!r} means nothing in AnyDice{instead}.")


def refuse(line: int, sentence: str) -> NoReturn:
    """Refuse a program that cannot be read, and name the line."""
    raise Malformed(f"Line {line}: {sentence}")


def parse_program(text: str) -> Block:
    """Return the program that a text means, or refuse it with its line."""
    return ProgramParser(text).whole()


class ProgramParser:
    """A recursive-descent parser, with a method for each rule of the grammar."""

    def __init__(self, text: str) -> None:
        self.tokens = tokens_of(text)
        self.place = 0
        self.nested = 0
        self.in_function = False
        self.reads: set[str] = set()
        self.calls: set[Name] = set()

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

    def expect(self, text: str, why: str) -> None:
        """Consume this token, or refuse."""
        if not self.accept(text):
            self.refuse(f'expected "{text}" {why}')

    def refuse(self, expected: str) -> NoReturn:
        """Refuse the next token, and say what should stand there."""
        found = f'"{self.next.text[:40]}"' if self.next.kind != "end" else "the end"
        if self.next.text in WORDS:
            refuse(self.next.line, f"AnyDice writes {WORDS[self.next.text]} for {found}.")
        refuse(self.next.line, f"{expected}, not {found}.")

    def deeper(self) -> None:
        """Count something that is nested; ``self.nested`` is lowered where it ends."""
        self.nested += 1
        if self.nested > MAX_NESTED:
            refuse(self.next.line, f"at most {MAX_NESTED} blocks, brackets and signs may be nested.")

    def whole(self) -> Block:
        """Parse the whole program."""
        statements = []
        while self.next.kind != "end":
            statements.append(self.statement())
        return Block(tuple(statements))

    def block(self) -> Block:
        """Parse statements in braces."""
        self.expect("{", "to begin a block")
        self.deeper()
        statements: list[Statement] = []
        while self.next.text != "}":
            if statements and isinstance(statements[-1], Result):
                self.refuse('expected "}" behind a result')
            if self.next.kind == "end":
                self.refuse('expected "}" to end a block')
            statements.append(self.statement())
        self.take()
        self.nested -= 1
        return Block(tuple(statements))

    def statement(self) -> Statement:
        """Parse one statement."""
        if self.next.kind == "variable":
            return self._assign()
        word = self.next.text if self.next.kind == "word" else ""
        outside = {"output": self._output, "set": self._set, "function": self._function}
        anywhere = {"if": self._if, "loop": self._loop, "result": self._result}
        if word in outside:
            if self.in_function:
                refuse(self.next.line, f'"{word}" cannot stand in a function.')
            return outside[word]()
        if word in anywhere:
            return anywhere[word]()
        self.refuse("expected a statement, such as output 3d6")

    def _assign(self) -> Statement:
        token = self.take()
        self.expect(":", f"behind {token.text}")
        at, expression = self._at(token)
        return Assign(at, token.text, expression)

    def _at(self, first: Token) -> tuple[int, Expression]:
        """The line of a statement, and its value."""
        return first.line, self.value()

    def _output(self) -> Statement:
        at, expression = self._at(self.take())
        return Output(at, expression, self._text("a name") if self.accept("named") else "")

    def _text(self, what: str) -> str:
        if self.next.kind != "string":
            self.refuse(f"expected {what} in quotation marks")
        return self.take().text[1:-1]

    def _set(self) -> Statement:
        first = self.take()
        name = self._text("a setting")
        self.expect("to", "behind the setting")
        if self.next.kind == "string":
            return Setting(first.line, name, self._text("a value"))
        at, expression = self._at(first)
        return Setting(at, name, expression)

    def _function(self) -> Statement:
        self.take()
        self.expect(":", 'behind "function"')
        words: list[str] = []
        parameters: list[Parameter] = []
        while self.next.kind in ("word", "variable"):
            token = self.take()
            words.append(token.text if token.kind == "word" else "")
            if token.kind == "variable":
                parameters.append(Parameter(token.text, self._type()))
        self.in_function = True
        self.reads, self.calls = set(), set()
        body = self.block()
        self.in_function = False
        return Define(Function(tuple(words), tuple(parameters), body, frozenset(self.reads), frozenset(self.calls)))

    def _type(self) -> str:
        if not self.accept(":"):
            return ""
        found = self.accept("n", "s", "d", "?")
        if not found:
            self.refuse("expected n, s, d or ?, the type of a parameter")
        return found.strip("?")

    def _if(self) -> Statement:
        branches = []
        otherwise = Block(())
        while True:
            at, condition = self._at(self.take())
            branches.append((at, condition, self.block()))
            if not self.accept("else"):
                break
            if self.next.text != "if":
                otherwise = self.block()
                break
        return If(tuple(branches), otherwise)

    def _loop(self) -> Statement:
        first = self.take()
        if self.next.kind != "variable":
            self.refuse("expected a variable for the loop")
        name = self.take().text
        self.expect("over", f"behind {name}")
        at, over = self._at(first)
        return Loop(at, name, over, self.block())

    def _result(self) -> Statement:
        first = self.take()
        if not self.in_function:
            refuse(first.line, "a result can only stand in a function; write output.")
        self.expect(":", 'behind "result"')
        return Result(*self._at(first))

    def value(self, level: int = 0) -> Expression:
        """Parse values with operators that bind at least as tightly as a level's."""
        self.deeper()
        first = self.prefixed()
        rest: list[Step] = []
        while self.next.kind in ("sign", "word") and BINDS.get(self.next.text, -1) >= level:
            sign = self.take().text
            rest.append(step_of(sign, self.value(BINDS[sign] + 1)))
        self.nested -= 1
        return Chain(first, tuple(rest)) if rest else first

    def prefixed(self) -> Expression:
        """Parse a number, a variable or something in brackets, perhaps with signs before it."""
        token = self.next
        if token.kind == "number":
            self.take()
            if len(token.text) > 19 or int(token.text) > MAX_NUMBER:
                refuse(token.line, f"a number is beyond {MAX_NUMBER:,}.")
            return Number(int(token.text))
        if token.kind == "variable":
            self.reads.add(token.text)
            return Variable(self.take().text)
        self.deeper()
        found = self._bracketed()
        self.nested -= 1
        return found

    def _bracketed(self) -> Expression:
        if sign := self.accept(*PREFIXES):
            return Prefix(sign, self.prefixed())
        if self.accept("("):
            inner = self.value()
            self.expect(")", "to end a bracket")
            return inner
        if self.accept("{"):
            return self._listed()
        if self.accept("["):
            return self._call()
        if self.next.kind == "string":
            refuse(self.next.line, "a text can only be a name, behind named, or a setting.")
        self.refuse("expected a value")

    def _listed(self) -> Expression:
        parts: list[Element] = []
        while not self.accept("}"):
            if parts:
                self.expect(",", "between the numbers of a sequence")
            parts.append(self._part())
        return Listed(tuple(parts))

    def _part(self) -> Element:
        first = self.value()
        last = self.value() if self.accept("..") else None
        return Element(first, last, self.value() if self.accept(":") else None)

    def _call(self) -> Expression:
        words: list[str] = []
        arguments: list[Expression] = []
        while not self.accept("]"):
            if self.next.kind == "word" and self.next.text != "d":
                words.append(self.take().text)
            elif self.next.kind == "end":
                self.refuse('expected "]" to end a call')
            else:
                words.append("")
                arguments.append(self.value())
        self.calls.add(tuple(words))
        return FunctionCall(tuple(words), tuple(arguments), self.nested)
