"""A roll that is being gathered, as a seat sees it: what is in it, what may be put in, what it lacks, who does what."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from astragal.errors import Refusal
from astragal.explain.report import plain
from astragal.rule.inputs.ask import Ask
from astragal.rule.sheets.table_rules import Offer, helper_place
from astragal.table.access import GM, name_of, owns, throw_of
from astragal.table.rolls.ask import helping
from astragal.table.rolls.known import guesses
from astragal.table.rolls.playback import BREAKS, begins_with
from astragal.table.rolls.ready import ends_at, ruling_of, sides_of
from astragal.table.state import Roll, State
from astragal.table.view.roll_model import ClaimView, OfferView, ReadyView, SeriesView, ShareView, TrayView
from astragal.table.view.tray import Sight, dice_views, price_words, side_of, tray_view, tray_with_kept, what_is_missing
from astragal.table.view.waiting import choice_view, dice_to_throw, whom_it_waits_for


def gathered(sight: Sight, against: str, helpers: Sequence[Sequence[str]]) -> dict[str, Any]:
    """The fields with inputs so far, offers, and why the roll cannot be thrown yet; ``helpers`` are those of each side.

    The opponent and the helpers are as the seat sees them.
    """
    basis, roll = sight.basis, sight.roll
    hidden = () if sight.is_gm else roll.hidden
    try:
        kind, offers = basis.kind, basis.offers_for(sight.member)
    except Refusal as refusal:
        nothing = {"inputs": {}, "use": {}, "offers": [], "headline": ""}
        return {**nothing, "yours": sight.takes_part, "missing": str(refusal)}
    inputs = {name: value for name, value in roll.inputs.items() if name not in hidden}
    if sight.is_gm:  # the names of hidden things that GMs put in
        inputs |= roll.picked
    parts: dict[str, Any] = {
        "inputs": inputs,
        "use": {id: n for id, n in roll.use.items() if id in offers},
        "offers": [_offer(sight, offer) for offer in offers.values()],
        "yours": sight.takes_part,
        "headline": "",
        "missing": "",
        "locked": _locked(sight, offers),
        "takes": [
            max(0, most - len(helping(kind, roll, there, offers)))
            for most, there in zip((kind.helpers, kind.their_helpers), helpers, strict=True)
        ],
        "about": "" if kind.aim in hidden else str(roll.inputs.get(kind.aim) or roll.about),
        "needs": "",
        **_people(sight, hidden),
    }
    if ruling := ruling_of(basis):
        view = choice_view(sight, ruling)
        return {**parts, **view, "waits": "choice", "yours": sight.takes_part}
    if hidden:
        return {**parts, "tray": _guessed_tray(sight, against, offers, hidden)}
    try:
        ask = basis.ask
    except Refusal as refusal:
        parts |= {"missing": str(refusal), "needs": what_is_missing(kind, roll, refusal), "wants": refusal.wants}
        if kind.target and kind.target not in roll.inputs:  # how hard it is comes last; its dice are shown before
            parts["tray"] = _guessed_tray(sight, against, offers, (kind.target,))
        return parts
    series = SeriesView(*kind.series.begun(ask)) if kind.series and kind.series.begun else UNSET
    return {
        **parts,
        **_helpers_first(sight),
        "headline": kind.headline(ask),
        "ask": ask.values(),
        "tray": _tray(sight, ask, against, offers, hidden),
        "series": series,
    }


def _helpers_first(sight: Sight) -> dict[str, Any]:
    """The member who throws first where helpers do, and for a helper the dice that begin the roll."""
    throw = begins_with(sight.basis) if sight.roll.helpers else None
    if throw is None or not helper_place(throw.by)[1]:
        return {}
    member = None if sight.is_gm else sight.member
    own = throw_of(sight.state, sight.roll, throw, member) if member else None
    whom = whom_it_waits_for(sight, own or throw)
    return whom if own is None else {**whom, "open": dice_to_throw(sight, own)}


def _tray(
    sight: Sight, ask: Ask, against: str, offers: Mapping[str, Offer], hidden: Container[str]
) -> TrayView | UnsetType:
    """The tray; nothing where today's rules cannot tell it."""
    try:
        tray = tray_view(sight, ask, against, offers, hidden)
    except (Refusal, *BREAKS):
        return UNSET
    return tray_with_kept(sight, tray) if sight.roll.undone.dice else tray


