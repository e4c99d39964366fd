"""Moves at a Chronicles table: Conditions end, Willpower comes back, tries are forgotten, long tasks given up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from astragal.author import Ask, Change, Illegal, Move, Note, Participants, Unknown, whole, words
from astragal.games.chronicles.pool import same_name
from astragal.games.chronicles.rules import TEXTS, because, cited, say
from astragal.games.chronicles.sheet import MAX_COUNT, task_words


class Resolve(Ask, texts=TEXTS.of("resolve")):
    """A Condition ends."""

    condition: str = words(rule="CD-14")
    why: str | None = words(default=None)


class Regain(Ask, texts=TEXTS.of("regain")):
    """Willpower comes back."""

    points: int | None = whole(1, MAX_COUNT, default=None, rule="CD-14")
    why: str | None = words(default=None)


class GiveUp(Ask, texts=TEXTS.of("give_up")):
    """A long task is given up."""

    task: str | None = words(default=None, rule="CD-13")
    why: str | None = words(default=None)


class Afresh(Ask, texts=TEXTS.of("afresh")):
    """Tries are forgotten."""

    task: str | None = words(default=None, rule="CD-11")


def resolve(ask: Resolve, participants: Participants) -> Iterator[Change]:
    """A Condition is taken away (CD-14)."""
    who = participants.acting
    if ask.condition not in who.items("conditions"):
        there = _there(who.items("conditions"))
        raise Unknown(*cited("CD-14.no_condition", name=who.name, condition=ask.condition[:40], there=there))
    cause = ask.why or say("CD-14.over", name=who.name)
    yield Change(who.id, "conditions", ask.condition, cause=cause, rule="CD-14")


def regain(ask: Regain, participants: Participants) -> Iterator[Change]:
    """Willpower comes back, never beyond what is full (CD-14)."""
    who = participants.acting
    willpower = who.item("willpower", "Willpower")
    missing = willpower.get("full", 0) - willpower.get("now", 0)
    if missing < 1:
        raise Illegal(*cited("CD-14.full", name=who.name))
    by = min(missing, ask.points or missing)
    cause = ask.why or say("CD-14.regains", name=who.name)
    yield Change(who.id, "willpower", "Willpower", "now", by=by, cause=cause, rule="CD-14")


def afresh(ask: Afresh, participants: Participants) -> Iterator[Change]:
    """With time and no pressure, earlier tries count no more (CD-11)."""
    who = participants.acting
    tasks = [ask.task] if ask.task else list(who.items("tries"))
    if not tasks or any(task not in who.items("tries") for task in tasks):
        raise Unknown(*cited("CD-11.no_tries", name=who.name, there=_there(who.items("tries"))))
    for task in tasks:
        yield Change(who.id, "tries", task, **because("CD-11.time", name=who.name))


def give_up(ask: GiveUp, participants: Participants) -> Iterator[Change | Note]:
    """A long task ends without being done; what was gathered stays in the log (CD-13)."""
    keeper = participants.roller or participants.table
    tasks = keeper.items("tasks")
    name = next((each for each in tasks if same_name(each, ask.task or each)), "")
    if not name or (ask.task is None and len(tasks) > 1):
        raise Unknown(*cited("CD-13.which", there=_there(tasks)))
    who, gives_up = keeper.name or say("refused.the_table"), "CD-13.gives_up_why" if ask.why else "CD-13.gives_up"
    yield Note(*cited(gives_up, name=who, task=name, sum=task_words(tasks[name]), why=ask.why))
    yield Change(keeper.id, "tasks", name, rule="CD-13")


def _there(names: Iterable[str]) -> str:
    return ", ".join(names) or say("refused.none")


MOVES = (
    Move("resolve", ask=Resolve, does=resolve, rule="CD-14"),
    Move("regain", ask=Regain, does=regain, rule="CD-14"),
    Move("give_up", ask=GiveUp, does=give_up, rule="CD-13"),
    Move("afresh", ask=Afresh, does=afresh, rule="CD-11"),
)
