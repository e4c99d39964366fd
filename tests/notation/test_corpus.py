"""What the documents and tests of other tools write: more than 400 expressions, as their authors mean them.

``corpus.tsv`` has a text, the dialect that reads it, how it is read in Astragal's own notation (``-``: a program that
has no such notation), where it comes from, who else says so, one of its values with its exact chance, and the exact
mean where there is one. Who else says so:

    enumerated   the referee, which throws every face of every die
    icepool      icepool's odds
    dyce         dyce's odds, or what each of its rolls comes to
    hand         a person who read the program, with icepool's dice (``by_hand.py``)
    deep         icepool's chance of the value, with explosions so deep that every further one leads beyond it
    d20          d20's own reading of the text, with every random number
    bounded      the referee's chance of the value, up to what is left of explosions that it follows three times
    argued       a short argument about one die, for the chance or the mean
    printed …    the values that the source prints, each as often as it comes up
    -            nobody yet: the answer is our solver's alone
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from astragal.dice.distribution import Distribution
from astragal.dice.render.text import format_value
from astragal.questions.notation import odds_of, parse
from tests.notation.by_hand import odds_by_hand
from tests.notation.notation_referee import UNFINISHED, tally
from tests.notation.peer_dyce import odds_by_dyce
from tests.notation.peers import odds_by_d20, odds_by_icepool


class Row(NamedTuple):
    """A line of the corpus."""

    text: str
    named: str
    reads: str
    source: str
    check: str
    value: str
    chance: str
    mean: str

    @property
    def dialect(self) -> str:
        return self.named.strip("-")

    @property
    def odds(self) -> dict[Any, Fraction]:
        """The odds of every value that can come up."""
        return {value: chance for value, chance in _solved(self.text, self.dialect).items() if chance}


@cache
def _solved(text: str, dialect: str) -> Distribution[Any]:
    return odds_of(text, None, dialect)


LINES = Path(__file__).with_name("corpus.tsv").read_text("utf-8").splitlines()[1:]
ROWS = [Row(*line.split("\t")) for line in LINES]
SOURCES = sorted({row.source for row in ROWS})
OWN = ("lines of our own", "players ask often", "in our notation")
"""Sources whose texts we wrote ourselves, after what others ask for."""


def test_the_corpus_is_large_and_most_of_it_is_checked_by_somebody_else() -> None:
    theirs = [row for row in ROWS if not row.source.endswith(OWN)]
    assert len({row[:2] for row in theirs}) >= 430
    assert len(SOURCES) >= 10
    assert sum(row.check != "-" for row in ROWS) >= 0.98 * len(ROWS)


@pytest.mark.parametrize("source", SOURCES)
def test_every_expression_is_read_as_meant_and_has_its_exact_answer(source: str) -> None:
    for row in (row for row in ROWS if row.source == source):
        solved = _solved(row.text, row.dialect)
        by_name = {format_value(each): each for each in solved.weights}
        assert solved[by_name[row.value]] == Fraction(row.chance), row.text
        assert row.mean == "-" or solved.mean == Fraction(row.mean), row.text
        if row.reads != "-":
            expression = parse(row.text, row.dialect)
            assert str(expression) == row.reads
            assert parse(row.reads) == expression


def _checked(check: str) -> list[Row]:
    return [row for row in ROWS if row.check.partition(" ")[0] == check]


@pytest.mark.slow
def test_the_referee_counts_the_same() -> None:
    for row in _checked("enumerated"):
        assert row.odds == tally(parse(row.text, row.dialect)), row.text


@pytest.mark.slow
def test_icepool_finds_the_same() -> None:
    for row in _checked("icepool"):
        assert row.odds == odds_by_icepool(parse(row.text, row.dialect)), row.text


@pytest.mark.slow
def test_dyce_finds_the_same() -> None:
    for row in _checked("dyce"):
        assert row.odds == odds_by_dyce(parse(row.text, row.dialect)), row.text


@pytest.mark.slow
def test_a_person_says_the_same() -> None:
    for row in _checked("hand"):
        assert row.odds == odds_by_hand(row.text), row.text


def test_the_referee_bounds_what_it_cannot_count() -> None:
    for row in _checked("bounded"):
        found = tally(parse(row.text, row.dialect), deepest=3)
        left = found.pop(UNFINISHED)
        least = sum([chance for value, chance in found.items() if format_value(value) == row.value], Fraction(0))
        assert left < Fraction(1, 20), row.text
        assert least <= Fraction(row.chance) <= least + left, row.text


@pytest.mark.slow
def test_icepool_finds_the_same_as_far_as_it_goes() -> None:
    for row in _checked("deep"):
        value = int(row.value)
        assert Fraction(row.chance) == odds_by_icepool(parse(row.text, row.dialect), value + 1)[value], row.text


def test_d20_rolls_the_same() -> None:
    for row in _checked("d20"):
        assert row.odds == odds_by_d20(row.text), row.text


ARGUED: dict[str, tuple[Fraction | None, Fraction]] = {
    # Every die is 45, or goes on beyond it; it is thrown 100 times on average.
    "4d%!<>45": (Fraction(1, 100) ** 4, Fraction(4 * 100 * 101, 2)),
    # A die ends with -1, after as many +1 as heads come before the first tails; 0 changes nothing.
    "4dF.2!>=0": (Fraction(comb(5, 3), 2**6), Fraction(0)),
    # The mean of one die is that of its face, and with its chance of going on the same mean less 1 again.
    "5d%!p": (None, 5 * Fraction(10100 - 2, 2 * 99)),
    "4d10!p<=3": (None, 4 * Fraction(55 - 3, 7)),
    # Each of ten faces: 8, 9 and 10 count, 1 counts against, and 10 goes on.
    "4d10 t8 ie10 f1": (None, 4 * Fraction(3 - 1, 9)),
}


def test_a_short_argument_says_the_same() -> None:
    assert sorted(ARGUED) == sorted(row.text for row in _checked("argued"))
    for row in _checked("argued"):
        chance, mean = ARGUED[row.text]
        assert Fraction(row.mean) == mean, row.text
        assert chance is None or Fraction(row.chance) == chance, row.text


def test_what_the_source_prints_is_so() -> None:
    for row in _checked("printed"):
        values = Counter(map(int, row.check.removeprefix("printed ").split(", ")))
        assert row.odds == {value: Fraction(n, values.total()) for value, n in values.items()}, row.text
