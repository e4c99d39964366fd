"""The ask of an open roll, from sheets, offers and typed inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, cast
from weakref import WeakKeyDictionary

from msgspec.structs import replace

from astragal.errors import Illegal, Refusal
from astragal.rule.game import Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.input import Input, Summed
from astragal.rule.inputs.total import MAX_LABEL, Source, Total, counted, sources_of, texts_of
from astragal.rule.inputs.word import Named
from astragal.rule.sheets.deck import CardsLeft
from astragal.rule.sheets.table_rules import SCENE, TABLE, Change, Holder, Offer, Participants
from astragal.table.access import CLOSED, GM, holder_audience, item_marks, roll_audience, seat_of, sees, viewers_of
from astragal.table.ruleset import ruleset_of
from astragal.table.state import HolderState, Member, Roll, State

MAX_OFFERS = 2000


def kind_of(state: State, roll: Roll) -> Kind:
    """The kind of a roll; refused if the game no longer has it."""
    game = ruleset_of(state.game).game
    return game.kinds.get(roll.kind) or game.kind(roll.kind)


def participants_of(
    state: State,
    who: str,
    against: str = "",
    helpers: tuple[str, ...] = (),
    *,
    their_helpers: tuple[str, ...] = (),
    by: str = "",
) -> Participants:
    """The participants by id; holders that have left the table are left out. ``by`` acts where no character does."""
    holders = state.world.holders
    roller = holders.get(who)
    acting = state.members.get(roller.owner if roller else by)
    return Participants(
        roller,
        holders.get(roller.owner if roller else by),
        holders.get(against),
        tuple([holders[helper] for helper in helpers if helper in holders]) if helpers else (),
        holders[TABLE],
        holders[SCENE],
        state.options,
        state.world.in_scene,
        tuple([holders[helper] for helper in their_helpers if helper in holders]) if their_helpers else (),
        acting is None or acting.role == GM,
        tuple([holder for holder in holders.values() if holder.kind == "character"]),
    )


# Viewers are an audience: everybody, a member, or the GMs.


def seen_participants(state: State, participants: Participants, viewers: str) -> Participants:
    """The participants without what the viewers may not see, so that nothing derived from them gives it away."""
    holders = state.world.holders

    def seen(holder: Holder | None) -> Holder | None:
        kept = holders.get(holder.id) if holder else None
        return _open_to(kept, viewers) if kept and sees(viewers, holder_audience(kept)) else None

    def each_seen(several: tuple[Holder, ...]) -> tuple[Holder, ...]:
        return tuple([shown for each in several if (shown := seen(each))])

    return participants._replace(
        roller=seen(participants.roller),
        player=seen(participants.player),
        target=seen(participants.target),
        helpers=each_seen(participants.helpers),
        their_helpers=each_seen(participants.their_helpers),
        table=_open_to(holders[TABLE], viewers),
        scene=_open_to(holders[SCENE], viewers),
        characters=each_seen(participants.characters),
    )


def open_items(state: State, participants: Participants, viewers: str) -> Participants:
    """The participants without items that are themselves hidden from the viewers; the holders all stay."""
    holders = state.world.holders

    def opened(holder: Holder | None) -> Holder | None:
        return _open_to(holders[holder.id], viewers) if holder else None

    return participants._replace(
        roller=opened(participants.roller),
        player=opened(participants.player),
        target=opened(participants.target),
        helpers=tuple([_open_to(holders[each.id], viewers) for each in participants.helpers]),
        their_helpers=tuple([_open_to(holders[each.id], viewers) for each in participants.their_helpers]),
        table=_open_to(holders[TABLE], viewers),
        scene=_open_to(holders[SCENE], viewers),
    )


def _open_to(kept: HolderState, viewers: str) -> HolderState:
    """A holder with the items that the viewers may see."""
    if viewers == GM or not kept.veiled:
        return kept
    marks = item_marks(kept, viewers)
    sheet = {
        section: {name: item for name, item in items.items() if "seen" not in item or item["seen"] in marks}
        for section, items in kept.sheet.items()
    }
    return replace(kept, sheet=sheet)


def roll_participants(state: State, roll: Roll) -> Participants:
    """The participants of a roll, with everything on their sheets."""
    known = participants_of(state, roll.who, roll.against, roll.helpers, their_helpers=roll.their_helpers, by=roll.by)
    if roll.who and roll.against:
        return known
    by = state.members.get(roll.by)
    return known._replace(
        roller_name="" if roll.who else roll.name or (by.name if by else ""), target_name=roll.against_name
    )


def open_participants(state: State, roll: Roll) -> Participants:
    """The participants, with only what everybody who sees the roll may see, and without what its undone throw left.

    An undo does not forget that something was tried; but to throw the reopened roll is not to try it again.
    """
    seen = seen_participants(state, roll_participants(state, roll), roll_audience(state, roll))
    if not roll.remembered:
        return seen
    return seen._replace(scene=_without(seen.scene, roll), table=_without(seen.table, roll))


def _without(holder: Holder, roll: Roll) -> Holder:
    """A sheet without what an undone throw of a roll left there."""
    kept = cast("HolderState", holder)
    left = {(section, item) for id, section, item in roll.remembered if id == kept.id}
    return replace(
        kept,
        sheet={
            section: {name: item for name, item in items.items() if (section, name) not in left}
            for section, items in kept.sheet.items()
        },
    )


def offers_of(state: State, roll: Roll) -> dict[str, Offer]:
    """The offers for this roll by id; one that everybody at the roll may see is built from what they see."""
    everything = _offers(state, roll, roll_participants(state, roll))
    return everything | open_offers(state, roll)


def open_offers(state: State, roll: Roll) -> dict[str, Offer]:
    """The offers that everybody who sees the roll may see."""
    return _offers(state, roll, open_participants(state, roll))


def offers_for(state: State, roll: Roll, member: Member | None) -> dict[str, Offer]:
    """The offers that this seat may see."""
    seen = seen_participants(state, roll_participants(state, roll), viewers_of(member))
    offers = _offers(state, roll, seen) | open_offers(state, roll)
    closed = closed_to(state, member)
    return {id: offer for id, offer in offers.items() if id in roll.use or not _is_in(closed, id)} if closed else offers


def helping(kind: Kind, roll: Roll, helpers: Sequence[str], offers: Mapping[str, Offer]) -> list[str]:
    """Those of these helpers who hold a place: all of them, or those who have put one of these offers in."""
    giving = {offers[id].by for id in roll.use if id in offers}
    return [helper for helper in helpers if helper in giving or not kind.helpers_give]


def closed_to(state: State, member: Member | None) -> list[HolderState]:
    """The characters whose sheets are closed to a seat. Rules read them all the same: a roll shows what it uses."""
    if member is not None and member.role == GM:
        return []
    own = member.id if member else GM
    return [each for each in state.world.holders.values() if each.seen == CLOSED and each.owner != own]


def _is_in(closed: list[HolderState], id: str) -> bool:
    """True if an offer is a closed item of one of these sheets; its id names holder, section and item."""
    holder, _, rest = id.partition("/")
    section, _, item = rest.partition("/")
    found = next((each for each in closed if each.id == holder and section not in each.shows), None)
    return found is not None and found.value(section, item.partition("!")[0], "seen", "") != "all"


def _offers(state: State, roll: Roll, participants: Participants) -> dict[str, Offer]:
    """Every offer by id, with its price as these participants pay it."""
    rules = ruleset_of(state.game).table_rules
    found = {}
    for offer in islice(rules.offers(roll.kind, participants), MAX_OFFERS):
        paid = rules.apply(roll.kind, None, offer.price, participants) if offer.price else ()
        giver = state.world.holders.get(offer.by)
        own = {offer.by, giver.owner} if giver else {offer.by}
        changes = [change._replace(whole=change.holder in own) for change in paid if isinstance(change, Change)]
        found[offer.id] = offer._replace(changes=tuple(changes))
    return found


def reads_of(state: State, roll: Roll) -> Mapping[str, Any]:
    """The inputs that a roll reads from the sheets, as everybody sees them who sees the roll."""
    return _reads(state, roll, open_participants(state, roll))


def _reads(state: State, roll: Roll, participants: Participants) -> dict[str, Any]:
    """What the game reads from the sheets, and what is left of its decks."""
    values = dict(ruleset_of(state.game).table_rules.reads(roll.kind, participants))
    decks = decks_of(kind_of(state, roll).ask)
    return values | {name: input.deck.at(participants.table) for name, input in decks.items()} if decks else values


def decks_of(ask: type[Ask]) -> dict[str, CardsLeft]:
    """The inputs of a roll that are decks; looked for once, since every roll asks several times."""
    known = _DECKS.get(ask)
    if known is None or known[0] is not ask.inputs:
        decks = {name: input for name, input in ask.inputs.items() if isinstance(input, CardsLeft)}
        known = _DECKS[ask] = (ask.inputs, decks)
    return known[1]


_DECKS: WeakKeyDictionary[type[Ask], tuple[Mapping[str, Input], dict[str, CardsLeft]]] = WeakKeyDictionary()
"""The decks of each ask that was looked at, and the inputs among which they were found."""


def ask_of(state: State, roll: Roll, instead: Mapping[str, Any] | None = None) -> Ask:
    """The ask as it stands: typed inputs override the sheets, and offers are added.

    ``instead`` has values that replace the true ones, for a guess that must not know them.
    """
    return _ask_of(state, roll, open_participants(state, roll), instead or {})


def refusal_of(state: State, roll: Roll) -> Refusal | None:
    """What the rules refuse in a roll as it stands."""
    try:
        ask_of(state, roll)
    except Refusal as refusal:
        return refusal
    return None


def doubt_of(state: State, roll: Roll) -> Refusal | None:
    """What the rules would refuse in a roll that they allow, if all knew what is hidden on the sheets.

    That is for the GM to know.
    """
    everything = roll_participants(state, roll)
    if everything == open_participants(state, roll):
        return None
    try:
        _ask_of(state, roll, everything, {})
    except Refusal as refusal:
        return refusal
    return None


def _ask_of(state: State, roll: Roll, participants: Participants, instead: Mapping[str, Any]) -> Ask:
    kind, rules = kind_of(state, roll), ruleset_of(state.game).table_rules
    values = _reads(state, roll, participants)
    for name, written in roll.inputs.items():
        input = kind.ask._input(name)
        values[name] = input.part(written) if isinstance(input, Summed) else input.read(written)
    offers = offers_of(state, roll) if roll.use else {}
    for id, taps in roll.use.items():
        if id in offers:
            _put_in(kind, values, offers[id], taps)
    values.update(rules.completes(roll.kind, values, participants))
    return kind.ask(**{**values, **instead})


def may_set(state: State, roll: Roll, input: Input, member: Member | None) -> bool:
    """Whether an input is this member's to set: whose it is or a GM; nobody sets what the sheets say."""
    if input.whose == "sheet" and input.name in reads_of(state, roll):
        return False
    if member is None or member.role == GM:
        return member is not None
    if input.whose == "helper" and roll.helpers:
        return member.id in {seat_of(state, roll, f"helper {place + 1}") for place in range(len(roll.helpers))}
    roles = {"target": ("target",), "either": ("roller", "target"), GM: ()}.get(input.whose, ("roller",))
    return member.id in {seat_of(state, roll, role) for role in roles}


