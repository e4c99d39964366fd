"""The solo oracle: questions answered by d6s set the DC (RW-14)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from astragal.dice.dice import Dice, Faces, Pool
from astragal.dice.reading import Walk
from astragal.errors import Illegal
from astragal.games.razorweave.tiers_ladder import EASIEST, HARDEST, RUNG, name_of
from astragal.rule.ask import Ask, named, numbers
from astragal.rule.node import Node, Outcome, Throw
from astragal.rule.note import Die, Note, Telling

if TYPE_CHECKING:
    from astragal.dice.distribution import Distribution

START = 14
QUESTIONS = (
    ("Are the conditions ideal?", "helps"),
    ("Is the opposition strong?", "hinders"),
    ("Is there preparation or another advantage?", "helps"),
)
ANSWERS = {1: "no", 2: "no", 3: "mixed", 4: "mixed", 5: "yes", 6: "yes"}


class Oracle(Ask):
    """The questions; without any, the three usual ones are asked."""

    question: tuple[tuple[str, str], ...] = named(
        ("helps", "hinders"), "a question, and whether a yes helps or hinders", default=QUESTIONS, rule="RW-14"
    )
    counted: tuple[int, ...] = numbers(
        1, 50, "the places of questions already counted, which change nothing", default=(), rule="RW-14"
    )

    def check(self) -> None:
        if not self.question:
            raise Illegal("The oracle needs at least one question.", "RW-14")
        if any(place > len(self.question) for place in self.counted):
            raise Illegal(
                f"Question {max(self.counted)} is said to be counted; there are {len(self.question)}.", "RW-14"
            )


class Heard(int):
    """A DC that remembers the answers that led to it. It is that number in every other way."""

    answers: tuple[str, ...]

    def __new__(cls, dc: int, answers: tuple[str, ...]) -> Heard:
        self = super().__new__(cls, dc)
        self.answers = answers
        return self


class Hearing(NamedTuple):
    """The questions' dice in order; for the odds, only where the DC comes to matters."""

    walk: Walk[int]

    def read(self, faces: Faces) -> Heard:
        return Heard(self.walk.read(faces), tuple(ANSWERS[face] for face in faces[0][0]))

    def odds(self, pool: Pool, up_to: int) -> Distribution[int]:
        return self.walk.odds(pool, up_to)


class Told(NamedTuple):
    """The DC that the oracle came to."""

    dc: int
    dc_name: str


def oracle(ask: Oracle) -> Node[Told]:
    """One d6 for each question, in order, from DC 14 (RW-14)."""
    return Throw(
        (Dice(6, len(ask.question), "d6"),),
        Hearing(Walk(START, lambda dc, place, face: shifted(ask, dc, place, face))),
        then=told,
        tell=lambda faces: _tell(ask, faces),
    )


def shifted(ask: Oracle, dc: int, place: int, face: int) -> int:
    """A yes that helps lowers the DC by 2, a no raises it, and the other way round; it stays within 12 and 22."""
    answer = ANSWERS[face]
    if answer == "mixed" or place + 1 in ask.counted:
        return dc
    eases = (answer == "yes") == (ask.question[place][1] == "helps")
    return max(EASIEST, min(HARDEST, dc - RUNG if eases else dc + RUNG))


def told(dc: int) -> Node[Told]:
    result = Told(dc, name_of(dc))
    return Outcome(result, tell=lambda: (Note(f"{verdict(result)}.", "RW-14"),))


def _tell(ask: Oracle, faces: Faces) -> Telling:
    shown = faces[0][0]
    dice = tuple(Die("d6", 6, face, ANSWERS[face], ANSWERS[face] == "yes") for face in shown)
    return Telling(dice, tuple(_tell_questions(ask, shown)))


def _tell_questions(ask: Oracle, shown: tuple[int, ...]) -> Iterator[Note]:
    dc = START
    for place, face in enumerate(shown):
        dc = shifted(ask, dc, place, face)
        counted = ", already counted" if place + 1 in ask.counted else ""
        yield Note(f"{ask.question[place][0]} {face}, {ANSWERS[face]}{counted}: DC {dc}.", "RW-14")


def headline(ask: Oracle) -> str:
    """The question in a line."""
    return f"Razorweave, oracle: {len(ask.question)} question{'s' if len(ask.question) > 1 else ''} from DC {START}"


def verdict(result: Told) -> str:
    """The answer in a line."""
    return f"DC {result.dc} ({result.dc_name})"
