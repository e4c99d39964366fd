"""A TOML file with the line of everything in it, read part by part; a mistake is reported with file and line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from reprlib import repr as short_repr
from typing import Any, NoReturn, TypeVar

from astragal.errors import Faulty, Refusal
from astragal.explain.visible import check_plain
from astragal.written.lines import KeyPath, in_plain_words, line_of, lines_of, name_in

MAX_BYTES = 40_000
"""Longest file, in bytes. A game has a few thousand; reading this many takes 0.1 s at most."""
MAX_TEXT = 1_000
"""Longest text, in characters."""
MAX_NAMES = 100
"""Most names in one part, and most parts of one kind."""
LARGEST = 1_000_000
"""Largest number, below and above 0."""
MAX_LINE = 1_500
"""Longest line."""
MAX_DOTS = 30
"""Most dots of one line outside of texts: Python's TOML parser hangs on names with many dots between them."""
QUOTED = re.compile(r"""\"[^\"]*\"|'[^']*'|#.*""")
T = TypeVar("T", bound=str)


class Part:
    """A table of the file: its values, its place in the file, and the names that were read from it."""

    def __init__(self, document: Document, values: Mapping[str, Any], path: KeyPath = ()) -> None:
        self._document, self._values, self._path = document, values, path
        self._known: set[str] = set()

    @property
    def values(self) -> Mapping[str, Any]:
        """The values by name."""
        return self._values

    def refuse(self, sentence: str, name: str = "") -> NoReturn:
        """Report a mistake here, or at a name."""
        self.refuse_at(sentence, (name,) if name else ())

    def refuse_at(self, sentence: str, path: KeyPath) -> NoReturn:
        """Report a mistake at a path below this part."""
        self._document.refuse(sentence, (*self._path, *path))

    def rewritten(self, values: Mapping[str, Any], moved: Mapping[KeyPath, KeyPath]) -> Part:
        """The same part with other values; what was moved keeps the line of the path that it came from."""
        self._document.move_lines({(*self._path, *to): (*self._path, *path) for to, path in moved.items()})
        return Part(self._document, values, self._path)

    def has(self, name: str) -> bool:
        """True if there is a value with this name."""
        self._known.add(name)
        return name in self._values

    def text(self, name: str, default: str | None = None) -> str:
        """A text; required without a default."""
        value = self._value(name, default, str, "a text in quotes")
        if not isinstance(value, str):
            return default or ""
        if not value.strip() and default is None:
            self.refuse(f"{name} is empty; write a text between the quotes.", name)
        return self._visible(name, value)

    def rule(self, default: str = "") -> str:
        """The number of an existing rule, or the default."""
        number, there = self.text("rule", default), self._document.rules
        if number and number not in there:
            self.refuse(f'there is no rule "{number}"; {near(number, there)}.', "rule")
        return number

    @contextmanager
    def telling(self, name: str) -> Iterator[None]:
        """Report refusals about the value of a name with its line."""
        try:
            yield
        except Faulty:
            raise
        except Refusal as refusal:
            self.refuse(f"{said(refusal)}.", name)

    def whole(self, name: str, default: int | None = None, least: int = -LARGEST, most: int = LARGEST) -> int:
        """A whole number within bounds; required without a default."""
        value = int(self._value(name, default, int, "a whole number"))
        if not -LARGEST <= value <= LARGEST:
            self.refuse(f"{name} is too large a number; a million is the most.", name)
        if not least <= value <= most:
            bounds = f"at least {least}" if most == LARGEST else f"from {least} to {most:,}"
            self.refuse(f"{name} is {value}; it must be {bounds}.", name)
        return value

    def yes(self, name: str) -> bool:
        """True or false; false by default."""
        return bool(self._value(name, False, bool, "true or false"))

    def texts(self, name: str, different: bool = True) -> tuple[str, ...]:
        """A list of texts, each once unless they need not be ``different``; empty by default."""
        values = self._value(name, [], list, "a list of texts")
        if not all(isinstance(value, str) for value in values):
            self.refuse(f"{name} must be a list of texts in quotes.", name)
        if len(values) > MAX_NAMES:
            self.refuse(f"{name} has {len(values):,} texts; {MAX_NAMES} are the most.", name)
        if len(set(values)) < len(values) and different:
            self.refuse(f"{name} has a text twice.", name)
        return tuple([self._visible(name, value) for value in values])

    def any(self, name: str, default: Any = None) -> Any:
        """The value as it was written."""
        self._known.add(name)
        return self._values.get(name, default)

    def part(self, name: str) -> Part:
        """A table inside this one; empty by default."""
        values = self._value(name, {}, dict, f"a table: [{name}]")
        return Part(self._document, values, (*self._path, name))

    def parts(self, name: str, required: bool = False, different: str = "", key: str = "name") -> list[Part]:
        """A list of tables, written [[name]]; ``different`` names tables that each have their own ``key``."""
        values = self._value(name, None if required else [], list, f"written as [[{name}]]")
        if not all(isinstance(value, dict) for value in values):
            self.refuse(f"{name} must be written as [[{name}]], once for each.", name)
        if len(values) > MAX_NAMES:
            self.refuse(f"there are {len(values):,} parts [[{name}]]; {MAX_NAMES} are the most.", name)
        found = [Part(self._document, value, (*self._path, name, place)) for place, value in enumerate(values)]
        names = [part.text(key) for part in found] if different else []
        for place, called in enumerate(names):
            if called in names[:place]:
                found[place].refuse(f'two {different} are called "{called}"; each needs a name of its own.')
        return found

    def named_parts(self) -> Iterator[tuple[str, Part]]:
        """Every name in this table with the table under it."""
        for name in self.names():
            yield name, self.part(name)

    def names(self) -> list[str]:
        """Every name in this table."""
        if len(self._values) > MAX_NAMES:
            self.refuse(f"there are {len(self._values):,} names here; {MAX_NAMES} are the most.")
        return list(self._values)

    def named_texts(self) -> dict[str, str]:
        """Every name in this table with its text."""
        return {name: self.text(name) for name in self.names()}

    def finish(self) -> None:
        """Refuse names that were never read: they are misspelt."""
        for name in self._values:
            if name not in self._known:
                self.refuse(f'there is no "{name}" here; {near(name, self._known, "there may be")}.', name)

    def among(self, name: str, what: str, there: Iterable[str], text: str | None = None) -> str:
        """A text that names ``what`` is there: the value, or ``text`` as a part of it."""
        text = self.text(name) if text is None else text
        if text not in there:
            self.refuse(f'{name} names the {what} "{text}"; {near(text, there)}.', name)
        return text

    def choice(self, name: str, options: Iterable[T], default: str | None = None) -> T:
        """One of a few texts; required without a default."""
        text = self.text(name, default)
        for option in options:
            if option == text:
                return option
        self.refuse(f'{name} is "{text}"; {near(text, options, "it may be")}.', name)

    def _visible(self, name: str, text: str) -> str:
        """The text, if it is one visible line and not too long."""
        if len(text) > MAX_TEXT:
            self.refuse(f"{name} has {len(text):,} characters; {MAX_TEXT:,} are the most.", name)
        with self.telling(name):
            check_plain(text, name, lines=False)
        return text

    def _value(self, name: str, default: Any, kind: type, called: str) -> Any:
        self._known.add(name)
        if name not in self._values:
            if default is None:
                self.refuse(f"{name} is missing; it is {called}.")
            return default
        value = self._values[name]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self.refuse(f"{name} is {shown(value)}; it must be {called}.", name)
        return value