def is_claim(kind: Kind, roll: Roll, input: Input, written: Any, member: Member) -> bool:
    """Whether a member who sets an input claims what is a GM's to grant (T-7), such as the dice of a nameless foe."""
    if member.role == GM or str(written) == str(input.default):
        return False
    return bool(input.granted) or (bool(kind.opposed) and input.whose == "target" and not roll.against)


def claim_words(input: Input, written: Any) -> str:
    """What is claimed, in words: "DC 12", "rote", "Edge: 1 high ground"."""
    value = ", ".join(texts_of(written)) if isinstance(input, Summed) else str(written)
    return (input.granted or f"{input.called}: {{}}").replace("{}", value)


def claims_told(roll: Roll) -> list[tuple[str, list[str]]]:
    """Who claims what in a roll: each member with everything that they claim."""
    told: dict[str, list[str]] = {}
    for claimed in roll.claims.values():
        for by, words in claimed.items():
            told.setdefault(by, []).append(words)
    return list(told.items())


def slots_of(kind: Kind, offer: Offer) -> set[str]:
    """What an offer takes for itself: its slot, and the inputs that it sets instead of adding to them."""
    inputs = (offer.input, *(name for name, _ in offer.also))
    set_ones = {name for name in inputs if not isinstance(kind.ask._input(name), (Summed, Named))}
    return set_ones | {f"slot {offer.slot}"} if offer.slot else set_ones


