"""What the documents and tests of other tools write: more than 400 expressions, with their exact answers.

``corpus.tsv`` has a text, the dialect that reads it, where it comes from, one of its values with its exact chance, and
the exact mean where there is one.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from astragal.dice.notation.parser import parse
from astragal.questions.notation import odds_of

LINES = Path(__file__).with_name("corpus.tsv").read_text("utf-8").splitlines()[1:]
ROWS = [tuple(line.split("\t")) for line in LINES]
SOURCES = sorted({row[2] for row in ROWS})


def test_the_corpus_is_large() -> None:
    assert len({row[:2] for row in ROWS}) >= 400
    assert len(SOURCES) >= 10


@pytest.mark.parametrize("source", SOURCES)
def test_every_expression_has_its_exact_answer(source: str) -> None:
    for text, named, _, value, chance, mean in (row for row in ROWS if row[2] == source):
        dialect = named.strip("-")
        solved = odds_of(text, None, dialect)
        by_name = {str(each): each for each in solved.weights}
        assert solved[by_name[value]] == Fraction(chance), text
        assert mean == "-" or solved.mean == Fraction(mean), text
        expression = parse(text, dialect)
        assert parse(str(expression)) == expression
