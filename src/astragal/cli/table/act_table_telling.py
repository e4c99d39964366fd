"""Entries told at the command line: sentences and dice; what a roll has told before is not told again."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from astragal.cli.render.screen import Screen
from astragal.cli.table.seat import Seat
from astragal.rule.note import Die
from astragal.table.entry import Entry
from astragal.table.log.lines import LogLine, tell
from astragal.table.state import State

STYLES = {"verdict": "bold", "headline": "bold", "scene": "bold", "full": "bold yellow", "undo": "yellow"}


class Telling:
    """Remembers what each roll has told, since every step of a roll tells it from the start."""

    def __init__(self, told: dict[str, set[str]] | None = None) -> None:
        self._told = told or {}

    def lines(self, entry: Entry, seat: Seat) -> Iterator[LogLine]:
        """What is new in an entry, for this seat."""
        for line in tell(entry, seat.state, seat.member):
            if line.roll and line.kind in ("headline", "note"):
                told = self._told.setdefault(line.roll, set())
                if line.text in told:
                    continue
                told.add(line.text)
            yield line


def told_so_far(state: State) -> dict[str, set[str]]:
    """What the unfinished rolls have told: their headlines and notes."""
    return {
        id: {f"{roll.headline}.", *(text for text, _ in roll.notes)}
        for id, roll in state.world.rolls.items()
        if roll.ask is not None and not roll.over
    }


def show_entry(screen: Screen, lines: list[LogLine]) -> None:
    """An entry that was just written."""
    for line in lines:
        if line.dice and line.kind == "dice":
            screen.show_dice("", [Die(*die) for die in line.dice])
        elif line.kind == "note" and line.roll:
            screen.say(f"  {line}")
        else:
            screen.say(str(line), STYLES.get(line.kind, ""))


def dice_words(line: LogLine) -> str:
    """``d6 [6] [5] 3 | Step Die 2``: those that count in brackets, so that no colour is needed."""
    groups = groupby(line.dice, key=lambda die: die[0])
    shown = [
        f"{name} {' '.join(f'[{face}]' if counts else f'{face}' for _, _, face, _, counts in dice)}"
        for name, dice in groups
    ]
    reused_from = ", the same dice as before the undo" if "before the undo" in line.text else ""
    return f"Dice: {' | '.join(shown) or 'none'}{reused_from}"
