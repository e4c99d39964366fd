"""The solo oracle: questions answered by d6s set the DC, all together or one after the other (RW-14)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from astragal.author import (
    Ask,
    Choice,
    Dice,
    Die,
    Effect,
    Faces,
    Node,
    Note,
    Option,
    Outcome,
    Telling,
    Throw,
    Walk,
    flag,
    lazy,
    named,
    numbers,
    whole,
)
from astragal.games.razorweave.rules import TEXTS, note, noted, refuse, say
from astragal.games.razorweave.tiers import RUNG, START, held, name_of

QUESTIONS = (
    ("Are the conditions ideal?", "helps"),
    ("Is the opposition strong?", "hinders"),
    ("Is there preparation or another advantage?", "helps"),
)
ANSWERS = {1: "no", 2: "no", 3: "mixed", 4: "mixed", 5: "yes", 6: "yes"}
MOST = 50
"""Questions of one throw."""
FAR = 1_000_000
"""How far answers may have moved the DC before it is held within the ladder."""


class Oracle(Ask, texts=TEXTS.of("oracle")):
    """The questions; without any, the three usual ones are asked."""

    question: tuple[tuple[str, str], ...] = named(("helps", "hinders"), default=QUESTIONS, rule="RW-14", advanced=False)
    counted: tuple[int, ...] = numbers(1, MOST, default=(), rule="RW-14", dice=False, advanced=False)
    start: int = whole(-FAR, FAR, default=START, rule="RW-14", whose="sheet", dice=False)
    start_over: bool = flag(default=False, rule="RW-14", advanced=False, dice=False)

    def check(self) -> None:
        """Refuse an oracle without questions, or with counted ones that do not exist."""
        refuse(not self.question, "RW-14.none")
        last = max(self.counted, default=0)
        refuse(last > len(self.question), "RW-14.no_place", place=last, n=len(self.question))

    @property
    def begins(self) -> int:
        """The DC before the first of these questions, held within no bounds yet."""
        return START if self.start_over else self.start

    def shift(self, place: int, face: int, counted: tuple[int, ...]) -> int:
        """By how much an answer moves the DC: a yes that helps by -2, a no by +2, and the other way round."""
        answer = ANSWERS[face]
        if answer == "mixed" or place in counted:
            return 0
        return -RUNG if (answer == "yes") == (self.question[place - 1][1] == "helps") else RUNG

    def reached(self, faces: tuple[int, ...], counted: tuple[int, ...]) -> int:
        """The DC after all answers, held within the ladder once."""
        return held(self.begins + sum(self.shift(place, face, counted) for place, face in enumerate(faces, 1)))


class OracleResult(NamedTuple):
    """The DC that the oracle came to."""

    dc: int
    dc_name: str


def oracle(ask: Oracle) -> Node[OracleResult]:
    """One d6 for each question, in order; for the odds, only where the DC comes to matters."""
    dice = (Dice(6, len(ask.question), "d6"),)
    walk = Walk(ask.begins, lambda dc, place, face: dc + ask.shift(place + 1, face, ask.counted))
    at_once = Throw(dice, walk, then=lambda dc: Outcome(result_of(held(dc))))
    none: tuple[int, ...] = ()
    in_order = Walk(none, lambda faces, place, face: (*faces, face))
    return Throw(dice, in_order, lambda faces: answered(ask, faces, ask.counted), _tell_dice, together=at_once)


def result_of(dc: int) -> OracleResult:
    """The result that a DC is."""
    return OracleResult(dc, name_of(dc))


def answered(
    ask: Oracle, faces: tuple[int, ...], counted: tuple[int, ...], effects: tuple[Effect, ...] = ()
) -> Node[OracleResult]:
    """The outcome with every answer; those that moved the DC may still turn out to be counted already."""
    answers = tuple(answers_of(ask, faces, counted))
    later = lazy(judge, ask, faces, counted) if any(answer.by for answer in answers) else None
    result = result_of(ask.reached(faces, counted))
    return Outcome(result, effects or answers, lambda: _notes(ask, answers), after=later)


def answers_of(ask: Oracle, faces: tuple[int, ...], counted: tuple[int, ...]) -> Iterator[Effect]:
    """Each question with its answer, and by how much that moves the DC."""
    for place, ((question, _), face) in enumerate(zip(ask.question, faces, strict=True), 1):
        said = f"{ANSWERS[face]}, already counted" if place in counted else ANSWERS[face]
        yield Effect("answer", "table", ask.shift(place, face, counted), question, "RW-14", cause=said)


def judge(ask: Oracle, faces: tuple[int, ...], counted: tuple[int, ...]) -> Node[OracleResult]:
    """Each answer that moved the DC may turn out to be counted already, as the one who asked says."""
    moving = [place for place, face in enumerate(faces, 1) if ask.shift(place, face, counted)]
    options = {}
    for place in moving:
        question, answer = ask.question[place - 1][0], ANSWERS[faces[place - 1]]
        # Where there is only one, the question needs no repeating.
        label = say("RW-14.counted") if len(moving) == 1 else say("RW-14.counted_one", question=question)
        then, told = lazy(taken_back, ask, faces, counted, place), say(f"RW-14.counted_{answer}", question=question)
        options[f"counted-{place}"] = Option(label, then, "RW-14", told=told)
    return Choice("judge", "player", say("RW-14.judge"), options, result_of(ask.reached(faces, counted)))


def taken_back(ask: Oracle, faces: tuple[int, ...], counted: tuple[int, ...], place: int) -> Node[OracleResult]:
    """The outcome without one answer's shift, which was counted already."""
    by = -ask.shift(place, faces[place - 1], counted)
    back = Effect("counted", "table", by, ask.question[place - 1][0], "RW-14")
    return answered(ask, faces, (*counted, place), (back,))


# In sentences.


def questions(ask: Oracle) -> tuple[str, ...]:
    """The question that each die will answer, in order."""
    return tuple(
        say(f"RW-14.{word}{'_counted' if place in ask.counted else ''}", question=question)
        for place, (question, word) in enumerate(ask.question, 1)
    )


def _tell_dice(faces: Faces) -> Telling:
    """Every die as an answer."""
    answers = [(face, ANSWERS[face]) for face in faces[0][0]]
    return Telling(tuple(Die("d6", 6, face, answer, answer == "yes") for face, answer in answers))


def _notes(ask: Oracle, answers: Sequence[Effect]) -> Iterator[Note]:
    """Each answer, where it moves the DC, and the DC in the end."""
    dc = ask.begins
    yield from noted(dc != START, "RW-14.stands", dc=dc)
    for effect in answers:
        dc += effect.by
        answer = effect.cause.replace(", already ", "_")
        yield note(f"RW-14.said_{answer}", question=effect.name, shift=effect.by, dc=dc)
    yield from noted(held(dc) != dc, "RW-14.held", dc=held(dc))
    yield note("RW-14.reached", dc=held(dc), step=name_of(held(dc)))
