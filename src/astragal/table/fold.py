"""Fold: events into a state. Pure and total: no event fails or breaks a bound, whatever was undone before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from astragal.rule.inputs.total import texts_of
from astragal.rule.tree.play import answer_data, throw_data
from astragal.table import event as e
from astragal.table.access import EVERYBODY, GM, owner_of
from astragal.table.chain import linked
from astragal.table.entry import Entry
from astragal.table.fold_sheets import ABOUT_TABLE, ABOUT_WORLD, move_name
from astragal.table.kept import keeping, new_faces
from astragal.table.requests import answered
from astragal.table.roll_event import RollEvent
from astragal.table.ruleset import ruleset_of
from astragal.table.state import OpenPart, Pool, Roll, RollChange, State, Waiting, World

FINISHED_ROLLS, FINISHED_DICE = 40, 5_000
"""Finished rolls kept in the state, and dice of them, per audience; the log has them all."""
THROWING = frozenset({"roll", "throw", "answer", "move"})
"""Actions that may throw dice."""
MANY_DICE = 100
"""Dice of a roll that makes room for itself when it is over; others do when they are opened."""
NEVER_STRUCK = (
    e.Founded, e.Joined, e.Seated, e.Announced, e.Confirmed, e.Struck, e.Restored, e.UndoAsked, e.UndoAnswered,
)  # fmt: skip
GATHERS = (e.Opened, e.Built, e.Assisted, e.Awaited, e.Readied, e.Picked)
"""Events of a roll before its dice."""


def fold(state: State, entries: Iterable[Entry]) -> State:
    """The state after these entries, which must not undo anything; see ``Table`` for those that do."""
    for entry in entries:
        state = fold_entry(state, entry)
    return state


def fold_entry(state: State, entry: Entry) -> State:
    """The state after one entry."""
    return fold_about(fold_world(state, entry), entry)


def fold_world(state: State, entry: Entry, struck: Mapping[str, int] | None = None) -> State:
    """The state after an entry's events; of a struck entry only what an undo leaves.

    ``struck`` has the version at which each was undone. What came of an undo, such as help that left an open roll, is
    void once all of that has been done again.
    """
    if struck is None:
        return fold_events(state, entry.events)
    if entry.id in struck:
        return fold_undone(state, entry)
    undone = [id for event in entry.events if isinstance(event, e.Struck) for id in event.entries]
    if undone and all(struck.get(id) != entry.version for id in undone):
        return fold_events(state, [event for event in entry.events if isinstance(event, NEVER_STRUCK)])
    return fold_events(state, entry.events)


def fold_undone(state: State, entry: Entry) -> State:
    """The state after a struck entry: its dice are kept, and a roll that it opened and threw together stays open (T-1).

    What a section keeps through an undo stays too.
    """
    left = left_by_undo(entry)
    opened = [event for event in left if isinstance(event, e.Opened)]
    if left and all(not event.who or event.who in state.world.holders for event in opened):
        state = fold_events(state, left)
    for event in entry.events:
        if isinstance(event, e.Asked) and event.roll in state.world.rolls:
            state = _with_roll(state, _left(state.world.rolls[event.roll], struck=True))
        elif isinstance(event, e.Thrown) and event.roll in state.world.rolls:
            state = _with_roll(state, _keeping(state.world.rolls[event.roll], event, entry.id))
        elif isinstance(event, e.MoveThrown):
            name = move_name(event)
            kept = {**state.world.kept_moves, name: keeping(state.world.kept_moves.get(name, {}), event, entry.id)}
            state = replace(state, world=replace(state.world, kept_moves=kept))
        elif isinstance(event, e.Changed) and event.of in state.world.rolls and _stays(state, event):
            roll = state.world.rolls[event.of]
            remembered = (*roll.undone.remembered, (event.holder, event.section, event.item))
            state = _with_roll(fold_events(state, [event]), _left(roll, remembered=remembered))
    return state


def left_by_undo(entry: Entry) -> list[e.Event]:
    """The events of an entry that stand when it is undone: those that gathered a roll which it also threw."""
    thrown = {event.roll for event in entry.events if isinstance(event, e.Asked)}
    return [event for event in entry.events if isinstance(event, GATHERS) and event.roll in thrown] if thrown else []


def _with_roll(state: State, roll: Roll) -> State:
    return replace(state, world=replace(state.world, rolls={**state.world.rolls, roll.id: roll}))


def _stays(state: State, event: e.Changed) -> bool:
    """True if an undo leaves what this change put down."""
    holder = state.world.holders.get(event.holder)
    section = ruleset_of(state.game).sections.get((holder.kind, event.section)) if holder else None
    return section is not None and section.stays and event.to is not None


def _left(roll: Roll, **changes: Any) -> Roll:
    """A roll with these changes of what its undone throws left."""
    return replace(roll, undone=replace(roll.undone, **changes))


def _keeping(roll: Roll, event: e.Thrown, entry: str) -> Roll:
    """A roll after one of its throws is undone."""
    before = {} if event.fresh else roll.undone.proofs
    proofs = {**before, event.proof.place: (new_faces(event.faces, event.kept), event.proof)} if event.proof else before
    return _left(roll, dice=keeping(roll.undone.dice, event, entry), proofs=proofs)


def fold_events(state: State, events: Iterable[e.Event]) -> State:
    """The state after events, in order; rolls are copied once, since most entries have several events about them."""
    rolls: dict[str, Roll] | None = None
    about: dict[str, bool] = {}
    for event in events:
        kind = type(event)
        if kind in ABOUT_TABLE:
            state = ABOUT_TABLE[kind](state, event)
        elif not state.game:
            continue
        elif kind in _ROLL and isinstance(event, RollEvent):
            rolls = dict(state.world.rolls) if rolls is None else rolls
            _ROLL[kind](rolls, event)
            about[event.roll] = about.get(event.roll, False) or kind is e.Asked
        else:
            world = ABOUT_WORLD[kind](state.world, event, ruleset_of(state.game), state)
            state = state if world is state.world else replace(state, world=world)
            if kind is e.Changed and event.of:  # type: ignore[union-attr]
                rolls = dict(state.world.rolls) if rolls is None else rolls
                _came_of_roll(rolls, event)
    return state if rolls is None else replace(state, world=_with_rolls(state, rolls, about))


def _with_rolls(state: State, rolls: dict[str, Roll], about: dict[str, bool]) -> World:
    """The world after changes of some rolls; those whose ask was fixed are remembered."""
    before, world = state.world.rolls, replace(state.world, rolls=rolls)
    fixed = [rolls[id] for id, is_fixed in about.items() if is_fixed and id in rolls]
    world = replace(world, last=_remembered(state, fixed)) if fixed else world
    answers = [id for id in about if (roll := rolls.get(id) or before.get(id)) and roll.request]
    return answered(world, before, answers) if answers else world


def _remembered(state: State, rolls: list[Roll]) -> dict[str, dict[str, Pool]]:
    """The last pools by roller, kind of roll and audience; the latest at the end."""
    last = dict(state.world.last)
    for roll in rolls:
        who, key = roll.who or roll.by, f"{roll.kind}/{roll.audience}"
        others = {other: pool for other, pool in last.get(who, {}).items() if other != key}
        last[who] = {**others, key: pool_of(state, roll)}
    return last


def pool_of(state: State, roll: Roll) -> Pool:
    """The contents of a roll as a pool, as far as everybody knows who sees the roll.

    What a GM set in a player's roll, such as how hard it was, was said of that roll alone.
    """
    hidden, secret = (roll.hidden, roll.secret) if roll.audience != GM else ((), ())
    owner = state.members.get(owner_of(state, roll))
    granted = roll.by_gm if roll.audience != GM and owner and owner.role != GM else ()
    left_out = (*hidden, *granted)
    inputs = {name: value for name, value in roll.inputs.items() if name not in left_out} if left_out else roll.inputs
    use = {id: n for id, n in roll.use.items() if id not in secret} if secret else roll.use
    return Pool(roll.kind, inputs, use, roll.name, roll.audience)


def fold_about(state: State, entry: Entry) -> State:
    """The state with the entry counted, for each audience that may see something of it, its ticket and its leaves."""
    counts = dict(seen_by(state, entry))
    tickets = _with_ticket(state.tickets, entry) if entry.do in THROWING else state.tickets
    chains = linked(state.chains, entry)
    if EVERYBODY in counts:
        return replace(state, version=entry.version, public=counts[EVERYBODY], tickets=tickets, chains=chains)
    private = {**state.private, **counts} if counts else state.private
    return replace(state, version=entry.version, private=private, tickets=tickets, chains=chains)


def _with_ticket(tickets: dict[str, int], entry: Entry) -> dict[str, int]:
    lane = lane_of(entry.events)
    if lane is None:
        return tickets
    holder = f"{entry.by}/{lane}"
    return {**tickets, holder: tickets.get(holder, 0) + 1}


def lane_of(events: Iterable[e.Event]) -> str | None:
    """The lane in which an entry used a ticket of the acting seat: who saw that; None if it used none."""
    lane: str | None = None
    for event in events:
        if isinstance(event, (e.Thrown, e.MoveThrown)) and event.proof and event.source == "machine":
            lane = event.audience
        elif isinstance(event, e.Covered) and event.ticket:
            return f"{event.audience}~"
    return lane


def seen_by(state: State, entry: Entry) -> tuple[tuple[str, int], ...]:
    """For each audience that can see the next entry, the entry's position in its log; GMs see all entries."""
    for event in entry.events:
        if not event.audience:
            return ((EVERYBODY, state.public + 1),)
    audiences = {event.audience for event in entry.events} - {GM}
    return tuple((audience, state.private.get(audience, 0) + 1) for audience in sorted(audiences))


