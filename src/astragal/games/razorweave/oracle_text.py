"""The oracle in sentences: its questions, its answers, and where they lead (RW-14)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from astragal.author import Die, Effect, Faces, Note, Telling, signed
from astragal.games.razorweave.rules import cited, say
from astragal.games.razorweave.tiers import START, held, name_of

if TYPE_CHECKING:
    from astragal.games.razorweave.oracle import Oracle


def questions(ask: Oracle) -> tuple[str, ...]:
    """What each die will answer, in order."""
    return tuple(
        say(f"RW-14.{word}{'_counted' if place in ask.counted else ''}", question=question)
        for place, (question, word) in enumerate(ask.question, 1)
    )


def tell_dice(faces: Faces) -> Telling:
    """Every die as an answer."""
    from astragal.games.razorweave.oracle import ANSWERS

    answers = [(face, ANSWERS[face]) for face in faces[0][0]]
    return Telling(tuple(Die("d6", 6, face, answer, answer == "yes") for face, answer in answers))


def notes(ask: Oracle, effects: Sequence[Effect]) -> Iterator[Note]:
    """Each answer, where it moves the DC, and the DC in the end."""
    dc = ask.begins
    if dc != START:
        yield Note(*cited("RW-14.stands", dc=dc))
    for effect in effects:
        dc += effect.by
        answer = effect.cause.replace(", already ", "_")
        yield Note(*cited(f"RW-14.said_{answer}", question=effect.name, shift=effect.by, dc=dc))
    if held(dc) != dc:
        yield Note(*cited("RW-14.held", dc=held(dc)))
    yield Note(*cited("RW-14.reached", dc=held(dc), step=name_of(held(dc))))


def answer_words(answer: str, shift: int) -> str:
    """An answer, and what it does to the DC: "no, +2"."""
    return f"{answer}, {signed(shift)}" if shift else answer
