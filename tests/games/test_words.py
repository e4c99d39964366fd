"""Every word that a game's file has is used, every word that its code asks for is there, in English and in German."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from astragal.games.registry import BUILT_IN, game
from astragal.rule.game import Game
from astragal.rule.hint import hints_of
from astragal.rule.inputs.input import WORDS, Input
from astragal.rule.sheets.table_rules import table_rules_of
from astragal.rule.texts import Texts, form_of, pairs, read_texts

GAMES = [name for name in BUILT_IN if game(name).texts]
PLACE = re.compile(r"\{(\w*)(?::([^{}]*))?\}")
KEY = re.compile(r"[\w-]+\.\w+")
VALUES = {"d": 3, "+": -3, ",": 3, "list": ["Ada", "Ben"]}
UNTRANSLATED = ("razorweave",)
"""Games whose rules are in English alone."""
every_game = pytest.mark.parametrize("name", GAMES)


def texts_of(name: str) -> Texts:
    texts = game(name).texts
    assert texts
    return texts


def folder(name: str) -> Path:
    return Path(texts_of(name).path).parent


def translated(name: str, language: str = "de") -> dict[str, str]:
    said = read_texts(str(folder(name) / "lang" / f"{language}.toml"))
    return {key: text for key, text in said.items() if not key.startswith("texts.")}


def hints_in(name: str) -> list[str]:
    """The sections of hints: they have a text."""
    return [key.removesuffix(".text") for key in texts_of(name).all if key.endswith(".text")]


def asked(name: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    """The keys that the code of a game asks for, each with its file and line; what it computes may be anything."""
    for path in sorted(folder(name).glob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inner:
                if KEY.fullmatch(node.value):
                    yield f"{path.name}:{node.lineno}", re.compile(re.escape(node.value))
            elif isinstance(node, ast.JoinedStr):
                parts = [re.escape(str(p.value)) if isinstance(p, ast.Constant) else "\0" for p in node.values]
                form = "".join(parts)
                if re.fullmatch(r"[\w\\\0-]+\\\.[\w\0]+", form) and re.search("[a-zA-Z]", form):
                    yield f"{path.name}:{node.lineno}", re.compile(form.replace("\0", r"\w[\w-]*"))


@every_game
def test_no_key_is_missing(name: str) -> None:
    texts = texts_of(name).all
    sections = {key.partition(".")[0] for key in texts}
    ours = [(at, form) for at, form in asked(name) if form.pattern.replace("\\", "").partition(".")[0] in sections]
    assert [(at, form.pattern) for at, form in ours if not any(map(form.fullmatch, texts))] == []


@every_game
def test_no_key_is_unused(name: str) -> None:
    forms = {form.pattern: form for _, form in asked(name)}.values()
    words = {key for key in texts_of(name).all if not any(form.fullmatch(key) for form in forms)}
    hints = {f"{hint}.{part}" for hint in hints_in(name) for part in ("title", "text", "kinds")}
    assert {key for key in words - hints if not key.endswith((".rule", *(f".{word}" for word in WORDS)))} == set()


@every_game
def test_the_words_of_inputs_are_of_inputs_and_all_of_them_are_said(name: str) -> None:
    of, texts = game(name), texts_of(name).all
    inputs = {input.name for input in _every_input(of)}
    keys = (key.split(".") for key in texts if key.rpartition(".")[0] not in hints_in(name))
    named = {parts[1] for parts in keys if len(parts) == 3 and parts[2] in WORDS}
    assert named <= inputs
    assert [input.name for input in _every_input(of) if not input.help] == []


def _every_input(of: Game) -> Iterator[Input]:
    rules = table_rules_of(of.table_rules)
    asks = [*(kind.ask for kind in of.kinds.values()), *(move.ask for move in rules.moves), rules.options]
    return (input for ask in asks for input in ask.inputs.values())


@every_game
def test_every_hint_of_the_file_is_a_hint_of_the_game(name: str) -> None:
    titles = [texts_of(name).all[f"{hint}.title"] for hint in hints_in(name)]
    assert [hint.title for hint in hints_of(game(name))] == titles
    assert all(hint.text and hint.rule in game(name).rules for hint in hints_of(game(name)))


@every_game
def test_german_has_the_same_keys(name: str) -> None:
    english = {key for key in texts_of(name).all if not key.endswith(".kinds")}
    missing = sorted(key for key in english - set(translated(name)) if name not in UNTRANSLATED or key[-5:] != ".rule")
    assert missing == [], "missing in German"
    assert sorted(set(translated(name)) - english) == [], "nothing in English"


@every_game
def test_german_has_the_same_places(name: str) -> None:
    """A place of one and many need not be one in both: some languages need no plural where another does."""
    english, german = texts_of(name).all, translated(name)

    def places(text: str) -> set[str]:
        return {place for place, _ in PLACE.findall(text)}

    assert [key for key, text in german.items() if places(text) - places(english[key])] == []
    lost = [key for key, text in german.items() if places(english[key]) - places(text)]
    assert [key for key in lost if not all("|" in shape for _, shape in PLACE.findall(english[key]))] == []


@every_game
def test_every_text_is_filled_and_its_pairs_are_whole(name: str) -> None:
    for key, text in texts_of(name).all.items():
        values = {
            place: VALUES.get(shape, 2 if "|" in shape else "Ada") for place, shape in PLACE.findall(text) if place
        }
        said = form_of(text)(**values) if values else text
        assert "|" not in said, key
        for pair in pairs(text, translated(name).get(key, text)):
            assert not any("|" in side or "#" in side or ":d}" in side for side in pair), key


@every_game
def test_the_same_english_has_the_same_german(name: str) -> None:
    """At a table only the English text is stored, so two keys with one text are said alike."""
    said: dict[str, set[str]] = {}
    for key, text in translated(name).items():
        said.setdefault(texts_of(name).all[key], set()).add(text)
    assert {english: german for english, german in said.items() if len(german) > 1} == {}


@every_game
def test_the_files_are_read_by_the_short_way(name: str) -> None:
    """A roll on a command line has no time for ``tomllib``; that both read the same is in tests/rule/test_texts.py."""
    before = sys.modules.pop("tomllib", None)
    try:
        read_texts(texts_of(name).path)
        assert "tomllib" not in sys.modules
    finally:
        if before:
            sys.modules["tomllib"] = before
