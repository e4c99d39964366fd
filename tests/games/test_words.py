"""Every word that a game's file has is used, every word that its code asks for is there, in English and in German."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from astragal.explain.hint import hints_of
from astragal.explain.translation import pairs
from astragal.games.registry import BUILT_IN, game
from astragal.rule.chances.fact import Fact, facts_of, wishes_of
from astragal.rule.game import Game
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.input import WORDS
from astragal.rule.inputs.side import Side
from astragal.rule.sheets.table_rules import table_rules_of
from astragal.rule.texts import Texts, form_of, read_texts

GAMES = [name for name in BUILT_IN if game(name).texts]
PLACE = re.compile(r"\{(\w*)(?::([^{}]*))?\}")
KEY = re.compile(r"[\w-]+\.(?!(?:py|toml)$)\w+")
VALUES = {"d": 3, "+": -3, ",": 3, "list": ["Ada", "Ben"]}
WORDED = ("narraject", "tgimh", "chronicles", "razorweave")
"""Games whose declarations have all of their words in the file."""
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


def offered(name: str) -> set[str]:
    """The words of offers, which go by their names alone."""
    said = [
        node.value
        for node in ast.walk(ast.parse((folder(name) / "offers.py").read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return {f"offers.{word}" for word in said}


@every_game
def test_no_key_is_unused(name: str) -> None:
    forms = {form.pattern: form for _, form in asked(name)}.values()
    words = {key for key in texts_of(name).all if not any(form.fullmatch(key) for form in forms)}
    hints = {f"{hint}.{part}" for hint in hints_in(name) for part in ("title", "text", "kinds")}
    assert {
        key for key in words - hints - offered(name) - set(_declared(game(name))) if not key.endswith(".rule")
    } == set()


@every_game
def test_everything_that_is_declared_says_what_it_is(name: str) -> None:
    of = game(name)
    rules = table_rules_of(of.table_rules)
    assert of.title and of.blurb and of.mood
    for kind in of.kinds.values():
        assert kind.title and kind.does and kind.called
        assert [fact for fact, each in facts_of(kind).items() if not each.title] == []
        assert [wish for wish, each in wishes_of(kind).items() if not each.help] == []
        assert [each.name for each in kind.decisions if not each.help] == []
    assert [each.name for each in rules.moves if not each.title] == []
    assert [each.name for each in rules.every_section().values() if not each.title] == []
    assert [input.name for ask in _asks(of) for input in ask.inputs.values() if not input.help] == []
    sheets = rules.every_section().values()
    assert [f"{part.name}.{field}" for part in sheets for field, input in part.fields.items() if not input.help] == []


def _asks(of: Game) -> list[type[Ask]]:
    rules = table_rules_of(of.table_rules)
    return [*(kind.ask for kind in of.kinds.values()), *(move.ask for move in rules.moves), rules.options]


def _declared(of: Game) -> Iterator[str]:
    """The keys of words that declarations may have, by their names."""
    rules = table_rules_of(of.table_rules)
    for kind in of.kinds.values():
        named = [*(each.name for each in kind.decisions), *(f"wishes.{name}" for name in wishes_of(kind))]
        yield from _said(kind, ("", *named, "against"), KIND_WORDS)
        for name, fact in facts_of(kind).items():
            yield from _said(kind, [f"facts.{name}"], ["title", *_parts(fact)])
    sides = [part.of for ask in _asks(of) for part in vars(ask).values() if isinstance(part, Side)]
    bases = [base for ask in (*_asks(of), *sides) for base in ask.__mro__ if issubclass(base, Ask)]
    for ask in dict.fromkeys(bases):
        yield from _said(ask, [""], ["title"])
        for input in ask.inputs.values():
            yield from _said(ask, [input.name], [*WORDS, *(str(value) for value, _ in input.steps)])
    for part in rules.every_section().values():
        yield from _said(part, ["", *part.fields], [*SECTION_WORDS, *WORDS])
    yield from _said(of, [""], ["blurb", "mood"])


KIND_WORDS = ("title", "does", "noun", "called", "waves", "empty", "hopes", "help", "price")
SECTION_WORDS = ("title", "help", "group", "column", "offers", "one")


def _parts(fact: Fact) -> Any:
    """What the parts of a fact are called in its declaration."""
    return tuple(fact)[Fact._fields.index("parts")]


def _said(part: Any, names: Iterable[str], words: Iterable[str]) -> Iterator[str]:
    before = part.wording._before
    for name in names:
        yield from (f"{before}{name and f'{name}.'}{word}" for word in words)


def test_what_a_game_declares_is_read_without_its_words() -> None:
    """Names, bounds and dice need no file of words; it is read when the first of them is asked for."""
    read = """
import sys
from pathlib import Path
from astragal.games.registry import BUILT_IN, game
from astragal.rule.chances.fact import facts_of, wishes_of
from astragal.rule.sheets.table_rules import table_rules_of
for name in sys.argv[1:]:
    of, rules = game(name), table_rules_of(game(name).table_rules)
    asks = [*(kind.ask for kind in of.kinds.values()), *(move.ask for move in rules.moves), rules.options]
    [input.bounds() for ask in asks for input in ask.inputs.values()]
    [input.bounds() for part in rules.every_section().values() for input in part.fields.values()]
    [[*facts_of(kind), *wishes_of(kind), *(each.name for each in kind.decisions)] for kind in of.kinds.values()]
    assert "all" not in vars(of.texts), name
    assert of.main.title and "all" in vars(of.texts)
"""
    subprocess.run([sys.executable, "-c", read, *WORDED], check=True)


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
