"""Members and seats: founding a table, sitting down, changing roles, leaving."""

from __future__ import annotations

from astragal.errors import Forbidden, Illegal, Stale
from astragal.explain.visible import one_line
from astragal.rule.sheets.table_rules import TABLE
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import GM, find_member, refuse_player, seen_characters
from astragal.table.decide.ledger import Context, Ledger
from astragal.table.entry import Entry
from astragal.table.fold import fold_world
from astragal.table.rolls.ticket import Tickets
from astragal.table.ruleset import ruleset_of
from astragal.table.state import Member, State
from astragal.table.twins import refuse_twin

MAX_MEMBERS = 200


def found(state: State, action: a.FoundAction, id: str) -> list[e.Event]:
    """Found a table, with its founder as GM."""
    if state.version:
        raise Illegal("This table is founded already.")
    options = ruleset_of(action.game).table_rules.options.read(action.options)
    return [
        e.Founded(game=action.game, title=one_line(action.title, "The title"), options=options.values()),
        e.Joined(member=f"m{id}", name=one_line(action.name, "Your name"), role=GM),
    ]


def join(state: State, action: a.JoinAction, id: str) -> list[e.Event]:
    """Add a member; the caller has checked that they may have a seat."""
    name = one_line(action.name, "Your name")
    _refuse_taken(state, name, None)
    if len(state.members) >= MAX_MEMBERS:
        raise Illegal(f"A table has at most {MAX_MEMBERS} members.")
    joined: list[e.Event] = [e.Joined(member=f"m{id}", name=name, role=action.role)]
    return joined + (_gifts(state, joined, f"m{id}") if action.role == "player" else [])


def _gifts(state: State, joined: list[e.Event], member: str) -> list[e.Event]:
    """Changes that the game makes for a player who joins, and for the GM."""
    ledger = Ledger(fold_world(state, Entry(0, "", "", "", 0, "join", joined)))
    player, table = ledger.state.world.holders[member], ledger.state.world.holders[TABLE]
    gifts = ruleset_of(ledger.state.game).table_rules.joins(player, table, ledger.state.options)
    ledger.do(gifts)
    return ledger.events


def seat(context: Context, action: a.SeatAction) -> list[e.Event]:
    """Change a role or name: GMs anybody's, others only their own name. A table never loses its last GM."""
    member = find_member(context.state, action.member)
    if action.role is not None or member.id != context.member.id:
        refuse_player(context.member, "change another member's seat")
    role = action.role or member.role
    name = one_line(action.name, "A member's name") if action.name else member.name
    if member.role == GM and role != GM:
        _refuse_last_gm(context, member.id)
    if (role, name) == (member.role, member.name):
        return []
    if name.lower() != member.name.lower():
        _refuse_taken(context.state, name, context.member, member.id)
    return [e.Seated(member=member.id, role=role, name=name)]


def _refuse_taken(state: State, name: str, asker: Member | None, but: str = "") -> None:
    """Refuse another member's name, and a twin of any name that the asker can see."""
    others = [member.name for member in state.members.values() if member.role != "gone" and member.id != but]
    if name.lower() in {other.lower() for other in others}:
        raise Illegal(f"{name} sits at this table already; take another name.")
    refuse_twin(name, [*others, *seen_characters(state, asker)])


def change_settings(context: Context, action: a.SetAction) -> list[e.Event]:
    """Say who may type dice, who undoes a player's throw, and how long an opposed roll waits for the other side."""
    refuse_player(context.member, "change the settings of the table")
    world = context.state.world
    wanted = {name: getattr(action, name) for name in ("typed_dice", "undo", "ready_limit")}
    new = {name: to for name, to in wanted.items() if to not in ("", None) and to != getattr(world, name)}
    return [e.SettingChanged(**{name: to}) for name, to in new.items()]


def leave(context: Context, action: a.LeaveAction) -> list[e.Event]:
    """Leave the table; a GM may also remove others."""
    member = find_member(context.state, action.member) if action.member else context.member
    if member.id != context.member.id:
        refuse_player(context.member, "send a member away")
    if member.role == GM:
        _refuse_last_gm(context, member.id)
    return [e.Seated(member=member.id, role="gone", name=member.name)]


def _refuse_last_gm(context: Context, id: str) -> None:
    gms = [member.id for member in context.state.members.values() if member.role == GM]
    if gms == [id]:
        raise Forbidden("A table keeps at least one GM; make somebody else a GM first.")


# Tickets are announced before dice are thrown with them, and confirmed after a restore.


def announce(state: State, action: a.AnnounceAction, tickets: Tickets | None) -> list[e.Event]:
    """Announce a book of tickets that a restore or import brought."""
    if tickets is None or tickets.book == state.book:
        raise Illegal("The tickets are announced already.")
    return [e.Announced(book=tickets.book, tickets=tickets.unannounced(state), why=action.why, seal=action.seal)]


def with_announced(events: list[e.Event], after: State, tickets: Tickets) -> list[e.Event]:
    """The events of an entry that seats a member, with the tickets that seats need from now on."""
    if after.book not in ("", tickets.book):
        return events  # a restore has to be announced first
    missing = tickets.unannounced(after)
    return [*events, e.Announced(book=tickets.book, tickets=missing)] if missing else events


def confirm(context: Context, action: a.ConfirmAction) -> list[e.Event]:
    """Confirm the new tickets for the acting seat, once."""
    if action.book != context.state.book:
        raise Stale("These tickets are no longer used. Load the page again to confirm the new ones.")
    if context.member.id not in context.state.unconfirmed:
        raise Illegal("There is nothing to confirm: your seat's tickets are not new, or are confirmed.")
    return [e.Confirmed(member=context.member.id, book=action.book, lost=action.lost)]
