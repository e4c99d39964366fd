"""Carries out actions from a seat and prints what happened; at a terminal, asks about open choices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from astragal.cli.prompts import ask_choice, until_accepted
from astragal.cli.render.screen import Screen, continued
from astragal.cli.table.seat import Seat, name_of
from astragal.cli.table.show import show_open
from astragal.rule.game import Kind
from astragal.rule.tree.node import Choice
from astragal.rule.tree.note import Die
from astragal.table.action import Action, AnswerAction
from astragal.table.entry import Entry
from astragal.table.event import Restored, Struck
from astragal.table.log.lines import tell
from astragal.table.log.shown import DieTold, LogLine
from astragal.table.rolls.basis import Basis, kind_of
from astragal.table.rolls.hand import Roller, machine
from astragal.table.rolls.known import answers_of
from astragal.table.rolls.playback import open_node_of
from astragal.table.state import Roll, State

ROLLING = ("ask", "open", "roll", "build", "ready", "assist", "throw", "answer", "withdraw")
"""Actions after which the open rolls and requests are shown."""
STYLES = {"verdict": "bold", "headline": "bold", "scene": "bold", "full": "bold yellow", "undo": "yellow"}
"""The style of a line, by its kind."""


class ActionRunner:
    """Carries out actions from a seat and prints the result; ``live`` asks for the answers to open choices."""

    def __init__(self, screen: Screen, seat: Seat, dice: Roller = machine, live: bool = False) -> None:
        self._screen = screen
        self._seat = seat
        self._dice = dice
        self._live = live

    def do(self, action: Action) -> None:
        """Carry out an action, print it, ask the open choices, and list the rolls that are still open."""
        entry = self._act(action)
        while self._live and (found := self._choice(entry)):
            roll, choice = found
            kind = kind_of(self._seat.state, roll)
            entry = until_accepted(self._screen, lambda: self._answer(kind, roll, choice))  # noqa: B023 (called here)
        if entry.do in ROLLING:
            show_open(self._screen, self._seat)

    def _answer(self, kind: Kind, roll: Roll, choice: Choice[Any]) -> Entry:
        answer = ask_choice(self._screen, kind, choice)
        return self._act(AnswerAction(answer=str(answer), roll=roll.id))

    def _act(self, action: Action) -> Entry:
        """Carry out an action and print it; of what was undone or redone, the first sentence of each entry."""
        new_lines = NewLines(told_so_far(self._seat.state))
        entry = self._seat.act(action, self._dice).entry
        show_entry(self._screen, new_lines.of(entry, self._seat), self._seat)
        about = {id for event in entry.events if isinstance(event, Struck | Restored) for id in event.entries}
        for earlier in self._seat.stored_table.history() if about else ():
            if earlier.id in about and (lines := tell(earlier, self._seat.state, self._seat.member)):
                self._screen.say(f"  {lines[0].text}", "dim")
        return entry

    def _choice(self, entry: Entry) -> tuple[Roll, Choice[Any]] | None:
        """The choice that the roll of this entry waits for, with the options that are this seat's."""
        state = self._seat.state
        for id in {event.roll for event in entry.events if hasattr(event, "roll")}:
            roll = state.world.rolls.get(id)
            basis = Basis(state, roll) if roll else None
            node = open_node_of(basis) if basis else None
            if roll and basis and isinstance(node, Choice) and (mine := answers_of(basis, node, self._seat.member)):
                return roll, node._replace(options={name: node.options[name] for name in mine})
        return None


# Lines of entries.


class NewLines:
    """Leaves out lines that were shown before: each step of a roll repeats the roll's earlier sentences."""

    def __init__(self, told: dict[str, set[str]] | None = None) -> None:
        self._told = told or {}

    def of(self, entry: Entry, seat: Seat) -> Iterator[LogLine]:
        """The new lines of an entry, for this seat."""
        for line in tell(entry, seat.state, seat.member):
            if line.roll and line.kind in ("headline", "note"):
                told = self._told.setdefault(line.roll, set())
                if line.text in told:
                    continue
                told.add(line.text)
            yield line


def told_so_far(state: State) -> dict[str, set[str]]:
    """The headlines and notes of the unfinished rolls, by roll."""
    return {
        id: {f"{roll.told.headline}.", *(text for text, _ in roll.told.notes)}
        for id, roll in state.world.rolls.items()
        if roll.ask is not None and not roll.over
    }


def whose_dice(line: LogLine, seat: Seat) -> str:
    """The member who typed the dice of a line, and a remark on reused dice; empty for new dice of the machine."""
    typed = f"typed by {name_of(seat.state, line.typed_by)}" if line.typed_by else ""
    return ", ".join(filter(None, (typed, "the same dice as before the undo" if line.reused else "")))


def labelled_dice(line: LogLine) -> Iterator[tuple[DieTold, str]]:
    """The dice of a line, each with the word on its face, or an empty text for a number."""
    return zip(line.dice, line.labels or ("",) * len(line.dice), strict=True)


def show_entry(screen: Screen, lines: Iterable[LogLine], seat: Seat) -> None:
    """Print an entry that was just written."""
    for line in lines:
        if line.dice and line.kind == "dice":
            dice = [Die(*die, label=label) for die, label in labelled_dice(line)]
            screen.show_dice(name_of(seat.state, line.by) if line.by else "", dice)
            if whose := whose_dice(line, seat):
                screen.say(f"  {whose}", "dim")
        elif line.kind == "note" and line.roll:
            screen.say(f"  {continued(str(line), 4)}")
        else:
            screen.say(continued(str(line), 4), STYLES.get(line.kind, ""))
