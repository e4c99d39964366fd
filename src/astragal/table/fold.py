"""Fold: events into a state. Pure and total: no event fails or breaks a bound, whatever was undone before."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import Any

from msgspec.structs import replace

from astragal.rule.tree.play import answer_data, throw_data
from astragal.table import event as e
from astragal.table.access import EVERYBODY, GM
from astragal.table.chain import linked
from astragal.table.entry import Entry
from astragal.table.fold_sheets import ABOUT_TABLE, ABOUT_WORLD
from astragal.table.requests import answered
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Pool, Roll, RollChange, State, World

FINISHED_ROLLS, FINISHED_DICE = 40, 5_000
"""Finished rolls kept in the state, and dice of them, per audience; the log has them all."""
THROWING = frozenset({"roll", "throw", "answer", "move"})
"""Actions that may throw dice."""
MANY_DICE = 100
"""Dice of a roll that makes room for itself when it is over; others do when they are opened."""
NEVER_STRUCK = (e.Founded, e.Joined, e.Seated, e.Struck, e.Restored, e.UndoneDiceKept)


def fold(state: State, entries: Iterable[Entry]) -> State:
    """The state after these entries, none of which undoes anything; see ``Table`` for those that do."""
    for entry in entries:
        state = fold_entry(state, entry)
    return state


def fold_entry(state: State, entry: Entry) -> State:
    """The state after one entry."""
    return fold_about(fold_world(state, entry), entry)


def fold_world(state: State, entry: Entry, struck: Container[str] = ()) -> State:
    """The state after an entry's events; a struck entry leaves the world alone."""
    return fold_events(state, entry.events, entry.id in struck)


def fold_events(state: State, events: Iterable[e.Event], undone: bool = False) -> State:
    """The state after events, in order; rolls are copied once, since most entries have several events about them."""
    rolls: dict[str, Roll] | None = None
    about: dict[str, bool] = {}
    for event in events:
        kind = type(event)
        if kind in ABOUT_TABLE:
            state = ABOUT_TABLE[kind](state, event)
        elif undone or not state.game:
            continue
        elif kind in _ROLL:
            rolls = dict(state.world.rolls) if rolls is None else rolls
            _ROLL[kind](rolls, event)
            about[event.roll] = about.get(event.roll, False) or kind is e.Asked  # type: ignore[union-attr]
        else:
            world = ABOUT_WORLD[kind](state.world, event, ruleset_of(state.game), state)
            state = state if world is state.world else replace(state, world=world)
            if kind is e.Changed and event.of:  # type: ignore[union-attr]
                rolls = dict(state.world.rolls) if rolls is None else rolls
                _came_of_roll(rolls, event)
    return state if rolls is None else replace(state, world=_with_rolls(state.world, rolls, about))


def _with_rolls(world: World, rolls: dict[str, Roll], about: dict[str, bool]) -> World:
    """The world after something happened to some rolls, of which those whose ask was fixed are remembered."""
    before, world = world.rolls, replace(world, rolls=rolls)
    fixed = [rolls[id] for id, is_fixed in about.items() if is_fixed and id in rolls]
    world = replace(world, last=_remembered(world.last, fixed)) if fixed else world
    answers = [id for id in about if (roll := rolls.get(id) or before.get(id)) and roll.request]
    return answered(world, before, answers) if answers else world


def _remembered(last: dict[str, dict[str, Pool]], rolls: list[Roll]) -> dict[str, dict[str, Pool]]:
    """What was last put into rolls, by whoever rolled, the kind of roll and who saw it; the latest at the end."""
    last = dict(last)
    for roll in rolls:
        who, key = roll.who or roll.by, f"{roll.kind}/{roll.audience}"
        others = {other: pool for other, pool in last.get(who, {}).items() if other != key}
        last[who] = {**others, key: pool_of(roll)}
    return last


def pool_of(roll: Roll) -> Pool:
    """What is in a roll, to be put in again, as far as everybody knows who sees the roll."""
    hidden, secret = (roll.hidden, roll.secret) if roll.audience != GM else ((), ())
    inputs = {name: value for name, value in roll.inputs.items() if name not in hidden} if hidden else roll.inputs
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
    lane = lane_of(entry)
    if lane is None:
        return tickets
    holder = f"{entry.by}/{lane}"
    return {**tickets, holder: tickets.get(holder, 0) + 1}


