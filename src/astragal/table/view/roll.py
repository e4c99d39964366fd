"""A roll as a seat may see it: being gathered, thrown out of its sight, waiting for somebody, or settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from astragal.errors import Refusal
from astragal.explain.report import judged, open_node, plain
from astragal.rule.inputs.ask import Ask
from astragal.rule.sheets.table_rules import Change, Offer, helper_place
from astragal.rule.tree.node import Choice, Option, Outcome, Throw
from astragal.rule.verdict import Tone, turned
from astragal.table.access import (
    GM,
    dice_audience,
    is_asked,
    may_see,
    may_type,
    outcome_audience,
    owner_of,
    owns,
    roll_audience,
    speaks_for_target,
    throw_of,
    waited_for,
)
from astragal.table.fold import with_dice
from astragal.table.rolls.ask import helping
from astragal.table.rolls.basis import Basis, kind_of
from astragal.table.rolls.guess import guesses
from astragal.table.rolls.known import answers_of, known_node
from astragal.table.rolls.picks import pickable
from astragal.table.rolls.playback import BREAKS, begins_with, follow_up_of, played_of
from astragal.table.rolls.ready import ruling_of
from astragal.table.ruleset import ruleset_of
from astragal.table.state import HolderState, Member, PartRead, Roll, State
from astragal.table.view.card import card_of, dice_shown, gains_of, knows, throws_shown, waiting_of
from astragal.table.view.kept import dice_with_kept, kept_view, tray_with_kept
from astragal.table.view.people import claims_of, people_view
from astragal.table.view.roll_model import (
    GainView,
    LeadView,
    OfferView,
    OpenChoice,
    OpenDice,
    OptionView,
    PriceView,
    PromptView,
    RollSeen,
    RollView,
    SeriesView,
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
        typed=may_type(state, roll, member),
        over=roll.over,
        thrown=roll.ask is not None,
        name=_name(state, roll),
        does=roll.does or "rolls",
        against_name=roll.against_name,
        request=roll.request,
    )
    if roll.reopened:
        seen = replace(seen, kept=kept_view(roll, member))
    if roll.ask is None and not roll.over:
        seen = _being_built(seen, state, roll, member)
        if roll.kept and isinstance(seen.tray, TrayView):
            seen = replace(seen, tray=tray_with_kept(state, roll, member, seen.tray))
        return seen
    if not may_see(member, dice_audience(state, roll)):
        # A member who rolled blind knows that it was rolled.
        return replace(seen, over=False, thrown=True, blind=True)
    if not may_see(member, outcome_audience(state, roll)):
        return _part_told(seen, state, roll, member)
    told = _told(seen, state, roll, member)
    return _follow_up(told, state, roll, member) if roll.over else _unfinished(told, state, roll, member)


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
        basis = Basis(state, roll)
        kind, offers = basis.kind, basis.offers_for(member)
    except Refusal as refusal:
        yours = _takes_part(state, roll, member)
        return replace(seen, inputs={}, use={}, offers=[], yours=yours, headline="", missing=str(refusal))
    seen = replace(
        seen,
        inputs={name: value for name, value in roll.inputs.items() if name not in hidden} | _picked(roll, member),
        use={id: n for id, n in roll.use.items() if id in offers},
        offers=[_offer(basis, offer, member) for offer in offers.values()],
        yours=_takes_part(state, roll, member),
        headline="",
        missing="",
        locked=_locked(basis, offers, member),
        takes=[
            max(0, most - len(helping(kind, roll, there, offers)))
            for most, there in ((kind.helpers, seen.helpers), (kind.their_helpers, seen.their_helpers))
        ],
        about="" if kind.aim in hidden else str(roll.inputs.get(kind.aim) or roll.about),
        needs="",
    )
    seen = replace(seen, **people_view(state, roll, member, hidden))
    shown = replace(roll, against=seen.against)
    if ruling := ruling_of(basis):
        return _ruled(seen, state, roll, ruling, member)
    if hidden:
        return replace(seen, tray=_guessed_tray(basis, shown, offers, hidden))
    try:
        ask = basis.ask
    except Refusal as refusal:
        seen = replace(seen, missing=str(refusal), needs=what_is_missing(kind, roll, refusal), wants=refusal.wants)
        if not kind.target or kind.target in roll.inputs:
            return seen
        # How hard it is comes last; the dice lie there before.
        unset = replace(roll, hidden=(kind.target,))
        return replace(seen, tray=_guessed_tray(basis.at(state, unset), shown, offers, unset.hidden))
    return replace(
        _helpers_first(seen, basis, member),
        headline=kind.headline(ask),
        ask=ask.values(),
        tray=_tray(state, shown, ask, offers, hidden),
        series=SeriesView(*kind.series.begun(ask)) if kind.series and kind.series.begun else UNSET,
    )


def _ruled(seen: RollView, state: State, roll: Roll, ruling: Choice[Any], member: Member | None) -> RollView:
    """The view of a roll that needs no dice: whose word settles it, and among what."""
    mine = answers_of(state, roll, ruling, member) if member else []
    seen = _waiting(seen, state, waited_for(state, roll, ruling))
    return replace(seen, waits="choice", open=_choice(state, roll, ruling, mine, member))


def _helpers_first(seen: RollView, basis: Basis, member: Member | None) -> RollView:
    """The view with who throws first where helpers do, and for a helper the dice with which they begin the roll."""
    state, roll = basis.state, basis.roll
    throw = begins_with(basis) if roll.helpers else None
    if throw is None or not helper_place(throw.by)[1]:
        return seen
    own = throw_of(state, roll, throw, member) if member is not None and member.role != GM else None
    seen = _waiting(seen, state, waited_for(state, roll, own or throw))
    return seen if own is None else replace(seen, open=_to_throw(state, roll, own, member))


def _picked(roll: Roll, member: Member | None) -> dict[str, str]:
    """The names of hidden things that GMs put in, which only they see."""
    return roll.picked if member is not None and member.role == GM else {}


def _tray(
    state: State, roll: Roll, ask: Ask, offers: Mapping[str, Offer], hidden: Sequence[str]
) -> TrayView | UnsetType:
    """The tray; nothing where today's rules cannot tell it."""
    try:
        return tray_view(state, roll, ask, offers, hidden)
    except (Refusal, *BREAKS):
        return UNSET


