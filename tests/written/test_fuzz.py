"""Whatever is written in place of a game is a game or refused with a sentence, soon; a game that loads can be used."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from astragal import odds, play
from astragal.check import mistakes_of
from astragal.deadline import Deadline
from astragal.errors import Faulty, Refusal
from astragal.explain.report import judged
from astragal.games import folder
from astragal.games.registry import game_at
from astragal.rule.chances.fact import facts_of
from astragal.rule.game import Game
from astragal.rule.inputs.input import Input
from astragal.rule.tree.play import Rolled
from tests.calls import counted_calls
from tests.share import record, share
from tests.written.fuzzed import fuzzed

REFUSED = re.compile(r"fuzz\.toml(, line \d+)?: .+\.", re.DOTALL)
MOST_CALLS = 300_000
"""Calls of functions until a file is refused: a tenth of a second at most."""
SECONDS = 0.5
"""Of a question here; one that takes longer is stopped with a sentence."""
CHECKED_OF = 40
"""Of so many games that load, one is checked whole: a check plays an evening."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "fuzz.toml"


def loaded(file: Path, text: str) -> Game | None:
    """The game in a text; everything but a game or a sentence with its line fails."""
    folder._loaded.clear()
    file.write_text(text, "utf-8")
    try:
        return game_at(str(file))
    except Faulty as refusal:
        assert REFUSED.fullmatch(str(refusal)), (str(refusal), text)
        return None


def use(found: Game) -> None:
    """Roll each roll once, and ask for its odds; refusals are sentences."""
    for kind in found.kinds.values():
        try:
            ask = kind.ask.read(dict(_lowest(kind.ask.inputs)))
            played = play(kind.rule(ask), Rolled(seed=1))
            assert kind.headline(ask)
            assert judged(kind, played.result).tier
            with Deadline(SECONDS):
                solved = odds(ask)
            assert solved.total == sum(solved.weights.values())
            for name, fact in facts_of(kind).items():
                with Deadline(SECONDS):
                    assert odds(ask, name) == fact.of_results(solved, 20), (kind, name)
        except Refusal as refusal:
            assert str(refusal).endswith("."), str(refusal)


def _lowest(inputs: dict[str, Input]) -> list[tuple[str, object]]:
    """A value for each input that has no default."""
    found = []
    for name, input in inputs.items():
        bounds = input.bounds()
        if input.required:
            found.append((name, bounds.get("min", next(iter(bounds.get("options", ("Ada",)))))))
    return found


def test_anything_is_a_game_or_refused_soon(file: Path) -> None:
    times = share(100_000, 150)
    rng = Random(15)
    games = most = 0
    for _ in range(times):
        text = fuzzed(rng)
        found: list[Game | None] = []
        calls = counted_calls(lambda: found.append(loaded(file, text)))  # noqa: B023
        assert calls < MOST_CALLS, text
        most = max(most, calls)
        if found[0]:
            games += 1
            use(found[0])
            if games % CHECKED_OF == 0:
                for mistake in mistakes_of(found[0]):
                    assert " failed: " not in str(mistake), (str(mistake), text)
    record("games in TOML files, right and wrong", f"{times:,} texts, {games:,} of them games, the others refused")


LONG = {
    "names with dots": "\n".join(f"a{'.a' * 29}.b{i}=1" for i in range(550)),
    "more dots": "a" + ".a" * 15_000 + "=1",
    "lists in lists": "a=" + "[\n" * 19_000,
    "tables in tables": "\n".join(f"a{i}={'{a=' * 200}1{'}' * 200}" for i in range(40)),
    "parts": "[[a]]\n" * 6_600,
    "parts of parts": "[[a]]\n" + "[[a.b]]\n" * 4_900,
    "numbers": "a=[\n" + "1,\n" * 13_000 + "]",
    "digits": 'name="a"\nhue=' + "9" * 1_400,
    "quotes": "\n".join("'\"" * 700 for _ in range(28)),
    "blanks": "\n".join("[" + " " * 1_400 + "x" for _ in range(28)),
    "rules": 'name="a"\n[rules]\n' + "".join(f"a{i}='x'\n" for i in range(3_500)),
    "bytes": "#" * 50_000,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_long_file_is_refused_soon(text: str, file: Path) -> None:
    found: list[Game | None] = []
    assert counted_calls(lambda: found.append(loaded(file, text))) < MOST_CALLS
    assert found == [None]