def lane_of(entry: Entry) -> str | None:
    """The lane in which an entry used a ticket of whoever acted: who saw that; None if it used none."""
    lane: str | None = None
    for event in entry.events:
        if isinstance(event, (e.Thrown, e.MoveThrown)) and event.proof and event.source == "machine":
            lane = event.audience
        elif isinstance(event, e.Covered) and event.ticket:
            return f"{event.audience}~"
    return lane


def seen_by(state: State, entry: Entry) -> tuple[tuple[str, int], ...]:
    """The audiences that may see something of the next entry, each as its how manyth; GMs see every entry."""
    for event in entry.events:
        if not event.audience:
            return ((EVERYBODY, state.public + 1),)
    audiences = {event.audience for event in entry.events} - {GM}
    return tuple((audience, state.private.get(audience, 0) + 1) for audience in sorted(audiences))


# Events about rolls change a copy of the dict of rolls that nothing else refers to yet.


def _opened(rolls: dict[str, Roll], event: e.Opened) -> None:
    rolls[event.roll] = opened_roll(event)
    if len([1 for other in rolls.values() if other.audience == event.audience]) > FINISHED_ROLLS:
        _make_room(rolls, event.audience)


def _make_room(rolls: dict[str, Roll], audience: str) -> None:
    """Drop the oldest finished rolls of an audience; dropping those of another would tell of this one."""
    alike = [other for other in rolls.values() if other.over and other.audience == audience]
    n = dice = 0
    for other in reversed(alike):
        n, dice = n + 1, dice + _open_dice(other)
        if n > FINISHED_ROLLS or (dice > FINISHED_DICE and n > 1):
            del rolls[other.id]


def _open_dice(roll: Roll) -> int:
    """The number of a roll's dice, unless that is hidden from some who know of the roll."""
    return 0 if roll.hidden or roll.seen == "blind" else sum([len(dice) for _, dice in roll.throws])


def opened_roll(event: e.Opened) -> Roll:
    """The roll as it was opened; None and 0 are nothing."""
    helpers = tuple(event.helpers)
    inputs = {name: value for name, value in event.inputs.items() if value is not None}
    use = {offer: n for offer, n in event.use.items() if n}
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
        by_gm=(*inputs, *use, *(["against"] if event.against else [])) if event.by_gm else (),
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
        made = RollChange(event.audience, event.holder, event.section, event.item, event.field, event.by, event.to)
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
    inputs = {**roll.inputs, **event.inputs}
    use = {**roll.use, **event.use}
    return replace(
        roll,
        by_gm=_by_gm(roll, event) if event.by_gm or roll.by_gm else (),
        inputs={name: value for name, value in inputs.items() if value is not None},
        use={offer: n for offer, n in use.items() if n},
        hidden=roll.hidden if event.hidden is None else tuple(event.hidden),
        helpers=roll.helpers if event.helpers is None else tuple(event.helpers),
        against=roll.against if event.against is None else event.against,
        against_name=roll.against_name if event.against_name is None else event.against_name,
        secret=(*roll.secret, *event.use) if event.audience == GM else roll.secret,
    )


def _by_gm(roll: Roll, event: e.Built) -> tuple[str, ...]:
    """What a GM has put in, after somebody put in or took out something."""
    put = {name: value is not None for name, value in event.inputs.items()}
    put |= {id: bool(n) for id, n in event.use.items()}
    put |= {} if event.against is None else {"against": bool(event.against)}
    others = tuple(name for name in roll.by_gm if name not in put)
    return (*others, *(name for name, there in put.items() if there)) if event.by_gm else others


def _assisted(roll: Roll, event: e.Assisted) -> Roll:
    helpers = roll.their_helpers if event.side == "theirs" else roll.helpers
    others = tuple(helper for helper in helpers if helper != event.helper)
    now = others if event.leaves else (*others, event.helper)
    return replace(roll, their_helpers=now) if event.side == "theirs" else replace(roll, helpers=now)


