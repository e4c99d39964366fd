"""Scenes, notes and descriptions."""

from __future__ import annotations

from typing import NamedTuple

from astragal.errors import Forbidden, Illegal, Refusal, Unknown
from astragal.explain.visible import check_not_blank, one_line
from astragal.rule.sheets.table_rules import SCENE, Change
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import (
    GM,
    audience_of,
    find_holder,
    find_roll,
    is_asked,
    may_see,
    outcome_audience,
    refuse_player,
    seen_rolls,
    takes_part,
)
from astragal.table.decide.ledger import Context
from astragal.table.event import TurnTold
from astragal.table.state import Roll, Turns
from astragal.table.turns import is_secret, present, seen_turns

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
    """Events at the end of a scene: the game's changes, then the end; without a scene, those before the next one."""
    ledger, rules, world = context.ledger(), context.ruleset.table_rules, context.state.world
    characters = tuple(kept for kept in world.holders.values() if kept.kind == "character")
    lasting = [section for section in rules.scene if section.lasts]
    for name in ends:  # what would outlive the scene ends with it
        sheet = ledger.state.world.holders[SCENE].sheet
        there = {item: section for section in lasting for item in sheet.get(section.name, {})}
        found = next((item for item in there if item.lower() == name.strip().lower()), None)
        if found is None:
            raise Unknown(f'The scene has no "{name[:40]}" that could end; there are {", ".join(there) or "none"}.')
        section = there[found]
        ledger.change(Change(SCENE, section.name, found, cause="It ends with the scene", rule=section.rule))
    ledger.do((rules.closes if world.in_scene else rules.opens)(characters, context.state.options))
    if world.in_scene:
        ledger.add(e.SceneClosed())
    for section in lasting if world.in_scene else ():
        # The log names what outlives the scene; what is hidden outlives it without a word.
        items = ledger.state.world.holders[SCENE].sheet.get(section.name, {})
        if names := [name for name, item in items.items() if item.get("seen", "all") == "all"]:
            text = f"{section.title} that outlast the scene: {', '.join(names)}."
            ledger.add(e.Noted(text=text, rule=section.rule))
    return ledger.events


def note(context: Context, action: a.NoteAction) -> list[e.Event]:
    """Write a sentence into the log: for everybody, for the writer and the GMs, or for the GMs only."""
    check_not_blank(action.text, "The note")
    audience = audience_of(action.seen, context.member.id)
    return [e.Noted(text=action.text.strip(), said=True, audience=audience)]


def describe(context: Context, action: a.DescribeAction) -> list[e.Event]:
    """Words about a finished roll, by a member who took part in it; they answer what this member is asked."""
    state, member = context.state, context.member
    roll = _told_roll(context, action.roll)
    if not takes_part(state, roll, member):
        raise Forbidden("This roll is for those who took part in it to describe.")
    if len(roll.words) >= MAX_WORDS:
        raise Illegal(f"{MAX_WORDS} descriptions stand with this roll already; write a note.")
    left = [prompt for prompt in roll.told.prompts if not is_asked(state, prompt[0], member)]
    text = action.text.strip()
    if not text and len(left) == len(roll.told.prompts):
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
        if any(is_asked(state, id, member) for id, _, _ in roll.told.prompts):
            return roll
    if not told:
        raise Unknown("No roll of yours is over; there is nothing to describe.")
    raise Unknown("No roll asks you for words; name the roll that you mean.")


# The turn order: names are added, removed and moved, and the turn passes on.


MAX_TURNS = 60
"""Names in the order."""


def turn(context: Context, action: a.TurnAction) -> list[e.Event]:
    """Change the turn order; others are told only of what they may know of it."""
    kept = context.state.world.turns
    before = present(context.state, kept)
    if context.member.role != GM:
        _refuse_meddler(context, action)
    after = _changed(context, action, before)
    if after == before:
        return []
    was, shown = seen_turns(context.state, None), seen_turns(context.state, None, after)
    events: list[e.Event] = [_turned(was, shown)] if shown != was else []
    if events and shown == after and was == before == kept:
        return events
    return [*events, _turned(before, after, GM)]


