"""A translator says what its texts translate, whole, in parts and around what stands in places, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from astragal.explain.translator import LONGEST, english, translator

DATA = json.loads((Path(__file__).parent / "said.json").read_text("utf-8"))


@pytest.mark.parametrize(("text", "said"), DATA["said"].items())
def test_the_page_and_the_server_say_the_same(text: str, said: str) -> None:
    assert translator(DATA["texts"])(text) == said


def test_without_texts_everything_stays_english() -> None:
    assert translator({}) is english
    assert english("Success") == "Success"


def test_what_people_wrote_at_length_is_not_looked_up() -> None:
    long = "Success. " * LONGEST
    assert translator(DATA["texts"])(long) == long