def said(refusal: Refusal) -> str:
    """The refusal in one line, without the picture of the place in a formula."""
    sentence, _, shown = refusal.sentence.partition("\n")
    return " ".join(f"{sentence} {shown.rpartition('^')[2]}".split()).removesuffix(".")


def near(name: str, there: Iterable[str], may: str = "there are") -> str:
    """Suggest a name that is like an unknown one, and list the known ones."""
    listed = sorted(there) if isinstance(there, AbstractSet) else list(there)
    close = get_close_matches(name[:40], listed, 1, 0.7)
    meant = f'did you mean "{close[0]}"? ' if close else ""
    return f"{meant}{may[:1].upper() if meant else may[:1]}{may[1:]} {', '.join(listed) or 'none'}"


def shown(value: Any) -> str:
    """A value as a sentence calls it."""
    if isinstance(value, str):
        return f'the text "{value[:40]}"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return f"the number {short_repr(value)}"
    return "a list" if isinstance(value, list) else "a table" if isinstance(value, dict) else "a date"


class Document:
    """A TOML file, parsed; it knows the line of every table and key."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.stem
        text = self._read()
        self.name = name_in(text) or self.name
        self._check_lines(text)
        try:
            self.values = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            line = line_of(str(error), text)
            raise self.fault(in_plain_words(str(error), text.split("\n")[line - 1]), line) from None
        except (RecursionError, ValueError):  # a number with thousands of digits
            raise self.fault("it has numbers or brackets that cannot be read.") from None
        self.rules: Sequence[str] = ()
        """The numbers of all rules, once they were read."""
        self._lines = dict(lines_of(text))
        self.root = Part(self, self.values)

    def refuse(self, sentence: str, path: KeyPath) -> NoReturn:
        """Report a mistake with the line of a path, or of what is around it."""
        raise self.fault(sentence, self._line(path))

    def _line(self, path: KeyPath) -> int:
        lines = (self._lines.get(path[:length]) for length in range(len(path), -1, -1))
        return next(filter(None, lines), 0)

    def move_lines(self, moved: Mapping[KeyPath, KeyPath]) -> None:
        """Give things, with all that is in them, the lines of other paths, or of what is around those."""
        found: dict[KeyPath, int] = {}
        for path, at in moved.items():
            inside = [(known[len(at) :], line) for known, line in self._lines.items() if known[: len(at)] == at]
            found |= {(*path, *known): line for known, line in (((), self._line(at)), *inside)}
        self._lines |= found

    def fault(self, sentence: str, line: int = 0) -> Faulty:
        """A mistake in this file, at a line if it has one."""
        return Faulty(self.name, f"{self.path.name}{f', line {line}' if line else ''}: {sentence}")

    def _check_lines(self, text: str) -> None:
        for number, line in enumerate(text.split("\n"), 1):
            if len(line) > MAX_LINE:
                raise self.fault(f"this line has {len(line):,} characters; {MAX_LINE:,} are the most.", number)
            if line.count(".") > MAX_DOTS and QUOTED.sub("", line).count(".") > MAX_DOTS:
                raise self.fault(f"this line has more than {MAX_DOTS} dots outside of texts.", number)

    def _read(self) -> str:
        try:
            if not self.path.is_file():
                raise self.fault("there is no such file.")
            with self.path.open("rb") as file:
                raw = file.read(MAX_BYTES + 1)
        except OSError as error:
            raise self.fault(f"it cannot be read: {error.strerror or error}.") from None
        if len(raw) > MAX_BYTES:
            raise self.fault(f"it has more than {MAX_BYTES:,} bytes, which is more than a game needs.")
        try:
            return raw.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            raise self.fault("a sign here is not UTF-8; save the file as UTF-8 in your editor.", line) from None
