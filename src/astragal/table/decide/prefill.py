"""Rolls that begin with something: the answer to a request, a saved pool, the last pool of a kind."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from astragal.errors import Forbidden, Illegal, Refusal, Unknown
from astragal.explain.visible import one_line
from astragal.rule.sheets.table_rules import TABLE
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import (
    GM,
    find_holder,
    find_roll,
    item_audience,
    last_pools,
    owns,
    owns_roll,
    refuse_player,
    refuse_stranger,
)
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
from astragal.table.fold import pool_of
from astragal.table.requests import GATHERING, ROLLED, asked_of
from astragal.table.rolls.basis import Basis
from astragal.table.rolls.picks import with_plain_names
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
        if request and request.kind != pool.kind:
            raise Illegal("That pool is for another kind of roll than the one that is asked for.")
        action = replace(action, kind=pool.kind, name=action.name or pool.name)
    roll = new_roll(context, action)
    if request:
        roll = replace(roll, request=request.id, about=request.note, against=request.against or roll.against)
    ledger = context.ledger(asker=context.member)
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


def _possible(context: Context, ledger: Ledger, id: str, inputs: dict[str, Any], use: dict[str, int]) -> Put:
    """The part of this that the member can put into a roll now; missing things are left out."""
    basis, put = ledger.basis(ledger.state.world.rolls[id]), Put({}, {}, {}, {})
    for name, value in inputs.items():
        with suppress(Refusal):
            named_inputs(context, basis, {name: value})
            put.inputs[name] = value
    for ref, n in use.items():
        with suppress(Refusal):
            put.use.update(taps_of(context, basis, {ref: n}))
    return put


# Answers to requests: which request, and which of the characters asked answers it now.


def find_request(context: Context, ref: str) -> Request:
    """A request that still waits for an answer, as far as the member may know of it."""
    request = context.state.world.requests.get(ref)
    if request is None or not asked_of(context.state, request, context.member):
        raise Unknown(f'There is no request "{ref[:40]}" that waits for an answer.')
    return request


def answerer(context: Context, request: Request, ref: str) -> str:
    """The id of the character that answers a request now: the one that is named, else the member's own."""
    state, member = context.state, context.member
    asked = asked_of(state, request, member)
    if ref:
        kept = find_holder(state, member, ref)
        if kept.id not in asked:
            raise Illegal(f"{kept.name} is not asked for this roll.")
        if not owns(member, kept):
            raise Forbidden(f"{kept.name} is not yours to roll for.")
        _refuse_answered(kept.name, request.asked[kept.id][0])
        return kept.id
    own = [who for who in asked if state.world.holders[who].owner == member.id]
    if not own:
        raise Illegal("None of your characters is asked for this roll; say who rolls.")
    left = [who for who in own if asked[who][0] not in (GATHERING, ROLLED)]
    if not left:
        _refuse_answered(state.world.holders[own[0]].name, asked[own[0]][0])
    if len(left) > 1:
        names = ", ".join(state.world.holders[who].name for who in left)
        raise Illegal(f"Several of your characters are asked for this roll ({names}); say who rolls now.")
    return left[0]


def _refuse_answered(name: str, at: str) -> None:
    if at == ROLLED:
        raise Illegal(f"{name} has rolled for this already.")
    if at == GATHERING:
        raise Illegal(f"{name}'s roll for this is open already; go on with it, or withdraw it.")


# Pools: what is put into a roll, saved under a name or taken up again.


MAX_POOLS = 30
"""Saved pools of one character."""


def save(context: Context, action: a.SaveAction) -> list[e.Event]:
    """Save a pool for a character, as its owner and GMs may know it, or for the table; or remove one."""
    pool, who = _written(context, action)
    holder, audience = TABLE, GM
    if who:
        kept = find_holder(context.state, context.member, who)
        refuse_stranger(context.member, kept)
        holder, audience = kept.id, item_audience(kept, "owner")
    else:
        refuse_player(context.member, "save pools for the table; say for which character of yours")
    name = one_line(action.name, "The name of a pool")
    there = context.state.world.pools.get(holder, {})
    if action.remove:
        if name not in there:
            raise Unknown(f'There is no pool "{name[:40]}"; there are {", ".join(there) or "none"}.')
        return [e.Saved(holder=holder, name=name, audience=audience)]
    if len(there) >= MAX_POOLS and name not in there:
        raise Illegal(f"{MAX_POOLS} pools are saved here; remove one first.")
    if there.get(name) == Pool(pool.kind, pool.inputs, pool.use):
        return []
    return [e.Saved(holder=holder, name=name, kind=pool.kind, inputs=pool.inputs, use=pool.use, audience=audience)]


def _written(context: Context, action: a.SaveAction) -> tuple[Pool, str]:
    """The pool that is to be saved, out of a roll or as it is written, and whose it is."""
    if action.roll:
        roll = find_roll(context.state, context.member, action.roll)
        if not owns_roll(context.state, roll, context.member):
            raise Illegal("This roll is not yours; save what you put into rolls of your own.")
        return pool_of(context.state, roll), action.who or roll.who
    game = context.ruleset.game
    kind = game.kind(action.kind) if action.kind else next(iter(game.kinds.values()))
    for name, value in action.inputs.items():
        kind.ask._input(name).read(value)
    return Pool(kind.name, action.inputs, {ref: n for ref, n in action.use.items() if n}), action.who


def taken_up(context: Context, action: a.OpenAction, who: str) -> Pool | None:
    """The pool that a roll begins with: a saved one, the last one of its kind, or none."""
    if action.pool:
        return _saved(context, who, action.pool)
    return _last(context, action, who) if action.again else None


def _saved(context: Context, who: str, ref: str) -> Pool:
    if not who:
        refuse_player(context.member, "use the pools of the table")
    there = context.state.world.pools.get(who or TABLE, {})
    name = next((name for name in there if name.lower() == ref.strip().lower()), None)
    if name is None:
        raise Unknown(f'There is no pool "{ref[:40]}"; there are {", ".join(there) or "none"}.')
    return there[name] if who else replace(there[name], name=name)


def _last(context: Context, action: a.OpenAction, who: str) -> Pool:
    kind = context.ruleset.game.kind(action.kind).name if action.kind else next(iter(context.ruleset.game.kinds))
    found = last_pools(context.state, context.member, who or context.member.id).get(kind)
    if found is None:
        raise Illegal("There is no roll of this kind to be rolled again.")
    return found
