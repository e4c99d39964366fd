"""Ready: a side of an opposed roll has gathered its dice, and the other side may throw (T-8)."""

from __future__ import annotations

from astragal.errors import Forbidden, Illegal
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import GM, find_roll, roll_audience
from astragal.table.decide.assist import THROWN
from astragal.table.decide.ledger import Context
from astragal.table.rolls.ready import MILLISECONDS, Player, awaited_of, ends_at, sides_of
from astragal.table.state import Roll


def ready(context: Context, action: a.ReadyAction) -> list[e.Event]:
    """Say that a side is ready, or that it is not after all."""
    roll = find_roll(context.state, context.member, action.roll)
    if roll.ask is not None:
        raise Illegal(THROWN)
    both = sides_of(context.state, roll)
    if not both:
        raise Illegal("This roll waits for nobody: no other player is on the other side.")
    said = _said(context, both, action.side)
    return [
        e.Readied(roll=roll.id, side=each.side, whom=each.seat, ready=action.ready, audience=audience)
        for audience in (roll_audience(context.state, roll),)
        for each in said
        if (each.side in roll.ready) != action.ready
    ]


def _said(context: Context, both: list[Player], side: str) -> list[Player]:
    """The sides that a member speaks for: their own, or for a GM the one that is named, else all of players."""
    gm = context.member.role == GM
    own = [each for each in both if each.seat == context.member.id or (gm and each.seat == GM)]
    if not side:
        said = own or (both if gm else [])
    else:
        said = [each for each in both if each.side == side and (gm or each in own)]
    if not said:
        raise Forbidden("You play neither side of this roll; only those who do, or a GM, say that they are ready.")
    return said


def refuse_unready(context: Context, roll: Roll) -> None:
    """Refuse to throw before the other side's player is ready, until the table's time limit is over."""
    whom = awaited_of(context.state, roll, context.at)
    if not whom or whom == context.member.id:
        return
    name, ends = context.state.members[whom].name, ends_at(context.state, roll)
    seconds = -(-(ends - context.at) // MILLISECONDS)
    then = f", or in {seconds} s it can be thrown without" if ends else ""
    raise Illegal(f"{name} is not ready and may still put dice in. A GM can say that {name} is ready{then}.", "T-8")
