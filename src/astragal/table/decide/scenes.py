"""Scenes, notes and descriptions."""

from __future__ import annotations

from astragal.errors import Forbidden, Illegal, Unknown
from astragal.explain.visible import check_not_blank, one_line
from astragal.rule.sheets.table_rules import SCENE, Change
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import (
    audience_of,
    find_roll,
    is_asked,
    may_see,
    outcome_audience,
    refuse_player,
    seen_rolls,
    takes_part,
)
from astragal.table.decide.ledger import Context, Ledger
from astragal.table.state import Roll

MAX_WORDS = 20
"""Descriptions of one roll; a table talks elsewhere."""


def open_scene(context: Context, action: a.SceneAction) -> list[e.Event]:
    """Open a scene, closing one that is still open."""
    refuse_player(context.member, "open a scene")
    events = _closing(context, action.ends)
    keeps = [section.name for section in context.ruleset.table_rules.scene if section.lasts]
    return [*events, e.SceneOpened(title=one_line(action.title, "The title"), keeps=keeps)]


def close_scene(context: Context, action: a.CloseAction) -> list[e.Event]:
    """Close the open scene, with what the game does at its end."""
    refuse_player(context.member, "close a scene")
    if not context.state.world.in_scene:
        raise Illegal("No scene is open.")
    return _closing(context, action.ends)


def _closing(context: Context, ends: list[str]) -> list[e.Event]:
    """What the game's rules do at the end of a scene, then the end itself; without a scene, before the next one."""
    ledger, rules, world = Ledger(context.state), context.ruleset.table_rules, context.state.world
    characters = tuple(kept for kept in world.holders.values() if kept.kind == "character")
    for name in ends:
        _end(context, ledger, name)
    ledger.do((rules.closes if world.in_scene else rules.opens)(characters, context.state.options))
    if world.in_scene:
        ledger.add(e.SceneClosed())
        _say_what_lasts(context, ledger)
    return ledger.events


def _say_what_lasts(context: Context, ledger: Ledger) -> None:
    """The log names what outlives the scene; what is hidden outlives it without a word."""
    items = ledger.state.world.holders[SCENE].sheet
    for section in context.ruleset.table_rules.scene:
        names = [name for name, item in items.get(section.name, {}).items() if item.get("seen", "all") == "all"]
        if section.lasts and names:
            text = f"{section.title} that outlast the scene: {', '.join(names)}."
            ledger.add(e.Noted(text=text, rule=section.rule))


def _end(context: Context, ledger: Ledger, name: str) -> None:
    """Something that would outlive the scene ends with it."""
    scene = ledger.state.world.holders[SCENE]
    sections = [section for section in context.ruleset.table_rules.scene if section.lasts]
    there = {item: section for section in sections for item in scene.sheet.get(section.name, {})}
    found = next((item for item in there if item.lower() == name.strip().lower()), None)
    if found is None:
        raise Unknown(f'The scene has no "{name[:40]}" that could end; there are {", ".join(there) or "none"}.')
    section = there[found]
    ledger.change(Change(SCENE, section.name, found, cause="It ends with the scene", rule=section.rule))


def note(context: Context, action: a.NoteAction) -> list[e.Event]:
    """Write a sentence into the log: for everybody, for the writer and the GMs, or for the GMs only."""
    check_not_blank(action.text, "The note")
    audience = audience_of(action.seen, context.member.id)
    return [e.Noted(text=action.text.strip(), said=True, audience=audience)]


def describe(context: Context, action: a.DescribeAction) -> list[e.Event]:
    """Words about a finished roll, by somebody who took part in it; they answer what this member is asked."""
    state, member = context.state, context.member
    roll = _told_roll(context, action.roll)
    if not takes_part(state, roll, member):
        raise Forbidden("This roll is for those who took part in it to describe.")
    if len(roll.words) >= MAX_WORDS:
        raise Illegal(f"{MAX_WORDS} descriptions stand with this roll already; write a note.")
    left = [prompt for prompt in roll.prompts if not is_asked(state, prompt[0], member)]
    text = action.text.strip()
    if not text and len(left) == len(roll.prompts):
        raise Illegal("Say in words what it looked like; nobody asks you for a description that could be left out.")
    return [e.Described(roll=roll.id, by=member.id, text=text, left=left, audience=outcome_audience(state, roll))]


def _told_roll(context: Context, ref: str) -> Roll:
    """The finished roll that is named; without a name, the latest that asks this member."""
    state, member = context.state, context.member
    if ref:
        roll = find_roll(state, member, ref)
        if not may_see(member, outcome_audience(state, roll)):
            raise Forbidden("How this roll went is hidden; it is the GM's to describe.")
        if not roll.over:
            raise Illegal("This roll is not over yet; describe it when it is.")
        return roll
    told = [
        roll
        for roll in reversed(seen_rolls(state, member))
        if roll.over and may_see(member, outcome_audience(state, roll)) and takes_part(state, roll, member)
    ]
    for roll in told:
        if any(is_asked(state, id, member) for id, _, _ in roll.prompts):
            return roll
    if not told:
        raise Unknown("No roll of yours is over; there is nothing to describe.")
    raise Unknown("No roll asks you for words; name the roll that you mean.")
