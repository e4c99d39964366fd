"""What an entry was, in a few words, for a request or the log to name it: "Wren's Strike at Thug, 10 against 16".

What people wrote is not repeated: it may be removed later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from astragal.table import event as e
from astragal.table.access import GM, may_see, name_of
from astragal.table.entry import Entry
from astragal.table.roll_event import RollEvent
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Member, Roll, State

MOST = 6
"""Most things that are named; if there are more, only their number is told."""
STEPS = (e.Asked, e.Thrown, e.Covered, e.Answered, e.Told, e.PartlyTold)
"""Events of a roll from its dice on."""


def viewer(state: State, audience: str) -> Member | None:
    """A member who may see what an audience may see."""
    if audience == GM:
        return next((member for member in state.members.values() if member.role == GM), None)
    return state.members.get(audience)


def named(entries: Iterable[Entry], state: State, member: Member | None) -> list[str]:
    """Names of these entries, as far as a seat may know.

    A roll is named once, with what it came to; a choice in a roll that stands is named by itself.
    """
    naming = _Naming(state, member)
    found: dict[str, str] = {}
    came: dict[str, str] = {}
    for entry in entries:
        events = [event for event in entry.events if may_see(member, event.audience)]
        steps = [event for event in events if isinstance(event, STEPS)]
        if steps:
            first, id = steps[0], steps[0].roll
            roll = naming.roll(id, events, found.get(id, ""))
            if isinstance(first, e.Answered) and id not in found:
                found[entry.id] = f'"{first.label}" in {roll}' if first.label else f"a choice in {roll}"
                continue
            found[id] = roll
            outcomes = [event.sum or event.verdict for event in events if isinstance(event, e.Told)]
            came[id] = next(filter(None, reversed(outcomes)), "") or came.get(id, "")
        elif events:
            found[entry.id] = naming.other(events[0], naming.name(entry.by))
    if len(found) == 1 and any(came.values()) and "," not in "".join(came.values()):
        return [f"{phrase}, {came[id]}" for id, phrase in found.items()]
    phrases = [f"{phrase} ({came[id]})" if came.get(id) else phrase for id, phrase in found.items()]
    left = len(phrases) - MOST
    return phrases if left <= 1 else [*phrases[:MOST], f"{left} more"]


class _Naming:
    """Names what happened at a table, for one seat."""

    def __init__(self, state: State, member: Member | None) -> None:
        self._state = state
        self.name = partial(name_of, state, member)

    def roll(self, id: str, events: list[e.Event], before: str) -> str:
        """The name of a roll by roller and opponent; ``before`` is the name that an earlier entry gave it."""
        opened = next((event for event in events if isinstance(event, e.Opened)), None)
        roll = opened or self._state.world.rolls.get(id)
        if roll is None:
            return before or "a roll"
        against = roll.against_name or (self.name(roll.against) if roll.against else "")
        called = self._called(id, roll, bool(against)).replace("{}", against)
        return f"{roll.name or self.name(roll.who or roll.by)}'s {called}"

    def _called(self, id: str, roll: Roll | e.Opened, against: bool) -> str:
        """The name of a roll of its kind, by the inputs that everybody knows."""
        kind = ruleset_of(self._state.game).game.kinds.get(roll.kind)
        now = self._state.world.rolls.get(id)
        inputs = {name: value for name, value in now.inputs.items() if name not in now.hidden} if now else roll.inputs
        called = kind.called if kind else "roll"
        words = called if isinstance(called, str) else called(inputs, against)
        if not against or "{}" in words:
            return words
        return f"{words} for {{}}" if kind and kind.helps_target else f"{words} against {{}}"

    def other(self, event: e.Event, by: str) -> str:
        """The name of an event without thrown dice; ``by`` is the member who acted."""
        if isinstance(event, RollEvent) and type(event) in _DOINGS:
            return f"{_DOINGS[type(event)].format(by)} {self.roll(event.roll, [], '')}"
        return _NAMES[type(event)](self, event, by) if type(event) in _NAMES else f"what {by} did"


_DOINGS: dict[type, str] = {
    e.Built: "what {} put into",
    e.Assisted: "help in",
    e.Withdrawn: "the withdrawal of",
    e.Described: "what {} told of",
    e.Revealed: "the showing of",
    e.Corrected: "the correction of",
    e.Readied: "what {} said of being ready in",
    e.Picked: "what {} named in",
}
_NAMES: dict[type, Callable[[_Naming, Any, str], str]] = {
    e.Opened: lambda naming, event, by: f"the opening of {naming.roll(event.roll, [event], '')}",
    e.MoveThrown: lambda naming, event, by: f"{event.title} of {naming.name(event.by)}",
    e.MoveRevealed: lambda naming, event, by: f"the showing of {event.title}",
    e.Noted: lambda naming, event, by: f"a note of {by}" if event.said else f"what {by} did",
    e.Created: lambda naming, event, by: f"the character {event.name}",
    e.Held: lambda naming, event, by: f"a change of who has {naming.name(event.holder)}",
    e.Retired: lambda naming, event, by: f"the leaving of {naming.name(event.holder)}",
    e.Excused: lambda naming, event, by: f"what {by} took back of a request",
    e.SceneOpened: lambda naming, event, by: f"the scene {event.title}",
    e.SceneClosed: lambda naming, event, by: "the end of the scene",
    e.Changed: lambda naming, event, by: f"a change of {event.item or event.section} ({naming.name(event.holder)})",
    e.Requested: lambda naming, event, by: f"a request of {by}",
    e.Turned: lambda naming, event, by: "a change of the turn order",
    e.Saved: lambda naming, event, by: f"the pool {event.name}",
    e.SettingChanged: lambda naming, event, by: "a setting of the table",
}
