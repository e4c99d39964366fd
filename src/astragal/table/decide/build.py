"""Open rolls: built together by roller, helpers and GM before a die is thrown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from astragal.errors import Forbidden, Illegal
from astragal.rule.game import Kind
from astragal.rule.inputs.input import Input
from astragal.rule.inputs.total import counted
from astragal.rule.inputs.visible import one_line
from astragal.rule.sheets.table_rules import Offer
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import (
    GM,
    find_holder,
    find_roll,
    owner_of,
    owns,
    refuse_player,
    roll_audience,
    seat_of,
)
from astragal.table.decide.assist import THROWN, checked_helpers, set_helpers
from astragal.table.decide.ledger import Context, Ledger
from astragal.table.fold import opened_roll
from astragal.table.rolls.ask import kind_of, may_set, offers_for, offers_of, open_offers, refusal_of, slots_of
from astragal.table.rolls.naming import find_offer
from astragal.table.state import Roll, State

MAX_OPEN = 50


def opened(context: Context, action: a.OpenAction) -> tuple[Ledger, Roll]:
    """Open a roll; returns the ledger and the opened roll."""
    state, member = context.state, context.member
    roll = new_roll(context, action)
    ledger = Ledger(state, asker=member)
    put = put_of(context, state, roll, action.inputs, action.use)
    if action.hide or put.veiled:
        ledger.add(opened_event(context, roll, NOTHING))
        put_in(context, ledger, roll.id, inputs=action.inputs, use=action.use, hide=action.hide or None)
        return ledger, ledger.state.world.rolls[roll.id]
    ledger.add(event := opened_event(context, roll, put))
    return ledger, opened_roll(event)


def new_roll(context: Context, action: a.OpenAction) -> Roll:
    """A roll that may be opened, before anything is put in."""
    rolls, member = context.state.world.rolls.values(), context.member
    if len(rolls) >= MAX_OPEN <= sum(not roll.over and roll.by == member.id for roll in rolls):
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
    return replace(roll, helpers=checked_helpers(context, roll, action.helpers)) if action.helpers else roll


def _name(name: str, holder: str) -> str:
    """The name of a side without a sheet."""
    if holder:
        raise Illegal(f"{holder} has a sheet, and a name of their own; leave one of the two out.")
    return one_line(name, "The name")


class Put(NamedTuple):
    """What is put into a roll: inputs and offers, with what replaces what; offers in ``veiled`` hide these inputs."""

    inputs: dict[str, Any]
    use: dict[str, int]
    labels: dict[str, str]
    veiled: dict[str, tuple[str, ...]]

    def part(self, hidden: Sequence[str], secret: bool) -> dict[str, Any]:
        """What the hidden inputs and veiled offers are, or all the others."""
        return {
            "inputs": {name: value for name, value in self.inputs.items() if (name in hidden) == secret},
            "use": {id: n for id, n in self.use.items() if (id in self.veiled) == secret},
            "labels": {id: label for id, label in self.labels.items() if (id in self.veiled) == secret},
        }


NOTHING = Put({}, {}, {}, {})


def opened_event(context: Context, roll: Roll, put: Put) -> e.Opened:
    """The event that opens a roll, with what is put in at once."""
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
        inputs=put.inputs,
        use=put.use,
        labels=put.labels,
        by_gm=context.member.role == GM,
        request=roll.request,
        name=roll.name,
        against_name=roll.against_name,
        about=roll.about,
        shared=kind.shared,
        audience=roll_audience(context.state, roll),
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
    """Put inputs and offers into a roll: roller, helpers and GM each their own."""
    roll = _unthrown(context, action.roll)
    kind_of(context.state, roll)
    ledger = Ledger(context.state)
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
        _refuse_breaking(context.state, roll, ledger.state)
    return ledger


def _refuse_breaking(before: State, roll: Roll, after: State) -> None:
    """Refuse help that would leave others with a roll that the rules forbid; hidden inputs keep that to themselves."""
    refused = None if roll.hidden else refusal_of(after, after.world.rolls[roll.id])
    if refused and str(refused) != str(refusal_of(before, roll)):
        raise refused


def _oppose(context: Context, ledger: Ledger, roll: Roll, against: str) -> None:
    """Name the opponent; what an earlier one put in goes out."""
    refuse_outsider(context, roll)
    if against == roll.against:
        return
    refuse_locked(context, roll, "against", "the opponent")
    inputs = kind_of(context.state, roll).ask.inputs
    theirs = [name for name in roll.inputs if name in inputs and inputs[name].whose == "target"]
    offers = offers_of(context.state, roll) if roll.use and roll.against else {}
    use = {id: 0 for id in roll.use if id in offers and offers[id].by == roll.against and id not in roll.by_gm}
    ledger.add(
        e.Built(
            roll=roll.id,
            inputs={name: None for name in theirs if name not in roll.by_gm},
            use=use,
            labels={id: offers[id].label for id in use},
            against=against,
            against_name="" if roll.against_name else None,
            by_gm=context.member.role == GM,
            audience=roll_audience(context.state, roll),
        )
    )


def _oppose_nameless(context: Context, ledger: Ledger, roll: Roll, name: str) -> None:
    """Name an opponent who has no sheet."""
    refuse_player(context.member, "name somebody without a sheet")
    against = ledger.state.world.rolls[roll.id].against
    if name:
        name = _name(name, context.state.world.holders[against].name if against in context.state.world.holders else "")
    if name != roll.against_name:
        ledger.add(e.Built(roll=roll.id, against_name=name, audience=roll_audience(context.state, roll)))


def _unthrown(context: Context, ref: str) -> Roll:
    roll = find_roll(context.state, context.member, ref)
    if roll.ask is not None:
        raise Illegal(THROWN)
    return roll


def put_in(
    context: Context, ledger: Ledger, id: str, *, inputs: dict[str, Any], use: dict[str, int], hide: list[str] | None
) -> None:
    """Put things into a roll, and hide some; what is hidden is told to GMs alone."""
    roll = ledger.state.world.rolls[id]
    audience = roll_audience(ledger.state, roll)
    if hide is not None and tuple(hide) != roll.hidden:
        refuse_player(context.member, "hide a part of a roll")
        for name in hide:
            kind_of(ledger.state, roll).ask._input(name)
        ledger.add(e.Built(roll=id, hidden=hide, audience=audience))
    put = put_of(context, ledger.state, ledger.state.world.rolls[id], inputs, use)
    if put.veiled:
        more = (name for names in put.veiled.values() for name in names)
        veiled = list(dict.fromkeys((*ledger.state.world.rolls[id].hidden, *more)))
        ledger.add(e.Built(roll=id, hidden=veiled, audience=audience))
    by_gm, hidden = context.member.role == GM, ledger.state.world.rolls[id].hidden
    for part, seen in ((put.part(hidden, secret=False), audience), (put.part(hidden, secret=True), GM)):
        if part["inputs"] or part["use"]:
            ledger.add(e.Built(roll=id, **part, by_gm=by_gm, audience=seen))


def put_of(context: Context, state: State, roll: Roll, inputs: dict[str, Any], use: dict[str, int]) -> Put:
    """What a member puts in, each only what is theirs; what sets the same input as something else replaces it."""
    if not inputs and not use:
        return NOTHING
    check_inputs(context, state, roll, inputs)
    offers = offers_for(state, roll, context.member) if use or roll.use else {}
    taps = taps_of(context, state, roll, offers, use)
    inputs = {name: value for name, value in inputs.items() if not _is_there(context, roll, name, roll.inputs, value)}
    taps = {id: n for id, n in taps.items() if not _is_there(context, roll, id, roll.use, n or None)}
    kind = kind_of(state, roll)
    replaced = _replaced(kind, offers, roll, inputs, taps)
    for name in replaced:
        refuse_locked(context, roll, name, offers[name].label if name in offers else kind.ask._input(name).option)
    inputs = {name: value for name, value in inputs.items() if name not in replaced}
    inputs |= {name: None for name in replaced if name in roll.inputs}
    taps = {**{id: 0 for id in replaced if id in roll.use}, **{id: n for id, n in taps.items() if id not in replaced}}
    seen = open_offers(state, roll) if taps else {}
    veiled = {id: (offers[id].input, *(name for name, _ in offers[id].also)) for id in taps if id not in seen}
    return Put(inputs, taps, {id: offers[id].label for id in taps}, veiled)


def _is_there(context: Context, roll: Roll, name: str, put: Mapping[str, Any], value: Any) -> bool:
    """Whether something is in a roll already, just so, and a GM who puts it in makes it no more theirs than it is."""
    return put.get(name) == value and (context.member.role != GM or value is None or name in roll.by_gm)


def _replaced(
    kind: Kind, offers: Mapping[str, Offer], roll: Roll, inputs: dict[str, Any], taps: dict[str, int]
) -> list[str]:
    """Inputs and offers that something put in now replaces; of two that come at once the later one stays."""
    there: dict[str, set[str]] = {id: slots_of(kind, offers[id]) for id in roll.use if id in offers and id not in taps}
    there |= {name: {name} for name in roll.inputs if name not in inputs}
    put = {name: {name} for name, value in inputs.items() if value is not None}
    put |= {id: slots_of(kind, offers[id]) for id, n in taps.items() if n}
    gone: dict[str, None] = {}
    for name, slots in put.items():
        gone.update(dict.fromkeys(other for other, taken in there.items() if taken & slots and other not in gone))
        there[name] = slots
    return list(gone)


def taps_of(
    context: Context, state: State, roll: Roll, offers: Mapping[str, Offer], use: dict[str, int]
) -> dict[str, int]:
    """Offers by id, each put in only by the seat that may give it."""
    taps: dict[str, int] = {}
    for ref, times in use.items():
        by_gm = context.member.role == GM
        offer = find_offer(offers, ref, lambda offer: _is_own(context, roll, offer), others=by_gm)
        giver = state.world.holders.get(offer.by)
        if not owns(context.member, giver) and owner_of(state, roll) != context.member.id:
            raise Forbidden(f"{offer.label} is not yours to put in.")
        if giver and giver.kind == "character" and not owns(context.member, giver):
            raise Forbidden(f"{offer.label} is {giver.name}'s to put in.")
        n = taps.get(offer.id, 0) + times
        if n > offer.most:
            most = counted(offer.most, "time")
            raise Illegal(f"{offer.label} can be used {most}, not {n}; nothing is spent.", offer.rule)
        if roll.use.get(offer.id, 0) != n:
            refuse_locked(context, roll, offer.id, offer.label)
            _refuse_hidden(context, roll, slots_of(kind_of(state, roll), offer))
        taps[offer.id] = n
    return taps


def _is_own(context: Context, roll: Roll, offer: Offer) -> bool:
    """Whether an offer is what a seat means first: its own; for a GM, that of whoever rolls."""
    if context.member.role == GM:
        return offer.by == roll.who
    return owns(context.member, context.state.world.holders.get(offer.by))


def check_inputs(context: Context, state: State, roll: Roll, inputs: dict[str, Any]) -> None:
    """Refuse inputs that are somebody else's; each is parsed now, so that a bad value is refused at once."""
    kind = kind_of(state, roll)
    for name, written in inputs.items():
        input = kind.ask._input(name)
        _refuse_others_input(context, state, roll, input)
        _refuse_hidden(context, roll, {name})
        refuse_locked(context, roll, name, input.option)
        if written is not None:
            input.read(written)


def _refuse_others_input(context: Context, state: State, roll: Roll, input: Input) -> None:
    """Refuse to set what belongs to another role, or what the sheets say."""
    if may_set(state, roll, input, context.member):
        return
    if input.whose == "sheet":
        raise Forbidden(f"{input.option} is what the sheets say; nobody types it at a table.", input.rule)
    if input.whose == GM:
        raise Forbidden(f"{input.option} is the GM's to say.", input.rule)
    refuse_outsider(context, roll)
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
    """Refuse whoever neither rolls nor is a GM."""
    if context.member.role != GM and owner_of(context.state, roll) != context.member.id:
        raise Forbidden("This roll is not yours; you may put in what your own characters offer.")
