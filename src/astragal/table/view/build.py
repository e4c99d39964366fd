"""View: what a seat may see. What is hidden is not there, down to the number of dice.

A view is flat: parts by path, such as ``holders/c1`` or ``rolls/r7``. After an entry
only the parts that its visible events touch are looked at again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from astragal.errors import Refusal
from astragal.rule.node import Choice
from astragal.rule.report import open_node, plain
from astragal.rule.table_rules import SCENE, Change, Offer
from astragal.table import event as e
from astragal.table.access import (
    GM,
    dice_audience,
    holder_audience,
    item_audience,
    may_see,
    outcome_audience,
    owner_of,
    owns,
    roll_audience,
)
from astragal.table.entry import Entry
from astragal.table.rolls.ask import ask_of, kind_of, offers_for, shown_ask
from astragal.table.rolls.playback import may_answer, played_of
from astragal.table.state import HolderState, Member, Roll, State


def view(state: State, member: Member | None) -> dict[str, Any]:
    """Everything that this seat may see, by path; of what is hidden not even the path."""
    return {path: shown for path, shown in look(state, member, paths(state)).items() if shown is not None}


def look(state: State, member: Member | None, wanted: Iterable[str]) -> dict[str, Any]:
    """The parts at these paths; None where there is nothing that this seat may see any more."""
    return {path: part(state, member, path) for path in wanted}


def paths(state: State) -> Iterator[str]:
    yield "table"
    yield from (f"members/{id}" for id in state.members)
    yield from (f"holders/{id}" for id in state.world.holders)
    yield from (f"rolls/{id}" for id, roll in state.world.rolls.items())


def seat_version(state: State, member: Member | None) -> int:
    """How many entries this seat may see something of; a plain version would tell of hidden ones."""
    if member is None:
        return state.public
    return state.version if member.role == GM else state.public + state.private.get(member.id, 0)


def part(state: State, member: Member | None, path: str) -> Any:
    """One part of the view, or None."""
    kind, _, id = path.partition("/")
    if kind == "table":
        return _table(state, member)
    if kind == "members":
        found = state.members.get(id)
        return {"id": found.id, "name": found.name, "role": found.role} if found else None
    if kind == "holders":
        kept = state.world.holders.get(id)
        return _holder(kept, member) if kept and may_see(member, holder_audience(kept)) else None
    roll = state.world.rolls.get(id)
    return _roll(state, roll, member) if roll and may_see(member, roll_audience(state, roll)) else None


def _table(state: State, member: Member | None) -> dict[str, Any]:
    scene = state.world.holders.get(SCENE)
    return {
        "game": state.game,
        "title": state.title,
        "options": state.options,
        "scene": {"title": scene.name if scene else "", "open": state.world.in_scene},
        "you": {"id": member.id, "name": member.name, "role": member.role} if member else None,
    }


def _holder(kept: HolderState, member: Member | None) -> dict[str, Any]:
    sheet = {
        section: {name: shown for name, item in items.items() if (shown := _item(kept, item, member)) is not None}
        for section, items in kept.sheet.items()
    }
    return {
        "id": kept.id,
        "kind": kept.kind,
        "name": kept.name,
        "owner": kept.owner,
        "seen": kept.seen,
        "yours": member is not None and member.role != "onlooker" and owns(member, kept),
        "sheet": sheet,
    }


def _item(kept: HolderState, item: dict[str, Any], member: Member | None) -> dict[str, Any] | None:
    """A veiled item is there, and nothing about it is."""
    seen = item.get("seen", "all")
    if seen == "all" or may_see(member, item_audience(kept, seen)):
        return item
    return {"seen": "veiled"} if seen == "veiled" else None


# Rolls.


def _roll(state: State, roll: Roll, member: Member | None) -> dict[str, Any]:
    shown = {
        "id": roll.id,
        "kind": roll.kind,
        "title": roll.title or roll.kind,
        "by": roll.by,
        "who": roll.who,
        "against": roll.against if _knows(state, roll.against, member) else "",
        "helpers": [helper for helper in roll.helpers if _knows(state, helper, member)],
        "seen": roll.seen,
        "hidden": list(roll.hidden),
        "over": roll.over,
        "thrown": roll.ask is not None,
    }
    if roll.ask is None and not roll.over:
        return {**shown, **_building(state, roll, member)}
    if not may_see(member, dice_audience(state, roll)):
        # Whoever rolled blind knows that it was rolled.
        return {**shown, "over": False, "thrown": True, "blind": True}
    if not may_see(member, outcome_audience(state, roll)):
        return {**shown, "dice": _dice(roll, told=False), "over": False, "waits": "gm", "throw": None}
    return {**shown, **_told(state, roll, member), **({} if roll.over else _open(state, roll, member))}


def _knows(state: State, id: str, member: Member | None) -> bool:
    kept = state.world.holders.get(id)
    if kept is None:
        return id in state.world.retired and may_see(member, state.world.retired[id][1])
    return may_see(member, holder_audience(kept))


def _building(state: State, roll: Roll, member: Member | None) -> dict[str, Any]:
    """What was put in so far, what may be put in, and why it cannot be thrown yet."""
    gm = member is not None and member.role == GM
    hidden = () if gm else roll.hidden
    try:
        kind = kind_of(state, roll)
        seen = offers_for(state, roll, member)
    except Refusal as refusal:
        facts = {"inputs": {}, "use": {}, "offers": [], "yours": _takes_part(state, roll, member)}
        return {**facts, "headline": "", "missing": str(refusal)}
    facts = {
        "inputs": {name: value for name, value in roll.inputs.items() if name not in hidden},
        "use": {id: n for id, n in roll.use.items() if id in seen},
        "offers": [_offer(state, roll, offer, member) for offer in seen.values()],
        "yours": _takes_part(state, roll, member),
    }
    try:
        ask = ask_of(state, roll)
    except Refusal as refusal:
        return {**facts, "headline": "", "missing": str(refusal) if not hidden else ""}
    if hidden:
        return {**facts, "headline": "", "missing": ""}
    return {**facts, "headline": kind.headline(ask), "missing": "", "ask": ask.values()}


def _offer(state: State, roll: Roll, offer: Offer, member: Member | None) -> dict[str, Any]:
    giver = state.world.holders.get(offer.by)
    mine = member is not None and (owns(member, giver) if giver else _takes_part(state, roll, member))
    return {
        "id": offer.id,
        "group": offer.group,
        "label": offer.label,
        "input": offer.input,
        "gives": plain(offer.gives),
        "most": offer.most,
        "price": [_price(state, giver, change) for change in offer.price if change.by],
        "rule": offer.rule,
        "yours": mine,
    }


def _price(state: State, giver: HolderState | None, change: Change) -> dict[str, Any]:
    """What is paid or gained; whose it is, where it is not the giver's own."""
    kept = state.world.holders.get(change.holder)
    own = giver is None or change.holder in (giver.id, giver.owner)
    return {"item": change.item, "by": change.by, "whose": kept.name if kept and not own else ""}


