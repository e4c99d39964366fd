"""What an open roll rests on: who takes part, what their sheets offer and say, and the ask that comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from itertools import islice
from operator import attrgetter
from typing import Any, TypeVar, cast

from msgspec.structs import replace

from astragal.errors import Illegal, Refusal
from astragal.rule.game import Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.input import Input, Summed
from astragal.rule.inputs.total import MAX_LABEL, Source, Total, counted, sources_of
from astragal.rule.inputs.word import Named
from astragal.rule.sheets.table_rules import SCENE, TABLE, Change, Holder, Offer, Participants, read_inputs
from astragal.rule.tree.result import field
from astragal.table.access import (
    CLOSED,
    GM,
    OPEN,
    holder_audience,
    item_marks,
    roll_audience,
    seat_of,
    sees,
    viewers_of,
)
from astragal.table.rolls.ask import decks_of
from astragal.table.ruleset import ruleset_of
from astragal.table.state import HolderState, Member, Roll, State

MAX_OFFERS = 2000
T = TypeVar("T")


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
        sections=ruleset_of(state.game).sections,
    )


# Viewers are an audience: everybody, a member, or the GMs.


def seen_participants(state: State, participants: Participants, viewers: str) -> Participants:
    """The participants without what the viewers may not see, so that nothing derived from them gives it away."""
    if viewers == GM:
        return participants
    holders = state.world.holders
    found: dict[str, Holder | None] = {}

    def seen(holder: Holder) -> Holder | None:
        if holder.id not in found:
            kept = holders.get(holder.id)
            known = kept is not None and (kept.seen in OPEN or sees(viewers, holder_audience(kept)))
            found[holder.id] = _open_to(kept, viewers) if kept and known else None
        return found[holder.id]

    characters = tuple([shown for each in participants.characters if (shown := seen(each))])
    return _each(participants, seen)._replace(characters=characters)


def open_items(state: State, participants: Participants, viewers: str) -> Participants:
    """The participants without items that are themselves hidden from the viewers; the holders all stay."""
    return _each(participants, lambda holder: _open_to(state.world.holders[holder.id], viewers))


def _each(participants: Participants, change: Callable[[Holder], Holder | None]) -> Participants:
    """The participants with a change to each holder that takes part; None leaves a holder out."""

    def one(holder: Holder | None) -> Holder | None:
        return change(holder) if holder else None

    def several(holders: tuple[Holder, ...]) -> tuple[Holder, ...]:
        return tuple([found for each in holders if (found := change(each))])

    return participants._replace(
        roller=one(participants.roller),
        player=one(participants.player),
        target=one(participants.target),
        helpers=several(participants.helpers),
        their_helpers=several(participants.their_helpers),
        table=change(participants.table) or participants.table,
        scene=change(participants.scene) or participants.scene,
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


class Basis:
    """The basis of a roll at one state: its participants, the offers and values on their sheets, and its ask.

    Each part is worked out when it is first asked for, and once. A decision passes one basis on, and ``at`` makes that
    of a later state or roll, with every part that still holds.
    """

    def __init__(self, state: State, roll: Roll) -> None:
        self.state = state
        self.roll = roll
        self.found: dict[Callable[[Basis], Any], Any] = {}
        """What functions marked ``once`` have found."""
        self._seen: dict[str, dict[str, Offer]] = {}
        """The offers on the sheets by who may see them, as an audience."""

    def at(self, state: State, roll: Roll) -> Basis:
        """The basis of the roll as it is then; what it shares with this one is not worked out again."""
        if state is self.state and roll is self.roll:
            return self
        later = Basis(state, roll)
        if self._rests_on_the_same(later):
            kept = _OF_SHEETS if roll.inputs != self.roll.inputs or roll.use != self.roll.use else _OF_INPUTS
            later.__dict__.update({name: self.__dict__[name] for name in kept if name in self.__dict__})
        return later

    def _rests_on_the_same(self, later: Basis) -> bool:
        """True if the same people take part with the same sheets, for the same eyes."""
        state, then = self.state, later.state
        return (
            state.world.holders is then.world.holders
            and state.world.retired is then.world.retired
            and state.members is then.members
            and state.options is then.options
            and state.world.in_scene == then.world.in_scene
            and _people(self.roll) == _people(later.roll)
        )

    @field
    def kind(self) -> Kind:
        """The kind of the roll; refused if the game no longer has it."""
        return kind_of(self.state, self.roll)

    @field
    def participants(self) -> Participants:
        """The participants, with everything on their sheets."""
        state, roll = self.state, self.roll
        known = participants_of(
            state, roll.who, roll.against, roll.helpers, their_helpers=roll.their_helpers, by=roll.by
        )
        if roll.who and roll.against:
            return known
        by = state.members.get(roll.by)
        return known._replace(
            roller_name="" if roll.who else roll.name or (by.name if by else ""), target_name=roll.against_name
        )

    @field
    def open_participants(self) -> Participants:
        """The participants, with only what everybody who sees the roll may see, and without what its undone throw left.

        An undo does not forget that something was tried; but to throw the reopened roll is not to try it again.
        """
        seen = seen_participants(self.state, self.participants, roll_audience(self.state, self.roll))
        if not self.roll.undone.remembered:
            return seen
        return seen._replace(scene=_without(seen.scene, self.roll), table=_without(seen.table, self.roll))

    @field
    def offers(self) -> dict[str, Offer]:
        """The offers for this roll by id; one that everybody at the roll may see is built from what they see."""
        return self._offers_seen(self.participants)

    @field
    def open_offers(self) -> dict[str, Offer]:
        """The offers that everybody who sees the roll may see."""
        return _offers(self.state, self.roll, self.open_participants)

    def _offers_seen(self, participants: Participants) -> dict[str, Offer]:
        """The offers to those who see these sheets."""
        if participants == self.open_participants:
            return self.open_offers
        return _offers(self.state, self.roll, participants) | self.open_offers

    def offers_for(self, member: Member | None) -> dict[str, Offer]:
        """The offers that this seat may see."""
        viewers = viewers_of(member)
        if viewers not in self._seen:
            seen = seen_participants(self.state, self.participants, viewers)
            self._seen[viewers] = self.offers if seen == self.participants else self._offers_seen(seen)
        offers, closed = self._seen[viewers], closed_to(self.state, member)
        if not closed:
            return offers
        return {id: offer for id, offer in offers.items() if id in self.roll.use or not _is_in(closed, id)}

    @field
    def reads(self) -> Mapping[str, Any]:
        """The inputs that the roll reads from the sheets, as everybody sees them who sees the roll."""
        return _reads(self.state, self.roll, self.open_participants)

    @field
    def ask(self) -> Ask:
        """The ask as it stands: typed inputs override the sheets, and offers are added."""
        return self.ask_with({})

    def ask_with(self, instead: Mapping[str, Any]) -> Ask:
        """The ask with values that replace the true ones, for a guess that must not know them."""
        return self._ask_of(self.reads, self.open_participants, instead)

    def _ask_of(self, reads: Mapping[str, Any], participants: Participants, instead: Mapping[str, Any]) -> Ask:
        kind, roll, values = self.kind, self.roll, dict(reads)
        for name, written in roll.inputs.items():
            input = kind.ask._input(name)
            values[name] = input.part(written) if isinstance(input, Summed) else input.read(written)
        for offer, taps in self.used:
            _put_in(kind, values, offer, taps)
        values.update(ruleset_of(self.state.game).table_rules.completes(roll.kind, values, participants))
        return kind.ask(**{**values, **instead})

    @property
    def refusal(self) -> Refusal | None:
        """The refusal of the roll as it stands, if the rules refuse it."""
        try:
            _ = self.ask
        except Refusal as refusal:
            return refusal
        return None

    @property
    def hidden_refusal(self) -> Refusal | None:
        """The refusal of an allowed roll by rules that read hidden things on the sheets too.

        That is for the GM to know.
        """
        if self.participants == self.open_participants:
            return None
        try:
            self._ask_of(_reads(self.state, self.roll, self.participants), self.participants, {})
        except Refusal as refusal:
            return refusal
        return None

    @property
    def used(self) -> list[tuple[Offer, int]]:
        """The offers that are in the roll, each with how often."""
        use = self.roll.use
        return [(self.offers[id], taps) for id, taps in use.items() if id in self.offers] if use else []

    @property
    def prices(self) -> list[Change]:
        """The prices of the offers in the roll, one change for each item that pays."""
        owed: dict[tuple[str, str, str, str, bool], Change] = {}
        for offer, taps in self.used:
            for change in offer.changes:
                place = (change.holder, change.section, change.item, change.field, (change.by or 0) > 0)
                by, cause = None if change.by is None else change.by * taps, change.cause
                if place in owed:
                    by, cause = (by or 0) + (owed[place].by or 0), f"{owed[place].cause}; {cause}"
                owed[place] = change._replace(by=by, cause=cause)
        # What is paid makes room for what is gained.
        return sorted(owed.values(), key=lambda change: (change.by or 0) > 0)

    @property
    def told_offers(self) -> list[tuple[str, str]]:
        """The offers in the roll that say themselves how they are told, by name."""
        offers = self.open_offers if self.roll.use else {}
        return [(offers[id].told, offers[id].label) for id in self.roll.use if id in offers and offers[id].told]

    def refuse_overused(self) -> None:
        """Refuse the roll with an offer that is not there as often as it was put in."""
        for offer, taps in self.used:
            if taps > offer.most:
                raise overused(offer, taps)

    def may_set(self, input: Input, member: Member | None) -> bool:
        """True if this member may set an input: its owner or a GM. No member sets what the sheets say."""
        if input.whose == "sheet" and input.name in self.reads:
            return False
        if member is None or member.role == GM:
            return member is not None
        state, roll = self.state, self.roll
        if input.whose == "helper" and roll.helpers:
            return member.id in {seat_of(state, roll, f"helper {place + 1}") for place in range(len(roll.helpers))}
        roles = {"target": ("target",), "either": ("roller", "target"), GM: ()}.get(input.whose, ("roller",))
        return member.id in {seat_of(state, roll, role) for role in roles}


def once(find: Callable[[Basis], T]) -> Callable[[Basis], T]:
    """A function of a basis that is worked out once for each basis."""

    @wraps(find)
    def found(basis: Basis) -> T:
        if find not in basis.found:
            basis.found[find] = find(basis)
        return cast(T, basis.found[find])

    return found


class Bases:
    """The latest basis of each roll, for one decision, or for all seats that look at a state."""

    def __init__(self) -> None:
        self._latest: dict[str, Basis] = {}

    def of(self, state: State, roll: Roll) -> Basis:
        """The basis of a roll at a state; what is the same as in the latest one is not worked out again."""
        latest = self._latest.get(roll.id)
        found = self._latest[roll.id] = latest.at(state, roll) if latest else Basis(state, roll)
        return found


_people = attrgetter(
    "kind", "who", "against", "helpers", "their_helpers", "by", "name", "against_name", "seen", "undone"
)
"""Who takes part in a roll, and who may see it."""
_OF_SHEETS = ("kind", "participants", "open_participants", "offers", "open_offers", "_seen", "reads")
"""The parts of a basis that rest on the sheets alone."""
_OF_INPUTS = (*_OF_SHEETS, "ask")
"""The parts that rest on the sheets, and on what was put in."""


def _without(holder: Holder, roll: Roll) -> Holder:
    """A sheet without what an undone throw of a roll left there."""
    kept = cast("HolderState", holder)
    left = {(section, item) for id, section, item in roll.undone.remembered if id == kept.id}
    return replace(
        kept,
        sheet={
            section: {name: item for name, item in items.items() if (section, name) not in left}
            for section, items in kept.sheet.items()
        },
    )


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


def _reads(state: State, roll: Roll, participants: Participants) -> dict[str, Any]:
    """The inputs that the game reads from the sheets, and the cards left in its decks."""
    ask, table_rules = kind_of(state, roll).ask, ruleset_of(state.game).table_rules
    values = {**read_inputs(ask, participants), **table_rules.reads(roll.kind, participants)}
    decks = decks_of(ask)
    return values | {name: input.deck.at(participants.table) for name, input in decks.items()} if decks else values


def _put_in(kind: Kind, values: dict[str, Any], offer: Offer, taps: int) -> None:
    for name, gives in ((offer.input, offer.gives), *offer.also):
        input = kind.ask._input(name)
        if isinstance(input, Summed):
            so_far = values.get(name)
            source = Source(offer.label[:MAX_LABEL], gives * taps, offer.held, offer.id)
            values[name] = Total((*sources_of(0 if so_far is None else so_far), source))
        elif isinstance(input, Named):
            values[name] = (*values.get(name, ()), gives)
        else:
            values[name] = gives


def overused(offer: Offer, taps: int) -> Illegal:
    """The refusal of more of an offer than there is."""
    if not offer.most:
        return Illegal(f"There is no {offer.label} left to use.", offer.rule)
    return Illegal(f"{offer.label} can be used {counted(offer.most, 'time')}, not {taps}.", offer.rule)
