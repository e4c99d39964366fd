"""A game's translations: data beside its rules, for texts that it really says, with the same places."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from astragal.errors import Unknown
from astragal.games.registry import all_games, game
from astragal.questions.wire_games import declare_game
from astragal.rule.game import Game
from astragal.rule.translation import FOLDER, translations

FILES = [(one, path.stem) for one in all_games() for path in Path(one.examples).with_name(FOLDER).glob("*.toml")]
PLACE = re.compile(r"\{(\w+)\}")
TEXTS = re.compile(r"\.(py|toml)$")


def places(text: str) -> list[str]:
    return sorted(PLACE.findall(text))


def source(of: Game) -> str:
    """Everything that the game could say: what it declares, and the texts in its files."""
    folder = Path(of.examples).parent
    files = [path.read_text("utf-8") for path in sorted(folder.iterdir()) if TEXTS.search(path.name)]
    declared = json.dumps(msgspec.to_builtins(declare_game(of)), ensure_ascii=False)
    return " ".join(" ".join([declared.replace('\\"', '"'), *files]).split())


@pytest.mark.parametrize(("of", "language"), FILES, ids=[f"{of.name}-{language}" for of, language in FILES])
def test_places_are_the_same_in_both_languages(of: Game, language: str) -> None:
    assert [text for text, said in translations(of, language).items() if places(text) != places(said)] == []


@pytest.mark.parametrize(("of", "language"), FILES, ids=[f"{of.name}-{language}" for of, language in FILES])
def test_what_is_translated_is_a_text_of_the_game(of: Game, language: str) -> None:
    """What a game no longer says would be translated for nobody; of a text with places, its words are looked for."""
    everything = source(of)
    said = [(text, part.strip(" .,;:()")) for text in translations(of, language) for part in PLACE.split(text)[::2]]
    assert [text for text, part in said if part not in everything] == []


def test_a_language_that_a_game_does_not_have_is_empty() -> None:
    assert translations(game("narraject"), "xx") == {}


@pytest.mark.parametrize("language", ["../rules", "DE", "d", ""])
def test_what_is_no_language_reads_no_file(language: str) -> None:
    with pytest.raises(Unknown):
        translations(game("narraject"), language)
