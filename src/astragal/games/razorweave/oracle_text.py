"""The oracle in sentences: its questions, its answers, and where they lead (RW-14)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from astragal.author import Die, Effect, Faces, Note, Telling, counted, signed
from astragal.games.razorweave.tiers import START, held, name_of

if TYPE_CHECKING:
    from astragal.games.razorweave.oracle import Oracle


def dice_words(ask: Oracle) -> str:
    """The dice in a few words, and where the oracle stands."""
    return f"{counted(len(ask.question), 'question')} from DC {ask.begins}"


def questions(ask: Oracle) -> tuple[str, ...]:
    """What each die will answer, in order."""
    return tuple(
        f"{question} (yes {word}{', already counted' if place in ask.counted else ''})"
        for place, (question, word) in enumerate(ask.question, 1)
    )


def tell_dice(faces: Faces) -> Telling:
    """Every die as an answer."""
    from astragal.games.razorweave.oracle import ANSWERS

    answers = [(face, ANSWERS[face]) for face in faces[0][0]]
    return Telling(tuple(Die("d6", 6, face, answer, answer == "yes") for face, answer in answers))


def counted_label(question: str, alone: bool) -> str:
    """What takes an answer out; where there is only one, the question needs no repeating."""
    return "Already counted" if alone else f"Already counted: {question}"


def notes(ask: Oracle, effects: Sequence[Effect]) -> Iterator[Note]:
    """Each answer, where it moves the DC, and the DC in the end."""
    dc = ask.begins
    if dc != START:
        yield Note(f"The oracle stands at {dc} after what it said before.", "RW-14")
    for effect in effects:
        dc += effect.by
        yield Note(f"{effect.name} {answer_words(effect.cause, effect.by)}: {dc}.", "RW-14")
    if held(dc) != dc:
        yield Note(f"After all answers it is held within 12 and 22: DC {held(dc)}.", "RW-14")
    yield Note(f"DC {held(dc)}: {name_of(held(dc))}.", "RW-14")


def answer_words(answer: str, shift: int) -> str:
    """An answer, and what it does to the DC: "no, +2"."""
    return f"{answer}, {signed(shift)}" if shift else answer
