"""The cast of a roll or a move: holders as a game's rules see them."""

from __future__ import annotations

from astragal.rule.keeping import SCENE, TABLE, Cast, Holder
from astragal.table.state import Kept, State


def holder_of(kept: Kept) -> Holder:
    return Holder(kept.id, kept.name, kept.sheet)


def cast_of(state: State, who: str, against: str = "", helpers: tuple[str, ...] = ()) -> Cast:
    """Everybody by id; whoever is no longer there is left out."""
    holders = state.world.holders
    roller = holders.get(who)
    player = holders.get(roller.owner) if roller else None
    opponent = holders.get(against)
    return Cast(
        who=holder_of(roller) if roller else None,
        player=holder_of(player) if player else None,
        against=holder_of(opponent) if opponent else None,
        helpers=tuple(holder_of(holders[helper]) for helper in helpers if helper in holders),
        table=holder_of(holders[TABLE]),
        scene=holder_of(holders[SCENE]),
        options=state.options,
        in_scene=state.world.in_scene,
    )
