"""Open rolls: built together by roller, helpers and GM before a die is thrown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from astragal.errors import Forbidden, Illegal, Unknown
from astragal.explain.visible import one_line
from astragal.rule.game import Kind
from astragal.rule.inputs.input import Input, Summed
from astragal.rule.inputs.word import Words
from astragal.rule.sheets.table_rules import Offer
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import (
    GM,
    find_holder,
    find_member,
    find_roll,
    is_over_for,
    owner_of,
    owns,
    refuse_player,
    roll_audience,
    seat_of,
)
from astragal.table.decide.assist import THROWN, checked_helpers, set_helpers
from astragal.table.decide.ledger import Context, Ledger
from astragal.table.fold import together_of
from astragal.table.rolls.ask import claim_words, is_claim, slots_of
from astragal.table.rolls.basis import Basis, kind_of, overused
from astragal.table.rolls.naming import find_offer
from astragal.table.rolls.picks import is_open, picked
from astragal.table.state import Roll

MAX_OPEN = 50


def opened(context: Context, action: a.OpenAction) -> tuple[Ledger, Roll]:
    """Open a roll; returns the ledger and the opened roll."""
    roll = new_roll(context, action)
    ledger = context.ledger(asker=context.member)
    put = put_of(context, ledger.basis(roll), action.inputs, action.use)
    hides = action.hide or put.veiled or put.picked
    ledger.add(opened_event(context, roll, NOTHING if hides else put))
    if hides:
        put_in(context, ledger, roll.id, inputs=action.inputs, use=action.use, hide=action.hide or None)
    return ledger, ledger.state.world.rolls[roll.id]


def new_roll(context: Context, action: a.OpenAction) -> Roll:
    """A roll that may be opened, before anything is put in."""
    rolls, member = context.state.world.rolls.values(), context.member
    mine = [roll for roll in rolls if roll.by == member.id] if len(rolls) >= MAX_OPEN else []
    if len(mine) >= MAX_OPEN <= sum(not is_over_for(context.state, roll, member) for roll in mine):
        raise Illegal(f"{MAX_OPEN} rolls of yours are open; finish or withdraw some first.")
    if action.seen == "gm":
        refuse_player(member, "roll where nobody else sees it; a player may roll blind")
    kinds = context.ruleset.game.kinds
    kind = action.kind or next(iter(kinds))
    if action.name or action.against_name:
        refuse_player(context.member, "name somebody without a sheet")
    roll = Roll(
        f"r{context.id}",
        kind if kind in kinds else context.ruleset.game.kind(kind).name,
        context.member.id,
        roller_of(context, action.who),
        _id_of(context, action.against),
        seen=action.seen,
        name=action.name and _name(action.name, action.who),
        against_name=action.against_name and _name(action.against_name, action.against),
    )
    roll = replace(roll, against=_opponent(context, roll, roll.against))
    return replace(roll, helpers=checked_helpers(context, roll, action.helpers)) if action.helpers else roll


def _name(name: str, holder: str) -> str:
    """The name of a side without a sheet."""
    if holder:
        raise Illegal(f"{holder} has a sheet, and a name of their own; leave one of the two out.")
    return one_line(name, "The name")


class Put(NamedTuple):
    """Inputs and offers that are put into a roll; offers in ``veiled`` hide these inputs.

    Of the inputs, ``sources`` are added to those of others (T-5), and ``claims`` are a GM's to grant (T-7).
    """

    inputs: dict[str, Any]
    use: dict[str, int]
    labels: dict[str, str]
    veiled: dict[str, tuple[str, ...]]
    sources: tuple[str, ...] = ()
    claims: Mapping[str, str] = {}
    picked: dict[str, str | None] = {}
    """Names of hidden things by input, which only GMs know of; None where one goes out."""
    deeds: Mapping[str, str] = {}
    """What the log says of some offers; see ``Offer.does``."""

    def part(self, hidden: Sequence[str], secret: bool) -> dict[str, Any]:
        """The hidden inputs and veiled offers, or all the others."""

        def is_secret(id: str) -> bool:
            return id in hidden if id in self.inputs else id in self.veiled

        return {
            "inputs": {name: value for name, value in self.inputs.items() if (name in hidden) == secret},
            "sources": [name for name in self.sources if (name in hidden) == secret],
            "claims": {name: words for name, words in self.claims.items() if (name in hidden) == secret},
            "use": {id: n for id, n in self.use.items() if (id in self.veiled) == secret},
            "labels": {id: label for id, label in self.labels.items() if is_secret(id) == secret},
            "deeds": {id: deed for id, deed in self.deeds.items() if (id in self.veiled) == secret},
        }


NOTHING = Put({}, {}, {}, {})


def opened_event(context: Context, roll: Roll, put: Put) -> e.Opened:
    """The event that opens a roll, with what is put in with it."""
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
        begins=kind.begins(put.inputs, bool(roll.against or roll.against_name)) if kind.begins else "",
        by_gm=context.member.role == GM,
        request=roll.request,
        name=roll.name,
        against_name=roll.against_name,
        about=roll.about,
        shared=kind.shared,
        tends=kind.helps_target,
        audience=roll_audience(context.state, roll),
        **put.part((), secret=False),
    )


def roller_of(context: Context, ref: str) -> str:
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
    """Put inputs and offers into a roll: roller, helpers and GM each their own. Taking out is never refused as vain."""
    roll = find_roll(context.state, context.member, action.roll)
    if roll.ask is not None:
        raise Illegal(THROWN)
    kind_of(context.state, roll)  # refused if the game no longer has it
    ledger = context.ledger()
    _remove_entries(context, ledger, roll, action.remove)
    if action.against is not None:
        _oppose(context, ledger, roll, _id_of(context, action.against))
    if action.against_name is not None:
        _oppose_nameless(context, ledger, roll, action.against_name)
    if action.helpers is not None:
        refuse_outsider(context, roll)
        set_helpers(context, ledger, ledger.state.world.rolls[roll.id], action.helpers)
    put_in(context, ledger, roll.id, inputs=action.inputs, use=action.use, hide=action.hide)
    sides = (owner_of(context.state, roll), seat_of(context.state, roll, "target"))
    if context.member.role != GM and context.member.id not in sides:
        # Help may not leave others with a roll that the rules forbid; hidden inputs keep that to themselves.
        before = context.basis(roll).refusal
        refused = None if roll.hidden else ledger.basis(ledger.state.world.rolls[roll.id]).refusal
        if refused and str(refused) != str(before):
            raise refused
    if not ledger.events and (action.use or action.inputs) and not any((*action.use.values(), *action.inputs.values())):
        ledger.add(e.Built(roll=roll.id, by=context.member.id, audience=context.member.id))
    return ledger


def _remove_entries(context: Context, ledger: Ledger, roll: Roll, remove: Mapping[str, Sequence[str]]) -> None:
    """Take out what members put into inputs that add up: their own, or for a GM anybody's (T-5)."""
    for name, refs in remove.items():
        input = kind_of(context.state, roll).ask._input(name)
        _refuse_hidden(context, roll, {name})
        for ref in refs:
            member = find_member(context.state, ref)
            if member.id != context.member.id:
                refuse_player(context.member, f"take out what {member.name} put in")
            if member.id not in roll.shares.get(name, {}):
                raise Unknown(f"{member.name} has put nothing into {input.called}.")
            audience = GM if name in roll.hidden else roll_audience(context.state, roll)
            ledger.add(e.Built(roll=roll.id, by=member.id, inputs={name: None}, sources=[name], audience=audience))