def _takes_part(state: State, roll: Roll, member: Member | None) -> bool:
    return member is not None and (member.role == GM or owner_of(state, roll) == member.id)


def _told(state: State, roll: Roll, member: Member | None) -> dict[str, Any]:
    """What a roll came to, as it was told then; today's rules have no say in it."""
    return {
        "dice": _dice(roll, told=True),
        "headline": roll.headline,
        "ask": shown_ask(roll),
        "verdict": roll.verdict,
        "result": roll.result,
        "waits": "",
        "open": None,
        "yours": _takes_part(state, roll, member),
    }


def _open(state: State, roll: Roll, member: Member | None) -> dict[str, Any]:
    """What an unfinished roll waits for by today's rules; or why it cannot go on by them."""
    try:
        node = played_of(state, roll).node
    except Refusal as refusal:
        return {"missing": str(refusal)}
    if not isinstance(node, Choice):
        return {"waits": "dice", "open": open_node(node)}
    yours = member is not None and may_answer(state, roll, node, member.id)
    return {"result": plain(node.so_far), "waits": "choice", "open": open_node(node), "yours": yours}


def _dice(roll: Roll, told: bool) -> list[dict[str, Any]]:
    """Every die that lies there; what it did is for those who may see what came of it."""
    return [
        {"throw": title, "name": name, "sides": sides, "face": face, "did": did * told, "counts": counts and told}
        for title, dice in roll.throws
        for name, sides, face, did, counts in dice
    ]


# What an entry touches.


def touched(state: State, entry: Entry, member: Member | None) -> list[str] | None:
    """The paths that this seat must look at again; None means all of them. Empty: nothing for this seat."""
    found: dict[str, None] = {}
    for event in entry.events:
        if not may_see(member, event.audience):
            continue
        if isinstance(event, (e.Founded, e.Struck, e.Restored, e.Seated, e.Held, e.Retired)):
            return None  # whose a roll is, and who may see it, may be another matter now
        found.update(dict.fromkeys(_paths(state, event, member)))
    return list(found)


def _paths(state: State, event: e.Event, member: Member | None) -> Iterator[str]:
    if isinstance(event, e.Joined):
        yield from (f"members/{event.member}", f"holders/{event.member}")
    elif isinstance(event, (e.SceneOpened, e.SceneClosed)):
        yield from ("table", "holders/scene", *_rolls_about(state, SCENE, member))
    elif hasattr(event, "holder"):
        yield f"holders/{event.holder}"
        yield from _rolls_about(state, event.holder, member)
    elif hasattr(event, "roll"):
        yield f"rolls/{event.roll}"


def _rolls_about(state: State, holder: str, member: Member | None) -> Iterator[str]:
    """What a roll offers changes with the sheets that it reads; of a hidden one not even the path is told."""
    for roll in state.world.rolls.values():
        if roll.thrown:
            continue
        about = (roll.who, owner_of(state, roll), roll.against, *roll.helpers, "scene", "table")
        if holder in about and may_see(member, roll_audience(state, roll)):
            yield f"rolls/{roll.id}"
