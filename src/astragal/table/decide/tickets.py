"""Announcing tickets and confirming them: what goes into the chain before dice are thrown with a book."""

from __future__ import annotations

from astragal.errors import Illegal, Stale
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.decide.ledger import Context
from astragal.table.rolls.ticket import Tickets
from astragal.table.state import State


def announce(state: State, action: a.AnnounceAction, tickets: Tickets | None) -> list[e.Event]:
    """Announce a book of tickets that a restore or import brought."""
    if tickets is None or tickets.book == state.book:
        raise Illegal("The tickets are announced already.")
    return [e.Announced(book=tickets.book, tickets=tickets.unannounced(state), why=action.why, seal=action.seal)]


def with_announced(events: list[e.Event], after: State, tickets: Tickets) -> list[e.Event]:
    """The events of an entry that seats somebody, with the tickets that seats need from now on."""
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
