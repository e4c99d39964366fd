"""The solo oracle: questions answered by d6s set the DC (RW-14)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from astragal.author import Ask, Dice, Effect, Faces, Illegal, Node, Outcome, Pool, Throw, Walk, named, numbers
from astragal.games.razorweave import text
from astragal.games.razorweave.tiers import RUNG, START, held, name_of

if TYPE_CHECKING:
    from astragal.author import Distribution

QUESTIONS = (
    ("Are the conditions ideal?", "helps"),
    ("Is the opposition strong?", "hinders"),
    ("Is there preparation or another advantage?", "helps"),
)
ANSWERS = {1: "no", 2: "no", 3: "mixed", 4: "mixed", 5: "yes", 6: "yes"}


class Oracle(Ask):
    """The questions; without any, the three usual ones are asked."""

    question: tuple[tuple[str, str], ...] = named(
        ("helps", "hinders"),
        "a question, and whether a yes helps or hinders",
        default=QUESTIONS,
        rule="RW-14",
        title="Questions",
    )
    counted: tuple[int, ...] = numbers(
        1,
        50,
        "the places of questions already counted, which change nothing",
        default=(),
        rule="RW-14",
        title="Counted already",
    )

    def check(self) -> None:
        """Refuse an oracle without questions, or with counted ones that do not exist."""
        if not self.question:
            raise Illegal("The oracle needs at least one question.", "RW-14")
        if any(place > len(self.question) for place in self.counted):
            raise Illegal(
                f"Question {max(self.counted)} is said to be counted; there are {len(self.question)}.", "RW-14"
            )


class OracleAnswer(NamedTuple):
    """The face of one question's die, what it answers, and where the DC would be after it."""

    face: int
    answer: str
    dc: int


class OracleDC(int):
    """A DC that remembers the answers that led to it. It is that number in every other way."""

    answers: tuple[OracleAnswer, ...]

    def __new__(cls, answers: tuple[OracleAnswer, ...]) -> OracleDC:
        self = super().__new__(cls, held(answers[-1].dc))
        self.answers = answers
        return self


class OracleReading(NamedTuple):
    """The questions' dice in order; for the odds, only where the DC comes to matters."""

    ask: Oracle

    def read(self, faces: Faces) -> OracleDC:
        """The DC with every answer."""
        dc, answers = START, []
        for place, face in enumerate(faces[0][0]):
            dc = shifted(self.ask, dc, place, face)
            answers.append(OracleAnswer(face, ANSWERS[face], dc))
        return OracleDC(tuple(answers))

    def odds(self, pool: Pool, up_to: int) -> Distribution[int]:
        """The DCs alone, by a walk from question to question."""
        return Walk(START, lambda dc, place, face: shifted(self.ask, dc, place, face)).odds(pool, up_to).map(held)


class OracleResult(NamedTuple):
    """The DC that the oracle came to."""

    dc: int
    dc_name: str


def oracle(ask: Oracle) -> Node[OracleResult]:
    """One d6 for each question, in order, from DC 14 (RW-14)."""
    return Throw(
        (Dice(6, len(ask.question), "d6"),),
        OracleReading(ask),
        then=lambda dc: settled(ask, dc),
        tell=lambda faces: text.tell_oracle(ask, OracleReading(ask).read(faces)),
    )


def shifted(ask: Oracle, dc: int, place: int, face: int) -> int:
    """A yes that helps lowers the DC by 2, a no raises it, and the other way round."""
    answer = ANSWERS[face]
    if answer == "mixed" or place + 1 in ask.counted:
        return dc
    eases = (answer == "yes") == (ask.question[place][1] == "helps")
    return dc - RUNG if eases else dc + RUNG


def settled(ask: Oracle, dc: int) -> Node[OracleResult]:
    """The outcome: the DC that the answers lead to."""
    result = OracleResult(dc, name_of(dc))
    effects = tuple(answered(ask, dc)) if isinstance(dc, OracleDC) else ()
    return Outcome(result, effects, tell=lambda: text.oracle_notes(result))


def answered(ask: Oracle, reached: OracleDC) -> Iterator[Effect]:
    """Each question with its answer, and by how much that would move the DC (RW-14)."""
    before = START
    for (question, _), step in zip(ask.question, reached.answers, strict=True):
        yield Effect("answer", "table", step.dc - before, question, "RW-14", cause=step.answer)
        before = step.dc
