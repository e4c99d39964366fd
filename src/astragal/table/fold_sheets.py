"""Events about members, settings, sheets and scenes, each applied to the state or the world."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec.structs import replace

from astragal.rule.sheets.sheet import Section
from astragal.rule.sheets.table_rules import SCENE, TABLE
from astragal.table import event as e
from astragal.table.access import CLOSED, holder_audience
from astragal.table.requests import concealed, excused, requested
from astragal.table.ruleset import Ruleset, ruleset_of
from astragal.table.state import DelayedMove, HolderState, Member, Plea, Pool, State, Turns, World
from astragal.table.turns import turned

Items: TypeAlias = dict[str, dict[str, Any]]
"""The items of a section, by name, each with its fields."""

# Events about the table itself are never undone.


def _founded(state: State, event: e.Founded) -> State:
    ruleset = ruleset_of(event.game)
    holders = {kind: HolderState(kind, kind, "", _start(ruleset, kind)) for kind in (TABLE, SCENE)}
    return replace(state, game=event.game, title=event.title, options=event.options, world=World(holders=holders))


def _start(ruleset: Ruleset, kind: str) -> dict[str, Items]:
    return {part.name: {name: part.start(name) for name in part.names} for part in ruleset.table_rules.sections(kind)}


def _joined(state: State, event: e.Joined) -> State:
    member = Member(event.member, event.name, event.role)
    state = replace(state, members={**state.members, member.id: member})
    sheet = _start(ruleset_of(state.game), "player")
    player = HolderState(member.id, "player", event.name, sheet, member.id)
    return replace(state, world=_with(state.world, player))


def _seated(state: State, event: e.Seated) -> State:
    member = Member(event.member, event.name, event.role)
    pleas = {id: plea for id, plea in state.pleas.items() if plea.by != member.id or member.role == "player"}
    return replace(state, members={**state.members, member.id: member}, pleas=pleas)


def _announced(state: State, event: e.Announced) -> State:
    if event.book == state.book:
        lanes = {seat: (*state.lanes.get(seat, ()), *held) for seat, held in event.tickets.items()}
        return replace(state, lanes={**state.lanes, **lanes})
    lanes = {seat: tuple(held) for seat, held in event.tickets.items()}
    unconfirmed = tuple(state.members) if event.why else ()
    return replace(state, book=event.book, lanes=lanes, tickets={}, unconfirmed=unconfirmed)


def _confirmed(state: State, event: e.Confirmed) -> State:
    return replace(state, unconfirmed=tuple(id for id in state.unconfirmed if id != event.member))


def _struck(state: State, event: e.Struck) -> State:
    pleas = {id: plea for id, plea in state.pleas.items() if plea.entry not in event.entries}
    return replace(state, struck={**state.struck, **dict.fromkeys(event.entries, state.version + 1)}, pleas=pleas)


def _restored(state: State, event: e.Restored) -> State:
    back = set(event.entries)
    return replace(state, struck={id: at for id, at in state.struck.items() if id not in back})


def _undo_asked(state: State, event: e.UndoAsked) -> State:
    """A member asks for one thing at a time: the latest."""
    if asked := state.pleas.get(event.plea):
        return replace(state, pleas={**state.pleas, asked.id: replace(asked, in_full=event.told)})
    others = {id: plea for id, plea in state.pleas.items() if plea.by != event.by}
    plea = Plea(event.plea, event.by, event.entry, event.told, event.audience)
    return replace(state, pleas={**others, plea.id: plea})


def _undo_answered(state: State, event: e.UndoAnswered) -> State:
    return replace(state, pleas={id: plea for id, plea in state.pleas.items() if id != event.plea})


# Events about the world are undone by folding again without them.


def _with(world: World, holder: HolderState) -> World:
    return replace(world, holders={**world.holders, holder.id: holder})


def _created(world: World, event: e.Created, ruleset: Ruleset, state: State) -> World:
    shows, sheet = tuple(event.shows), _whole(event.kind, event.sheet, ruleset)
    holder = HolderState(
        event.holder,
        event.kind,
        event.name,
        sheet,
        event.owner,
        event.seen,
        bool(shows) or _has_hidden(sheet),
        event.free,
        shows,
    )
    return _with(world, holder)


def _whole(kind: str, sheet: dict[str, Items], ruleset: Ruleset) -> dict[str, Items]:
    """A sheet whose items have all fields; the sheet of an older version of the game may lack some."""
    sections = ruleset.sections
    return {
        name: {item: {**sections[kind, name].start(item), **fields} for item, fields in items.items()}
        if (kind, name) in sections
        else items
        for name, items in sheet.items()
    }


def _has_hidden(sheet: dict[str, Items]) -> bool:
    return any("seen" in item for items in sheet.values() for item in items.values())


def _equipped(world: World, event: e.Equipped, ruleset: Ruleset, state: State) -> World:
    holder = world.holders.get(event.holder)
    if holder is None:
        return world
    # In the order of the game, as any other sheet.
    whole = {**holder.sheet, **_whole(holder.kind, event.sheet, ruleset)}
    order = [section.name for section in ruleset.table_rules.sections(holder.kind) if section.name in whole]
    sheet = {name: whole[name] for name in order}
    return _with(world, replace(holder, sheet=sheet, veiled=True))


def _held(world: World, event: e.Held, ruleset: Ruleset, state: State) -> World:
    holder = world.holders.get(event.holder)
    if holder is None:
        return world
    shows = tuple(event.shows)
    veiled = holder.veiled or event.seen == CLOSED
    return _with(
        world,
        replace(
            holder,
            name=event.name,
            owner=event.owner,
            seen=event.seen,
            free=event.free,
            shows=shows,
            veiled=veiled,
        ),
    )


def _retired(world: World, event: e.Retired, ruleset: Ruleset, state: State) -> World:
    holder = world.holders.get(event.holder)
    if holder is None:
        return world
    holders = {id: other for id, other in world.holders.items() if id != event.holder}
    return replace(world, holders=holders, retired={**world.retired, holder.id: (holder.name, holder_audience(holder))})


def _changed(world: World, event: e.Changed, ruleset: Ruleset, state: State) -> World:
    holder = world.holders.get(event.holder)
    section = ruleset.sections.get((holder.kind, event.section)) if holder else None
    if holder is None or section is None:
        return world
    items = holder.sheet.get(event.section, {})
    after = changed_items(section, items, event, state.options)
    if after is items:
        return world
    veiled = event.field == "seen" or (isinstance(event.to, dict) and "seen" in event.to) or holder.veiled
    return _with(world, replace(holder, sheet={**holder.sheet, event.section: after}, veiled=veiled))


def changed_items(section: Section, items: Items, event: e.Changed, options: dict[str, Any]) -> Items:
    """The items of a section after a change; a change of an item that is not there changes nothing."""
    if not event.item and section.look == "cards":
        return {name: section.start(name) for name in section.names}
    if not event.field:
        if event.to is None:
            return {name: item for name, item in items.items() if name != event.item}
        return {**items, event.item: _within(section, {**section.start(event.item), **event.to}, options)}
    item = items.get(event.item)
    if item is None or (event.by is not None and event.field not in item):
        return items
    value = event.to if event.by is None else section.moved(item, event.field, event.by, options)
    after = _within(section, {**item, event.field: value}, options)
    return items if after == item else {**items, event.item: after}


def _within(section: Section, item: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """The item with its count lowered to its maximum, where that was lowered."""
    count = item.get(section.counts)
    if not section.top:
        return item
    if isinstance(count, list):
        return {**item, section.counts: [box for box in count if box <= item[section.top]]}
    high = section.bounds(item, section.counts, options)[1]
    return {**item, section.counts: high} if isinstance(count, int) and count > high else item


def _unchanged(world: World, event: e.BaseEvent, ruleset: Ruleset, state: State) -> World:
    return world


def _scene_opened(world: World, event: e.SceneOpened, ruleset: Ruleset, state: State) -> World:
    before = world.holders[SCENE]
    kept = {name: before.sheet[name] for name in event.keeps if name in before.sheet}
    sheet = {**_start(ruleset, "scene"), **kept}
    scene = HolderState(SCENE, "scene", event.title, sheet, veiled=before.veiled and bool(kept))
    return replace(_with(world, scene), in_scene=True, turns=Turns())


def _scene_closed(world: World, event: e.SceneClosed, ruleset: Ruleset, state: State) -> World:
    return replace(world, in_scene=False)


def _saved(world: World, event: e.Saved) -> World:
    pools = {name: pool for name, pool in world.pools.get(event.holder, {}).items() if name != event.name}
    if event.kind:
        pools[event.name] = Pool(event.kind, event.inputs, event.use)
    return replace(world, pools={**world.pools, event.holder: pools})


def _set(world: World, event: e.SettingChanged) -> World:
    limit = world.ready_limit if event.ready_limit is None else event.ready_limit
    typed_dice, undo = event.typed_dice or world.typed_dice, event.undo or world.undo
    return replace(world, typed_dice=typed_dice, undo=undo, ready_limit=limit)


def _move_thrown(world: World, event: e.MoveThrown) -> World:
    """A move that is made takes up the dice that were kept for it."""
    name = move_name(event)
    if name not in world.kept_moves:
        return world
    return replace(world, kept_moves={other: kept for other, kept in world.kept_moves.items() if other != name})


def _move_delayed(world: World, event: e.MoveDelayed) -> World:
    delayed = DelayedMove(event.title, event.told, event.changes)
    return replace(world, delayed_moves={**world.delayed_moves, event.move: delayed})


def _move_revealed(world: World, event: e.MoveRevealed) -> World:
    left = {id: delayed for id, delayed in world.delayed_moves.items() if id != event.move}
    return replace(world, delayed_moves=left)


def _noted(world: World, event: e.Noted) -> World:
    if event.card not in world.rolls:
        return world
    roll = world.rolls[event.card]
    told = replace(roll.told, gains=[*roll.told.gains, event.text])
    return replace(world, rolls={**world.rolls, roll.id: replace(roll, told=told)})


def move_name(event: e.MoveThrown) -> str:
    """The key of a move's kept dice: the move, and whose it is."""
    return f"{event.move}/{event.by}"