def _oppose(context: Context, ledger: Ledger, roll: Roll, against: str) -> None:
    """Name the opponent; what an earlier one put in goes out."""
    refuse_outsider(context, roll)
    against = _opponent(context, roll, against)
    if against == roll.against:
        return
    refuse_locked(context, roll, "against", "the opponent")
    inputs, audience = kind_of(context.state, roll).ask.inputs, roll_audience(context.state, roll)
    theirs = [name for name in roll.inputs if name in inputs and inputs[name].whose == "target"]
    ledger.add(
        e.Built(
            roll=roll.id,
            by=context.member.id,
            inputs={name: None for name in theirs if name not in (*roll.by_gm, *roll.shares)},
            against=against,
            against_name="" if roll.against_name else None,
            tends=kind_of(context.state, roll).helps_target,
            by_gm=context.member.role == GM,
            audience=audience,
        )
    )
    for name in theirs:
        for by in roll.shares.get(name, {}):
            if context.state.members[by].role != GM:
                seen = GM if name in roll.hidden else audience
                ledger.add(e.Built(roll=roll.id, by=by, inputs={name: None}, sources=[name], audience=seen))


def _opponent(context: Context, roll: Roll, against: str) -> str:
    """The opponent of a roll. A character cannot oppose itself, and tending oneself needs no other character."""
    if not against or against != roll.who:
        return against
    if kind_of(context.state, roll).helps_target:
        return ""
    raise Illegal("Nobody is their own opponent; choose somebody else.")


