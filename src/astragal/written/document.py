"""A TOML file with the line of everything in it, read part by part; what is wrong is told with file and line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from astragal.errors import Faulty

MAX_BYTES = 200_000
"""Longest file; a game takes a few thousand."""
MAX_DEPTH = 8
"""Deepest part; also keeps the parser of TOML from running out of stack."""
HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?")
KEY = re.compile(r"^\s*([A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')\s*=")

Path_ = tuple[str | int, ...]


class Part:
    """A table of the file: its values, where it stands, and what is taken of it."""

    def __init__(self, document: Document, values: Mapping[str, Any], path: Path_ = ()) -> None:
        self._document, self._values, self._path = document, values, path
        self._known: set[str] = set()

    def refuse(self, sentence: str, name: str = "") -> NoReturn:
        """Say what is wrong here, or at a name."""
        self._document.refuse(sentence, (*self._path, name) if name else self._path)

    def has(self, name: str) -> bool:
        """Whether something is written under this name."""
        self._known.add(name)
        return name in self._values

    def text(self, name: str, default: str | None = None) -> str:
        """A text; required without a default."""
        value = self._value(name, default, str, "a text in quotes")
        if not isinstance(value, str):
            return default or ""
        return value

    def whole(self, name: str, default: int | None = None) -> int:
        """A whole number; required without a default."""
        value = self._value(name, default, int, "a whole number")
        return value if isinstance(value, int) else 0

    def yes(self, name: str) -> bool:
        """Whether it says true; false where nothing is said."""
        return bool(self._value(name, False, bool, "true or false"))

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts; empty where nothing is said."""
        values = self._value(name, [], list, "a list of texts")
        if not all(isinstance(value, str) for value in values):
            self.refuse(f"{name} must be a list of texts in quotes.", name)
        return tuple(values)

    def any(self, name: str, default: Any = None) -> Any:
        """Whatever is written there."""
        self._known.add(name)
        return self._values.get(name, default)

    def part(self, name: str) -> Part:
        """A table inside this one; an empty one where nothing is said."""
        values = self._value(name, {}, dict, f"a table: [{name}]")
        return Part(self._document, values, (*self._path, name))

    def parts(self, name: str, required: bool = False) -> list[Part]:
        """A list of tables, written [[name]]."""
        values = self._value(name, None if required else [], list, f"written as [[{name}]]")
        if not all(isinstance(value, dict) for value in values):
            self.refuse(f"{name} must be written as [[{name}]], once for each.", name)
        return [Part(self._document, value, (*self._path, name, place)) for place, value in enumerate(values)]

    def named_parts(self) -> Iterator[tuple[str, Part]]:
        """Every name in this table with the table under it."""
        for name in self._values:
            yield name, self.part(name)

    def names(self) -> list[str]:
        """Every name in this table."""
        return list(self._values)

    def named_texts(self) -> dict[str, str]:
        """Every name in this table with its text."""
        return {name: self.text(name) for name in self._values}

    def finish(self) -> None:
        """Refuse whatever nobody has asked for: it is misspelt."""
        for name in self._values:
            if name not in self._known:
                there = ", ".join(sorted(self._known))
                self.refuse(f'there is no "{name}" here; there may be {there}.', name)

    def _value(self, name: str, default: Any, kind: type, called: str) -> Any:
        self._known.add(name)
        if name not in self._values:
            if default is None:
                self.refuse(f"{name} is missing; it is {called}.")
            return default
        value = self._values[name]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self.refuse(f"{name} must be {called}.", name)
        return value


class Document:
    """A TOML file, parsed; it knows the line of every table and key."""

    def __init__(self, path: Path) -> None:
        self.path = path
        text = self._read()
        try:
            self.values = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise Faulty(self.name, f"{path.name}: {_placed(str(error))}") from None
        except RecursionError:
            raise Faulty(self.name, f"{path.name}: it has more brackets inside each other than can be read.") from None
        self._lines = dict(_lines_of(text))
        self.root = Part(self, self.values)

    @property
    def name(self) -> str:
        """What the game is called as long as nobody knows better."""
        return self.path.stem

    def refuse(self, sentence: str, path: Path_) -> NoReturn:
        """Say what is wrong with the line of a path, or of what is around it."""
        for length in range(len(path), -1, -1):
            line = self._lines.get(path[:length])
            if line:
                raise Faulty(self.name, f"{self.path.name}, line {line}: {sentence}")
        raise Faulty(self.name, f"{self.path.name}: {sentence}")

    def _read(self) -> str:
        try:
            raw = self.path.read_bytes()
        except OSError as error:
            raise Faulty(self.name, f"{self.path.name} cannot be read: {error.strerror or error}.") from None
        if len(raw) > MAX_BYTES:
            raise Faulty(self.name, f"{self.path.name} has {len(raw):,} bytes; a game has at most {MAX_BYTES:,}.")
        try:
            return raw.decode("utf-8").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            raise Faulty(self.name, f"{self.path.name} is no text in UTF-8 (byte {error.start}).") from None


def _placed(said: str) -> str:
    """The parser's complaint as a sentence with the line first."""
    what, _, where = said.removesuffix(")").partition(" (at ")
    line = where.partition(",")[0]
    return f"{line}: {what[:1].lower()}{what[1:]}." if line.startswith("line") else f"{what}."


def _lines_of(text: str) -> Iterator[tuple[Path_, int]]:
    """The line on which each table and each key begins, as far as lines tell it."""
    table: Path_ = ()
    counts: dict[Path_, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if header := HEADER.match(line):
            table = _resolved(header[2], counts, repeated=header[1] == "[[")
            yield table, number
        elif key := KEY.match(line):
            yield (*table, key[1].strip("\"'")), number


def _resolved(dotted: str, counts: dict[Path_, int], repeated: bool) -> Path_:
    """The path of a header; a table inside a [[list]] belongs to its last part."""
    found: Path_ = ()
    names = [name.strip().strip("\"'") for name in dotted.split(".")]
    for place, name in enumerate(names):
        found = (*found, name)
        if repeated and place == len(names) - 1:
            counts[found] = counts.get(found, -1) + 1
        if found in counts:
            found = (*found, counts[found])
    return found
