"""The changes of a Chronicles roll on the sheets: Beats, Conditions, tries, long tasks (CD-10, CD-11, CD-13)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from astragal.author import Change, Effect, Holder, Note, Participants, changed
from astragal.games.chronicles.dice import Count
from astragal.games.chronicles.extended import Extended
from astragal.games.chronicles.rules import because, note, noted
from astragal.games.chronicles.sheet import item_name


def apply(kind: str, ask: Any, effects: Sequence[Effect], participants: Participants) -> Iterator[Change | Note]:
    """The changes of these effects by their paths; a Condition is added once, tries and long tasks are counted."""
    for effect in effects:
        holder, name = participants.holder(effect.who), item_name(effect.name)
        if effect.what == "task":
            yield from _worked(holder or participants.table, ask, effect)
        elif effect.what in ("try", "done"):
            yield from _counted(holder, name, effect)
        elif effect.what == "conditions" and holder and name in holder.items("conditions"):
            yield note("CD-10.there_already", name=holder.name, condition=name)
        else:
            yield from changed(effect, participants)


def _counted(who: Holder | None, task: str, effect: Effect) -> Iterable[Change | Note]:
    """A try that comes to nothing is counted; a success ends the counting (CD-11)."""
    if who is None:
        return noted(effect.what == "try", "CD-11.nobody", task=effect.name)
    there, told = task in who.items("tries"), {"name": who.name, "task": task}
    if effect.what == "done":
        return [Change(who.id, "tries", task, **because("CD-11.done", **told))] if there else []
    if there:
        return [Change(who.id, "tries", task, "tries", by=effect.by, **because("CD-11.tried_again", **told))]
    return [Change(who.id, "tries", task, to={"tries": effect.by}, **because("CD-11.tried", **told))]


def _worked(keeper: Holder, ask: Extended, effect: Effect) -> Iterator[Change]:
    """Keeps a long task's progress until it is over (CD-13)."""
    total, left = ask.gathered + effect.by, ask.rolls_left - 1
    name = item_name(effect.name)
    if total >= ask.target or not left:
        if name in keeper.items("tasks"):
            ends = "CD-13.is_done" if total >= ask.target else "CD-13.no_roll_left"
            yield Change(keeper.id, "tasks", name, **because(ends, task=name))
        return
    task = {"successes": total, "target": ask.target, "left": left, "made": ask.made + 1}
    yield Change(keeper.id, "tasks", name, to=task, rule=effect.rule)


def luck(kind: str, value: Any) -> int | None:
    """Successes rolled; a chance die has one or none."""
    if isinstance(value, Count):
        return value.rolled
    return value if type(value) is int else None