def _oppose_nameless(context: Context, ledger: Ledger, roll: Roll, name: str) -> None:
    """Name an opponent who has no sheet."""
    refuse_player(context.member, "name somebody without a sheet")
    against = ledger.state.world.rolls[roll.id].against
    if name:
        name = _name(name, context.state.world.holders[against].name if against in context.state.world.holders else "")
    if name != roll.against_name:
        ledger.add(e.Built(roll=roll.id, against_name=name, audience=roll_audience(context.state, roll)))


def put_in(
    context: Context, ledger: Ledger, id: str, *, inputs: dict[str, Any], use: dict[str, int], hide: list[str] | None
) -> None:
    """Put things into a roll, and hide some; only GMs are told the hidden things."""
    roll = ledger.state.world.rolls[id]
    audience = roll_audience(ledger.state, roll)
    if hide is not None and tuple(hide) != roll.hidden:
        refuse_player(context.member, "hide a part of a roll")
        for name in hide:
            kind_of(ledger.state, roll).ask._input(name)
        ledger.add(_hiding(kind_of(ledger.state, roll), id, hide, audience))
    put = put_of(context, ledger.basis(ledger.state.world.rolls[id]), inputs, use)
    if put.veiled:
        more = (name for names in put.veiled.values() for name in names)
        veiled = list(dict.fromkeys((*ledger.state.world.rolls[id].hidden, *more)))
        ledger.add(_hiding(kind_of(ledger.state, roll), id, veiled, audience))
    by_gm, hidden = context.member.role == GM, ledger.state.world.rolls[id].hidden
    for part, seen in ((put.part(hidden, secret=False), audience), (put.part(hidden, secret=True), GM)):
        if part["inputs"] or part["use"]:
            ledger.add(e.Built(roll=id, by=context.member.id, **part, by_gm=by_gm, audience=seen))
    if put.picked:
        ledger.add(e.Picked(roll=id, names=put.picked, audience=GM))
    if by_gm:
        _refuse_hiding_nothing(ledger.basis(ledger.state.world.rolls[id]))


def _hiding(kind: Kind, id: str, names: list[str], audience: str) -> e.Built:
    """The event that hides these inputs of a roll, and no others."""
    return e.Built(roll=id, hidden=names, labels=titles_in_log(kind, names), audience=audience)


def _refuse_hiding_nothing(basis: Basis) -> None:
    """Refuse to hide an input without a value: whether the roll can be thrown would show that it has none."""
    roll, ask = basis.roll, basis.kind.ask
    unset = [name for name in roll.hidden if name not in roll.inputs and name not in roll.picked]
    used = basis.used if unset else []
    given = {name for offer, _ in used for name in (offer.input, *(name for name, _ in offer.also))}
    for name in unset:
        refuse_unset(ask._input(name), name in given or None)


def refuse_unset(input: Input, value: Any) -> None:
    """Refuse to hide a required input, or one without a default, while it has no value (T-11)."""
    if value is None and (input.required or input.default is None):
        raise Illegal(f"{input.option} is hidden, so nobody else can say it; say what it is.", input.rule)


def titles_in_log(kind: Kind, names: Iterable[str]) -> dict[str, str]:
    """The titles of inputs in the log; inputs such as a DC, Edge or the Difficulty go by their names."""
    titles = {name: kind.ask._input(name).title for name in names if name != kind.target}
    return {name: title for name, title in titles.items() if title and title.lower() != name}


