"""Which views an entry changes for a seat, by what its events declare that they touch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from astragal.rule.sheets.table_rules import SCENE, TABLE
from astragal.table.access import may_see, owner_of, seen_rolls
from astragal.table.entry import Entry
from astragal.table.roll_event import HolderEvent, RollEvent, Touches
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Member, Roll, State


def touched(state: State, entry: Entry, member: Member | None) -> list[str] | None:
    """The paths whose views an entry may have changed for this seat; None means all of them."""
    found, rolled, sheets = dict[str, None](), set[str](), set[str]()
    for event in entry.events:
        if not may_see(member, event.audience):
            continue
        if event.touches == "everything":
            return None  # the owner of a roll, and who may see it, may have changed
        if event.touches == "holder" and isinstance(event, HolderEvent):
            if event.holder in sheets:
                continue  # an entry often changes one sheet several times
            sheets.add(event.holder)
        found.update(dict.fromkeys(PATHS[event.touches](state, event, member)))
        rolled |= {event.roll} if isinstance(event, RollEvent) else set()
    before = [f"rolls/{roll.id}" for roll in state.world.rolls.values() if roll.after in rolled] if rolled else ()
    found.update(dict.fromkeys(before))
    return list(found)


def _roll(state: State, event: Any, member: Member | None) -> Iterator[str]:
    """A roll, and the request that it answers."""
    yield f"rolls/{event.roll}"
    roll = state.world.rolls.get(event.roll)
    if roll is None:  # it was withdrawn
        yield from (f"requests/{id}" for id in state.world.requests)
    elif roll.request:
        yield f"requests/{roll.request}"


def _throw(state: State, event: Any, member: Member | None) -> Iterator[str]:
    """A roll, and what is remembered of the roller."""
    yield from _roll(state, event, member)
    if roll := state.world.rolls.get(event.roll):
        yield f"pools/{roll.who or roll.by}"


def _open_rolls(state: State, member: Member | None) -> Iterator[Roll]:
    """The visible unfinished rolls that still read the sheets."""
    kinds = ruleset_of(state.game).game.kinds
    for roll in seen_rolls(state, member, [roll for roll in state.world.rolls.values() if not roll.over]):
        if not roll.thrown or (roll.kind in kinds and kinds[roll.kind].is_live):
            yield roll


def _rolls_about(state: State, holder: str, member: Member | None) -> Iterator[str]:
    """The visible unfinished rolls that read a holder's sheet, since their offers may change with it."""
    for roll in _open_rolls(state, member):
        if holder in (roll.who, owner_of(state, roll), roll.against, *roll.helpers, *roll.their_helpers, SCENE, TABLE):
            yield f"rolls/{roll.id}"


PATHS: dict[Touches, Callable[[State, Any, Member | None], Iterable[str]]] = {
    "nothing": lambda state, event, member: (),
    "member": lambda state, event, member: (f"members/{event.member}", f"holders/{event.member}"),
    "holder": lambda state, event, member: (f"holders/{event.holder}", *_rolls_about(state, event.holder, member)),
    # Any open roll may name a new character.
    "new holder": lambda state, event, member: (
        f"holders/{event.holder}",
        *(f"rolls/{roll.id}" for roll in _open_rolls(state, member)),
    ),
    "pools": lambda state, event, member: (f"pools/{event.holder}",),
    "scene": lambda state, event, member: ("table", "holders/scene", "turns", *_rolls_about(state, SCENE, member)),
    "turns": lambda state, event, member: ("turns",),
    "roll": _roll,
    "throw": _throw,
    "card": lambda state, event, member: (f"rolls/{event.card}",) if event.card else (),
    "request": lambda state, event, member: (f"requests/{event.request}",),
    "plea": lambda state, event, member: [f"pleas/{plea}" for plea in (event.plea, *state.pleas)],
}
"""The paths of each kind of view that events touch, but for those that touch everything."""
