"""A roll of a table as a message: its story, the choice that it waits for, and a button for each answer.

A message is made for a viewer: the channel (the rights of the screen of the room), or one member. It contains nothing
that the viewer may not see.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec
from msgspec import UnsetType

from astragal.dice.render.text import format_percent
from astragal.errors import Refusal
from astragal.questions.wire import ChanceShown
from astragal.serve.chat.discord.caller import Caller, Seated
from astragal.serve.chat.discord.message import Button, message
from astragal.serve.chat.text import plain
from astragal.serve.chat.webhooks.payload import chat_line
from astragal.serve.live.hub import SCREEN
from astragal.serve.workers import roll_answers
from astragal.table import event as e
from astragal.table.entry import Entry
from astragal.table.log.lines import shown
from astragal.table.state import Member, Plea, Roll, State
from astragal.table.view.model import given
from astragal.table.view.roll import roll_view
from astragal.table.view.roll_model import OpenChoice, OpenDice, OptionView, RollView

CHANCES_TIME = 1.2
"""Seconds to compute the chances of the options; Discord waits for three in total."""
MAX_DICE = 100
"""Dice of a roll that are shown."""
OUTDATED = "-# The roll had already continued when the button was pressed, so nothing was done. It is now:"
NO_CHANCES = "The chances take too long to compute here."


class Choice(NamedTuple):
    """An answer or a throw that a button stands for."""

    id: str
    label: str
    option: OptionView | None


def mark_of(table: str, roll: Roll) -> str:
    """A mark that every throw and every answer changes, to recognise outdated buttons."""
    return blake2b(f"{table}/{roll.id}/{len(roll.steps)}".encode(), digest_size=5).hexdigest()


def hashed(name: str) -> str:
    """A short stand-in for an option's name, since the id of a button is short."""
    return blake2b(name.encode(), digest_size=5).hexdigest()


def choices_of(table: str, roll: Roll, view: RollView) -> list[Choice]:
    """The possible answers and throws of a roll, as a viewer sees it."""
    place, open = f"{mark_of(table, roll)}/{roll.id}", view.open
    if isinstance(open, OpenChoice):
        return [Choice(f"answer/{place}/{hashed(each.name)}", _label(each), each) for each in open.options]
    if isinstance(open, OpenDice):
        thrown = " + ".join(f"{dice.n}{dice.name}" for dice in open.dice[:4])
        instead = [Choice(f"answer/{place}/{hashed(each.name)}", _label(each), each) for each in open.instead]
        return [Choice(f"throw/{place}", f"Throw {thrown}".strip(), None), *instead]
    return []


def _label(option: OptionView) -> str:
    price = ", ".join(f"{abs(paid.by)} {paid.item}" for paid in option.price if paid.by < 0)
    return f"{option.label} ({price})" if price else option.label


async def entry_message(caller: Caller, seated: Seated, entry: Entry, *, update: bool = False) -> dict[str, Any]:
    """An entry, for the channel if everyone at the table may see it, otherwise for this person alone."""
    state = seated.hub.state
    id = next((event.roll for event in entry.events if getattr(event, "roll", "")), "")  # type: ignore[union-attr]
    public = shown(entry, state, SCREEN) is not None and (not id or is_public(state, id))
    # A public message never becomes a private one, or the reverse.
    private = caller.interaction.is_private if update else not public
    if update and not public and not private:
        update, private = False, True
    viewer = seated.member if private else SCREEN
    seen = shown(entry, state, viewer)
    lines = [chat_line(line) for line in seen.lines] if seen else []
    more, buttons = await roll_part(caller, seated, id, viewer) if id else ([], [])
    buttons = buttons + [button for plea in _pleas_in(entry, state) for button in plea_buttons(plea)]
    return message(lines + more or ["Done."], buttons, private=private, update=update)


def _pleas_in(entry: Entry, state: State) -> list[Plea]:
    """The undo requests of an entry that are not answered yet."""
    asked = dict.fromkeys(event.plea for event in entry.events if isinstance(event, e.UndoAsked))
    return [state.pleas[id] for id in asked if id in state.pleas]


