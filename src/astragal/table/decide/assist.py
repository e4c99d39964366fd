"""Helpers: put into an open roll from their own seats, and taken out again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec.structs import replace

from astragal.errors import Forbidden, Illegal
from astragal.rule.inputs.total import counted, listed
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import (
    GM,
    both,
    find_holder,
    find_roll,
    holder_audience,
    may_see,
    owner_of,
    owns,
    roll_audience,
)
from astragal.table.decide.ledger import Context, Ledger
from astragal.table.rolls.ask import helping
from astragal.table.rolls.basis import kind_of
from astragal.table.rolls.ready import MILLISECONDS, Player, awaited_of, ends_at, sides_of
from astragal.table.state import HolderState, Roll

Side: TypeAlias = Literal["ours", "theirs"]
THROWN = "The dice of this roll are thrown; nothing can be put in any more."


def assist(context: Context, action: a.AssistAction) -> Ledger:
    """Start or stop helping with a character of your own; the roll's owner may send a helper away."""
    roll = find_roll(context.state, context.member, action.roll)
    if roll.ask is not None:
        raise Illegal(THROWN)
    helper = find_holder(context.state, context.member, action.who)
    ledger = context.ledger()
    if action.leave:
        if not owns(context.member, helper) and owner_of(context.state, roll) != context.member.id:
            raise Forbidden(f"{helper.name} is not yours; only its owner, the one who rolls or a GM takes it out.")
        if helper.id not in (*roll.helpers, *roll.their_helpers):
            raise Illegal(f"{helper.name} does not help in this roll.")
        take_out(context, ledger, roll, "ours" if helper.id in roll.helpers else "theirs", helper.id)
    else:
        put_in(context, ledger, roll, action.side, helper)
    return ledger


def put_in(context: Context, ledger: Ledger, roll: Roll, side: Side, helper: HolderState) -> None:
    """One more helper, if the roll takes one; a refused one has spent nothing."""
    if helper.kind != "character":
        raise Illegal("Only characters help in a roll.")
    if not owns(context.member, helper):
        raise Forbidden(f"{helper.name} is not yours; whoever plays {helper.name} offers help from their own seat.")
    refuse_helper(context, roll, side, helper)
    audience = roll_audience(context.state, roll)
    if both(audience, holder_audience(helper)) != audience:
        raise Illegal(f"{helper.name} is hidden from some who see this roll; show the character first.")
    kind = kind_of(context.state, roll)
    ledger.add(
        e.Assisted(
            roll=roll.id,
            helper=helper.id,
            side=side,
            shared=kind.shared,
            idle=kind.helpers_give,
            audience=audience,
        )
    )


def refuse_helper(context: Context, roll: Roll, side: Side, helper: HolderState) -> None:
    """Refuse who takes part already, and one helper more than the kind of roll has places for."""
    kind = kind_of(context.state, roll)
    if helper.id in (roll.who, roll.against, *roll.helpers, *roll.their_helpers):
        raise Illegal(f"{helper.name} takes part in this roll already.", kind.helpers_rule)
    most = kind.their_helpers if side == "theirs" else kind.helpers
    there = roll.their_helpers if side == "theirs" else roll.helpers
    offers = context.basis(roll).offers_for(context.member) if there else {}
    # A refusal names only helpers that the member may know.
    holding = (context.state.world.holders.get(id) for id in helping(kind, roll, there, offers))
    names = [kept.name for kept in holding if kept and may_see(context.member, holder_audience(kept))]
    if not most:
        whom = "the other side of this roll" if side == "theirs" else f"this roll ({kind.title})"
        raise Illegal(f"Nobody can help {whom}.", kind.helpers_rule)
    if len(names) >= most:
        shown = names if len(names) < 4 else [*names[:2], f"{len(names) - 2} others"]
        raise Illegal(
            f"{listed(shown)} {'help' if len(names) > 1 else 'helps'} already, and this roll takes "
            f"{counted(most, 'helper')}; nothing is spent.",
            kind.helpers_rule,
        )


def take_out(context: Context, ledger: Ledger, roll: Roll, side: Side, helper: str) -> None:
    """A helper leaves a roll, with everything that they put in."""
    offers = ledger.basis(roll).offers if roll.use else {}
    left = {id: 0 for id in roll.use if id in offers and offers[id].by == helper}
    audience = roll_audience(context.state, roll)
    if left:
        ledger.add(e.Built(roll=roll.id, use=left, audience=audience))
    shared = kind_of(context.state, roll).shared
    ledger.add(e.Assisted(roll=roll.id, helper=helper, side=side, leaves=True, shared=shared, audience=audience))


def checked_helpers(context: Context, roll: Roll, wanted: Sequence[str]) -> tuple[str, ...]:
    """The helpers of a roll that is being opened, each checked beside those before it."""
    ledger = context.ledger()
    for ref in wanted:
        helper = find_holder(context.state, context.member, ref)
        put_in(context, ledger, roll, "ours", helper)
        roll = replace(roll, helpers=(*roll.helpers, helper.id))
    return roll.helpers


def set_helpers(context: Context, ledger: Ledger, roll: Roll, wanted: Sequence[str]) -> None:
    """The helpers of the roller's side become these, each put in or taken out."""
    ids = [find_holder(context.state, context.member, ref).id for ref in wanted]
    for helper in roll.helpers:
        if helper not in ids:
            take_out(context, ledger, ledger.state.world.rolls[roll.id], "ours", helper)
    for id in dict.fromkeys(ids):
        now = ledger.state.world.rolls[roll.id]
        if id not in now.helpers:
            put_in(context, ledger, now, "ours", context.state.world.holders[id])


# Ready: a side of an opposed roll has gathered its dice, and the other side may throw (T-8).


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