# Events about rolls change a copy of the dict of rolls that nothing else refers to yet.


def _opened(rolls: dict[str, Roll], event: e.Opened) -> None:
    rolls[event.roll] = opened_roll(event)
    alike = [other for other in rolls.values() if other.audience == event.audience]
    if len(alike) > FINISHED_ROLLS:
        _make_room(rolls, alike)


def _make_room(rolls: dict[str, Roll], alike: Iterable[Roll]) -> None:
    """Drop the oldest finished rolls of an audience; dropping those of another would tell of this one."""
    # Whether a hidden roll is over is hidden too, so all that are thrown count as over.
    begun = [other for other in alike if other.ask is not None or other.over]
    over = [other for other in begun if other.over or other.hidden or other.seen == "blind"]
    dice = sum([len(thrown.dice) for other in over for thrown in other.throws])
    if dice > FINISHED_DICE:  # hidden ones do not count
        dice = sum(map(_open_dice, over))
    while len(over) > FINISHED_ROLLS or (dice > FINISHED_DICE and len(over) > 1):
        oldest = over.pop(0)
        dice -= _open_dice(oldest)
        del rolls[oldest.id]


def _open_dice(roll: Roll) -> int:
    """The number of a roll's dice, unless that is hidden from some who know of the roll."""
    return 0 if roll.hidden or roll.seen == "blind" else sum([len(thrown.dice) for thrown in roll.throws])


