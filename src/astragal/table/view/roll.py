"""A roll as a seat may see it: being gathered, thrown out of its sight, waiting for somebody, or settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from astragal.errors import Refusal
from astragal.rule.game import Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.report import judged, open_node, plain
from astragal.rule.sheets.table_rules import Change, Offer
from astragal.rule.tree.node import Choice, Option, Outcome, Throw
from astragal.table.access import (
    GM,
    answers_of,
    dice_audience,
    is_asked,
    may_see,
    may_throw,
    outcome_audience,
    owner_of,
    owns,
    roll_audience,
    speaks_for_target,
    waited_for,
)
from astragal.table.rolls.ask import ask_of, kind_of, may_set, offers_for, roll_participants
from astragal.table.rolls.odds import guesses
from astragal.table.rolls.playback import BREAKS, follow_up_of, played_of
from astragal.table.ruleset import ruleset_of
from astragal.table.state import HolderState, Member, Roll, State
from astragal.table.view.card import card_of, dice_shown, gains_of, knows, throws_shown
from astragal.table.view.roll_model import (
    LeadView,
    OfferView,
    OpenChoice,
    OpenDice,
    OptionView,
    PriceView,
    PromptView,
    RollSeen,
    RollView,
    TrayView,
)
from astragal.table.view.tray import dice_views, price_words, side_of, tray_view, what_is_missing

# Views are made in several threads, and two that convert to a type for the first time at once crash the process; a
# decoder makes the types ready while there is one thread.
msgspec.json.Decoder(tuple[OpenDice, OpenChoice])


def roll_view(state: State, member: Member | None, id: str) -> RollView | None:
    """A roll: being built, thrown out of this seat's sight, or thrown and told."""
    roll = state.world.rolls.get(id)
    if roll is None or not may_see(member, roll_audience(state, roll)):
        return None
    seen = RollView(
        id=roll.id,
        kind=roll.kind,
        title=roll.title or roll.kind,
        by=roll.by,
        who=roll.who,
        against=roll.against if knows(state, roll.against, member) else "",
        helpers=[helper for helper in roll.helpers if knows(state, helper, member)],
        their_helpers=[helper for helper in roll.their_helpers if knows(state, helper, member)],
        seen=cast("RollSeen", roll.seen),
        hidden=list(roll.hidden),
        over=roll.over,
        thrown=roll.ask is not None,
        name=_name(state, roll),
        does=roll.does or "rolls",
        against_name=roll.against_name,
        request=roll.request,
    )
    if roll.ask is None and not roll.over:
        return _being_built(seen, state, roll, member)
    if not may_see(member, dice_audience(state, roll)):
        # A member who rolled blind knows that it was rolled.
        return replace(seen, over=False, thrown=True, blind=True)
    if not may_see(member, outcome_audience(state, roll)):
        return replace(seen, dice=dice_shown(roll, told=False), throws=throws_shown(roll), over=False, waits="gm")
    told = _told(seen, state, roll, member)
    return _follow_up(told, state, roll, member) if roll.over else _open(told, state, roll, member)


def _name(state: State, roll: Roll) -> str:
    """Who rolls; who sees the roll may know it."""
    holder, member = state.world.holders.get(roll.who), state.members.get(roll.by)
    if holder is not None or roll.name:
        return holder.name if holder else roll.name
    return state.world.retired[roll.who][0] if roll.who in state.world.retired else member.name if member else ""


