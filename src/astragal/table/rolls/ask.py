"""The ask of an open roll, from sheets, offers and typed inputs."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from astragal.errors import Illegal, Unknown
from astragal.rule.ask import Ask
from astragal.rule.game import Kind
from astragal.rule.input import Summed
from astragal.rule.table_rules import Change, Offer, Participants
from astragal.rule.total import MAX_LABEL, Source, Total, sources_of
from astragal.rule.word import Named
from astragal.table.access import both, may_see, participants_of, roll_audience, seen_participants
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Member, Roll, State

MAX_OFFERS = 2000


def kind_of(state: State, roll: Roll) -> Kind:
    """The kind of a roll; refused if the game no longer has it."""
    game = ruleset_of(state.game).game
    return game.kinds.get(roll.kind) or game.kind(roll.kind)


def roll_participants(state: State, roll: Roll) -> Participants:
    """The participants of a roll, with everything on their sheets."""
    return participants_of(state, roll.who, roll.against, roll.helpers)


def open_participants(state: State, roll: Roll) -> Participants:
    """The participants, with only what everybody who sees the roll may see."""
    audience = roll_audience(state, roll)
    return seen_participants(state, roll_participants(state, roll), lambda other: both(audience, other) == audience)


def offers_of(state: State, roll: Roll) -> dict[str, Offer]:
    """The offers for this roll by id; one that everybody at the roll may see is built from what they see."""
    everything = _offers(state, roll, roll_participants(state, roll))
    return everything | open_offers(state, roll)


def open_offers(state: State, roll: Roll) -> dict[str, Offer]:
    """The offers that everybody who sees the roll may see."""
    return _offers(state, roll, open_participants(state, roll))


def offers_for(state: State, roll: Roll, member: Member | None) -> dict[str, Offer]:
    """The offers that this seat may see."""
    seen = seen_participants(state, roll_participants(state, roll), lambda audience: may_see(member, audience))
    return _offers(state, roll, seen) | open_offers(state, roll)


def _offers(state: State, roll: Roll, participants: Participants) -> dict[str, Offer]:
    """Every offer by id, with its price as these participants pay it."""
    rules = ruleset_of(state.game).table_rules
    found = {}
    for offer in islice(rules.offers(roll.kind, participants), MAX_OFFERS):
        paid = rules.apply(roll.kind, None, offer.price, participants) if offer.price else ()
        found[offer.id] = offer._replace(changes=tuple(change for change in paid if isinstance(change, Change)))
    return found


def find_offer(offers: Mapping[str, Offer], ref: str) -> Offer:
    """An offer by id, or by its label in upper or lower case."""
    if ref in offers:
        return offers[ref]
    wanted = ref.strip().lower()
    for offer in offers.values():
        if offer.label.lower() == wanted:
            return offer
    labels = ", ".join(offer.label for offer in list(offers.values())[:20])
    raise Unknown(f'"{ref[:60]}" cannot be put into this roll; there are {labels or "no such things here"}.')


def ask_of(state: State, roll: Roll, instead: Mapping[str, Any] | None = None) -> Ask:
    """The ask as it stands: typed inputs override the sheets, and offers are added.

    ``instead`` has values that replace the true ones, for a guess that must not know them.
    """
    kind = kind_of(state, roll)
    values = dict(ruleset_of(state.game).table_rules.reads(roll.kind, open_participants(state, roll)))
    for name, written in roll.inputs.items():
        values[name] = kind.ask._input(name).read(written)
    offers = offers_of(state, roll) if roll.use else {}
    for id, taps in roll.use.items():
        if id in offers:
            _put_in(kind, values, offers[id], taps)
    return kind.ask(**values) if instead is None else kind.ask(**{**values, **instead})


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
    return list(owed.values())


def refuse_gone(state: State, roll: Roll) -> None:
    """Refuse a roll with an offer that is no longer there, or not as often as it was put in."""
    offers = offers_of(state, roll) if roll.use else {}
    for id, taps in roll.use.items():
        if id not in offers:
            raise Illegal(f'"{id.rpartition("/")[2]}" is no longer there; take it out of the roll.')
        if taps > offers[id].most:
            raise Illegal(
                f"{offers[id].label} can be used {offers[id].most} times and {taps} were asked for; nothing is spent.",
                offers[id].rule,
            )


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
