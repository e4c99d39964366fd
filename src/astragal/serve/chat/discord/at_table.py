"""Commands at the table of a channel: roll, answer, throw, note, undo, look.

Each becomes an action as the page sends it, from the caller's seat; the table decides if it is allowed.
"""

from __future__ import annotations

from typing import Any

import msgspec

from astragal.errors import Illegal, Malformed, Stale, Unknown
from astragal.questions.wire import OddsShown
from astragal.rule.chances.odds import UP_TO
from astragal.rule.inputs.total import listed
from astragal.serve.chat.discord.caller import Caller, Seated
from astragal.serve.chat.discord.cards import (
    Choice,
    choices_of,
    entry_message,
    plea_buttons,
    roll_part,
    standing_message,
)
from astragal.serve.chat.discord.commands import SEEN, parse_inputs, parse_use
from astragal.serve.chat.discord.message import Button, message, modal
from astragal.serve.chat.discord.questions import odds_lines
from astragal.serve.chat.text import plain
from astragal.serve.workers import roll_answers
from astragal.table import action as a
from astragal.table.access import GM, find_roll, owns
from astragal.table.state import Roll
from astragal.table.view.build import view
from astragal.table.view.model import HolderView, RequestView, TableView, given
from astragal.table.view.roll import roll_view
from astragal.table.view.roll_model import RollView

NO_ROLL = "This button's roll was undone or withdrawn, or is at another table. Nothing was done."
MAX_NOTE, MAX_WORDS = 1500, 300
MAX_LISTED = 8


async def roll(caller: Caller, texts: dict[str, str]) -> dict[str, Any]:
    """Roll at the table; the channel does not see a hidden roll, only the roller does."""
    seated = await caller.seated()
    seen = texts.get("seen", "all")
    if seen not in SEEN:
        raise Malformed(f'A roll is seen by {", ".join(SEEN)}, not by "{seen[:40]}".')
    action = a.RollAction(
        kind=texts.get("kind", "")[:80],
        who=texts.get("who", "")[:80] or _only_character(seated),
        inputs=parse_inputs(texts.get("inputs", "")),
        use=dict(parse_use(texts.get("use", ""))),
        seen=seen,  # type: ignore[arg-type]
    )
    acted = await caller.act(seated.hub, seated.member.id, action)
    return await entry_message(caller, seated, acted.entry)


def _only_character(seated: Seated) -> str:
    """A player's character, if they have exactly one."""
    member, holders = seated.member, seated.hub.state.world.holders.values()
    if member.role != "player":
        return ""
    own = [holder for holder in holders if holder.kind == "character" and owns(member, holder)]
    if len(own) > 1:
        raise Illegal(f"Say who rolls: {', '.join(holder.name for holder in own[:20])}.")
    return own[0].id if own else ""


async def odds(caller: Caller) -> dict[str, Any]:
    """The odds of the open roll at the table, from what this seat may see, for this person alone."""
    seated = await caller.seated("reads")
    found = find_roll(seated.hub.state, seated.member, "")
    bare = roll_answers.without_rolls(seated.hub.state)
    raw = await caller.ask_as(seated, roll_answers.roll_odds, bare, found, seated.member, UP_TO)
    return message(odds_lines(msgspec.json.decode(raw, type=OddsShown)), private=True)


# Buttons.


async def answer(caller: Caller, place: list[str], words: str = "") -> dict[str, Any]:
    """Answer a roll's choice by a button; an answer that needs words first opens a window for them."""
    seated, roll, choice = await _choice_at(caller, place)
    option = choice.option if choice else None
    if option is None:
        return await _outdated(caller, seated, roll)
    if option.needs_words and not words:
        if not option.yours:  # refused before they write; the table refuses all others
            raise Illegal("That answer is not yours to give.")
        return modal("/".join(("words", *place[1:])), option.label, option.words or "In words", MAX_WORDS)
    said = f"{option.name}: {' '.join(words.split())}" if words else option.name
    return await _continue(caller, seated, roll, a.AnswerAction(answer=said[:500], roll=roll.id, steps=len(roll.steps)))


async def throw(caller: Caller, place: list[str]) -> dict[str, Any]:
    """Throw the next dice of a roll by a button."""
    seated, roll, choice = await _choice_at(caller, place)
    if choice is None:
        return await _outdated(caller, seated, roll)
    return await _continue(caller, seated, roll, a.ThrowAction(roll=roll.id, steps=len(roll.steps)))


async def _choice_at(caller: Caller, place: list[str]) -> tuple[Seated, Roll, Choice | None]:
    """The roll of a button, and the button's choice if the roll still waits for it."""
    seated = await caller.seated()
    try:
        roll = find_roll(seated.hub.state, seated.member, place[2][:80] or "-")
    except (IndexError, Unknown):
        raise Stale(NO_ROLL) from None
    seen = roll_view(seated.hub.state, seated.member, roll.id)
    if seen is None:
        raise Stale(NO_ROLL)
    choices = choices_of(seated.hub.id, roll, seen)
    return seated, roll, next((choice for choice in choices if choice.id == "/".join(place)), None)


