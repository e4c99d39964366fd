"""Explain: a play as sentences, each with its rule."""

from __future__ import annotations

from typing import Any, NamedTuple

from astragal.rule.note import Die, Note
from astragal.rule.play import ChoiceStep, Played, ThrowStep


class Explanation(NamedTuple):
    """The dice of every throw with what each did, and the sentences in order."""

    throws: tuple[tuple[str, tuple[Die, ...]], ...]
    notes: tuple[Note, ...]


def explain(played: Played[Any]) -> Explanation:
    """What happened, die by die and rule by rule."""
    throws: list[tuple[str, tuple[Die, ...]]] = []
    notes: list[Note] = []
    steps = played.steps
    last = len(steps) - 1
    while last >= 0 and not isinstance(steps[last], ThrowStep):
        last -= 1
    for place, step in enumerate(steps):
        if isinstance(step, ChoiceStep):
            # What an answer leads to at the end, the outcome itself tells.
            notes.extend(_tell_answer(step) if place < last else step.choice.tell())
        else:
            telling = step.throw.tell(step.faces)
            throws.append((step.throw.title, telling.dice))
            notes.extend(telling.notes)
    if played.outcome:
        notes.extend(played.outcome.tell())
    return Explanation(tuple(throws), tuple(notes))


def _tell_answer(step: ChoiceStep) -> list[Note]:
    option = step.choice.options[step.answer.option]
    words = f": {step.answer.words}" if step.answer.words else ""
    return [*step.choice.tell(), Note(f"{option.label}{words}.", option.rule)]
