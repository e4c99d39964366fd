"""Moves at a Chronicles table: Conditions end, Willpower comes back, tries are forgotten, long tasks given up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from astragal.author import Change, Note, Participants, Unknown, move, whole, words
from astragal.games.chronicles.pool import same_name
from astragal.games.chronicles.rules import TEXTS, because, note, refuse, say
from astragal.games.chronicles.sheet import MAX_COUNT, task_words


@move(TEXTS, "CD-14")
def resolve(
    participants: Participants, condition: str = words(rule="CD-14"), why: str | None = words(default=None)
) -> Iterator[Change]:
    """A Condition is taken away (CD-14)."""
    who, there = participants.acting, participants.acting.items("conditions")
    told = {"name": who.name, "condition": condition[:40], "there": _named(there)}
    refuse(condition not in there, "CD-14.no_condition", Unknown, **told)
    yield Change(who.id, "conditions", condition, cause=why or say("CD-14.over", name=who.name), rule="CD-14")


@move(TEXTS, "CD-14")
def regain(
    participants: Participants,
    points: int | None = whole(1, MAX_COUNT, default=None, rule="CD-14"),
    why: str | None = words(default=None),
) -> Iterator[Change]:
    """Willpower comes back, never beyond what is full (CD-14)."""
    who = participants.acting
    willpower = who.item("willpower", "Willpower")
    missing = willpower.get("full", 0) - willpower.get("now", 0)
    refuse(missing < 1, "CD-14.full", name=who.name)
    by, cause = min(missing, points or missing), why or say("CD-14.regains", name=who.name)
    yield Change(who.id, "willpower", "Willpower", "now", by=by, cause=cause, rule="CD-14")


@move(TEXTS, "CD-11")
def afresh(participants: Participants, task: str | None = words(default=None, rule="CD-11")) -> Iterator[Change]:
    """With time and no pressure, earlier tries count no more (CD-11)."""
    who, tried = participants.acting, participants.acting.items("tries")
    tasks = [task] if task else list(tried)
    unknown = not tasks or any(each not in tried for each in tasks)
    refuse(unknown, "CD-11.no_tries", Unknown, name=who.name, there=_named(tried))
    for each in tasks:
        yield Change(who.id, "tries", each, **because("CD-11.time", name=who.name))


@move(TEXTS, "CD-13")
def give_up(
    participants: Participants,
    task: str | None = words(default=None, rule="CD-13"),
    why: str | None = words(default=None),
) -> Iterator[Change | Note]:
    """A long task ends without being done; what was gathered stays in the log (CD-13)."""
    keeper = participants.roller or participants.table
    tasks = keeper.items("tasks")
    name = next((each for each in tasks if same_name(each, task or each)), "")
    refuse(not name or (task is None and len(tasks) > 1), "CD-13.which", Unknown, there=_named(tasks))
    who, gives_up = keeper.name or say("refused.the_table"), "CD-13.gives_up_why" if why else "CD-13.gives_up"
    yield note(gives_up, name=who, task=name, sum=task_words(tasks[name]), why=why)
    yield Change(keeper.id, "tasks", name, rule="CD-13")


def _named(names: Iterable[str]) -> str:
    return ", ".join(names) or say("refused.none")


MOVES = (resolve, regain, give_up, afresh)
