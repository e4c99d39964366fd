"""Pools as a seat sees them: saved ones, and what was last put into each kind of roll."""

from __future__ import annotations

from astragal.table.access import holder_audience, last_pools, may_see, owns
from astragal.table.state import Member, Pool, State
from astragal.table.view.model import PoolsView, PoolView


def pools_view(state: State, member: Member | None, holder: str) -> PoolsView | None:
    """The pools of a holder, for its owner and GMs; None if there are none that this seat may know."""
    kept = state.world.holders.get(holder)
    if member is None or member.role == "onlooker" or kept is None:
        return None
    if not owns(member, kept) or not may_see(member, holder_audience(kept)):
        return None
    known = {kind: _shown(pool, pool.name) for kind, pool in last_pools(state, member, holder).items()}
    saved = [_shown(pool, name) for name, pool in state.world.pools.get(holder, {}).items()]
    return PoolsView(saved, known) if saved or known else None


def _shown(pool: Pool, name: str) -> PoolView:
    labels = {id: id.rpartition("/")[2].partition("!")[0] for id in pool.use}
    return PoolView(name, pool.kind, pool.inputs, pool.use, labels)