def _being_built(seen: RollView, state: State, roll: Roll, member: Member | None) -> RollView:
    """The view with inputs so far, offers, and why the roll cannot be thrown yet."""
    hidden = () if member is not None and member.role == GM else roll.hidden
    try:
        kind = kind_of(state, roll)
        offers = offers_for(state, roll, member)
    except Refusal as refusal:
        yours = _takes_part(state, roll, member)
        return replace(seen, inputs={}, use={}, offers=[], yours=yours, headline="", missing=str(refusal))
    seen = replace(
        seen,
        inputs={name: value for name, value in roll.inputs.items() if name not in hidden},
        use={id: n for id, n in roll.use.items() if id in offers},
        offers=[_offer(state, roll, offer, member) for offer in offers.values()],
        yours=_takes_part(state, roll, member),
        headline="",
        missing="",
        locked=_locked(state, roll, kind, offers, member),
        takes=[max(0, kind.helpers - len(seen.helpers)), max(0, kind.their_helpers - len(seen.their_helpers))],
        about="" if kind.aim in hidden else str(roll.inputs.get(kind.aim) or roll.about),
        needs="",
    )
    shown = replace(roll, against=seen.against)
    if hidden:
        return replace(seen, tray=_guessed_tray(state, roll, shown, offers, hidden))
    try:
        ask = ask_of(state, roll)
    except Refusal as refusal:
        seen = replace(seen, missing=str(refusal), needs=what_is_missing(kind, roll, refusal), wants=refusal.wants)
        if not kind.target or kind.target in roll.inputs:
            return seen
        # How hard it is comes last; the dice lie there before.
        unset = replace(roll, hidden=(kind.target,))
        return replace(seen, tray=_guessed_tray(state, unset, shown, offers, unset.hidden))
    return replace(seen, headline=kind.headline(ask), ask=ask.values(), tray=_tray(state, shown, ask, offers, hidden))


def _tray(
    state: State, roll: Roll, ask: Ask, offers: Mapping[str, Offer], hidden: Sequence[str]
) -> TrayView | UnsetType:
    """The tray; nothing where today's rules cannot tell it."""
    try:
        return tray_view(state, roll, ask, offers, hidden)
    except (Refusal, *BREAKS):
        return UNSET


def _guessed_tray(
    state: State, roll: Roll, shown: Roll, offers: Mapping[str, Offer], hidden: Sequence[str]
) -> TrayView | UnsetType:
    """The tray where something is hidden, if it is the same whatever that is; the true ask is not looked at."""
    try:
        trays = [_tray(state, shown, ask, offers, hidden) for ask in guesses(state, roll)]
    except Refusal:
        return UNSET
    return trays[0] if len(trays) > 1 and trays.count(trays[0]) == len(trays) else UNSET


def _locked(state: State, roll: Roll, kind: Kind, offers: Mapping[str, Offer], member: Member | None) -> list[str]:
    """What this seat may not change; of what is hidden, whether a GM has set it must not show."""
    gm = member is not None and member.role == GM
    hidden = () if gm else roll.hidden
    inputs = kind.ask.inputs.values()
    others = [each.name for each in inputs if each.name in hidden or not may_set(state, roll, each, member)]
    by_gm = [name for name in roll.by_gm if name in kind.ask.inputs or name in offers or name == "against"]
    return others if gm else list(dict.fromkeys((*others, *by_gm)))


def _offer(state: State, roll: Roll, offer: Offer, member: Member | None) -> OfferView:
    giver = state.world.holders.get(offer.by)
    yours = member is not None and (owns(member, giver) if giver else _takes_part(state, roll, member))
    price = [_price(state, giver, change, change.by) for change in offer.changes if change.by]
    return OfferView(
        id=offer.id,
        group=offer.group,
        label=offer.label,
        input=offer.input,
        gives=plain(offer.gives),
        most=offer.most,
        price=price,
        rule=offer.rule,
        yours=yours,
        by=offer.by,
        side=side_of(kind_of(state, roll), offer),
        dice=dice_views(offer.dice),
        adds=offer.adds,
        cost=price_words(paid for paid in price if paid.by < 0),
        gains=", ".join(f"{gain.whose} gains {gain.by} {gain.item}" for gain in price if gain.by > 0 and gain.whose),
    )


def _price(state: State, giver: HolderState | None, change: Change, by: int) -> PriceView:
    holder = state.world.holders.get(change.holder)
    own = giver is None or change.holder in (giver.id, giver.owner)
    return PriceView(change.item, by, holder.name if holder and not own else "")


def _takes_part(state: State, roll: Roll, member: Member | None) -> bool:
    return member is not None and (member.role == GM or owner_of(state, roll) == member.id)


def _told(seen: RollView, state: State, roll: Roll, member: Member | None) -> RollView:
    """The view with the outcome as it was stored; today's rules are not used."""
    return replace(
        seen,
        **card_of(roll),
        gains=gains_of(state, roll, member),
        waits="",
        open=None,
        yours=_takes_part(state, roll, member),
        prompts=[PromptView(*prompt, yours=_is_asked(state, prompt[0], member)) for prompt in roll.prompts] or UNSET,
    )