def _guessed_tray(
    basis: Basis, shown: Roll, offers: Mapping[str, Offer], hidden: Sequence[str]
) -> TrayView | UnsetType:
    """The tray where something is hidden, if it is the same whatever that is; the true ask is not looked at."""
    try:
        trays = [_tray(basis.state, shown, ask, offers, hidden) for ask in guesses(basis)]
    except Refusal:
        return UNSET
    return trays[0] if len(trays) > 1 and trays.count(trays[0]) == len(trays) else UNSET


def _locked(basis: Basis, offers: Mapping[str, Offer], member: Member | None) -> list[str]:
    """What this seat may not change; of what is hidden, whether a GM has set it must not show."""
    roll, kind = basis.roll, basis.kind
    gm = member is not None and member.role == GM
    hidden = () if gm else roll.hidden
    inputs = kind.ask.inputs.values()
    others = [each.name for each in inputs if each.name in hidden or not basis.may_set(each, member)]
    by_gm = [name for name in roll.by_gm if name in kind.ask.inputs or name in offers or name == "against"]
    return others if gm else list(dict.fromkeys((*others, *by_gm)))


def _offer(basis: Basis, offer: Offer, member: Member | None) -> OfferView:
    state, roll = basis.state, basis.roll
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
        side=side_of(basis.kind, offer),
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
        **{**card_of(roll), **_for_other_side(state, roll, member)},
        gains=gains_of(state, roll, member),
        waiting=waiting_of(state, roll) or UNSET,
        waits="",
        open=None,
        yours=_takes_part(state, roll, member),
        claims=claims_of(state, roll) or UNSET,
        prompts=[PromptView(*prompt, yours=_is_asked(state, prompt[0], member)) for prompt in roll.prompts] or UNSET,
    )


def _for_other_side(state: State, roll: Roll, member: Member | None) -> dict[str, Any]:
    """Tone and name of the verdict for a player of the other side alone: what is good for one is bad for the other."""
    if not roll.other_tier or not _is_across(state, roll, member):
        return {}
    return {"tone": turned(cast("Tone", roll.tone)), "tier": roll.other_tier}


def _is_across(state: State, roll: Roll, member: Member | None) -> bool:
    """Whether a member plays only the side that the verdict does not speak for."""
    holders = state.world.holders
    spoken, other = holders.get(roll.who), holders.get(roll.against)
    if speaks_for_target(state, roll):
        spoken, other = other, spoken
    if member is None or member.role != "player" or other is None or other.owner != member.id:
        return False
    return spoken is None or spoken.owner != member.id


def _part_told(seen: RollView, state: State, roll: Roll, member: Member | None) -> RollView:
    """The view of a roll with a hidden input: its open dice, and all that rests on nothing hidden (T-11)."""
    read = roll.part_read or PartRead()
    n = roll.open_throws
    throws = with_dice(roll.throws[:n], read.dice)
    shown = replace(roll, throws=throws, laid=roll.laid[:n], sources=roll.sources[:n], thrown_by=roll.thrown_by[:n])
    seen = replace(
        seen,
        dice=dice_shown(shown, told=True),
        throws=throws_shown(shown),
        over=False,
        waits="gm",
        sum=read.sum or UNSET,
        gains=[GainView(text) for text in read.gains] or UNSET,
        result=read.result or UNSET,
    )
    return _without_leads(_open(seen, state, roll, member, known_node(state, roll))) if roll.known_open else seen


