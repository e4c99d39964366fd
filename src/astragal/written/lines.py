"""The lines of a TOML file: the line of each key, and the parser's complaints in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterator

KeyPath = tuple[str | int, ...]
"""The names and places that lead to something in the file."""
HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?")
KEY = re.compile(r"^\s*([A-Za-z0-9_.-]+|\"[^\"]*\"|'[^']*')\s*=\s*(\[\s*(#.*)?$)?")
NAME = re.compile(r"""^name[ \t]*=[ \t]*["']([a-z][a-z0-9_]{0,39})["']""", re.MULTILINE)
PLAIN_WORDS = {
    "cannot overwrite": "this name is here twice; each may be once in a part.",
    "twice": "this part is here twice; write [[…]] where there may be several.",
    "duplicate": "this name is here twice; each may be once in a part.",
    "expected '=' after": 'a name needs = and a value behind it, such as title = "Ladder".',
    "invalid statement": 'a line is a name with = and a value, a [part], or a # remark; names with spaces need "…".',
    "invalid value": 'this value cannot be read; texts are in "…", numbers have digits only, and yes and no are '
    "true and false.",
    "expected newline": "there is more on this line than one value; a text ends at its second quote.",
    "illegal character": 'a text ends on the line where it begins, with "; it has no tabs or other control signs.',
    "unterminated string": 'this text has no " at its end.',
    "unclosed array": "this list has no ] at its end, or a comma is missing in it.",
    "unclosed inline table": "this { has no } on the same line, or a comma is missing in it.",
    "at the end of an array declaration": "a part that begins with [[ ends with ]].",
    "at the end of a table declaration": "a part that begins with [ ends with ].",
    "escaped": 'write \\\\ for a \\ in a text, and \\" for a quote.',
    "unescaped": 'write \\\\ for a \\ in a text, and \\" for a quote.',
    "cannot mutate immutable": "this adds to a part that is complete; write all of it in one place.",
    "date": 'this looks like a date, but there is no such date; a text is in "…".',
}
"""What the parser of TOML complains about, by a part of its words."""


def name_in(text: str) -> str:
    """What the game calls itself, also in a file that cannot be parsed."""
    found = NAME.search(text)
    return found[1] if found else ""


def line_of(said: str, text: str) -> int:
    """The line that the parser complains about; the last one that is not empty if the file ends too early."""
    found = re.search(r"\(at line (\d+)", said)
    return int(found[1]) if found else text.rstrip().count("\n") + 1


def in_plain_words(said: str, line: str) -> str:
    """What the parser expected, for people who do not know TOML."""
    said = said.partition(" (at ")[0]
    for part, words in PLAIN_WORDS.items():
        if part.lower() in said.lower():
            return words
    return f'this cannot be read: "{line.strip()[:60]}" ({said[:1].lower()}{said[1:80]}).'


def lines_of(text: str) -> Iterator[tuple[KeyPath, int]]:
    """The line on which each table, each key and each table of a list begins, as far as lines show it."""
    table: KeyPath = ()
    counts: dict[KeyPath, int] = {}
    listed: KeyPath = ()
    for number, line in enumerate(text.split("\n"), 1):
        first = line.lstrip()[:1] if listed else ""
        if first == "{":
            counts[listed] = counts.get(listed, -1) + 1
            yield (*listed, counts[listed]), number
        elif first == "]":
            listed = ()
        elif first.isdigit() or first == "#":
            continue
        elif header := HEADER.match(line):
            table, listed = _resolved(header[2], counts, repeated=header[1] == "[["), ()
            yield table, number
        elif key := KEY.match(line):
            name = key[1]
            path = (*table, *name.split(".")) if "." in name and name[0] not in "\"'" else (*table, name.strip("\"'"))
            listed = path if key[2] else ()
            yield path, number


def _resolved(dotted: str, counts: dict[KeyPath, int], repeated: bool) -> KeyPath:
    """The path of a header; a table inside a [[list]] belongs to its last part."""
    found: KeyPath = ()
    names = [name.strip().strip("\"'") for name in dotted.split(".")]
    for place, name in enumerate(names):
        found = (*found, name)
        if repeated and place == len(names) - 1:
            counts[found] = counts.get(found, -1) + 1
        if found in counts:
            found = (*found, counts[found])
    return found
