"""Words and facts of an event: the texts that people wrote or the rules say of them, and everything else.

Words can be removed from a log. Faces, proofs, result codes, amounts and ids are facts and stay (T-10). Which fields
have words is in ``word-fields.json``, which the page reads too:

- ``text``: every text in the field is a word,
- ``typed``: the same, and a removed text may keep its amounts (``2 (removed), 1 (removed 2)``),
- ``phrase``: a text with a space is a word, but for a code before it (``make: Backed against the rail``), and so is the
  mark of a removed one.

Names of fields in an object are words where they have a space: people name what they bring.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from astragal.table.event import Event

Visit: TypeAlias = Callable[[str, str, tuple[str, ...]], str]
"""Takes a word, the kind of its field and the way to it; returns what is to stand there."""
WORD_FIELDS: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("word-fields.json").read_text("utf-8"))
BLANK = "~"
"""Stands for a word among the facts."""
_WORDLESS = frozenset((int, bool, float, type(None)))
_CODE = re.compile(r"[a-z_]+: ")
_REMOVED = re.compile(r"\(removed(?: [1-9]\d*)?\)")
_AMOUNTS = re.compile(r"(?:[-+−]?\d+(?:/\d+)? )?\(removed(?: [1-9]\d*)?\)")


def is_removed(word: str, kind: str) -> bool:
    """True if nothing but the mark of a removed word is left, and of typed sources their amounts."""
    if kind == "typed":
        return all(_AMOUNTS.fullmatch(part) for part in word.split(", "))
    return bool(_REMOVED.fullmatch(word))


@cache
def _fields(kind: type) -> tuple[tuple[str, Any], ...]:
    """The fields of a kind of event that have words, in the order in which they are written."""
    known = WORD_FIELDS.get(kind.__struct_config__.tag, {})  # type: ignore[attr-defined]
    return tuple((name, known[name]) for name in kind.__struct_fields__ if name in known)  # type: ignore[attr-defined]


def facts_of(event: Event, words: list[tuple[str, str]]) -> Event:
    """The event with ``BLANK`` for each word; the words are added to the list, each with the kind of its field."""

    def blank(word: str, kind: str, _: tuple[str, ...]) -> str:
        words.append((word, kind))
        return BLANK

    return _changed(event, blank, pairs=True)


def with_words(event: Event, visit: Visit) -> Event:
    """The event with other words; its facts are the same."""
    return _changed(event, visit, pairs=False)


def _changed(event: Event, visit: Visit, pairs: bool) -> Event:
    changes: dict[str, Any] = {}
    for name, kind in _fields(type(event)):
        value = getattr(event, name)
        if value:
            plain = value if type(value) is str else msgspec.to_builtins(value, str_keys=True)
            changes[name] = _mapped(plain, kind, visit, (name,), pairs)
    return replace(event, **changes) if changes else event


def _mapped(value: Any, kind: Any, visit: Visit, way: tuple[str, ...], pairs: bool) -> Any:
    """The value with other words. ``kind`` is theirs, or has the kinds of the value's parts by name or position."""
    if type(value) is str:
        return _text(value, kind, visit, way) if value and type(kind) is str else value
    if not value or type(value) in _WORDLESS:
        return value
    if type(value) is dict:
        return _object(value, kind, visit, way, pairs)
    parts = list(value)
    for n, part in enumerate(parts):
        inner = kind if type(kind) is str else kind.get("*") or kind.get(str(n))
        if inner and type(part) not in _WORDLESS:
            parts[n] = _mapped(part, inner, visit, (*way, str(n)), pairs)
    return tuple(parts) if type(value) is tuple else parts


def _object(value: dict[str, Any], kind: Any, visit: Visit, way: tuple[str, ...], pairs: bool) -> Any:
    named, found = type(kind) is not str, []  # named by the format, or by people
    for name, part in value.items():
        inner = kind.get(name) or kind.get("*") if named else kind
        known = name if named or " " not in name else visit(name, kind, (*way, name))
        is_fact = not inner or type(part) in _WORDLESS
        found.append([known, part if is_fact else _mapped(part, inner, visit, (*way, name), pairs)])
    return found if pairs and not named else dict(found)


def _text(text: str, kind: str, visit: Visit, way: tuple[str, ...]) -> str:
    if kind != "phrase":
        return visit(text, kind, way)
    if " " not in text and not _REMOVED.fullmatch(text):
        return text
    code = _CODE.match(text)
    begins = code.end() if code and code.end() < len(text) else 0
    return text[:begins] + visit(text[begins:], kind, way)
