"""Moves at a Chronicles table: Conditions end, Willpower comes back, tries are forgotten, long tasks given up."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.author import Ask, Change, Holder, Illegal, Move, Note, Participants, Unknown, whole, words
from astragal.games.chronicles.sheet import MAX_COUNT, task_words
from astragal.games.chronicles.traits import same_name


class ResolveAsk(Ask):
    """A Condition ends."""

    condition: str = words("the Condition that ends", rule="CD-14")
    why: str | None = words("how it ends", default=None)


class RegainAsk(Ask):
    """Willpower comes back."""

    points: int | None = whole(1, MAX_COUNT, "points that come back; all if left out", default=None, rule="CD-14")
    why: str | None = words("what for", default=None)


class GiveUpAsk(Ask):
    """A long task is given up."""

    task: str | None = words("the long task; the only one if left out", default=None, rule="CD-13")
    why: str | None = words("why", default=None)


class AfreshAsk(Ask):
    """Tries are forgotten."""

    task: str | None = words("what was tried; everything if left out", default=None, rule="CD-11")


def resolve(ask: ResolveAsk, participants: Participants) -> Iterator[Change]:
    """A Condition is taken away (CD-14)."""
    who = _character(participants, "CD-14")
    if ask.condition not in who.items("conditions"):
        there = ", ".join(who.items("conditions")) or "none"
        raise Unknown(f'{who.name} has no Condition "{ask.condition[:40]}"; there are {there}.', "CD-14")
    cause = ask.why or f"{who.name} is done with it"
    yield Change(who.id, "conditions", ask.condition, cause=cause, rule="CD-14")


def regain(ask: RegainAsk, participants: Participants) -> Iterator[Change]:
    """Willpower comes back, never beyond what is full (CD-14)."""
    who = _character(participants, "CD-14")
    willpower = who.item("willpower", "Willpower")
    missing = willpower.get("full", 0) - willpower.get("now", 0)
    if missing < 1:
        raise Illegal(f"{who.name} has full Willpower; nothing changes.", "CD-14")
    by = min(missing, ask.points or missing)
    cause = ask.why or f"{who.name} regains Willpower"
    yield Change(who.id, "willpower", "Willpower", "now", by=by, cause=cause, rule="CD-14")


def afresh(ask: AfreshAsk, participants: Participants) -> Iterator[Change]:
    """With time and no pressure, earlier tries count no more (CD-11)."""
    who = _character(participants, "CD-11")
    tasks = [ask.task] if ask.task else list(who.items("tries"))
    if not tasks or any(task not in who.items("tries") for task in tasks):
        there = ", ".join(who.items("tries")) or "none"
        raise Unknown(f"{who.name} has no such tries to forget; there are {there}.", "CD-11")
    for task in tasks:
        yield Change(who.id, "tries", task, cause=f"{who.name} has time and no pressure", rule="CD-11")


def give_up(ask: GiveUpAsk, participants: Participants) -> Iterator[Change | Note]:
    """A long task ends without being done; what was gathered stays in the log (CD-13)."""
    keeper = participants.roller or participants.table
    tasks = keeper.items("tasks")
    name = next((each for each in tasks if same_name(each, ask.task or each)), "")
    if not name or (ask.task is None and len(tasks) > 1):
        there = ", ".join(tasks) or "none"
        raise Unknown(f"Name a long task that is under way; there are {there}.", "CD-13")
    who, why = (participants.roller or participants.table).name or "The table", f" {ask.why}" if ask.why else ""
    yield Note(f"{who} gives up {name}: {task_words(tasks[name])}.{why}", "CD-13")
    yield Change(keeper.id, "tasks", name, rule="CD-13")


def _character(participants: Participants, rule: str) -> Holder:
    if participants.roller is None:
        raise Illegal("Whose sheet is it? Name a character.", rule)
    return participants.roller


MOVES = (
    Move("resolve", "End a Condition", ResolveAsk, resolve, rule="CD-14"),
    Move("regain", "Regain Willpower", RegainAsk, regain, rule="CD-14"),
    Move("give_up", "Give up a long task", GiveUpAsk, give_up, rule="CD-13"),
    Move("afresh", "Start afresh, without pressure", AfreshAsk, afresh, rule="CD-11"),
)