def _is_asked(state: State, id: str, member: Member | None) -> bool:
    return member is not None and member.role != "onlooker" and is_asked(state, id, member)


def _open(seen: RollView, state: State, roll: Roll, member: Member | None) -> RollView:
    """The view with what an unfinished roll waits for by today's rules, or why it cannot go on."""
    try:
        node = played_of(state, roll).node
    except Refusal as refusal:
        return replace(seen, missing=str(refusal))
    if isinstance(node, Outcome):
        return seen
    seen = _waiting(seen, state, waited_for(state, roll, node))
    if isinstance(node, Throw):
        yours = member is not None and may_throw(state, roll, node, member)
        return replace(seen, waits="dice", open=_to_throw(state, roll, node, member), yours=yours)
    mine = answers_of(state, roll, node, member) if member else []
    return replace(
        seen,
        result=plain(node.so_far),
        waits="choice",
        open=_choice(state, roll, node, mine),
        yours=bool(mine),
    )


def _waiting(seen: RollView, state: State, id: str) -> RollView:
    """The view with whom the roll waits for."""
    gms = (member.name for member in state.members.values() if member.role == GM)
    name = state.members[id].name if id in state.members else next(gms, "")
    return replace(seen, waits_for=id, waits_name=name)


def _follow_up(seen: RollView, state: State, roll: Roll, member: Member | None) -> RollView:
    """A finished roll, with the choice that it leaves open until the roller's next one."""
    node = follow_up_of(state, roll)
    if node is None:
        return seen
    mine = answers_of(state, roll, node, member) if member else []
    seen = _waiting(seen, state, waited_for(state, roll, node))
    return replace(seen, open=_choice(state, roll, node, mine), yours=bool(mine))


def _to_throw(state: State, roll: Roll, throw: Throw[Any, Any], member: Member | None) -> OpenDice:
    shown = replace(msgspec.convert(open_node(throw), OpenDice), dice=dice_views(throw.pool))
    if throw.instead is None:
        return shown
    mine = answers_of(state, roll, throw.instead, member) if member else []
    return replace(shown, instead=_options(state, roll, throw.instead, shown.instead, mine))


def _choice(state: State, roll: Roll, choice: Choice[Any], mine: list[str]) -> OpenChoice:
    shown = msgspec.convert(open_node(choice), OpenChoice)
    return replace(shown, options=_options(state, roll, choice, shown.options, mine), rest=choice.rest)


def _options(
    state: State, roll: Roll, choice: Choice[Any], shown: list[OptionView], mine: list[str]
) -> list[OptionView]:
    decider = waited_for(state, roll, choice)
    return [_option(state, roll, choice.options[option.name], option, mine=mine, decider=decider) for option in shown]


def _option(
    state: State, roll: Roll, option: Option[Any], shown: OptionView, *, mine: list[str], decider: str
) -> OptionView:
    """An option with its price as the sheets pay it, and where it leads: to the decider's dice, or to a certain end."""
    node = _after(option)
    throws = isinstance(node, Throw) and waited_for(state, roll, node) == decider
    return replace(
        shown,
        yours=shown.name in mine,
        price=_option_price(state, roll, option),
        leads=_lead(state, roll, node.result) if isinstance(node, Outcome) else None,
        dice=dice_views(node.pool) if throws else [],
    )


def _option_price(state: State, roll: Roll, option: Option[Any]) -> list[PriceView]:
    if not option.effects:
        return []
    participants = roll_participants(state, roll)
    changes = ruleset_of(state.game).table_rules.apply(roll.kind, None, option.effects, participants)
    payer = participants.player or participants.roller
    giver = state.world.holders.get(payer.id) if payer else None
    return [_price(state, giver, change, change.by) for change in changes if isinstance(change, Change) and change.by]


def _after(option: Option[Any]) -> Any:
    """The node that an answer leads to; none where today's rules cannot tell it."""
    try:
        return option.then.node(option.words) if option.words else option.then.node()
    except BREAKS:
        return None


def _lead(state: State, roll: Roll, result: Any) -> LeadView:
    verdict = judged(kind_of(state, roll), result)
    verdict = verdict.turned if speaks_for_target(state, roll) else verdict
    return LeadView(verdict.tone, verdict.tier)
