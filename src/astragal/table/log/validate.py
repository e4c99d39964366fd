"""Soundness of a log from outside: dice and asks are such as a table writes, and its rolls can be played back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from astragal.errors import Malformed
from astragal.rule.explain import explain
from astragal.rule.play import Played, ThrowStep
from astragal.table import event as e
from astragal.table.access import GM
from astragal.table.decide.roll import replayed
from astragal.table.entry import Entry
from astragal.table.rolls.ask import thaw
from astragal.table.ruleset import ruleset_of
from astragal.table.state import State
from astragal.table.view.build import view

FACES = list[list[list[int]]]


def refuse_unplayable(entries: Iterable[Entry], state: State) -> None:
    """What looks and answers need is there; whatever is wrong comes out as a refusal or as Python's own complaint."""
    kinds: dict[str, str] = {}
    asks: dict[str, Any] = {}
    steps: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        for event in entry.events:
            _check_dice(event)
            if isinstance(event, e.Opened):
                kinds[event.roll] = ruleset_of(state.game).game.kind(event.kind).name
            elif isinstance(event, e.Asked):
                ask = thaw(ruleset_of(state.game).game.kind(kinds[event.roll]), event.ask)
                if entry.id not in state.struck:
                    asks[event.roll] = ask
            elif entry.id not in state.struck and isinstance(event, (e.Thrown, e.Answered)):
                step = {"faces": event.faces} if isinstance(event, e.Thrown) else {event.choice: event.answer}
                steps.setdefault(event.roll, []).append(step)
    for roll, taken in steps.items():
        played = replayed(ruleset_of(state.game).game.kind(kinds[roll]), asks[roll], taken)
        _refuse_foreign_faces(played)
        explain(played)
    _look(state)


def _refuse_foreign_faces(played: Played[Any]) -> None:
    for step in played.steps:
        for dice, waves in zip(step.throw.pool, step.faces, strict=True) if isinstance(step, ThrowStep) else ():
            if any(not 1 <= face <= dice.sides for wave in waves for face in wave):
                raise Malformed(f"a {dice.title} shows what it cannot show")


def _check_dice(event: e.Event) -> None:
    if isinstance(event, e.Thrown):
        msgspec.convert(event.faces, FACES)
    elif isinstance(event, e.UndoneDiceKept):
        msgspec.convert(event.dice, dict[str, list[tuple[int, FACES]] | None])


def _look(state: State) -> None:
    """The GM, who sees everything, can look at the table."""
    gm = next((member for member in state.members.values() if member.role == GM), None)
    if gm is None:
        raise Malformed("nobody is its GM")
    view(state, gm)
