"""Sheets: characters are created and retired, items edited, counts changed."""

from __future__ import annotations

from typing import Any

from astragal.errors import Forbidden, Illegal, Unknown
from astragal.explain.visible import check_visible, one_line
from astragal.rule.inputs.input import Numbers, Whole
from astragal.rule.sheets.sheet import MAX_ITEMS, Section, read_sheet
from astragal.rule.sheets.table_rules import Change
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import (
    CLOSED,
    GM,
    apart,
    audience_of,
    both,
    find_holder,
    find_member,
    holder_audience,
    item_audience,
    item_marks,
    mark_of,
    may_see,
    refuse_player,
    refuse_stranger,
    roll_audience,
    seen_characters,
    seen_rolls,
    usual_mark,
    viewers_of,
)
from astragal.table.decide.ledger import Context, Ledger
from astragal.table.state import HolderState
from astragal.table.twins import refuse_twin, refuse_twins

MAX_CHARACTERS = 200


def create(context: Context, action: a.CreateAction) -> list[e.Event]:
    """Create a character: a player's is their own, a GM's has the owner that the GM names, or none."""
    state, member = context.state, context.member
    owner = member.id if action.owner is None else action.owner and find_member(state, action.owner).id
    if owner != member.id:
        refuse_player(member, "make characters for others")
    if action.seen == "gm":
        refuse_player(member, "hide a character from its owner")
    # A player cannot count a GM's hidden characters by the refusal.
    known = [each for each in state.world.holders.values() if member.role == GM or each.seen != GM]
    if len([each for each in known if each.kind == "character"]) >= MAX_CHARACTERS:
        raise Illegal(f"A table has at most {MAX_CHARACTERS} characters.")
    table_rules = context.ruleset.table_rules
    sheet = read_sheet(table_rules.character, {**table_rules.begins(state.options), **_written(context, action)})
    for items in sheet.values():
        refuse_twins(items)
    plays = state.members.get(owner)
    seen = action.seen or (CLOSED if plays is None or plays.role == GM else "all")  # a GM's own sheet is closed
    shows = _shown(context) if seen == CLOSED else []
    created = e.Created(
        holder=f"c{context.id}",
        name=_new_name(context, action.name),
        owner=owner,
        sheet={name: items for name, items in sheet.items() if seen != CLOSED or name in shows},
        seen=seen,
        shows=shows,
        free=action.free,
        audience=audience_of(seen, owner),
    )
    rest = {name: items for name, items in sheet.items() if name not in created.sheet}
    if not rest:
        return [created]
    return [created, e.Equipped(holder=created.holder, sheet=rest, audience=audience_of("owner", owner))]


def _shown(context: Context) -> list[str]:
    """The sections of a closed sheet that everybody sees: how its character stands, which a target needs."""
    return [section.name for section in context.ruleset.table_rules.character if section.look in ("clock", "boxes")]


def _new_name(context: Context, name: str, but: str = "") -> str:
    """A name for a character; a twin of a name that the member can see is refused."""
    name = one_line(name, "A character's name")
    members = (member.name for member in context.state.members.values() if member.role != "gone")
    refuse_twin(name, [*members, *seen_characters(context.state, context.member, but)])
    return name


def _written(context: Context, action: a.CreateAction) -> Any:
    if not action.template:
        return action.sheet or {}
    ready = context.ruleset.templates
    if action.template not in ready:
        raise Unknown(f'There is no template "{action.template}"; there are {", ".join(ready) or "none"}.')
    return {**ready[action.template].get("sheet", {}), **(action.sheet or {})}


def _own_holder(context: Context, ref: str) -> HolderState:
    kept = find_holder(context.state, context.member, ref)
    refuse_stranger(context.member, kept)
    return kept


