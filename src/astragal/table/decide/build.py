"""Open rolls: built together by the one who rolls, by helpers and by the GM, before a die is thrown."""

from __future__ import annotations

from typing import Any

from astragal.errors import Forbidden, Illegal
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import GM, find_holder, find_roll, owner_of, owns, refuse_player, roll_ear
from astragal.table.decide.context import Moment
from astragal.table.decide.ledger import Ledger
from astragal.table.fold import opened_roll
from astragal.table.rolls.ask import find_offer, kind_of, offers_for, open_offers
from astragal.table.state import Roll, State

MAX_OPEN = 50


def open_roll(moment: Moment, action: a.Open) -> Ledger:
    """A roll is opened, with what is known of it so far."""
    return opened(moment, action)[0]


def opened(moment: Moment, action: a.Open) -> tuple[Ledger, Roll]:
    """The same, and the roll as it is then."""
    state, member = moment.state, moment.member
    rolls = state.world.rolls.values()
    if len(rolls) >= MAX_OPEN <= sum(not roll.over and roll.by == member.id for roll in rolls):
        raise Illegal(f"{MAX_OPEN} rolls of yours are open; finish or withdraw some first.")
    if action.seen == "gm":
        refuse_player(member, "roll where nobody else sees it; a player may roll blind")
    roll = Roll(
        f"r{moment.id}",
        moment.book.game.kind(action.kind).name,
        member.id,
        _roller(moment, action.who),
        _id_of(moment, action.against),
        tuple(_id_of(moment, helper) for helper in action.helpers),
        action.seen,
    )
    ledger = Ledger(state)
    taps, veiled = _taps(moment, state, roll, action.use) if action.use else ({}, {})
    if action.hide or veiled:
        ledger.add(_opened(moment, roll, {}, {}))
        _build(moment, ledger, roll.id, inputs=action.inputs, use=action.use, hide=action.hide or None)
        return ledger, ledger.state.world.rolls[roll.id]
    shown, _ = _checked_inputs(moment, state, roll, action.inputs)
    ledger.add(event := _opened(moment, roll, shown, taps))
    return ledger, opened_roll(event)


def _opened(moment: Moment, roll: Roll, inputs: dict[str, Any], use: dict[str, int]) -> e.Opened:
    return e.Opened(
        roll=roll.id,
        kind=roll.kind,
        by=roll.by,
        who=roll.who,
        against=roll.against,
        helpers=list(roll.helpers),
        seen=roll.seen,
        inputs=inputs,
        use=use,
        only=roll_ear(moment.state, roll),
    )


def _roller(moment: Moment, ref: str) -> str:
    """A player rolls for a character of their own; a GM for anybody, or for a quick pool without a sheet."""
    if not ref:
        return ""
    kept = find_holder(moment.state, moment.member, ref)
    if not owns(moment.member, kept):
        raise Forbidden(f"{kept.name} is not yours to roll for.")
    return kept.id


def _id_of(moment: Moment, ref: str) -> str:
    return find_holder(moment.state, moment.member, ref).id if ref else ""


def build(moment: Moment, action: a.Build) -> Ledger:
    """The one who rolls, helpers and the GM put things in, each what is theirs."""
    roll = _unthrown(moment, action.roll)
    ledger = Ledger(moment.state)
    if action.helpers is not None or action.against is not None:
        _refuse_outsider(moment, roll)
        ledger.add(
            e.Built(
                roll=roll.id,
                helpers=None if action.helpers is None else [_id_of(moment, helper) for helper in action.helpers],
                against=None if action.against is None else _id_of(moment, action.against),
                only=roll_ear(moment.state, roll),
            )
        )
    _build(moment, ledger, roll.id, inputs=action.inputs, use=action.use, hide=action.hide)
    return ledger


