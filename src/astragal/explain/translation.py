"""Translations: what a game says in other languages, as data that ships with it. English stands where there is none.

A game has a folder ``lang`` beside its examples, with a file for each language, such as ``de.toml``. It has texts by
the keys of the game's own words, with the same places; its ``[texts]`` map any other English text to the translation.
All may have places in braces: ``{n} Marks, {needed} needed``. The folder ``lang`` beside this module
has what all games and tables say: shared parts of sheets, sentences of the log.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from pathlib import Path

from astragal.errors import Unknown
from astragal.explain.translator import Say, translator
from astragal.rule.game import Game
from astragal.rule.texts import OWNER, PLACE, read_texts

FOLDER = "lang"
TEXTS = "texts."
"""What the keys of texts begin with that are translated by themselves."""
MOST = 64
"""Files that are kept after they were read."""
_LANGUAGE = re.compile("[a-z]{2,3}").fullmatch


def translations(game: Game, language: str) -> Mapping[str, str]:
    """What the game and its tables say in a language, by the English text; nothing in a language without a file."""
    if not _LANGUAGE(language):
        raise Unknown("A language has two or three small letters, such as de.")
    common, own = (_read(Path(file).with_name(FOLDER) / f"{language}.toml") for file in (__file__, game.examples))
    english = game.texts.all if game.texts else {}
    by_key = dict(pair for key in english if key in own for pair in pairs(english[key], own[key]))
    return {**_by_text(common), **_by_text(own), **by_key}


def speaker(game: Game, language: str) -> Say:
    """Says the texts of the game and its tables in a language."""
    return translator(translations(game, language))


@lru_cache(MOST)
def _read(path: Path) -> Mapping[str, str]:
    return read_texts(str(path)) if path.exists() else {}


def _by_text(said: Mapping[str, str]) -> dict[str, str]:
    """What is translated by the English text itself."""
    return {key.removeprefix(TEXTS): text for key, text in said.items() if key.startswith(TEXTS)}


def pairs(text: str, said: str) -> Iterator[tuple[str, str]]:
    """A text and its translation as a translator takes them: numbers are called n, and one and many stand apart.

    So do owners whose names end in an s.
    """
    shapes = PLACE.findall(text)
    plurals = sorted({name for name, shape in shapes if "|" in shape})
    owners = sorted({name for name, shape in shapes if shape == OWNER})
    for ones in product((True, False), repeat=len(plurals)):
        single = {name for name, one in zip(plurals, ones, strict=True) if one}
        for ends in product(("'s", "'"), repeat=len(owners)):
            owned, called = dict(zip(owners, ends, strict=True)), dict[str, str]()
            yield _apart(text, single, owned, called), _apart(said, single, owned, called)


def _apart(text: str, single: set[str], owned: dict[str, str], called: dict[str, str]) -> str:
    """The text for one of these, and many of everything else; ``called`` remembers what the places are called."""

    def place(found: re.Match[str]) -> str:
        name, shape = found[1], found[2] or ""
        number = "1" if name in single else ""
        if "|" in shape:
            one, _, many = shape.partition("|")
            return (one if number else many).replace("#", number or call(name))
        if number:
            return f"+{number}" if shape == "+" else number
        if shape in ("+", "d", ",") or not name:
            return call(name)
        return f"{{{called.get(name, name)}}}{owned[name] if shape == OWNER else ''}"

    def call(name: str) -> str:
        return "{" + called.setdefault(name, f"n{len(called) + 1}" if called else "n") + "}"

    return PLACE.sub(place, text)