def plea_buttons(plea: Plea) -> list[Button]:
    """The buttons to answer an undo request (T-2); the table refuses everyone but a GM."""
    return [Button(f"plea/allow/{plea.id}", "Allow the undo", True), Button(f"plea/decline/{plea.id}", "No")]


async def standing_message(caller: Caller, seated: Seated, id: str) -> dict[str, Any]:
    """A roll as it is now, in place of a message with outdated buttons."""
    public = is_public(seated.hub.state, id)
    private = caller.interaction.is_private or not public
    update = caller.interaction.message is not None and private == caller.interaction.is_private
    viewer = seated.member if private else SCREEN
    view = roll_view(seated.hub.state, viewer, id)
    more, buttons = await roll_part(caller, seated, id, viewer)
    lines = [OUTDATED, *(_standing(view) if view else ())]
    return message(lines + more, buttons, private=private, update=update)


def _standing(view: RollView) -> Iterator[str]:
    """The state of a roll, in lines."""
    yield f"{plain(view.name)}: {plain(view.title)}"
    if dice := given(view.dice, []):
        yield plain(f"Dice: {', '.join(given(die.label, '') or str(die.face) for die in dice[:MAX_DICE])}.")
    for said in (given(view.headline, ""), given(view.verdict, "")):
        if said:
            yield f"**{plain(said)}**"
    if view.over:
        yield "-# This roll is over."


def is_public(state: State, id: str) -> bool:
    """True if everyone at the table may see the dice of a roll; False for a withdrawn one."""
    view = roll_view(state, SCREEN, id)
    return view is not None and given(view.blind, False) is False


async def roll_part(caller: Caller, seated: Seated, id: str, viewer: Member) -> tuple[list[str], list[Button]]:
    """The open choice of a roll: lines, and buttons with the exact chances of each answer."""
    state = seated.hub.state
    roll, view = state.world.rolls.get(id), roll_view(state, viewer, id)
    if roll is None or view is None or isinstance(view.open, UnsetType) or view.open is None:
        return [], []
    found = choices_of(seated.hub.id, roll, view)
    chances = await _chances(caller, seated, state, roll, viewer) if isinstance(view.open, OpenChoice) else None
    lines = list(_asked(view))
    if isinstance(view.open, OpenChoice) and chances is None:
        lines.append(f"-# {NO_CHANCES}")
    buttons = []
    for choice in found:
        tones = chances.options.get(choice.option.name) if chances and choice.option else None
        label = f"{choice.label} · {_percent(tones.success)}" if tones else choice.label
        if tones and choice.option:
            lines.append(f"-# {plain(choice.option.label)}: {_exactly(tones.success)} for success")
        best = bool(chances and choice.option and chances.best == choice.option.name)
        buttons.append(Button(choice.id, label, best or choice.option is None))
    return lines, buttons


def _asked(view: RollView) -> Iterator[str]:
    whose = plain(given(view.waits_name, "")) or "A player"
    if isinstance(view.open, OpenChoice):
        yield f"{whose}: {plain(view.open.question)}"
    elif isinstance(view.open, OpenDice):
        yield f"{whose} throws next."


def _percent(chance: ChanceShown) -> str:
    return format_percent(Fraction(chance.exact)) if len(chance.exact) < 200 else f"{chance.chance:.1%}"


def _exactly(chance: ChanceShown) -> str:
    exact = f"{chance.exact} = " if len(chance.exact) <= 20 and chance.exact not in ("0/1", "1/1") else ""
    return f"{exact}{_percent(chance)}"


async def _chances(
    caller: Caller, seated: Seated, state: State, roll: Roll, viewer: Member
) -> roll_answers.ChancesShown | None:
    """The chances after each option, from what the viewer may see; None if they take too long."""
    bare = roll_answers.without_rolls(state)
    with suppress(Refusal, TimeoutError):
        async with asyncio.timeout(CHANCES_TIME):
            answer = await caller.ask_as(seated, roll_answers.roll_chances, bare, roll, viewer, "")
        return msgspec.json.decode(answer, type=roll_answers.ChancesShown)
    return None