def edit(context: Context, action: a.EditAction) -> Ledger:
    """Add an item, change its fields, or remove it."""
    kept = _own_holder(context, action.holder)
    ledger = context.ledger()
    _, section = ledger.find(kept.id, action.section)
    if section.look == "cards":
        raise Illegal(f"{section.title} is a deck: change how many of a card are left, or shuffle it.", section.rule)
    was = _known_item(context, kept, section, action.item)
    if action.remove:
        _remove(ledger, kept, section, action, was=was)
    else:
        if action.to.get("seen") in ("gm", "veiled"):
            refuse_player(context.member, "hide things from their owner")
        after = section.read(action.to, action.item, was)
        _refuse_beyond(context, kept, section, item=action.item, count=after.get(section.counts, 0))
        if was is None:
            seen = _seen_items(context, kept, section)
            refuse_twin(action.item, seen, f"which is in {section.title} already")
            if len(seen) >= MAX_ITEMS:  # hidden ones are not counted: the refusal would tell how many there are
                raise Illegal(f"{section.title} has at most {MAX_ITEMS} items.")
        _put(ledger, kept, section, action, was=was, after=after)
    _follow(context, ledger, kept, section, was)
    return ledger


def _refuse_beyond(context: Context, kept: HolderState, section: Section, *, item: str, count: int) -> None:
    """Refuse by hand what goes beyond the limit that the table's options set, as the rules do."""
    if not section.limit or (high := context.state.options.get(section.limit)) is None:
        return
    if count > high:
        whose = kept.name or f"The {kept.kind}"
        raise Illegal(f"{whose} may have {high} {item} at most at this table.", section.rule)


def _seen_items(context: Context, kept: HolderState, section: Section) -> list[str]:
    """The names of a section's items that the acting member may know of."""
    items, marks = kept.sheet.get(section.name, {}), item_marks(kept, viewers_of(context.member))
    usual = usual_mark(kept, section.name)
    return [name for name, item in items.items() if (item["seen"] if "seen" in item else usual) in marks]  # noqa: SIM401


def _known_item(context: Context, kept: HolderState, section: Section, name: str) -> dict[str, Any] | None:
    """An item that the acting member may know of; a hidden one counts as absent."""
    item = kept.sheet.get(section.name, {}).get(name)
    if item is None or may_see(context.member, item_audience(kept, mark_of(kept, section.name, item))):
        return item
    if section.names or item.get("seen") == "veiled":
        raise Forbidden(f"{name} is hidden; only a GM may change it.")
    return None


def _remove(
    ledger: Ledger, kept: HolderState, section: Section, action: a.EditAction, *, was: dict[str, Any] | None
) -> None:
    if section.names:
        raise Illegal(f"{section.title} has a fixed list; {action.item} cannot be removed.", section.rule)
    if was is None:
        raise Unknown(f'There is no "{action.item}" in {section.title}.')
    ledger.change(Change(kept.id, section.name, action.item, cause=action.why))


def _put(
    ledger: Ledger,
    kept: HolderState,
    section: Section,
    action: a.EditAction,
    *,
    was: dict[str, Any] | None,
    after: dict[str, Any],
) -> None:
    """Write a new item whole, or each changed field of an existing one."""
    if was is None:
        check_visible(action.item, "A name")
        ledger.change(Change(kept.id, section.name, action.item, to=after, cause=action.why))
    else:
        # An item that is hidden and changed by one action is hidden first.
        hides = after.get("seen", "all") != "all"
        for field, value in sorted(after.items(), key=lambda changed: (changed[0] == "seen") != hides):
            if was.get(field) != value:
                ledger.change(Change(kept.id, section.name, action.item, field, to=value, cause=action.why))
    if after.get("seen") == "veiled" and (was or {}).get("seen") != "veiled":
        ledger.veil(kept, section.name, action.item)


