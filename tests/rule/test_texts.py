"""The words of a game: keys, places and shapes, files, pairs for translators."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from astragal.explain.translation import pairs
from astragal.explain.translator import translator
from astragal.games import registry
from astragal.rule import texts
from astragal.rule.texts import Texts, form_of, read_texts

ROOT = Path(registry.__file__).parents[1]
FILES = [*ROOT.glob("games/*/rules.toml"), *ROOT.glob("**/lang/*.toml")]
WRITTEN = """
# A remark.
title = "Six"

[SX-1]
rule = \"\"\"
Roll a die. On a 6
you "win".
\"\"\"  # the whole rule
won = "{name} wins {n:# coin|# coins} with a \\"{face:d}\\"."  # said to all
d6.help = "dice"

[SX-1."input d6"]
title = "How many?"

[texts]
"{name} wins." = "{name} gewinnt."
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rules.toml"
    path.write_text(WRITTEN, "utf-8")
    return path


def test_texts_are_found_by_their_keys(file: Path) -> None:
    words = Texts(str(file))
    assert words.say("title") == "Six"
    assert words.say("SX-1.won", name="Ada", n=2, face=6) == 'Ada wins 2 coins with a "6".'
    assert words.cited("SX-1.won", name="Ada", n=1, face=6) == ('Ada wins 1 coin with a "6".', "SX-1")
    assert dict(words.rules) == {"SX-1": 'Roll a die. On a 6 you "win".'}
    assert words.of("SX-1.input d6")["title"] == "How many?"
    assert words.of("SX-1").get("d6.help") == "dice"
    assert "texts.{name} wins." in words.all


def test_nothing_is_read_before_a_text_is_needed() -> None:
    words = Texts("nowhere.toml")
    rules, section = words.rules, words.of("SX-1")
    with pytest.raises(FileNotFoundError):
        len(rules)
    with pytest.raises(FileNotFoundError):
        section.get("won")


def test_a_file_is_read_as_by_tomllib(file: Path) -> None:
    assert read_texts(str(file)) == dict(texts._flat(tomllib.loads(WRITTEN), ""))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_of_words_is_read_as_by_tomllib(path: Path) -> None:
    assert read_texts(str(path)) == dict(texts._flat(tomllib.loads(path.read_text("utf-8")), ""))


def test_a_file_in_another_style_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text("a={b='c', d.e = 'f  g'}\nnumber = 3\n['x y']\nz = \"\\u00e9\"\n", "utf-8")
    assert read_texts(str(path)) == {"a.b": "c", "a.d.e": "f g", "x y.z": "é"}


def test_places_are_shaped() -> None:
    assert form_of("{n:+} and {n}")(**{"n": -2}) == "−2 and -2"
    assert form_of("{n:# die|# dice} {n:is|are} {kind}")(**{"n": 1, "kind": "{odd}"}) == "1 die is {odd}"
    assert form_of("{n:# die|# dice} {n:is|are} {kind}")(**{"n": 1200, "kind": "x"}) == "1,200 dice are x"
    assert form_of("{name:'s} coin, {other:'s} coin")(**{"name": "Ada", "other": "the wolves"}) == (
        "Ada's coin, the wolves' coin"
    )
    assert form_of("{one:.}; {other:.}.")(one="It rings.", other="again") == "It rings; again."
    assert form_of("{names:list} go")(**{"names": ["Ada", "Ben", "Cat"]}) == "Ada, Ben and Cat go"


def test_pairs_name_numbers_and_say_one_and_many_apart() -> None:
    english = "{name} has {n:# coin|# coins} of {all:d}."
    german = "{name} hat {n:# Münze|# Münzen} von {all:d}."
    assert dict(pairs(english, german)) == {
        "{name} has 1 coin of {n}.": "{name} hat 1 Münze von {n}.",
        "{name} has {n} coins of {n2}.": "{name} hat {n} Münzen von {n2}.",
    }
    assert dict(pairs("DC {}", "SG {}")) == {"DC {n}": "SG {n}"}


def test_pairs_say_owners_apart_whose_names_end_in_an_s() -> None:
    assert dict(pairs("{name:'s} coin has {n:d} edges", "die Münze von {name} hat {n:d} Kanten")) == {
        "{name}'s coin has {n} edges": "die Münze von {name} hat {n} Kanten",
        "{name}' coin has {n} edges": "die Münze von {name} hat {n} Kanten",
    }


def test_a_text_is_translated_by_its_pairs() -> None:
    english, german = "{n:# coin|# coins} for {name}, {n2:+}", "für {name}: {n:# Münze|# Münzen}, {n2:+}"
    say = translator(dict(pairs(english, german)))
    assert say(form_of(english)(**{"n": 1, "name": "Ada", "n2": 3})) == "für Ada: 1 Münze, +3"
    assert say(form_of(english)(**{"n": 5, "name": "Ada", "n2": -3})) == "für Ada: 5 Münzen, −3"