def _asked(rolls: dict[str, Roll], event: e.Asked) -> None:
    roll = rolls.get(event.roll)
    if roll is None:
        return
    rolls[roll.id] = _fixed(roll, event)
    for other in [other for other in rolls.values() if other.after == "open" and _follows(roll, other)]:
        rolls[other.id] = replace(other, after=roll.id)


def _follows(roll: Roll, other: Roll) -> bool:
    """Whether a roll is the next one of the same roller, for those who see the other one."""
    same = (roll.who or roll.by) == (other.who or other.by) and roll.id != other.id
    return same and roll.audience in ("", other.audience)


def _fixed(roll: Roll, event: e.Asked) -> Roll:
    return replace(roll, ask=event.ask, defaults=event.defaults, covered=event.covered)


def _thrown(roll: Roll, event: e.Thrown) -> Roll:
    throws = (*roll.throws, (event.title, event.dice))
    return replace(
        roll,
        ask={**(roll.ask or {}), **event.held} if event.held else roll.ask,
        steps=(*roll.steps, throw_data(event.faces)),
        throws=throws,
        sources=(*roll.sources, (event.source, event.typed_by)),
        laid=(*roll.laid, event.laid),
        labels={**roll.labels, **event.labels} if event.labels else roll.labels,
        thrown_by=(*roll.thrown_by, event.by),
        proofs=(*roll.proofs, event.proof),
    )


def _answered(roll: Roll, event: e.Answered) -> Roll:
    ask = {**(roll.ask or {}), **event.held} if event.held else roll.ask
    return replace(roll, ask=ask, steps=(*roll.steps, answer_data(event.choice, event.answer)))


def _told_and_done(rolls: dict[str, Roll], event: e.Told) -> None:
    """Tell a roll; a large one that is over makes room for itself."""
    roll = rolls.get(event.roll)
    if roll is not None:
        rolls[roll.id] = told = _told(roll, event)
        if told.over and _open_dice(told) > MANY_DICE:
            _make_room(rolls, told.audience)


def _told(roll: Roll, event: e.Told) -> Roll:
    return replace(
        roll,
        verdict=event.verdict,
        over=event.over,
        throws=_with_dice(roll.throws, event.dice) if event.dice else roll.throws,
        headline=event.headline,
        notes=[] if event.over and _is_open(roll) else event.notes,
        result=event.result,
        prompts=tuple(event.prompts),
        after="open" if event.after else "",
        tone=event.tone,
        tier=event.tier,
        sum=event.sum,
        gains=tuple(event.gains),
        about=event.about,
        series=tuple(event.series),
    )


def _described(roll: Roll, event: e.Described) -> Roll:
    words = (*roll.words, (event.by, event.text)) if event.text else roll.words
    return replace(roll, words=words, prompts=tuple(event.left))


def _with_dice(throws: tuple[tuple[str, list[e.DieTold]], ...], dice: list[list[e.DieTold]]) -> Any:
    """The latest throws, with what their dice did."""
    first = max(0, len(throws) - len(dice))
    return (*throws[:first], *((title, told) for (title, _), told in zip(throws[first:], dice, strict=False)))


def _is_open(roll: Roll) -> bool:
    """Whether nothing of the roll is hidden."""
    return roll.seen == "all" and not roll.hidden


def _revealed(roll: Roll, event: e.Revealed) -> Roll:
    notes = [] if roll.over else roll.notes
    # What GMs put in unseen is not told with the roll, and not remembered for others.
    secret = (*roll.secret, *roll.use)
    return replace(roll, seen="all", hidden=(), revealed=True, audience="", notes=notes, secret=secret)


def _withdrawn(rolls: dict[str, Roll], event: e.Withdrawn) -> None:
    rolls.pop(event.roll, None)


_ROLL: dict[type, Callable[[dict[str, Roll], Any], None]] = {
    e.Opened: _opened,
    e.Built: _on_roll(_built),
    e.Assisted: _on_roll(_assisted),
    e.Asked: _asked,
    e.Thrown: _on_roll(_thrown),
    e.Answered: _on_roll(_answered),
    e.Told: _told_and_done,
    e.Described: _on_roll(_described),
    e.Revealed: _on_roll(_revealed),
    e.Withdrawn: _withdrawn,
}
