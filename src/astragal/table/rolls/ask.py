"""The ask of a roll as it is put together and stored: what is claimed, what shares a place, what was given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from astragal.rule.game import Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.input import Input, Summed
from astragal.rule.inputs.total import Source, Total, texts_of
from astragal.rule.inputs.word import Named
from astragal.rule.sheets.deck import CardsLeft
from astragal.rule.sheets.table_rules import Offer
from astragal.table.access import GM
from astragal.table.state import Member, Roll


def helping(kind: Kind, roll: Roll, helpers: Sequence[str], offers: Mapping[str, Offer]) -> list[str]:
    """Those of these helpers who hold a place: all of them, or those who have put one of these offers in."""
    giving = {offers[id].by for id in roll.use if id in offers}
    return [helper for helper in helpers if helper in giving or not kind.helpers_give]


def decks_of(ask: type[Ask]) -> dict[str, CardsLeft]:
    """The inputs of a roll that are decks; looked for once, since every roll asks several times."""
    known = _DECKS.get(ask)
    if known is None or known[0] is not ask.inputs:
        decks = {name: input for name, input in ask.inputs.items() if isinstance(input, CardsLeft)}
        known = _DECKS[ask] = (ask.inputs, decks)
    return known[1]


_DECKS: WeakKeyDictionary[type[Ask], tuple[Mapping[str, Input], dict[str, CardsLeft]]] = WeakKeyDictionary()
"""The decks of each ask that was looked at, and the inputs among which they were found."""


def is_claim(kind: Kind, roll: Roll, input: Input, written: Any, member: Member) -> bool:
    """True if a member who sets an input claims what is a GM's to grant (T-7), such as the dice of a nameless foe."""
    if member.role == GM or str(written) == str(input.default):
        return False
    return bool(input.granted) or (bool(kind.opposed) and input.whose == "target" and not roll.against)


def claim_words(input: Input, written: Any) -> str:
    """A claim in words: "DC 12", "rote", "Edge: 1 high ground"."""
    value = ", ".join(texts_of(written)) if isinstance(input, Summed) else str(written)
    return (input.granted or f"{input.called}: {{}}").replace("{}", value)


def claims_told(roll: Roll) -> list[tuple[str, list[str]]]:
    """The claims in a roll: each member with everything that they claim."""
    told: dict[str, list[str]] = {}
    for claimed in roll.claims.values():
        for by, words in claimed.items():
            told.setdefault(by, []).append(words)
    return list(told.items())


def slots_of(kind: Kind, offer: Offer) -> set[str]:
    """The places that an offer takes: its slot, and the inputs that it sets instead of adding to them."""
    inputs = (offer.input, *(name for name, _ in offer.also))
    set_ones = {name for name in inputs if not isinstance(kind.ask._input(name), (Summed, Named))}
    return set_ones | {f"slot {offer.slot}"} if offer.slot else set_ones


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
    totals = {}
    for name, value in given.items():
        if isinstance(value, dict):
            sources = [Source(*source) for source in value["sources"]]
            shown = [source.values() for source in sources]
            totals[name] = {"total": sum(source.n for source in sources), "sources": shown}
    return {**roll.defaults, **given, **totals}


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