def opened_roll(event: e.Opened) -> Roll:
    """The roll as it was opened; None and 0 are nothing."""
    helpers = tuple(event.helpers)
    inputs = {name: value for name, value in event.inputs.items() if value is not None}
    use = {offer: n for offer, n in event.use.items() if n}
    owned = [name for name in inputs if name not in event.sources]
    return Roll(
        event.roll,
        event.kind,
        event.by,
        event.who,
        event.against,
        helpers,
        event.seen,
        inputs,
        use,
        audience=event.audience,
        title=event.title,
        by_gm=(*owned, *use, *(["against"] if event.against else [])) if event.by_gm else (),
        shares={name: {event.by: inputs[name]} for name in event.sources if name in inputs},
        claims={name: {event.by: words} for name, words in event.claims.items()},
        does=event.does,
        name=event.name,
        against_name=event.against_name,
        request=event.request,
        about=event.about,
    )


def _came_of_roll(rolls: dict[str, Roll], event: Any) -> None:
    """Note a change of a sheet at the roll that it came of."""
    roll = rolls.get(event.of)
    if roll is not None:
        what = (event.section, event.item, event.field, event.by, event.to, event.stands)
        made = RollChange(event.audience, event.holder, *what)
        rolls[roll.id] = replace(roll, changes=(*roll.changes, made))


def _on_roll(change: Callable[[Roll, Any], Roll]) -> Callable[[dict[str, Roll], Any], None]:
    def apply(rolls: dict[str, Roll], event: Any) -> None:
        roll = rolls.get(event.roll)
        if roll is not None:
            rolls[event.roll] = change(roll, event)

    return apply


def fold_roll(roll: Roll, event: e.Asked | e.Thrown | e.Answered) -> Roll:
    """One roll after an event about it alone."""
    rolls = {event.roll: roll}
    _ROLL[type(event)](rolls, event)
    return rolls[event.roll]