def change(context: Context, action: a.ChangeAction) -> Ledger:
    """Move a count up or down; more than there is cannot be spent."""
    kept = _own_holder(context, action.holder)
    ledger = context.ledger()
    _, section = ledger.find(kept.id, action.section)
    field = action.field or section.counts
    if section.look == "cards" and field != section.counts:
        raise Illegal(f"The game says how many cards {section.title} has; only what is left changes.", section.rule)
    if not field or not isinstance(section.field(field), (Whole, Numbers)):
        raise Illegal(f"{section.title} has nothing that is counted; edit it instead.", section.rule)
    was = _known_item(context, kept, section, action.item)
    if was is None:
        raise Unknown(
            f'{kept.name or "The " + kept.kind} has no "{action.item[:40]}" in {section.title}.', section.rule
        )
    room = not section.full(was) or not section.is_at_most(was, context.state.options)
    if field == section.counts and action.by > 0 and not room:
        raise Illegal(f"{action.item} is full already.", section.rule)
    if section.limit and field == section.counts and action.by > 0:
        _refuse_beyond(context, kept, section, item=action.item, count=was[field] + action.by)
    moved = Change(kept.id, section.name, action.item, field, by=action.by, cause=action.why, rule=section.rule)
    ledger.change(moved, strict=True)
    _follow(context, ledger, kept, section, was)
    return ledger if ledger.state.world is not context.state.world else context.ledger()


def _follow(context: Context, ledger: Ledger, kept: HolderState, section: Section, was: dict[str, Any] | None) -> None:
    """Make the changes that the game ties to a change by hand; their cause is for those who see the item."""
    ledger.audience = item_audience(kept, mark_of(kept, section.name, was or {}))
    ledger.do(context.ruleset.table_rules.follows(kept, ledger.state.world.holders[kept.id]))


def hold(context: Context, action: a.HoldAction) -> list[e.Event]:
    """Change a character's name or visibility (its owner), or who owns it (GM only)."""
    kept = _own_holder(context, action.holder)
    if kept.kind != "character":
        raise Illegal("Only characters are renamed, given away and hidden.")
    owner = kept.owner if action.owner is None else action.owner and find_member(context.state, action.owner).id
    if owner != kept.owner or action.seen == "gm":
        refuse_player(context.member, "give characters away or hide them from their owner")
    name = _new_name(context, action.name, kept.id) if action.name else kept.name
    seen = action.seen or kept.seen
    free = kept.free if action.free is None else action.free
    if (name, owner, seen, free) == (kept.name, kept.owner, kept.seen, kept.free):
        return []
    _refuse_hiding(context, kept, audience_of(seen, owner))
    shows = _shown(context) if seen == CLOSED else []
    return [
        e.Held(holder=kept.id, name=name, owner=owner, seen=seen, shows=shows, free=free, audience=audience)
        for audience in apart(holder_audience(kept), audience_of(seen, owner))
    ]


def _refuse_hiding(context: Context, kept: HolderState, audience: str) -> None:
    """Refuse to hide a helper whom others see: they could not tell how many help."""
    for roll in seen_rolls(context.state, context.member):
        seen = roll_audience(context.state, roll)
        helps = roll.ask is None and not roll.over and kept.id in (*roll.helpers, *roll.their_helpers)
        if helps and both(seen, audience) != seen:
            raise Illegal(f"{kept.name} helps in a roll that others see; take the helper out first.")


def take(context: Context, action: a.TakeAction) -> list[e.Event]:
    """Take over a character that is free; it is free no longer."""
    kept = find_holder(context.state, context.member, action.holder)
    if not kept.free:
        raise Forbidden(f"{kept.name or 'The ' + kept.kind} is not free to be taken over; a GM can say that it is.")
    owner, seen = context.member.id, "all" if kept.seen == CLOSED else kept.seen
    return [
        e.Held(holder=kept.id, name=kept.name, owner=owner, seen=seen, audience=audience)
        for audience in apart(holder_audience(kept), audience_of(seen, owner))
    ]


def retire(context: Context, action: a.RetireAction) -> list[e.Event]:
    """Remove a character from the table; undo brings it back."""
    kept = _own_holder(context, action.holder)
    if kept.kind != "character":
        raise Illegal("Only characters are retired.")
    return [e.Retired(holder=kept.id, audience=holder_audience(kept))]