def put_of(context: Context, basis: Basis, inputs: dict[str, Any], use: dict[str, int]) -> Put:
    """The inputs and offers that a member may put in. One that sets the same input as another replaces it."""
    if not inputs and not use:
        return NOTHING
    kind, roll = basis.kind, basis.roll
    inputs, picks = named_inputs(context, basis, inputs)
    offers = basis.offers_for(context.member) if use or roll.use else {}
    taps = taps_of(context, basis, use)
    picks |= _tapped_names(basis, offers, taps)
    sources = [name for name in inputs if isinstance(kind.ask._input(name), Summed)]
    own = {name: shares[context.member.id] for name, shares in roll.shares.items() if context.member.id in shares}
    there = {name: value for name, value in roll.inputs.items() if name not in sources}
    inputs = {
        name: value for name, value in inputs.items() if not _is_there(context, roll, name, {**there, **own}, value)
    }
    taps = {id: n for id, n in taps.items() if not _is_there(context, roll, id, roll.use, n or None)}
    replaced = _replaced(kind, offers, roll, inputs, taps)
    for name in replaced:
        refuse_locked(context, roll, name, offers[name].label if name in offers else kind.ask._input(name).option)
    inputs = {name: value for name, value in inputs.items() if name not in replaced}
    inputs |= {name: None for name in replaced if name in roll.inputs}
    taps = {**{id: 0 for id in replaced if id in roll.use}, **{id: n for id, n in taps.items() if id not in replaced}}
    seen = basis.open_offers if taps else {}
    veiled = {id: (offers[id].input, *(name for name, _ in offers[id].also)) for id in taps if id not in seen}
    picks |= {name: None for name in inputs if name in roll.picked and name not in picks}
    labels = {**{id: offers[id].label for id in taps}, **titles_in_log(kind, inputs)}
    claims = {
        name: claim_words(kind.ask._input(name), value)
        for name, value in inputs.items()
        if value is not None and is_claim(kind, roll, kind.ask._input(name), value, context.member)
    }
    given = tuple(name for name in sources if name in inputs)
    deeds = {id: offers[id].does for id, n in taps.items() if n and offers[id].does}
    return Put(inputs, taps, labels, veiled, given, claims, picks, deeds)


def named_inputs(
    context: Context, basis: Basis, inputs: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, str | None]]:
    """The inputs with names as the sheets write them, and apart from them those that name something hidden."""
    check_inputs(context, basis, inputs)
    state, roll, kind = basis.state, basis.roll, basis.kind
    shown, picks = dict(inputs), dict[str, str | None]()
    for name, written in inputs.items():
        input = kind.ask.inputs[name]
        if not isinstance(input, Words) or not input.names or not isinstance(written, str):
            continue
        shown[name] = picked(state, context.member, input.names, written, input.rule)
        if not is_open(state, input.names, shown[name]) and name not in roll.hidden:
            picks[name] = shown[name]
            shown[name] = None
    return {name: value for name, value in shown.items() if name not in picks or name in roll.inputs}, picks


def _tapped_names(basis: Basis, offers: Mapping[str, Offer], taps: dict[str, int]) -> dict[str, str | None]:
    """The names of hidden things among what is tapped; they are taken out of the taps, which others would see."""
    state, kind, found = basis.state, basis.kind, dict[str, str | None]()
    for id in [id for id, n in taps.items() if n]:
        input = kind.ask.inputs[offers[id].input]
        if isinstance(input, Words) and input.names and not is_open(state, input.names, str(offers[id].gives)):
            found[input.name] = str(offers[id].gives)
            del taps[id]
    return found


def _is_there(context: Context, roll: Roll, name: str, put: Mapping[str, Any], value: Any) -> bool:
    """True if something is in a roll already, just so, and a GM who puts it in makes it no more theirs than it is."""
    locked = context.member.role != GM or value is None or name in roll.by_gm or name in roll.shares
    return put.get(name) == value and locked


def _replaced(
    kind: Kind, offers: Mapping[str, Offer], roll: Roll, inputs: dict[str, Any], taps: dict[str, int]
) -> list[str]:
    """Inputs and offers that something put in now replaces; of two in one action the later one stays."""
    there: dict[str, set[str]] = {id: slots_of(kind, offers[id]) for id in roll.use if id in offers and id not in taps}
    there |= {name: {name} for name in roll.inputs if name not in inputs}
    put = {name: {name} for name, value in inputs.items() if value is not None}
    put |= {id: slots_of(kind, offers[id]) for id, n in taps.items() if n}
    gone: dict[str, None] = {}
    for name, slots in put.items():
        gone.update(dict.fromkeys(other for other, taken in there.items() if taken & slots and other not in gone))
        there[name] = slots
    return list(gone)


