"""A game's translations: data beside its rules, for texts that it really says, with the same places."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from astragal.errors import Unknown
from astragal.explain import translation
from astragal.explain.example import examples_of, play_example
from astragal.explain.report import explain, judged
from astragal.explain.translation import FOLDER, translations
from astragal.games.registry import all_games, game
from astragal.questions.wire_games import declare_game
from astragal.rule.game import Game, Kind
from astragal.rule.tree.node import Choice
from astragal.rule.tree.play import ChoiceStep, Played

SHARED = Path(translation.__file__).with_name(FOLDER) / "de.toml"
FILES = [(one, path.stem) for one in all_games() for path in Path(one.examples).with_name(FOLDER).glob("*.toml")]
PLACE = re.compile(r"\{(\w+)\}")
TEXTS = re.compile(r"\.(py|toml)$")
SHOWN = {
    "title", "blurb", "mood", "help", "text", "does", "empty", "waves", "asks", "price", "column", "offers", "group",
}  # fmt: skip
"""The fields of a declaration that people read, as in ``page/src/strings/game-words.ts``."""
SAME = {"Narraject", "Chronicles", "TGIMH", "Razorweave", "IP", "XP"}
"""What is called the same in every language."""
NAMES = {"Ilse", "Odo", "Broken arm", "Humiliated"}
"""What people in the examples are called, and what they called things; nobody translates that."""


def places(text: str) -> list[str]:
    return sorted(PLACE.findall(text))


def own(of: Game, language: str) -> dict[str, str]:
    """What the game's file says, without what all games share."""
    return texts(Path(of.examples).with_name(FOLDER) / f"{language}.toml")


def texts(path: Path) -> dict[str, str]:
    found: dict[str, str] = tomllib.loads(path.read_text("utf-8"))["texts"]
    return found


def declared_texts(value: Any, field: str = "") -> Iterator[str]:
    """The texts of a declaration that people read."""
    if isinstance(value, str) and field in SHOWN and value:
        yield value
    if isinstance(value, list):
        for one in value:
            yield from [one["name"]] if field == "steps" else declared_texts(one, field)
    if isinstance(value, dict):
        for name, one in value.items():
            yield from declared_texts(one, "text" if field == "rules" else name)


def untranslated(said: Iterable[str], known: Mapping[str, str]) -> set[str]:
    """What has neither a translation as a whole nor one with places that fits."""
    forms = [re.compile(_form(text), re.DOTALL) for text in known if "{" in text]

    def has(text: str) -> bool:
        return text in known or any(form.fullmatch(text) for form in forms)

    return {text for text in said if text and not has(text) and not has(text.removesuffix("."))}


def _form(text: str) -> str:
    parts = PLACE.split(text)
    places = [r"[−+-]?\d+" if re.fullmatch(r"n\d*", place) else ".+?" for place in parts[1::2]]
    return "".join(re.escape(part) + place for part, place in zip(parts[::2], [*places, ""], strict=True))


def unsaid(translated: Iterable[str], everything: str) -> list[str]:
    """The texts with a word that stands nowhere in what could be said."""
    words = {word.casefold() for word in re.findall(r"\w+", everything)}
    return [
        text for text in translated if not {w.casefold() for w in re.findall(r"\w+", PLACE.sub(" ", text))} <= words
    ]


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
    """What a game no longer says would be translated for nobody; its words are looked for."""
    assert unsaid(own(of, language), source(of)) == []


def test_what_all_games_share_is_said_somewhere() -> None:
    root = Path(translation.__file__).parents[1]
    everything = " ".join(" ".join(path.read_text("utf-8") for path in root.rglob("*.py")).split()).replace('\\"', '"')
    assert unsaid(texts(SHARED), everything) == []


@pytest.mark.parametrize(("of", "language"), FILES, ids=[f"{of.name}-{language}" for of, language in FILES])
def test_all_that_a_game_declares_is_translated(of: Game, language: str) -> None:
    """Titles, helps and hints: all but the rules' own wording, which changes with every ruling."""
    declared = {**msgspec.to_builtins(declare_game(of)), "rules": {}}
    assert set(declared_texts(declared)) - set(translations(of, language)) <= SAME


def spoken(kind: Kind, played: Played[Any]) -> Iterator[str]:
    """What a card says of a roll: its verdict in parts, notes, questions, options, prompts, names of dice."""
    told = explain(played)
    yield from (note.text for note in told.notes)
    yield from (die.name for _, dice in told.throws for die in dice)
    if played.result is not None:
        verdict = judged(kind, played.result)
        yield from (verdict.tier, verdict.sum, *verdict.gains)
    choices = [step.choice for step in played.steps if isinstance(step, ChoiceStep)]
    for choice in [*choices, *([played.node] if isinstance(played.node, Choice) else [])]:
        yield choice.question
        for option in choice.options.values():
            yield from (option.label, str(option.detail), option.words or "")
        for barred in choice.barred.values():
            yield from (barred.label, barred.short)
    if played.outcome:
        yield from (prompt.question for prompt in played.outcome.prompts)


@pytest.mark.parametrize(("of", "language"), FILES, ids=[f"{of.name}-{language}" for of, language in FILES])
def test_all_that_a_game_says_in_its_examples_is_translated(of: Game, language: str) -> None:
    """English among German would be seen at every table, so every worked example is told."""
    played = [(of.kind(e.roll), play_example(of, e)) for e in examples_of(of) if not e.refused]
    said = {text for kind, roll in played for text in spoken(kind, roll)}
    assert len(said) > 60
    assert untranslated(said - NAMES, translations(of, language)) == set()


def test_a_language_that_a_game_does_not_have_is_empty() -> None:
    assert translations(game("narraject"), "xx") == {}


@pytest.mark.parametrize("language", ["../rules", "DE", "d", ""])
def test_what_is_no_language_reads_no_file(language: str) -> None:
    with pytest.raises(Unknown):
        translations(game("narraject"), language)