def _guessed_tray(
    sight: Sight, against: str, offers: Mapping[str, Offer], hidden: tuple[str, ...]
) -> TrayView | UnsetType:
    """The tray where something is hidden, if it is the same whatever that is; the true ask is not looked at."""
    unset = sight.roll if hidden == sight.roll.hidden else replace(sight.roll, hidden=hidden)
    try:
        asks = guesses(sight.basis.at(sight.state, unset))
        trays = [_tray(sight, ask, against, offers, hidden) for ask in asks]
    except Refusal:
        return UNSET
    return trays[0] if len(trays) > 1 and trays.count(trays[0]) == len(trays) else UNSET


def _locked(sight: Sight, offers: Mapping[str, Offer]) -> list[str]:
    """The inputs and offers that this seat may not change; it must not show whether a GM set a hidden one."""
    roll, basis, inputs = sight.roll, sight.basis, sight.basis.kind.ask.inputs
    hidden = () if sight.is_gm else roll.hidden
    others = [name for name, each in inputs.items() if name in hidden or not basis.may_set(each, sight.member)]
    by_gm = [name for name in roll.by_gm if name in inputs or name in offers or name == "against"]
    return others if sight.is_gm else list(dict.fromkeys((*others, *by_gm)))


def _offer(sight: Sight, offer: Offer) -> OfferView:
    giver, member = sight.state.world.holders.get(offer.by), sight.member
    price = [sight.price(giver, change) for change in offer.changes if change.by]
    return OfferView(
        id=offer.id,
        group=offer.group,
        label=offer.label,
        input=offer.input,
        gives=plain(offer.gives),
        most=offer.most,
        price=price,
        rule=offer.rule,
        yours=member is not None and (owns(member, giver) if giver else sight.takes_part),
        by=offer.by,
        side=side_of(sight.basis.kind, offer),
        dice=dice_views(offer.dice),
        adds=offer.adds,
        cost=price_words(paid for paid in price if paid.by < 0),
        gains=", ".join(f"{gain.whose} gains {gain.by} {gain.item}" for gain in price if gain.by > 0 and gain.whose),
    )


def _people(sight: Sight, hidden: Container[str]) -> dict[str, Any]:
    """The fields about people: shares, claims and who is ready, without anything hidden from the seat."""
    state, roll, member = sight.state, sight.roll, sight.member
    shares = [
        ShareView(name, by, name_of(state, member, by), value, member is not None and by == member.id)
        for name, entries in roll.shares.items()
        if name not in hidden
        for by, value in entries.items()
    ]
    gms = [each.name for each in state.members.values() if each.role == GM]
    ready = [
        ReadyView(
            side,
            seat,
            (gms or [""])[0] if seat == GM else state.members[seat].name,
            side in roll.ready,
            sight.is_gm if seat == GM else member is not None and member.id == seat,
        )
        for side, seat in sides_of(state, roll)
    ]
    return {
        "shares": shares or UNSET,
        "claims": claims_of(state, roll, hidden) or UNSET,
        "ready": ready or UNSET,
        "ready_at": ends_at(state, roll) if ready else UNSET,
    }


def claims_of(state: State, roll: Roll, hidden: Container[str] = ()) -> list[ClaimView]:
    """The things in a roll that players put in and that are a GM's to grant (T-7)."""
    return [
        ClaimView(name, by, state.members[by].name if by in state.members else "", words)
        for name, claimed in roll.claims.items()
        if name not in hidden
        for by, words in claimed.items()
    ]
