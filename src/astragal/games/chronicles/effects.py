"""What a Chronicles roll changes on the sheets: Beats, Conditions, tries, long tasks (CD-10, CD-11, CD-13)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from astragal.author import Change, Effect, Holder, Note, Participants
from astragal.games.chronicles.extended import Extended
from astragal.games.chronicles.pool import Count
from astragal.games.chronicles.sheet import item_name


def apply(kind: str, ask: Any, effects: Sequence[Effect], participants: Participants) -> Iterator[Change | Note]:
    """Willpower spent, a Beat, a Condition, a try that came to nothing; without a character the log says what was."""
    for effect in effects:
        holder = participants.holder(effect.who)
        if effect.what == "task":
            yield from _worked(holder or participants.table, ask, effect)
        elif holder is None:
            yield from _left(effect)
        elif effect.what == "willpower":
            cause = f"{holder.name} {effect.cause}"
            yield Change(holder.id, "willpower", "Willpower", "now", by=effect.by, cause=cause, rule=effect.rule)
        elif effect.what == "beat":
            cause = f"{holder.name} takes a Beat for a dramatic failure"
            yield Change(holder.id, "beats", "Beats", "now", by=effect.by, cause=cause, rule=effect.rule)
        elif effect.what == "condition":
            yield _gains(holder, item_name(effect.name))
        else:
            yield from _counted(holder, item_name(effect.name), effect)


def _left(effect: Effect) -> Iterator[Note]:
    sentences = {
        "beat": "Somebody without a sheet takes a Beat.",
        "condition": f"There is no character to gain the Condition {effect.name}.",
        "try": f"There is no character whose try is counted: {effect.name}.",
    }
    if effect.what in sentences:
        yield Note(sentences[effect.what], effect.rule)


def _counted(who: Holder, task: str, effect: Effect) -> Iterator[Change]:
    """A try that comes to nothing is counted; a success ends the counting (CD-11)."""
    there = task in who.items("tries")
    if effect.what == "done":
        if there:
            cause = f"{who.name} has done it: {task}; earlier tries are forgotten"
            yield Change(who.id, "tries", task, cause=cause, rule=effect.rule)
    elif there:
        cause = f"{who.name} has tried in vain again: {task}"
        yield Change(who.id, "tries", task, "tries", by=effect.by, cause=cause, rule=effect.rule)
    else:
        cause = f"{who.name} has tried in vain: {task}"
        yield Change(who.id, "tries", task, to={"tries": effect.by}, cause=cause, rule=effect.rule)


def _worked(keeper: Holder, ask: Extended, effect: Effect) -> Iterator[Change]:
    """How far a long task has come is kept until it is over (CD-13)."""
    total, left = ask.gathered + effect.by, ask.rolls_left - 1
    name = item_name(effect.name)
    if total >= ask.target or not left:
        if name in keeper.items("tasks"):
            ends = "is done" if total >= ask.target else "has no roll left"
            yield Change(keeper.id, "tasks", name, cause=f"{name} {ends}", rule=effect.rule)
        return
    task = {"successes": total, "target": ask.target, "left": left, "made": ask.made + 1}
    yield Change(keeper.id, "tasks", name, to=task, rule=effect.rule)


def _gains(who: Holder, condition: str) -> Change | Note:
    """An exceptional success gives a Condition, once (CD-10)."""
    if condition in who.items("conditions"):
        return Note(f"{who.name} has the Condition {condition} already.", "CD-10")
    cause = f"{who.name} has an exceptional success"
    return Change(who.id, "conditions", condition, to={"note": None, "dice": 0}, cause=cause, rule="CD-10")


def luck(kind: str, value: Any) -> int | None:
    """Successes rolled; a chance die has one or none."""
    if isinstance(value, Count):
        return value.rolled
    return value if type(value) is int else None