def taps_of(context: Context, basis: Basis, use: dict[str, int]) -> dict[str, int]:
    """Offers by id, each put in only by the seat that may give it; 0 of what is not in the roll is passed over."""
    state, roll, taps = basis.state, basis.roll, dict[str, int]()
    offers = basis.offers_for(context.member) if use else {}
    holders, by_gm = state.world.holders, context.member.role == GM

    def is_own(offer: Offer) -> bool:
        """True for an offer that the seat means first: its own, or for a GM the roller's."""
        return offer.by == roll.who if by_gm else owns(context.member, holders.get(offer.by))

    for ref, times in use.items():
        among = offers if times else {id: offer for id, offer in offers.items() if id in (*roll.use, *taps)}
        try:
            offer = find_offer(among, ref, is_own, others=by_gm)
        except Unknown:
            if times:
                raise
            continue
        giver = holders.get(offer.by)
        if not owns(context.member, giver) and owner_of(state, roll) != context.member.id:
            raise Forbidden(f"{offer.label} is not yours to put in.")
        if giver and giver.kind == "character" and not owns(context.member, giver):
            raise Forbidden(f"{offer.label} is {giver.name}'s to put in.")
        n = taps.get(offer.id, 0) + times
        if n > offer.most:
            raise overused(offer, n)
        if roll.use.get(offer.id, 0) != n:
            refuse_locked(context, roll, offer.id, offer.label)
            _refuse_hidden(context, roll, slots_of(basis.kind, offer))
        taps[offer.id] = n
    return taps


def check_inputs(context: Context, basis: Basis, inputs: dict[str, Any]) -> None:
    """Refuse another member's inputs; each value is parsed now, so a bad value is refused immediately."""
    roll = basis.roll
    for name, written in inputs.items():
        input = basis.kind.ask._input(name)
        _refuse_others_input(context, basis, input)
        _refuse_hidden(context, roll, {name})
        refuse_locked(context, roll, name, input.option)
        if written is not None:
            _check_value(context, roll, input, written)


def _check_value(context: Context, roll: Roll, input: Input, written: Any) -> None:
    """Refuse a bad value; one that others add to is judged with theirs when the roll is thrown."""
    if not isinstance(input, Summed):
        input.read(written)
        return
    others = {by: value for by, value in roll.shares.get(input.name, {}).items() if by != context.member.id}
    if type(input.part(written)) is int and not others:
        input.read(written)
    input.part(together_of({**others, context.member.id: written}))


def _refuse_others_input(context: Context, basis: Basis, input: Input) -> None:
    """Refuse to set what belongs to another role, or what the sheets say."""
    if basis.may_set(input, context.member):
        return
    if input.whose == "sheet":
        raise Forbidden(f"{input.option} is what the sheets say; nobody types it at a table.", input.rule)
    if input.whose == GM:
        raise Forbidden(f"{input.option} is the GM's to say.", input.rule)
    refuse_outsider(context, basis.roll)
    whose = {"helper": "the helpers", "either": "both sides"}.get(input.whose, "the other side")
    raise Forbidden(f"{input.option} belongs to {whose}; only they or a GM set it.", input.rule)


def _refuse_hidden(context: Context, roll: Roll, names: Iterable[str]) -> None:
    for name in names:
        if name in roll.hidden:
            refuse_player(context.member, f"set {name.replace('_', '-')}, which is hidden")


def refuse_locked(context: Context, roll: Roll, name: str, called: str) -> None:
    """Refuse a player who would change what a GM has put in."""
    if name in roll.by_gm and context.member.role != GM:
        raise Forbidden(f"A GM has set {called}; only a GM changes it.")


def refuse_outsider(context: Context, roll: Roll) -> None:
    """Refuse members who neither roll nor are GMs."""
    if context.member.role != GM and owner_of(context.state, roll) != context.member.id:
        raise Forbidden("This roll is not yours; you may put in what your own characters offer.")
