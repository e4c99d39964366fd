"""Upcasts: entries of older versions, completed to what today's version would have written.

Whole logs are upcast, when a file is imported or a table of an older Astragal is first opened, and
then stored: what could not be known from the log alone is worked out once and never again.

Version 1 is that of 0.5, which played finished rolls back on every look. Version 2 stores what a roll
showed, in fields that version 1 lacks and that are optional here, so that today's types read both.
Each roll of a version 1 log is played back once, at most. Where the rules still throw the same dice, its
throws get their titles, who threw them and what hidden dice did, and the ask its defaults; where they
still give the stored verdict, it gets its result. Otherwise these stay out, and the roll is shown with the
dice and sentences that the log has. Nothing that was stored is changed, and no roll makes an upcast fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from msgspec.structs import replace

from astragal.errors import Refusal
from astragal.rule.inputs.ask import Ask
from astragal.rule.report import explain, judged, plain
from astragal.rule.tree.node import Choice
from astragal.rule.tree.play import Answer, Played, ThrowStep
from astragal.table import event as e
from astragal.table.access import id_in_role
from astragal.table.entry import VERSION, Entry
from astragal.table.fold import fold_events
from astragal.table.rolls.ask import defaults_of, thaw
from astragal.table.rolls.hand import TableHand, dice_told, luck_value, same_dice
from astragal.table.rolls.playback import BREAKS, replayed
from astragal.table.ruleset import Ruleset, ruleset_of
from astragal.table.state import Roll, State

Log = Iterator[Entry]


def upcast(log: Iterable[Entry]) -> Log:
    """A whole log in today's version, entry by entry; its first entry says which version it has."""
    entries = iter(log)
    for first in entries:
        found: Log = chain((first,), entries)
        for version in range(first.v, VERSION):
            found = UPCASTS[version](found)
        yield from found


def _from_1(log: Log) -> Log:
    reader = _Reader()
    return map(reader.completed, log)


UPCASTS: dict[int, Callable[[Log], Log]] = {1: _from_1}
"""Upcasts by the version that they read; each makes the next version."""


class OldHand(TableHand):
    """Plays back a roll of a time when some choices in the middle of one did not exist: they pass."""

    def choose(self, choice: Choice[Any]) -> Answer | None:
        """What is logged, or the option that leaves things as they are where dice are logged next."""
        if choice.passes and self.throws_next:
            return Answer(choice.rest)
        return super().choose(choice)


class _Replay(NamedTuple):
    """A roll played back as far as an entry took it; ``dice`` are those of the throws in that entry."""

    roll: Roll
    ask: Ask
    played: Played[Any]
    dice: list[list[e.DieTold]]
    tiers: tuple[str, ...]
    """What today's verdict is called, by either side."""


class _Reader:
    """Reads a log in order and completes the entries of version 1."""

    def __init__(self) -> None:
        self._ruleset: Ruleset | None = None
        self._events: dict[str, list[tuple[str, e.Event]]] = {}
        """The events of each roll, with the ids of their entries."""
        self._struck: set[str] = set()

    def completed(self, entry: Entry) -> Entry:
        """The entry in version 2. Entries must come in order, so that earlier undos are known."""
        for event in entry.events:
            self._read(entry.id, event)
        if entry.v != 1 or self._ruleset is None:
            return replace(entry, v=max(entry.v, 2))
        told = {event.roll for event in entry.events if isinstance(event, (e.Asked, e.Thrown, e.Told))}
        replays = {roll: found for roll in told if (found := self._replay(roll, entry))}
        throws = {roll: iter(_new_steps(found)) for roll, found in replays.items()}
        events = [self._complete(event, replays, throws) for event in entry.events]
        return replace(entry, events=events, v=2)

    def _read(self, id: str, event: e.Event) -> None:
        if isinstance(event, e.Founded):
            self._ruleset = ruleset_of(event.game)
        elif isinstance(event, e.Struck):
            self._struck.update(event.entries)
        elif isinstance(event, e.Restored):
            self._struck.difference_update(event.entries)
        elif hasattr(event, "roll"):
            self._events.setdefault(event.roll, []).append((id, event))

    def _replay(self, id: str, entry: Entry) -> _Replay | None:
        """The roll played back, if today's rules still read its dice as the log does."""
        assert self._ruleset is not None
        events = [event for by, event in self._events[id] if by not in self._struck]
        roll = fold_events(State(game=self._ruleset.game.name), events).world.rolls.get(id)
        if roll is None or roll.ask is None:
            return None
        hidden = bool(roll.hidden)
        thrown = [event.dice for event in entry.events if isinstance(event, e.Thrown) and event.roll == id]
        try:
            kind = self._ruleset.game.kind(roll.kind)
            ask = thaw(kind, roll.ask)
            played = replayed(kind, ask, roll.steps, OldHand)
            throws = explain(played).throws
            new = [shown for _, shown in throws[len(throws) - len(thrown) :]]
            verdict = judged(kind, played.result) if played.result is not None else None
        except (Refusal, *BREAKS):
            return None
        if len(new) != len(thrown) or not all(map(same_dice, (dice_told(dice, hidden) for dice in new), thrown)):
            return None
        return _Replay(
            roll, ask, played, [dice_told(dice) for dice in new], (verdict.tier, verdict.theirs) if verdict else ()
        )

    def _complete(self, event: e.Event, replays: dict[str, _Replay], throws: dict[str, Any]) -> e.Event:
        assert self._ruleset is not None
        if isinstance(event, e.Opened):
            kind = self._ruleset.game.kinds.get(event.kind)
            return replace(event, title=kind.title) if kind else event
        replay = replays.get(getattr(event, "roll", ""))
        if replay is None:
            return event
        if isinstance(event, e.Asked):
            return replace(event, defaults=defaults_of(replay.ask))
        if isinstance(event, e.Thrown):
            return _thrown(event, replay.roll, next(throws[event.roll]), self._ruleset)
        return _told(event, replay) if isinstance(event, e.Told) else event


def _new_steps(replay: _Replay) -> Sequence[ThrowStep]:
    steps = [step for step in replay.played.steps if isinstance(step, ThrowStep)]
    return steps[len(steps) - len(replay.dice) :]


def _thrown(event: e.Thrown, roll: Roll, step: ThrowStep, ruleset: Ruleset) -> e.Thrown:
    value = None if roll.hidden else luck_value(ruleset, roll.kind, step)
    return replace(event, title=step.throw.title, by=id_in_role(roll, step.throw.by), value=value)


def _told(event: e.Told, replay: _Replay) -> e.Told:
    # Verdicts are worded otherwise since; what a result is called is how they began.
    # A choice that the rules did not have then was not taken: the roll is over with its result so far.
    result, agrees = replay.played.result, any(tier and event.verdict.startswith(tier) for tier in replay.tiers)
    result = plain(result) if result is not None and event.over and agrees else None
    return replace(event, dice=replay.dice if replay.roll.hidden else [], result=result)
