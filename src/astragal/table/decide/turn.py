"""The turn order: names are added, removed and moved, and the turn goes on."""

from __future__ import annotations

from typing import NamedTuple

from astragal.errors import Forbidden, Illegal, Refusal, Unknown
from astragal.explain.visible import one_line
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import GM, find_holder
from astragal.table.decide.ledger import Context
from astragal.table.event import TurnTold
from astragal.table.state import Turns
from astragal.table.turns import is_secret, present, seen_turns

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
    """The turn goes on to the next whom a player may know of: that others come before would tell of them."""
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
        """The order without somebody; if it was their turn, it is that of whoever was before them."""
        gone = self.find(ref)
        at = self.order.index(gone)
        order = [place for place in self.order if place != gone]
        now = self.now if self.now != gone[0] else order[at - 1][0] if at else ""
        return self._replace(order=order, now=now)

    def moved(self, by: int) -> _Order:
        """The turn goes on, or back; after the last comes the first, in the next round."""
        if not self.order:
            raise Illegal("Nobody is in the turn order.")
        ids = [place[0] for place in self.order]
        at = ids.index(self.now) + by if self.now in ids else 0
        if at < 0 and self.round == 1:
            raise Illegal("It is the first turn.")
        return self._replace(now=ids[at % len(ids)], round=self.round + at // len(ids))
