"""The lexer of dice notation: a text as tokens, each with its column."""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from astragal.errors import Malformed

MAX_LENGTH = 500
"""Characters of an expression."""
TOKEN = re.compile(
    r"\s*(?:(?P<label>\[[^\]]*\])|(?P<string>\"[^\"]*\"|'[^']*')|(?P<decimal>\d+\.\d+|(?<![\w.)])\.\d+)|(?P<number>\d+)|(?P<word>[A-Za-z_]+)"
    r"|(?P<sign>>=|<=|<>|==|!=|!!|\*\*|//|\.\.|[-+*/%^(){}:!<>=.,;×−–≥≤≠÷]))"
)
COMMENT = re.compile(r"#.*|/\*.*?\*/", re.DOTALL)
SYNONYMS = {
    **{"=": "==", "≥": ">=", "≤": "<=", "≠": "!=", "<>": "!="},
    **{"−": "-", "–": "-", "×": "*", "÷": "/", "//": "/", "^": "**"},
}


class Token(NamedTuple):
    """A token: its kind, its text, the column where it starts, and whether it touches the one before it."""

    kind: str
    text: str
    place: int
    touches: bool


class NotationError(Malformed):
    """Text that is not dice notation; ``expected`` says what should stand at ``column`` (from 0)."""

    def __init__(self, text: str, column: int, expected: str, sentence: str = "") -> None:
        self.said = sentence or f"expected {expected}"
        super().__init__(f"This is not dice notation:\n  {text}\n  {' ' * column}^ {self.said}")
        self.text = text
        self.column = column
        self.expected = sentence or expected

    @property
    def public(self) -> str:
        """One sentence; text and column are separate, so that a screen can draw them."""
        rest = self.text[self.column : self.column + 20]
        where = f'from "{rest}" on' if rest else "at its end"
        return f"This is not dice notation {where}: {self.said}."


class Tokens:
    """The tokens of a text, and the place up to which they are read. Labels in square brackets are left out."""

    def __init__(self, text: str) -> None:
        if len(text) > MAX_LENGTH:
            raise Malformed(f"The notation has {len(text):,} characters; at most {MAX_LENGTH} are allowed.")
        self.text = COMMENT.sub(lambda found: " " * len(found[0]), text).replace("\n", " ").replace("\r", " ")
        self.place = 0
        self.tokens = self._tokens()

    def _tokens(self) -> list[Token]:
        found = []
        at, end = 0, len(self.text.rstrip())
        while at < end:
            match = TOKEN.match(self.text, at)
            if not match or match.lastgroup is None:
                at += len(self.text[at:]) - len(self.text[at:].lstrip())
                if self.text[at] == "?" and ":" in self.text[at:]:
                    self.forbid(at, "write if … then … else …, as in if 1d20 >= 15 then 2d6 else 0")
                if self.text[at] in "@?":
                    self.forbid(at, f"{self.text[at]} stands for something that is not known here; write the number")
                self.refuse(at, "a number, dice or one of + - * / ( )")
            text, start = match.group(match.lastgroup), match.start(match.lastgroup)
            if match.lastgroup != "label":
                found.append(Token(match.lastgroup, SYNONYMS.get(text, text), start, start == at > 0))
            at = match.end()
        found.append(Token("end", "", end, False))
        return found

    def refuse(self, at: int, expected: str) -> NoReturn:
        """Raise a refusal that points at this column and says what was expected."""
        raise NotationError(self.text.rstrip(), at, expected)

    def forbid(self, at: int, sentence: str) -> NoReturn:
        """Raise a refusal that points at this column and says what is wrong."""
        raise NotationError(self.text.rstrip(), at, "", sentence)

    @property
    def next(self) -> Token:
        """The token that is read next."""
        return self.tokens[self.place]

    def ahead(self, by: int = 1) -> Token:
        """Return a later token; the last one, ``end``, if there are fewer."""
        return self.tokens[min(self.place + by, len(self.tokens) - 1)]

    def take(self) -> Token:
        """Consume and return the next token; the last one, ``end``, stays."""
        token = self.next
        self.place += token.kind != "end"
        return token

    def split(self, used: int) -> None:
        """Consume the first characters of the next word; the rest becomes a token of its own that touches."""
        token = self.next
        self.place += 1
        if len(token.text) > used:
            self.tokens.insert(self.place, Token(token.kind, token.text[used:], token.place + used, True))

    def accept(self, *texts: str) -> str:
        """Consume and return the next sign or word if it is one of these; else return an empty string."""
        token = self.tokens[self.place]
        if token.text in texts and token.kind in ("sign", "word"):
            self.place += 1
            return token.text
        return ""

    def expect(self, text: str) -> None:
        """Consume this token, or refuse."""
        if not self.accept(text):
            self.refuse(self.next.place, f'"{text}"')

    def number(self, lowest: int, highest: int, what: str) -> int:
        """Consume a number within these bounds, or refuse."""
        token = self.next
        if token.kind != "number":
            self.refuse(token.place, what)
        n = int(token.text) if len(token.text) <= 9 else highest + 1
        if not lowest <= n <= highest:
            self.refuse(token.place, f"{what} from {lowest:,} to {highest:,}")
        self.place += 1
        return n
