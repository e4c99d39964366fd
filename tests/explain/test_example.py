"""Worked examples: what is refused must say so, and what is misspelt is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal import game
from astragal.errors import Faulty
from astragal.explain.example import Example, examples_of, replay

FLIGHT = Example("Flight", ("NJ-2",), "ours", given={"d6": 3, "step": 8, "difficulty": 1}, faces="6 5 1 | 4")


def test_an_example_that_is_refused_is_wrong_unless_it_says_so() -> None:
    beyond = FLIGHT._replace(given={"d6": 3, "step": 8, "difficulty": 99_999})
    assert replay(game("narraject"), beyond).differences[0].startswith("refused: ")
    impossible = FLIGHT._replace(faces="6 5 9 | 4")
    assert replay(game("narraject"), impossible).differences[0].startswith("refused: ")
    assert replay(game("narraject"), impossible._replace(refused="yes")).differences == ()


def test_an_example_that_says_it_is_refused_and_is_not_is_wrong() -> None:
    assert replay(game("narraject"), FLIGHT).differences == ()
    assert replay(game("narraject"), FLIGHT._replace(refused="yes")).differences == ("not refused by yes",)


def test_a_misspelt_key_is_told_with_its_example(tmp_path: Path) -> None:
    file = tmp_path / "examples.toml"
    file.write_text('[[example]]\ntitle = "T"\norigin = "ours"\nrules = ["NJ-1"]\nfaecs = "1"\n', "utf-8")
    with pytest.raises(Faulty, match='"T": there is no "faecs" in an example; there are title, rules'):
        examples_of(game("narraject")._replace(examples=str(file)))
