"""A translator: English texts of a game or a table, said in another language by the game's translations.

The page does the same in ``page/src/strings/game-words.ts``; ``tests/explain/said.json`` has what both must say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

Say: TypeAlias = Callable[[str], str]
"""A text in the reader's language; English where there is no translation."""

LONGEST = 600
"""Characters of a text that is looked up; what is longer was written by people."""
MOST_KNOWN = 2000
"""Texts that are not looked up again."""
DEEPEST = 6
"""What stands in a place may be a text of the game itself; it does not go deeper than this."""
_PLACE = re.compile(r"\{(\w+)\}")
_NUMBER = re.compile(r"n\d*").fullmatch


def english(text: str) -> str:
    """The text as it is."""
    return text


def translator(texts: Mapping[str, str]) -> Say:
    """Says what the texts translate, whole or with places in braces; English for everything else."""
    return _Translator(dict(map(_stopless, texts.items()))).say if texts else english


def _stopless(pair: tuple[str, str]) -> tuple[str, str]:
    """Both texts without their full stops, since the same sentence may stand before a cause in parentheses."""
    text, said = pair
    return (text[:-1], said[:-1]) if text.endswith(".") and said.endswith(".") else pair


class _Pattern:
    """An English text with places, and its translation."""

    def __init__(self, text: str, said: str) -> None:
        parts = _PLACE.split(text)
        self.fixed = [part for part in parts[::2] if part]
        self.length = sum(map(len, self.fixed))
        self.has_words = any(map(str.isalpha, "".join(self.fixed)))
        self._said = said
        places = [f"(?P<{name}>{r'[−+-]?[0-9]+' if _NUMBER(name) else '.+?'})" for name in parts[1::2]]
        form = "".join(re.escape(part) + place for part, place in zip(parts[::2], [*places, ""], strict=True))
        self._match = re.compile(form, re.DOTALL).fullmatch

    def filled(self, text: str, say: Say) -> str | None:
        """The translation with what stands in the text's places; None if the text is another."""
        found = all(part in text for part in self.fixed) and self._match(text)
        if not found or any(part.count("(") != part.count(")") for part in found.groups()):
            return None
        return _PLACE.sub(lambda place: say(found[place[1]]), self._said)


class _Translator:
    def __init__(self, texts: Mapping[str, str]) -> None:
        self._exact = texts
        patterns = (_Pattern(text, said) for text, said in texts.items() if "{" in text)
        # What has more words of its own fits better; what has none joins texts that are said by themselves.
        by_length = sorted(patterns, key=lambda pattern: -pattern.length)
        self._patterns = [each for each in by_length if each.has_words]
        self._joints = [each for each in by_length if not each.has_words]
        self._known: dict[str, str] = {}

    def say(self, text: str) -> str:
        """The text in the language."""
        if len(text) > LONGEST:
            return text
        if text not in self._known:
            if len(self._known) > MOST_KNOWN:
                self._known.clear()
            self._known[text] = self._deep(text, DEEPEST)
        return self._known[text]

    def _deep(self, text: str, depth: int) -> str:
        """The text by the first way that finds one; its full stop is none of it, unless it is known with one."""

        def part(inner: str) -> str:
            return self._deep(inner, depth - 1) if depth else inner

        stop = "." if text.endswith(".") and text not in self._exact else ""
        said = next(filter(None, self._tries(text.removesuffix(stop), part)), None)
        return text if said is None else f"{said}{stop}"

    def _tries(self, text: str, part: Say) -> Iterator[str | None]:
        """The text as it is, with a small letter at its start, and in parts."""
        yield self._found(text, part)
        small = self._found(f"{text[:1].lower()}{text[1:]}", part)
        yield small and f"{small[0].upper()}{small[1:]}"
        yield _first(self._joints, text, part)

    def _found(self, text: str, part: Say) -> str | None:
        return self._exact[text] if text in self._exact else _first(self._patterns, text, part)


def _first(patterns: Iterable[_Pattern], text: str, part: Say) -> str | None:
    return next((said for each in patterns if (said := each.filled(text, part)) is not None), None)