def _unthrown(moment: Moment, ref: str) -> Roll:
    roll = find_roll(moment.state, moment.member, ref)
    if roll.ask is not None:
        raise Illegal("The dice of this roll are thrown; nothing can be put in any more.")
    return roll


def _build(
    moment: Moment, ledger: Ledger, id: str, *, inputs: dict[str, Any], use: dict[str, int], hide: list[str] | None
) -> None:
    roll = ledger.state.world.rolls[id]
    ear = roll_ear(ledger.state, roll)
    if hide is not None and tuple(hide) != roll.hidden:
        refuse_player(moment.member, "hide a part of a roll")
        for name in hide:
            kind_of(ledger.state, roll).ask._input(name)
        ledger.add(e.Built(roll=id, hidden=hide, only=ear))
    taps, veiled = _taps(moment, ledger.state, roll, use)
    if veiled:
        hidden = dict.fromkeys(
            (*ledger.state.world.rolls[id].hidden, *(name for names in veiled.values() for name in names))
        )
        ledger.add(e.Built(roll=id, hidden=list(hidden), only=ear))
    shown, secret = _checked_inputs(moment, ledger.state, ledger.state.world.rolls[id], inputs)
    told = {offer: n for offer, n in taps.items() if offer not in veiled}
    if shown or told:
        ledger.add(e.Built(roll=id, inputs=shown, use=told, only=ear))
    if secret or veiled:
        ledger.add(e.Built(roll=id, inputs=secret, use={offer: taps[offer] for offer in veiled}, only=GM))


def _taps(
    moment: Moment, state: State, roll: Roll, use: dict[str, int]
) -> tuple[dict[str, int], dict[str, tuple[str, ...]]]:
    """Offers by id, each only by the seat whose it is to give; and those that not everybody at the roll may see."""
    offers = offers_for(state, roll, moment.member) if use else {}
    seen = open_offers(state, roll) if use else {}
    taps: dict[str, int] = {}
    veiled: dict[str, tuple[str, ...]] = {}
    for ref, n in use.items():
        offer = find_offer(offers, ref)
        giver = state.world.holders.get(offer.by)
        if not owns(moment.member, giver) and owner_of(state, roll) != moment.member.id:
            raise Forbidden(f"{offer.label} is not yours to put in.")
        if giver and giver.kind == "character" and not owns(moment.member, giver):
            raise Forbidden(f"{offer.label} is {giver.name}'s to put in.")
        if n > offer.most:
            raise Illegal(f"{offer.label} can be used {offer.most} times, not {n}; nothing is spent.", offer.rule)
        taps[offer.id] = n
        if offer.id not in seen:
            veiled[offer.id] = (offer.input, *(name for name, _ in offer.also))
    return taps, veiled


def _checked_inputs(
    moment: Moment, state: State, roll: Roll, inputs: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Inputs for everybody and inputs that are hidden; each is read, so that nonsense is refused at once."""
    if inputs:
        _refuse_outsider(moment, roll)
    kind = kind_of(state, roll)
    for name, written in inputs.items():
        input = kind.ask._input(name)
        if name in roll.hidden:
            refuse_player(moment.member, f"set {input.option}, which is hidden")
        if written is not None:
            input.read(written)
    if not roll.hidden:
        return inputs, {}
    shown = {name: value for name, value in inputs.items() if name not in roll.hidden}
    return shown, {name: value for name, value in inputs.items() if name in roll.hidden}


def _refuse_outsider(moment: Moment, roll: Roll) -> None:
    if moment.member.role != GM and owner_of(moment.state, roll) != moment.member.id:
        raise Forbidden("This roll is not yours; you may put in what your own characters offer.")


def withdraw(moment: Moment, action: a.Withdraw) -> list[e.Event]:
    """Give a roll up before any die is thrown."""
    roll = _unthrown(moment, action.roll)
    _refuse_outsider(moment, roll)
    return [e.Withdrawn(roll=roll.id, only=roll_ear(moment.state, roll))]