def _without_leads(seen: RollView) -> RollView:
    """The view without where its options lead, which rests on what is hidden."""
    if not isinstance(seen.open, OpenChoice):
        return seen
    return replace(seen, open=replace(seen.open, options=[replace(each, leads=None) for each in seen.open.options]))


def _is_asked(state: State, id: str, member: Member | None) -> bool:
    return member is not None and member.role != "onlooker" and is_asked(state, id, member)


def _unfinished(seen: RollView, state: State, roll: Roll, member: Member | None) -> RollView:
    """The view with what an unfinished roll waits for by today's rules, or why it cannot go on."""
    try:
        node = played_of(state, roll).node
    except Refusal as refusal:
        return replace(seen, missing=str(refusal))
    seen = _open(seen, state, roll, member, node)
    return replace(seen, result=plain(node.so_far)) if isinstance(node, Choice) else seen


def _open(seen: RollView, state: State, roll: Roll, member: Member | None, node: Any) -> RollView:
    """The view with what a roll waits for."""
    if not isinstance(node, (Throw, Choice)):
        return seen
    if isinstance(node, Throw):
        own = throw_of(state, roll, node, member) if member is not None else None
        due = own or node
        seen = _waiting(seen, state, waited_for(state, roll, due))
        return replace(seen, waits="dice", open=_to_throw(state, roll, due, member), yours=own is not None)
    seen = _waiting(seen, state, waited_for(state, roll, node))
    mine = answers_of(state, roll, node, member) if member else []
    return replace(
        seen,
        waits="choice",
        open=_with_picks(_choice(state, roll, node, mine, member), state, node, member),
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
    return replace(
        seen, open=_with_picks(_choice(state, roll, node, mine, member), state, node, member), yours=bool(mine)
    )


def _with_picks(shown: OpenChoice, state: State, choice: Choice[Any], member: Member | None) -> OpenChoice:
    """The choice with what its options may name, as this seat sees it."""
    if not any(option.names for option in choice.options.values()):
        return shown
    options = [
        replace(each, picks=pickable(state, member, choice.options[each.name].names))
        if each.yours and choice.options[each.name].names
        else each
        for each in shown.options
    ]
    return replace(shown, options=options)


def _to_throw(state: State, roll: Roll, throw: Throw[Any, Any], member: Member | None) -> OpenDice:
    dice = dice_with_kept(state, roll, member, throw, dice_views(throw.pool))
    shown = replace(msgspec.convert(open_node(throw), OpenDice), dice=dice)
    if throw.instead is None or all(option.by for option in throw.instead.options.values()):
        return replace(shown, instead=[])  # who may throw first sees their own dice
    mine = answers_of(state, roll, throw.instead, member) if member else []
    return replace(shown, instead=_options(state, roll, throw.instead, shown.instead, mine=mine, member=member))


def _choice(state: State, roll: Roll, choice: Choice[Any], mine: list[str], member: Member | None) -> OpenChoice:
    shown = msgspec.convert(open_node(choice), OpenChoice)
    options = _options(state, roll, choice, shown.options, mine=mine, member=member)
    return replace(shown, options=options, rest=choice.rest)


def _options(
    state: State,
    roll: Roll,
    choice: Choice[Any],
    shown: list[OptionView],
    *,
    mine: list[str],
    member: Member | None,
) -> list[OptionView]:
    decider = waited_for(state, roll, choice)
    found = []
    for each in shown:
        option = choice.options[each.name]
        # The dice that it throws at once, if they are the decider's.
        node = _after(option)
        throws = isinstance(node, Throw) and waited_for(state, roll, node) == decider
        found.append(
            replace(
                each,
                yours=each.name in mine,
                price=_option_price(state, roll, option),
                leads=_lead(state, roll, member, node.result) if isinstance(node, Outcome) else None,
                dice=dice_with_kept(state, roll, member, node, dice_views(node.pool)) if throws else [],
            )
        )
    return found


def _option_price(state: State, roll: Roll, option: Option[Any]) -> list[PriceView]:
    if not option.effects:
        return []
    participants = Basis(state, roll).participants
    changes = ruleset_of(state.game).table_rules.apply(roll.kind, None, option.effects, participants)
    payer = participants.player or participants.roller
    giver = state.world.holders.get(payer.id) if payer else None
    return [_price(state, giver, change, change.by) for change in changes if isinstance(change, Change) and change.by]


def _after(option: Option[Any]) -> Any:
    """The node that an answer leads to; none where today's rules cannot tell it."""
    try:
        return option.then.node(option.words) if option.words else option.then.node()
    except (Refusal, *BREAKS):
        return None


def _lead(state: State, roll: Roll, member: Member | None, result: Any) -> LeadView:
    """Where an option leads, as the card of this member calls it."""
    verdict = judged(kind_of(state, roll), result)
    verdict = verdict.turned if speaks_for_target(state, roll) else verdict
    verdict = verdict.turned if verdict.theirs and _is_across(state, roll, member) else verdict
    return LeadView(verdict.tone, verdict.tier)
