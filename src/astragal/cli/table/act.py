"""Acting: an action is done and told, and at a terminal the choices that it leaves open are asked at once."""

from __future__ import annotations

from typing import Any

from astragal.cli.prompts import PromptHand
from astragal.cli.render.screen import Screen
from astragal.cli.table.act_table_telling import Telling, show_entry, told_so_far
from astragal.cli.table.seat import Seat
from astragal.cli.table.waiting import open_rolls, show_waiting
from astragal.dice.dice import Faces, Pool
from astragal.dice.faces import TypedFaces
from astragal.errors import Refusal
from astragal.rule.hand import Hand
from astragal.rule.node import Choice
from astragal.table.action import Action, AnswerAction
from astragal.table.decide.context import Roller, machine
from astragal.table.entry import Entry
from astragal.table.event import Restored, Struck
from astragal.table.log.lines import tell
from astragal.table.rolls.ask import kind_of
from astragal.table.rolls.playback import may_answer, open_node_of
from astragal.table.state import Roll

ROLLING = ("open", "roll", "build", "throw", "answer", "withdraw")


class Acting:
    """A person at a screen who acts at a table."""

    def __init__(self, screen: Screen, seat: Seat, dice: Roller = machine, live: bool = False) -> None:
        self._screen = screen
        self._seat = seat
        self._dice = dice
        self._live = live

    def do(self, action: Action) -> None:
        """Do it, tell it, ask what is to be asked, and say what waits."""
        entry = self._act(action)
        while self._live and (found := self._choice(entry)):
            roll, choice = found
            asking = PromptHand(Hand(), kind_of(self._seat.state, roll), self._screen)
            entry = self._answer(asking, roll, choice)
        if entry.do in ROLLING:
            show_waiting(self._screen, self._seat, open_rolls(self._seat))

    def _act(self, action: Action) -> Entry:
        telling = Telling(told_so_far(self._seat.state))
        acted = self._seat.act(action, self._dice)
        show_entry(self._screen, list(telling.lines(acted.entry, self._seat)))
        self._show_undone(acted.entry)
        return acted.entry

    def _show_undone(self, entry: Entry) -> None:
        """What an undo took back, or a redo brought back: the first sentence of each."""
        about = {id for event in entry.events if isinstance(event, Struck | Restored) for id in event.entries}
        for earlier in self._seat.stored_table.history() if about else ():
            if earlier.id in about and (lines := tell(earlier, self._seat.state, self._seat.member)):
                self._screen.say(f"  {lines[0].text}", "dim")

    def _choice(self, entry: Entry) -> tuple[Roll, Choice[Any]] | None:
        """The choice that the roll of this entry waits for, if it is this seat's."""
        state = self._seat.state
        for id in {event.roll for event in entry.events if hasattr(event, "roll")}:
            roll = state.world.rolls.get(id)
            node = open_node_of(state, roll) if roll else None
            if roll and isinstance(node, Choice) and may_answer(state, roll, node, self._seat.seat):
                return roll, node
        return None

    def _answer(self, asking: PromptHand, roll: Roll, choice: Choice[Any]) -> Entry:
        """An answer that the table refuses is asked for again."""
        while True:
            answer = asking.choose(choice)
            try:
                return self._act(AnswerAction(answer=str(answer), roll=roll.id))
            except Refusal as refusal:
                self._screen.say(str(refusal), "bold yellow")


def by_hand(screen: Screen) -> Roller:
    """Dice that the person throws; faces are asked for until they can be read."""

    def ask(pool: Pool) -> Faces:
        dice = " | ".join(f"{kind.n} × {kind.title} (d{kind.sides})" for kind in pool if kind.n)
        while True:
            try:
                typed = TypedFaces(screen.ask(f"Faces of {dice}:"))
                faces = typed.throw(pool)
                typed.finish()
            except Refusal as refusal:
                screen.say(str(refusal), "bold yellow")
                continue
            if faces is not None:
                return faces

    return ask