def _turned(before: Turns, after: Turns, audience: str = "") -> e.Turned:
    order = None if after.order == before.order else list(after.order)
    _, name, who, _ = next((place for place in after.order if place[0] == after.now), ("", "", "", False))
    return e.Turned(order=order, now=after.now, round=after.round, name=name, who=who, audience=audience)


def _refuse_meddler(context: Context, action: a.TurnAction) -> None:
    """A player only passes on the turn of a character of their own."""
    seen = seen_turns(context.state, context.member)
    now = next((place for place in seen.order if place[0] == seen.now), None)
    holder = context.state.world.holders.get(now[2]) if now else None
    if action != a.TurnAction(next=True) or holder is None or holder.owner != context.member.id:
        raise Forbidden("Only a GM changes the turn order; whoever's turn it is may pass it on.")


def _changed(context: Context, action: a.TurnAction, turns: Turns) -> Turns:
    if action.end:
        return Turns()
    found = _Order(list(turns.order), turns.now, turns.round)
    for ref in action.remove:
        found = found.without(ref)
    for n, ref in enumerate(action.add):
        place = _place(context, action, ref, n)
        at = len(found.order) if action.at is None else min(action.at + n, len(found.order))
        found = found._replace(order=[*found.order[:at], place, *found.order[at:]])
    if len(found.order) > MAX_TURNS:
        raise Illegal(f"The turn order has at most {MAX_TURNS} names.")
    if action.order:
        first = [found.find(ref) for ref in action.order]
        found = found._replace(order=[*first, *(place for place in found.order if place not in first)])
    if action.now:
        found = found._replace(now=found.find(action.now)[0])
    if context.member.role != GM:
        return _passed_on(context, found)
    if action.next or action.back:
        found = found.moved(1 if action.next else -1)
    return Turns(tuple(found.order), found.now, found.round) if found.order else Turns()


def _passed_on(context: Context, found: _Order) -> Turns:
    """The turn passes to the next place that a player may know of; stopping at a hidden one would reveal it."""
    for _ in found.order:
        found = found.moved(1)
        if not is_secret(context.state.world, found.find(found.now)):
            break
    return Turns(tuple(found.order), found.now, found.round)


def _place(context: Context, action: a.TurnAction, ref: str, n: int) -> TurnTold:
    """A new place: a character if there is one of this name, otherwise the name alone."""
    id = f"t{context.id}{n}"
    try:
        kept = find_holder(context.state, context.member, ref)
    except Refusal:
        return id, one_line(ref, "A name in the turn order"), "", action.secret
    if kept.kind != "character":
        return id, one_line(ref, "A name in the turn order"), "", action.secret
    return id, kept.name, kept.id, action.secret


class _Order(NamedTuple):
    """An order that is being changed."""

    order: list[TurnTold]
    now: str
    round: int

    def find(self, ref: str) -> TurnTold:
        """A place by its id, its name or its character's id."""
        wanted = ref.strip().lower()
        for place in self.order:
            if ref in (place[0], place[2]) or wanted == place[1].lower():
                return place
        raise Unknown(f'Nobody "{ref[:40]}" is in the turn order.')

    def without(self, ref: str) -> _Order:
        """The order without one place; if it was its turn, the turn goes back to the place before."""
        gone = self.find(ref)
        at = self.order.index(gone)
        order = [place for place in self.order if place != gone]
        now = self.now if self.now != gone[0] else order[at - 1][0] if at else ""
        return self._replace(order=order, now=now)

    def moved(self, by: int) -> _Order:
        """The order with the turn moved on or back; after the last place comes the first, in the next round."""
        if not self.order:
            raise Illegal("Nobody is in the turn order.")
        ids = [place[0] for place in self.order]
        at = ids.index(self.now) + by if self.now in ids else 0
        if at < 0 and self.round == 1:
            raise Illegal("It is the first turn.")
        return self._replace(now=ids[at % len(ids)], round=self.round + at // len(ids))
