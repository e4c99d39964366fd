"""What a roll waits for before its first dice: a member's "ready" (T-8), or a word that settles it without dice."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

from astragal.dice.dice import Pool
from astragal.errors import Refusal
from astragal.rule.game import Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.word import Words
from astragal.rule.tree.node import Choice, Option, Outcome, Throw
from astragal.rule.tree.play import Hand, play
from astragal.table.access import GM, owner_of, seat_of
from astragal.table.rolls.basis import Basis, kind_of, once
from astragal.table.rolls.known import guesses
from astragal.table.rolls.playback import BREAKS
from astragal.table.state import Roll, State

Side: TypeAlias = Literal["ours", "theirs"]
SIDES: tuple[Side, Side] = ("ours", "theirs")
MILLISECONDS = 1000


def dice_of(kind: Kind, ask: Ask) -> tuple[Pool, ...]:
    """The dice that each side brings, before any is thrown."""
    if kind.dice:
        return kind.dice(ask)
    node = play(kind.rule(ask), Hand()).node
    pool = node.pool if isinstance(node, Throw) else ()
    return tuple((dice,) for dice in pool) if kind.opposed == "pairs" else (pool,)


def is_empty(basis: Basis) -> bool:
    """True if a side of an opposed roll has no dice yet, and has not said that it is ready without dice."""
    kind = basis.kind
    if not kind.opposed or kind.helps_target:
        return False
    pools = dice_of(kind, basis.ask)
    return any(
        side not in basis.roll.ready and not any(dice.n for dice in pool)
        for side, pool in zip(SIDES, pools, strict=False)
    )


class Player(NamedTuple):
    """The player of a side of an opposed roll: a member's id, or ``gm``."""

    side: Side
    seat: str


def sides_of(state: State, roll: Roll) -> list[Player]:
    """Both sides of an opposed roll, where a player plays the other one; nothing if no throw has to wait."""
    kind = kind_of(state, roll)
    if not kind.opposed or kind.helps_target or not roll.against:
        return []
    owner, other = state.members.get(owner_of(state, roll)), seat_of(state, roll, "target")
    ours = owner.id if owner and owner.role not in (GM, "gone") else GM
    return [Player("ours", ours), Player("theirs", other)] if other not in (GM, ours) else []


def awaited_of(state: State, roll: Roll, at: int = 0) -> str:
    """The id of the player whose "ready" the first throw waits for; nothing once they said it, or time is up."""
    both = sides_of(state, roll) if roll.ask is None else []
    if not both or both[1].side in roll.ready or 0 < ends_at(state, roll) <= at:
        return ""
    return both[1].seat


def ends_at(state: State, roll: Roll) -> int:
    """When the roll may be thrown without the other side's "ready", in milliseconds; 0 for never."""
    limit = state.world.ready_limit
    return roll.gathers_since + limit * MILLISECONDS if limit else 0


def dice_basis(basis: Basis) -> tuple[Any, ...]:
    """The things that both sides' dice rest on, as far as everybody who sees the roll may know; without words."""
    roll, inputs = basis.roll, basis.kind.ask.inputs
    offers = basis.open_offers if roll.use else {}
    typed = {
        name: value
        for name, value in roll.inputs.items()
        if name not in roll.hidden and not isinstance(inputs.get(name), Words)
    }
    used = {id: (n, offers[id].gives, offers[id].also) for id, n in roll.use.items() if id in offers}
    return roll.against, roll.helpers, roll.their_helpers, typed, used


@once
def ruling_of(basis: Basis) -> Choice[Any] | None:
    """The choice that settles a roll which needs no dice; None if it is thrown, or needs some.

    If something is hidden, it must be so whatever that is.
    """
    roll = basis.roll
    if roll.ask is not None or roll.over:
        return None
    try:
        asks = guesses(basis) if roll.hidden else [basis.ask]
        nodes = [play(basis.kind.rule(ask), Hand()).node for ask in asks]
        rulings = [node for node in nodes if isinstance(node, Choice) and all(map(_ends, node.options.values()))]
    except (Refusal, *BREAKS):
        return None
    return rulings[0] if nodes and len(rulings) == len(nodes) else None


def _ends(option: Option[Any]) -> bool:
    """True if the answer ends the roll."""
    node = option.then.node("") if option.words else option.then.node()
    return isinstance(node, Outcome)
