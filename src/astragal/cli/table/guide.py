"""A roll at the table, guided: who, what is put in, then dice by the machine or from the real table."""

from __future__ import annotations

from typing import Any

from astragal.cli.commands.play import choose
from astragal.cli.render.screen import Screen
from astragal.cli.table.act import Acting, by_hand
from astragal.cli.table.roll_forms import plain_input, tap
from astragal.cli.table.seat import Seat
from astragal.errors import Malformed, Refusal
from astragal.rule.game import Kind
from astragal.table.action import BuildAction, OpenAction, ThrowAction, WithdrawAction
from astragal.table.decide.context import machine
from astragal.table.ruleset import ruleset_of
from astragal.table.view.build import part

NOBODY = "nobody"


def guided_roll(screen: Screen, seat: Seat) -> None:
    """Open, build and throw, one question at a time."""
    kinds = list(ruleset_of(seat.state.game).game.kinds.values())
    kind = kinds[0]
    if len(kinds) > 1:
        kind = kinds[choose(screen, "What kind of roll?", [one.title for one in kinds], [one.name for one in kinds])]
    who = _character(screen, seat, "Who rolls?", "")
    against = _character(screen, seat, "Against whom?", who) if who else ""
    Acting(screen, seat).do(OpenAction(kind=kind.name, who=who, against=against))
    id = next(reversed(seat.state.world.rolls))
    if _build(screen, seat, id, kind):
        _throw(screen, seat, id)


def _character(screen: Screen, seat: Seat, question: str, but: str) -> str:
    """A character's id, or nothing for nobody; against whom is nobody unless somebody is named."""
    kept = [one for one in seat.state.world.holders.values() if one.kind == "character" and one.id != but]
    ids, lines = [one.id for one in kept], [one.name for one in kept]
    if not kept:
        return ""
    nobody = 0 if but else len(kept)
    ids.insert(nobody, "")
    lines.insert(nobody, NOBODY)
    return ids[choose(screen, question, lines, [line.lower() for line in lines])]


def _build(screen: Screen, seat: Seat, id: str, kind: Kind) -> bool:
    """Things are put in until an empty answer; whether the dice are to be thrown."""
    inputs = ", ".join(kind.ask.inputs[name].option for name in kind.ask.inputs)
    screen.say(
        f"Put in what stands above, such as Agility or Agility=2; or an input, such as {_example(kind)}: {inputs}."
    )
    while True:
        text = screen.ask("Put in, with commas between; Enter to throw, w to withdraw:").strip()
        try:
            if text.lower() == "w":
                Acting(screen, seat).do(WithdrawAction(roll=id))
                return False
            if text:
                Acting(screen, seat).do(_parts(text, id, kind))
            elif missing := part(seat.state, seat.member, f"rolls/{id}")["missing"]:
                screen.say(missing, "bold yellow")
            else:
                return True
        except Refusal as refusal:
            screen.say(str(refusal), "bold yellow")


def _example(kind: Kind) -> str:
    first = next((input for input in kind.ask.inputs.values() if input.guided), next(iter(kind.ask.inputs.values())))
    return f"{first.option}=3"


def _parts(text: str, id: str, kind: Kind) -> BuildAction:
    """Each part is an input of the roll, or something of a sheet."""
    inputs: dict[str, Any] = {}
    use: dict[str, int] = {}
    for written in filter(None, (piece.strip() for piece in text.split(","))):
        name, equals, value = written.partition("=")
        key = name.strip().replace("-", "_").lower()
        if key in kind.ask.inputs and (equals or kind.ask.inputs[key].kind == "flag"):
            inputs[key] = plain_input(kind.ask.inputs[key], [value.strip() if equals else "yes"])
        else:
            use.update([tap(written)])
    return BuildAction(roll=id, inputs=inputs, use=use)


def _throw(screen: Screen, seat: Seat, id: str) -> None:
    """Throw after throw, as long as the roll waits for dice. Faces that cannot be read are asked for again."""
    while (roll := seat.state.world.rolls.get(id)) and not roll.over:
        seen = part(seat.state, seat.member, f"rolls/{id}")
        if roll.thrown and seen.get("waits") != "dice":
            return
        text = screen.ask(
            "Press Enter to roll, or type the faces of your dice, or h to be asked for each throw:"
        ).strip()
        typed = text.lower() != "h"
        try:
            Acting(screen, seat, machine if typed else by_hand(screen), live=True).do(
                ThrowAction(roll=id, faces=text if typed else "")
            )
        except Malformed as refusal:
            screen.say(str(refusal), "bold yellow")
