"""Pools: what is put into a roll, saved under a name, and what a roll begins with that takes one up again."""

from __future__ import annotations

from msgspec.structs import replace

from astragal.errors import Illegal, Unknown
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
    owns_roll,
    refuse_player,
    refuse_stranger,
)
from astragal.table.decide.ledger import Context
from astragal.table.fold import pool_of
from astragal.table.state import Pool

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