def _built(roll: Roll, event: e.Built) -> Roll:
    shares = _shares(roll, event) if event.sources else roll.shares
    together = {name: together_of(shares[name]) if name in shares else None for name in event.sources}
    inputs = {**roll.inputs, **event.inputs, **together}
    use = {**roll.use, **event.use}
    return replace(
        roll,
        by_gm=_by_gm(roll, event) if event.by_gm or roll.by_gm else (),
        shares=shares,
        claims=_claims(roll, event) if event.claims or roll.claims else roll.claims,
        inputs={name: value for name, value in inputs.items() if value is not None},
        use={offer: n for offer, n in use.items() if n},
        hidden=roll.hidden if event.hidden is None else tuple(event.hidden),
        helpers=roll.helpers if event.helpers is None else tuple(event.helpers),
        against=roll.against if event.against is None else event.against,
        against_name=roll.against_name if event.against_name is None else event.against_name,
        secret=(*roll.secret, *event.use) if event.audience == GM else roll.secret,
    )


def _shares(roll: Roll, event: e.Built) -> dict[str, dict[str, Any]]:
    """The shares of each member in inputs that add up, after one of them put in or took out something."""
    shares = dict(roll.shares)
    for name in event.sources:
        own = {event.by: event.inputs[name]} if event.inputs.get(name) is not None else {}
        others = {by: value for by, value in shares.pop(name, {}).items() if by != event.by}
        if others or own:
            shares[name] = {**others, **own}
    return shares


def together_of(shares: dict[str, Any]) -> Any:
    """The shares of several members in one input, as one of them would write it."""
    if len(shares) == 1:
        return next(iter(shares.values()))
    return [text for written in shares.values() for text in texts_of(written)]


def _claims(roll: Roll, event: e.Built) -> dict[str, dict[str, str]]:
    """The claims of each member after a change of the inputs; a single value has one owner."""
    claims = dict(roll.claims)
    for name in event.inputs:
        before = claims.pop(name, {})
        others = {by: words for by, words in before.items() if by != event.by and name in event.sources}
        own = {event.by: event.claims[name]} if name in event.claims else {}
        if others or own:
            claims[name] = {**others, **own}
    return claims


def _by_gm(roll: Roll, event: e.Built) -> tuple[str, ...]:
    """The things that a GM has put in, after a change of the inputs; sources have no owner."""
    put = {name: value is not None for name, value in event.inputs.items() if name not in event.sources}
    put |= {id: bool(n) for id, n in event.use.items()}
    put |= {} if event.against is None else {"against": bool(event.against)}
    others = tuple(name for name in roll.by_gm if name not in put)
    return (*others, *(name for name, there in put.items() if there)) if event.by_gm else others


def _lost(roll: Roll, event: e.Lost) -> Roll:
    gone = (*event.use, *(["against"] if event.opponent else ()))
    return replace(
        roll,
        use={id: n for id, n in roll.use.items() if id not in event.use},
        by_gm=tuple(name for name in roll.by_gm if name not in gone),
        secret=tuple(id for id in roll.secret if id not in event.use),
        helpers=tuple(id for id in roll.helpers if id not in event.helpers),
        their_helpers=tuple(id for id in roll.their_helpers if id not in event.helpers),
        against="" if event.opponent else roll.against,
    )


def _awaited(roll: Roll, event: e.Awaited) -> Roll:
    return replace(roll, ready=(), gathers_since=event.at)


def _readied(roll: Roll, event: e.Readied) -> Roll:
    others = tuple(side for side in roll.ready if side != event.side)
    return replace(roll, ready=(*others, event.side) if event.ready else others)


def _assisted(roll: Roll, event: e.Assisted) -> Roll:
    helpers = roll.their_helpers if event.side == "theirs" else roll.helpers
    others = tuple(helper for helper in helpers if helper != event.helper)
    now = others if event.leaves else (*others, event.helper)
    return replace(roll, their_helpers=now) if event.side == "theirs" else replace(roll, helpers=now)


def _asked(rolls: dict[str, Roll], event: e.Asked) -> None:
    roll = rolls.get(event.roll)
    if roll is None:
        return
    does = event.deed or roll.does
    rolls[roll.id] = replace(roll, ask=event.ask, defaults=event.defaults, covered=event.covered, does=does)
    for other in list(rolls.values()):
        same = (roll.who or roll.by) == (other.who or other.by) and roll.id != other.id
        if other.after == "open" and same and roll.audience in ("", other.audience):
            rolls[other.id] = replace(other, after=roll.id)


def _thrown(roll: Roll, event: e.Thrown) -> Roll:
    return replace(
        roll,
        ask={**(roll.ask or {}), **event.held} if event.held else roll.ask,
        steps=(*roll.steps, throw_data(event.faces)),
        throws=(*roll.throws, event),
        undone=replace(roll.undone, dice={}, proofs={}) if event.fresh else roll.undone,
        part=_stepped(roll, event, throw_data(event.faces)),
    )


