"""Rolls that begin with something: the answer to a request, a saved pool, the last pool of a kind."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from astragal.errors import Illegal, Refusal
from astragal.table import action as a
from astragal.table.access import GM
from astragal.table.decide.build import (
    NOTHING,
    Put,
    named_inputs,
    new_roll,
    opened,
    opened_event,
    put_in,
    roller_of,
    taps_of,
)
from astragal.table.decide.ledger import Context, Ledger
from astragal.table.decide.pool import taken_up
from astragal.table.decide.reply import answerer, find_request
from astragal.table.rolls.basis import Basis
from astragal.table.rolls.in_hiding import with_plain_names
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Member, Pool, Request, Roll


def open_roll(context: Context, action: a.OpenAction) -> Ledger:
    """Open a roll, with what is known of it so far."""
    begins = prefilled if action.request or action.pool or action.again else opened
    return begins(context, action)[0]


def prefilled(context: Context, action: a.OpenAction) -> tuple[Ledger, Roll]:
    """Open a roll that answers a request, or that takes a pool up again, with whatever of it is still possible."""
    request = find_request(context, action.request) if action.request else None
    if request:
        who = answerer(context, request, action.who)
        action = replace(action, who=who, kind=request.kind, seen=request.seen)
    pool = taken_up(context, action, roller_of(context, action.who))
    if pool:
        _refuse_other_kind(request, pool)
        action = replace(action, kind=pool.kind, name=action.name or pool.name)
    roll = new_roll(context, action)
    if request:
        roll = replace(roll, request=request.id, about=request.note, against=request.against or roll.against)
    ledger = Ledger(context.state, asker=context.member)
    ledger.add(opened_event(context, roll, NOTHING))
    if request:
        said_by_gm = context._replace(member=Member(request.by, "", GM))
        # What a GM named may be gone, and a refusal would tell the player of whom only GMs know.
        inputs = _possible(said_by_gm, ledger, roll.id, request.inputs, {}).inputs
        hide = list(request.hidden)
        if hide and (task := ledger.basis(roll).kind.series):
            hide += [name for name in task.before if name not in hide]
            inputs |= _gone_on(ledger.basis(roll), inputs, hide)
        put_in(said_by_gm, ledger, roll.id, inputs=inputs, use={}, hide=hide or None)
    suggested = request.use if request else {}
    for inputs, use in ((pool.inputs, pool.use) if pool else ({}, {}), ({}, suggested)):
        put = _possible(context, ledger, roll.id, inputs, use)
        put_in(context, ledger, roll.id, inputs=put.inputs, use=put.use, hide=None)
    hidden = [*ledger.state.world.rolls[roll.id].hidden, *action.hide] if action.hide else None
    put_in(context, ledger, roll.id, inputs=action.inputs, use=action.use, hide=hidden)
    return ledger, ledger.state.world.rolls[roll.id]


def _gone_on(basis: Basis, inputs: dict[str, Any], hide: list[str]) -> dict[str, Any]:
    """The hidden inputs of a long task that earlier hidden rolls have begun, by its name (CD-13)."""
    kind, participants = basis.kind, with_plain_names(basis.state, basis.participants)
    with suppress(Refusal):
        said = {name: kind.ask._input(name).read(value) for name, value in inputs.items()}
        found = ruleset_of(basis.state.game).table_rules.completes(basis.roll.kind, said, participants)
        return {name: value for name, value in found.items() if name in hide}
    return {}


def _refuse_other_kind(request: Request | None, pool: Pool) -> None:
    if request and request.kind != pool.kind:
        raise Illegal("That pool is for another kind of roll than the one that is asked for.")


def _possible(context: Context, ledger: Ledger, id: str, inputs: dict[str, Any], use: dict[str, int]) -> Put:
    """What of this the member can put into a roll now; what is no longer there is left out."""
    basis, put = ledger.basis(ledger.state.world.rolls[id]), Put({}, {}, {}, {})
    for name, value in inputs.items():
        with suppress(Refusal):
            named_inputs(context, basis, {name: value})
            put.inputs[name] = value
    for ref, n in use.items():
        with suppress(Refusal):
            put.use.update(taps_of(context, basis, {ref: n}))
    return put
