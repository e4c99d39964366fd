"""Explain: the trace of a play as sentences, each with the rule that it fell under."""

from __future__ import annotations

from typing import Any, NamedTuple

from astragal.rule.note import Die, Note
from astragal.rule.play import Chosen, Played


class Explanation(NamedTuple):
    """Every throw's dice with what each did, and the sentences in order."""

    throws: tuple[tuple[str, tuple[Die, ...]], ...]
    notes: tuple[Note, ...]


def explain(played: Played[Any]) -> Explanation:
    """What happened, die by die and rule by rule."""
    throws: list[tuple[str, tuple[Die, ...]]] = []
    notes: list[Note] = []
    for step in played.steps:
        if isinstance(step, Chosen):
            notes.extend(_tell_answer(step))
        else:
            telling = step.throw.tell(step.faces)
            throws.append((step.throw.title, telling.dice))
            notes.extend(telling.notes)
    if played.outcome:
        notes.extend(played.outcome.tell())
    return Explanation(tuple(throws), tuple(notes))


def _tell_answer(step: Chosen) -> list[Note]:
    """Leaving things as they are is not worth a sentence."""
    option = step.choice.options[step.answer.option]
    notes = list(step.choice.tell())
    if step.answer.option != step.choice.rest:
        words = f": {step.answer.words}" if step.answer.words else ""
        notes.append(Note(f"{option.label}{words}.", option.rule))
    return notes