def _put_in(kind: Kind, values: dict[str, Any], offer: Offer, taps: int) -> None:
    for name, gives in ((offer.input, offer.gives), *offer.also):
        input = kind.ask._input(name)
        if isinstance(input, Summed):
            so_far = values.get(name)
            values[name] = _with_source(0 if so_far is None else so_far, offer, gives * taps)
        elif isinstance(input, Named):
            values[name] = (*values.get(name, ()), gives)
        else:
            values[name] = gives


def _with_source(value: int, offer: Offer, n: int) -> Total:
    return Total((*sources_of(value), Source(offer.label[:MAX_LABEL], n, offer.held, offer.id)))


def prices_of(state: State, roll: Roll) -> list[Change]:
    """The prices of the offers in a roll, one change for each item that pays."""
    offers = offers_of(state, roll) if roll.use else {}
    owed: dict[tuple[str, str, str, str, bool], Change] = {}
    for id, taps in roll.use.items():
        for change in offers[id].changes if id in offers else ():
            place = (change.holder, change.section, change.item, change.field, (change.by or 0) > 0)
            by, cause = None if change.by is None else change.by * taps, change.cause
            if place in owed:
                by, cause = (by or 0) + (owed[place].by or 0), f"{owed[place].cause}; {cause}"
            owed[place] = change._replace(by=by, cause=cause)
    # What is paid makes room for what is gained.
    return sorted(owed.values(), key=lambda change: (change.by or 0) > 0)


