"""Open rolls: built together by roller, helpers and GM before a die is thrown."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from astragal.errors import Forbidden, Illegal
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import (
    GM,
    find_holder,
    find_roll,
    may_see,
    outcome_audience,
    owner_of,
    owns,
    refuse_player,
    roll_audience,
)
from astragal.table.decide.assist import THROWN, checked_helpers, set_helpers
from astragal.table.decide.ledger import Context, Ledger
from astragal.table.fold import opened_roll
from astragal.table.rolls.ask import find_offer, kind_of, offers_for, open_offers
from astragal.table.rolls.playback import open_node_of
from astragal.table.state import Roll, State

MAX_OPEN = 50


def open_roll(context: Context, action: a.OpenAction) -> Ledger:
    """Open a roll, with what is known of it so far."""
    return opened(context, action)[0]


def opened(context: Context, action: a.OpenAction) -> tuple[Ledger, Roll]:
    """Open a roll; returns the ledger and the opened roll."""
    state, member = context.state, context.member
    rolls = state.world.rolls.values()
    if len(rolls) >= MAX_OPEN <= sum(not roll.over and roll.by == member.id for roll in rolls):
        raise Illegal(f"{MAX_OPEN} rolls of yours are open; finish or withdraw some first.")
    if action.seen == "gm":
        refuse_player(member, "roll where nobody else sees it; a player may roll blind")
    kinds = context.ruleset.game.kinds
    kind = action.kind or next(iter(kinds))
    roll = Roll(
        f"r{context.id}",
        kind if kind in kinds else context.ruleset.game.kind(kind).name,
        member.id,
        _roller(context, action.who),
        _id_of(context, action.against),
        seen=action.seen,
    )
    roll = replace(roll, helpers=checked_helpers(context, roll, action.helpers)) if action.helpers else roll
    ledger = Ledger(state)
    taps, veiled = _taps(context, state, roll, action.use) if action.use else ({}, {})
    if action.hide or veiled:
        ledger.add(_opened(context, roll, {}, {}))
        _build(context, ledger, roll.id, inputs=action.inputs, use=action.use, hide=action.hide or None)
        return ledger, ledger.state.world.rolls[roll.id]
    shown, _ = _checked_inputs(context, state, roll, action.inputs)
    ledger.add(event := _opened(context, roll, shown, taps))
    return ledger, opened_roll(event)


def _opened(context: Context, roll: Roll, inputs: dict[str, Any], use: dict[str, int]) -> e.Opened:
    kind = kind_of(context.state, roll)
    return e.Opened(
        roll=roll.id,
        kind=roll.kind,
        by=roll.by,
        title=kind.title,
        does=kind.does,
        who=roll.who,
        against=roll.against,
        helpers=list(roll.helpers),
        seen=roll.seen,
        inputs=inputs,
        use=use,
        audience=roll_audience(context.state, roll),
    )


def _roller(context: Context, ref: str) -> str:
    """A player rolls for a character of their own; a GM for anybody, or for a quick pool without a sheet."""
    if not ref:
        return ""
    kept = find_holder(context.state, context.member, ref)
    if not owns(context.member, kept):
        raise Forbidden(f"{kept.name} is not yours to roll for.")
    return kept.id


def _id_of(context: Context, ref: str) -> str:
    return find_holder(context.state, context.member, ref).id if ref else ""


def build(context: Context, action: a.BuildAction) -> Ledger:
    """Put inputs and offers into a roll: roller, helpers and GM each their own."""
    roll = _unthrown(context, action.roll)
    kind_of(context.state, roll)
    ledger = Ledger(context.state)
    if action.against is not None:
        _refuse_outsider(context, roll)
        against = _id_of(context, action.against)
        ledger.add(e.Built(roll=roll.id, against=against, audience=roll_audience(context.state, roll)))
    if action.helpers is not None:
        _refuse_outsider(context, roll)
        set_helpers(context, ledger, ledger.state.world.rolls[roll.id], action.helpers)
    _build(context, ledger, roll.id, inputs=action.inputs, use=action.use, hide=action.hide)
    return ledger


def _unthrown(context: Context, ref: str) -> Roll:
    roll = find_roll(context.state, context.member, ref)
    if roll.ask is not None:
        raise Illegal(THROWN)
    return roll


def _build(
    context: Context, ledger: Ledger, id: str, *, inputs: dict[str, Any], use: dict[str, int], hide: list[str] | None
) -> None:
    roll = ledger.state.world.rolls[id]
    audience = roll_audience(ledger.state, roll)
    if hide is not None and tuple(hide) != roll.hidden:
        refuse_player(context.member, "hide a part of a roll")
        for name in hide:
            kind_of(ledger.state, roll).ask._input(name)
        ledger.add(e.Built(roll=id, hidden=hide, audience=audience))
    taps, veiled = _taps(context, ledger.state, roll, use)
    if veiled:
        hidden = dict.fromkeys(
            (*ledger.state.world.rolls[id].hidden, *(name for names in veiled.values() for name in names))
        )
        ledger.add(e.Built(roll=id, hidden=list(hidden), audience=audience))
    shown, secret = _checked_inputs(context, ledger.state, ledger.state.world.rolls[id], inputs)
    told = {offer: n for offer, n in taps.items() if offer not in veiled}
    if shown or told:
        ledger.add(e.Built(roll=id, inputs=shown, use=told, audience=audience))
    if secret or veiled:
        ledger.add(e.Built(roll=id, inputs=secret, use={offer: taps[offer] for offer in veiled}, audience=GM))


def _taps(
    context: Context, state: State, roll: Roll, use: dict[str, int]
) -> tuple[dict[str, int], dict[str, tuple[str, ...]]]:
    """Offers by id, each put in only by the seat that may give it; and those that not everybody at the roll may see."""
    offers = offers_for(state, roll, context.member) if use else {}
    seen = open_offers(state, roll) if use else {}
    taps: dict[str, int] = {}
    veiled: dict[str, tuple[str, ...]] = {}
    for ref, n in use.items():
        offer = find_offer(offers, ref)
        giver = state.world.holders.get(offer.by)
        if not owns(context.member, giver) and owner_of(state, roll) != context.member.id:
            raise Forbidden(f"{offer.label} is not yours to put in.")
        if giver and giver.kind == "character" and not owns(context.member, giver):
            raise Forbidden(f"{offer.label} is {giver.name}'s to put in.")
        if n > offer.most:
            raise Illegal(f"{offer.label} can be used {offer.most} times, not {n}; nothing is spent.", offer.rule)
        taps[offer.id] = n
        if offer.id not in seen:
            veiled[offer.id] = (offer.input, *(name for name, _ in offer.also))
    return taps, veiled


def _checked_inputs(
    context: Context, state: State, roll: Roll, inputs: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Open inputs and hidden inputs; each is parsed now, so that a bad value is refused at once."""
    if inputs:
        _refuse_outsider(context, roll)
    kind = kind_of(state, roll)
    for name, written in inputs.items():
        input = kind.ask._input(name)
        if name in roll.hidden:
            refuse_player(context.member, f"set {input.option}, which is hidden")
        if written is not None:
            input.read(written)
    if not roll.hidden:
        return inputs, {}
    shown = {name: value for name, value in inputs.items() if name not in roll.hidden}
    return shown, {name: value for name, value in inputs.items() if name in roll.hidden}


def _refuse_outsider(context: Context, roll: Roll) -> None:
    if context.member.role != GM and owner_of(context.state, roll) != context.member.id:
        raise Forbidden("This roll is not yours; you may put in what your own characters offer.")


def withdraw(context: Context, action: a.WithdrawAction) -> list[e.Event]:
    """Withdraw a roll before any die is thrown, or one that no longer fits the rules."""
    roll = find_roll(context.state, context.member, action.roll)
    if roll.ask is not None:
        _refuse_fitting(context, roll)
    _refuse_outsider(context, roll)
    return [e.Withdrawn(roll=roll.id, audience=roll_audience(context.state, roll))]


def _refuse_fitting(context: Context, roll: Roll) -> None:
    """Refuse to withdraw a thrown roll that the rules can still continue; for a hidden one, only the GM can tell."""
    unknown = not may_see(context.member, outcome_audience(context.state, roll))
    if roll.over or unknown or open_node_of(context.state, roll) is not None:
        raise Illegal(THROWN)