def _alone(change: Callable[[World, Any], World]) -> Callable[[World, Any, Ruleset, State], World]:
    """A change of the world that needs neither rules nor members."""
    return lambda world, event, ruleset, state: change(world, event)


ABOUT_TABLE: dict[type, Callable[[State, Any], State]] = {
    e.Founded: _founded,
    e.Joined: _joined,
    e.Seated: _seated,
    e.Announced: _announced,
    e.Confirmed: _confirmed,
    e.Struck: _struck,
    e.Restored: _restored,
    e.UndoAsked: _undo_asked,
    e.UndoAnswered: _undo_answered,
}


ABOUT_WORLD: dict[type, Callable[[World, Any, Ruleset, State], World]] = {
    e.Created: _created,
    e.Equipped: _equipped,
    e.Held: _held,
    e.Retired: _retired,
    e.Changed: _changed,
    e.Veiled: _unchanged,
    e.Filled: _unchanged,
    e.SceneOpened: _scene_opened,
    e.SceneClosed: _scene_closed,
    e.SettingChanged: _alone(_set),
    e.Turned: _alone(turned),
    e.Saved: _alone(_saved),
    e.Requested: _alone(requested),
    e.Concealed: _alone(concealed),
    e.Excused: _alone(excused),
    e.Covered: _unchanged,
    e.Noted: _alone(_noted),
    e.MoveThrown: _alone(_move_thrown),
    e.MoveDelayed: _alone(_move_delayed),
    e.MoveRevealed: _alone(_move_revealed),
}