def told_offers(state: State, roll: Roll) -> list[tuple[str, str]]:
    """The offers in a roll that say themselves how they are told, by name."""
    offers = open_offers(state, roll) if roll.use else {}
    return [(offers[id].told, offers[id].label) for id in roll.use if id in offers and offers[id].told]


def refuse_overused(state: State, roll: Roll) -> None:
    """Refuse a roll with an offer that is not there as often as it was put in."""
    offers = offers_of(state, roll) if roll.use else {}
    for id, taps in roll.use.items():
        if id in offers and taps > offers[id].most:
            raise overused(offers[id], taps)


def overused(offer: Offer, taps: int) -> Illegal:
    """The refusal of more of an offer than there is."""
    if not offer.most:
        return Illegal(f"There is no {offer.label} left to use.", offer.rule)
    return Illegal(f"{offer.label} can be used {counted(offer.most, 'time')}, not {taps}.", offer.rule)


# An ask as plain data, to be stored and read back unchanged.


def freeze(ask: Ask) -> dict[str, Any]:
    """The inputs that were given, totals with their sources."""
    return {name: value if type(value) in _PLAIN else _frozen(value) for name, value in ask.__dict__.items()}


def defaults_of(ask: Ask) -> dict[str, Any]:
    """The inputs that were not given, in the same form."""
    given = ask.__dict__
    known = _DEFAULTS.get(type(ask))
    if known is None:
        known = {name: _frozen(input.default) for name, input in ask.inputs.items() if not input.required}
        _DEFAULTS[type(ask)] = known
    return {name: value for name, value in known.items() if name not in given}


_DEFAULTS: dict[type[Ask], dict[str, Any]] = {}


def shown_ask(roll: Roll) -> dict[str, Any]:
    """Every input of a roll as ``Ask.values`` shows it, from what was stored, not from today's rules."""
    given = roll.ask or {}
    totals = {name: _shown(value) for name, value in given.items() if isinstance(value, dict)}
    return {**roll.defaults, **given, **totals}


def _shown(value: dict[str, Any]) -> dict[str, Any]:
    sources = [Source(*source) for source in value["sources"]]
    return {"total": sum(source.n for source in sources), "sources": [source.values() for source in sources]}


_PLAIN = (int, str, bool, type(None))


def _frozen(value: Any) -> Any:
    if isinstance(value, Total):
        return {"sources": [list(source) for source in value.sources]}
    return [list(part) if isinstance(part, tuple) else part for part in value] if isinstance(value, tuple) else value


def thaw(kind: Kind, frozen: Mapping[str, Any]) -> Ask:
    """The ask that was frozen; refused if today's rules do not accept it."""
    return kind.ask(**{name: _thawed(value) for name, value in frozen.items()})


def _thawed(value: Any) -> Any:
    if isinstance(value, dict):
        return Total(Source(label, n, held, *offer or [None]) for label, n, held, *offer in value["sources"])
    return (
        tuple(tuple(part) if isinstance(part, list) else part for part in value) if isinstance(value, list) else value
    )
