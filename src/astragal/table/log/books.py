"""Books of tickets, checked: every ticket was announced before it was used, and none was passed over or used twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from astragal.table.rolls.ticket import lanes

UNANNOUNCED = "No entry announced this ticket before it was used."
OTHER_BOOK = "The throw is of a book of tickets that no entry announced before it."
TWICE = "The ticket was used before."
ABORTED = "Another ticket was shown before: its throw was aborted and hidden, or the key is another."
OLD_BOOK = "A book of tickets is announced that was used before."
ANNOUNCED_TWICE = "Tickets are announced for a seat that has others already."
WITHHELD = "A seat came to the table, and its tickets were not announced."


class Books:
    """Which ticket each seat has to use next in each lane, by what the log announced."""

    def __init__(self) -> None:
        self.restores = 0
        """Books that began later than the table: restores and imports."""
        self.book = ""
        """The book that was announced last."""
        self._known: set[str] = set()
        """Every book so far."""
        self._roles: dict[str, str] = {}
        self._next: dict[tuple[str, str], str] = {}
        self._used: set[str] = set()
        self._unconfirmed: set[str] = set()

    def seat(self, member: str, role: str) -> None:
        """A member sat down, or has another role."""
        self._roles[member] = role

    def announce(self, book: str, tickets: Mapping[str, Mapping[str, str]], founding: bool) -> Iterator[str]:
        """Tickets are announced; ``founding`` if that is in the table's first entry. What is wrong with it."""
        if book != self.book:
            if book in self._known:
                yield OLD_BOOK
            self.book, self._next = book, {}
            self._known.add(book)
            if not founding:
                self.restores += 1
                self._unconfirmed = set(self._roles)
        for seat, held in tickets.items():
            for lane, ticket in held.items():
                if (seat, lane) in self._next:
                    yield ANNOUNCED_TWICE
                self._next[seat, lane] = ticket

    def withheld(self) -> Iterator[str]:
        """The fault if a seat lacks tickets, after an entry that seats a member or announces tickets."""
        if self.book and any(
            (seat, lane) not in self._next for seat in self._roles for lane in lanes(seat, self._roles)
        ):
            yield WITHHELD

    def confirm(self, member: str, book: str) -> bool:
        """A member's page confirms a book; False if there is nothing for it to confirm."""
        if book != self.book or member not in self._unconfirmed:
            return False
        self._unconfirmed.discard(member)
        return True

    def is_confirmed(self, seat: str) -> bool:
        """False for a seat whose page has not confirmed the tickets that a restore brought."""
        return seat not in self._unconfirmed

    def use(self, seat: str, lane: str, book: str, ticket: str, following: str) -> Iterator[str]:
        """A ticket is used in a lane, and the following one is shown. What is wrong with it."""
        expected = self._next.get((seat, lane))
        if book != self.book:
            yield OTHER_BOOK
        elif ticket in self._used:
            yield TWICE
        elif expected is None:
            yield UNANNOUNCED
        elif expected != ticket:
            yield ABORTED
        self._used.add(ticket)
        self._next[seat, lane] = following