def _stepped(roll: Roll, event: e.Thrown | e.Answered, step: dict[str, Any]) -> OpenPart:
    """The open part of a roll with hidden inputs after one more step."""
    part = roll.part
    if not roll.hidden:
        return part
    if event.audience == GM:
        return replace(part, secret_steps=part.secret_steps + 1)
    return replace(part, steps=(*part.steps, step), throws=part.throws + isinstance(event, e.Thrown))


def _corrected(roll: Roll, event: e.Corrected) -> Roll:
    kept = {line: dict(dice) for line, dice in roll.undone.dice.items()}
    for line, root, _, _, now in event.dice:
        if root in kept.get(line, {}):
            kept[line][root] = replace(kept[line][root], face=now)
    return _left(roll, dice=kept)


def _answered(roll: Roll, event: e.Answered) -> Roll:
    ask = {**(roll.ask or {}), **event.held} if event.held else roll.ask
    step = answer_data(event.choice, event.answer)
    return replace(roll, ask=ask, steps=(*roll.steps, step), part=_stepped(roll, event, step))


def _partly_told(roll: Roll, event: e.PartlyTold) -> Roll:
    return replace(roll, part=replace(roll.part, told=event))


def _picked(roll: Roll, event: e.Picked) -> Roll:
    names = {**roll.picked, **event.names}
    return replace(roll, picked={name: item for name, item in names.items() if item is not None})


def _delayed(roll: Roll, event: e.Delayed) -> Roll:
    before = roll.waiting or Waiting()
    changes = [RollChange("", *change) for change in event.changes]
    waiting = Waiting((*before.effects, *event.effects), (*before.changes, *changes), (*before.done, *event.done))
    return replace(roll, waiting=waiting)


def _told_and_done(rolls: dict[str, Roll], event: e.Told) -> None:
    """Tell a roll; a large one that is over makes room for itself."""
    roll = rolls.get(event.roll)
    if roll is not None:
        rolls[roll.id] = told = _told(roll, event)
        if told.over and _open_dice(told) > MANY_DICE:
            _make_room(rolls, [other for other in rolls.values() if other.audience == told.audience])


def _told(roll: Roll, event: e.Told) -> Roll:
    is_open = roll.seen == "all" and not roll.hidden
    return replace(
        roll,
        throws=with_dice(roll.throws, event.dice) if event.dice else roll.throws,
        told=replace(event, notes=[] if event.over and is_open else event.notes, dice=[], effects=[]),
        over=event.over,
        after="open" if event.after else "",
        about=event.about,
    )


def _described(roll: Roll, event: e.Described) -> Roll:
    words = (*roll.words, (event.by, event.text)) if event.text else roll.words
    return replace(roll, words=words, told=replace(roll.told, prompts=event.left))


def with_dice(throws: tuple[e.Thrown, ...], dice: list[list[e.DieTold]]) -> tuple[e.Thrown, ...]:
    """The throws; the latest with what their dice did."""
    first = max(0, len(throws) - len(dice))
    told = (replace(thrown, dice=did) for thrown, did in zip(throws[first:], dice, strict=False))
    return (*throws[:first], *told)


def _revealed(roll: Roll, event: e.Revealed) -> Roll:
    told = replace(roll.told, notes=[]) if roll.over else roll.told
    # What GMs put in unseen is not told with the roll, and not remembered for others.
    secret = (*roll.secret, *roll.use)
    return replace(
        roll, seen="all", hidden=(), audience="", told=told, secret=secret,
        part=replace(roll.part, told=None), waiting=None,
    )  # fmt: skip


def _withdrawn(rolls: dict[str, Roll], event: e.Withdrawn) -> None:
    rolls.pop(event.roll, None)


_ROLL: dict[type, Callable[[dict[str, Roll], Any], None]] = {
    e.Opened: _opened,
    e.Built: _on_roll(_built),
    e.Lost: _on_roll(_lost),
    e.Awaited: _on_roll(_awaited),
    e.Readied: _on_roll(_readied),
    e.Assisted: _on_roll(_assisted),
    e.Asked: _asked,
    e.Thrown: _on_roll(_thrown),
    e.Corrected: _on_roll(_corrected),
    e.Answered: _on_roll(_answered),
    e.Told: _told_and_done,
    e.PartlyTold: _on_roll(_partly_told),
    e.Delayed: _on_roll(_delayed),
    e.Picked: _on_roll(_picked),
    e.Described: _on_roll(_described),
    e.Revealed: _on_roll(_revealed),
    e.Withdrawn: _withdrawn,
}