async def _continue(
    caller: Caller, seated: Seated, roll: Roll, action: a.AnswerAction | a.ThrowAction
) -> dict[str, Any]:
    """Continue a roll; if another person was faster, show the result of that."""
    try:
        acted = await caller.act(seated.hub, seated.member.id, action)
    except Stale:
        return await _outdated(caller, seated, roll)
    return await entry_message(caller, seated, acted.entry, update=caller.interaction.message is not None)


async def _outdated(caller: Caller, seated: Seated, roll: Roll) -> dict[str, Any]:
    """The answer to an outdated button: its own entry from before, or the roll as it is now."""
    if entry := await caller.done(seated):
        return await entry_message(caller, seated, entry, update=caller.interaction.message is not None)
    return await standing_message(caller, seated, roll.id)


async def roll_asked(caller: Caller, place: list[str]) -> dict[str, Any]:
    """Make a roll that a GM asked for."""
    seated = await caller.seated()
    request, _, who = "/".join(place[1:]).partition("/")
    acted = await caller.act(seated.hub, seated.member.id, a.RollAction(request=request[:80], who=who[:80]))
    return await entry_message(caller, seated, acted.entry)


# Note, undo, look.


async def note(caller: Caller, text: str, secret: bool) -> dict[str, Any]:
    """Write a note into the log; without a text, a window opens for it."""
    seated = await caller.seated()
    if not text.strip():
        return modal(f"note/{'owner' if secret else 'all'}", "Write into the log", "The note", MAX_NOTE)
    action = a.NoteAction(text=text[:MAX_NOTE], seen="owner" if secret else "all")
    return await entry_message(caller, seated, (await caller.act(seated.hub, seated.member.id, action)).entry)


async def undo(caller: Caller) -> dict[str, Any]:
    """Undo the caller's latest entry."""
    seated = await caller.seated()
    acted = await caller.act(seated.hub, seated.member.id, a.UndoAction())
    return await entry_message(caller, seated, acted.entry)


async def allow(caller: Caller) -> dict[str, Any]:
    """Allow the latest undo request."""
    return await _answer_plea(caller, a.AllowAction())


async def decline(caller: Caller) -> dict[str, Any]:
    """Decline the latest undo request."""
    return await _answer_plea(caller, a.DeclineAction())


async def answer_plea(caller: Caller, place: list[str]) -> dict[str, Any]:
    """Allow or decline an undo by a button."""
    plea = place[2][:80] if len(place) > 2 else ""
    allows = place[1:2] == ["allow"]
    return await _answer_plea(caller, a.AllowAction(plea=plea) if allows else a.DeclineAction(plea=plea))


async def _answer_plea(caller: Caller, action: a.AllowAction | a.DeclineAction) -> dict[str, Any]:
    seated = await caller.seated()
    acted = await caller.act(seated.hub, seated.member.id, action)
    return await entry_message(caller, seated, acted.entry, update=caller.interaction.message is not None)


def _plea_parts(seated: Seated) -> tuple[list[str], list[Button]]:
    """The undo requests for a GM, with buttons for the answers; nothing for other members."""
    if seated.member.role != GM:
        return [], []
    pleas, members = list(seated.hub.state.pleas.values())[-MAX_LISTED:], seated.hub.state.members
    lines = [
        f"{plain(members[plea.by].name)} asks to undo {plain(listed(plea.in_full or plea.told))}." for plea in pleas
    ]
    return lines, [button for plea in pleas for button in plea_buttons(plea)]


async def look(caller: Caller) -> dict[str, Any]:
    """The table as the seat sees it, for this person alone, with buttons for everything that waits for them."""
    seated = await caller.seated("reads")
    parts = list(view(seated.hub.state, seated.member).values())
    lines = [line for part in parts if isinstance(part, TableView) for line in _table_lines(part)]
    own = [part.name for part in parts if isinstance(part, HolderView) and part.kind == "character" and part.yours]
    if own:
        lines.append(f"Yours: {', '.join(map(plain, own[:MAX_LISTED]))}")
    buttons: list[Button] = []
    for part in parts:
        if isinstance(part, RequestView) and part.yours:
            lines.append(f"Asked of you: {plain(part.title)} {plain(part.note)}".rstrip())
            waiting = [asked.who for asked in part.asked if asked.yours and asked.state == "waiting"]
            buttons += [Button(f"asked/{part.id}/{who}", f"Roll: {part.title}", True) for who in waiting]
    asked, answers = _plea_parts(seated)
    lines, buttons = lines + asked, buttons + answers
    rolls = [part for part in parts if isinstance(part, RollView) and not part.over]
    lines += [f"{plain(roll.name)}: {plain(roll.title)}" for roll in rolls[-MAX_LISTED:]]
    mine = [roll for roll in rolls if given(roll.yours, False) and given(roll.open, None)]
    if mine:
        more, answers = await roll_part(caller, seated, mine[-1].id, seated.member)
        lines, buttons = lines + more, buttons + answers
    return message(lines, buttons, private=True)


def _table_lines(table: TableView) -> list[str]:
    you = f" You are {plain(table.you.name)}." if table.you else ""
    scene = f"Scene: {plain(table.scene.title)}" if table.scene.open and table.scene.title else "No scene is open."
    return [f"**{plain(table.title)}**{you}", scene]
