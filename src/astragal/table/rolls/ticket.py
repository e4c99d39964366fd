"""Tickets: the hash of a key, shown to a seat before it throws. The key makes the dice and is revealed with them.

A seat holds a ticket for each lane: the audience that will see the ticket used. Where dice are hidden from some who
know of the throw, the lane is what these are and ``~``. So anyone who sees tickets of a lane sees all of them that
are used, and no number counts what a member may not see. One action that throws uses one ticket, however many
throws it makes; keys are made of the table's secret, so that any server finds them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from hmac import new
from typing import NamedTuple

from astragal.dice.dice import Dice, Faces, Pool, Wave
from astragal.dice.provable import KeyedBytes, format_pool, keyed_bytes, provable_faces
from astragal.dice.rng import draw_exactly, roll
from astragal.errors import Stale
from astragal.table.action import Action
from astragal.table.roll_event import Proof
from astragal.table.state import Member, State

SECRET_BYTES = 32
MAX_LANES = 80
"""Lanes whose tickets a page is sent; those of a GM at a table of many are announced in the log all the same."""
COVERED = "~"


class Ticket(NamedTuple):
    """A seat's ticket in a lane: the key is the server's, the hash is shown."""

    key: bytes
    hash: str


class Tickets:
    """The tickets of one table."""

    def __init__(self, table: str, secret: bytes) -> None:
        self.secret = secret
        self.book = f"{table}.{sha256(b'astragal book 1' + secret).hexdigest()[:8]}"

    def refuse_other_book(self, state: State, action: Action) -> None:
        """Refuse a throw with other tickets than the thrower was shown, or than an entry announced."""
        book = getattr(action, "book", self.book)
        if book not in ("", self.book) or (hasattr(action, "nonce") and state.book not in ("", self.book)):
            raise Stale("The table was restored, so the tickets that you hold are no longer used. Throw again.")
        """What stands for the table in places of throws; an imported or restored table has another."""

    def ticket(self, seat: str, lane: str, n: int) -> Ticket:
        """The ticket at position ``n`` of a seat in a lane, from 0."""
        key = new(self.secret, f"astragal key 1\n{seat}\n{lane}\n{n}".encode(), "sha256").digest()
        return Ticket(key, ticket_of(key))

    def shown(self, state: State, member: Member) -> dict[str, str]:
        """The tickets that a seat holds now, by lane."""
        held = lanes(member.id, roles_of(state))[:MAX_LANES]
        return {lane: self.ticket(member.id, lane, used(state, member.id, lane)).hash for lane in held}

    def unannounced(self, state: State) -> dict[str, dict[str, str]]:
        """The tickets that seats need and that no entry has announced yet, by seat and lane."""
        known, roles = state.lanes if state.book == self.book else {}, roles_of(state)
        found = {}
        for seat in roles:
            missing = [lane for lane in lanes(seat, roles) if lane not in known.get(seat, ())]
            if missing:
                found[seat] = {lane: self.ticket(seat, lane, 0).hash for lane in missing}
        return found

    def faces(self, pool: Pool, key: bytes, place: str, nonce: str) -> Faces:
        """The faces of a throw."""
        return provable_faces(pool, key, place, nonce)


class TicketDice:
    """Throws the dice of one action with a seat's ticket, and keeps the proof of each throw."""

    def __init__(
        self,
        tickets: Tickets,
        seat: str,
        lane: str,
        n: int,
        *,
        about: tuple[str, str],
        nonce: str,
        confirmed: bool = True,
    ) -> None:
        self._tickets = tickets
        self._holds = seat, lane, n
        self._roll, self._entry = about
        """The roll, or of a move its entry; and the entry that throws."""
        self._nonce = nonce
        self._confirmed = confirmed
        self._used: tuple[Ticket, str] | None = None
        self._thrown = 0

    @property
    def used(self) -> tuple[str, str] | None:
        """The ticket that was used and the one that comes next, if dice were thrown."""
        return (self._used[0].hash, self._used[1]) if self._used else None

    def use(self) -> tuple[str, str]:
        """The ticket and the next one; it is used also where no dice are thrown, if that must not show."""
        if self._used is None:
            seat, lane, n = self._holds
            self._used = self._tickets.ticket(seat, lane, n), self._tickets.ticket(seat, lane, n + 1).hash
        return self._used[0].hash, self._used[1]

    def throw(self, pool: Pool, step: int) -> tuple[Faces, Proof]:
        """Throw dice at a step of the roll."""
        key, next, place = self._place(step)
        faces = self._tickets.faces(pool, key, place, self._nonce)
        return faces, Proof(self._nonce, key.hex(), next, place, format_pool(pool), self._confirmed)

    def begin(self, step: int) -> TicketDraws:
        """Begin a throw that keeps some of its dice; the others are drawn one wave after the other.

        Where others learn that a ticket was used and not what for, it is always used: otherwise it would tell whether
        there were new dice.
        """
        hidden = self._holds[1].endswith(COVERED) and not self._thrown
        return TicketDraws(lambda: self._place(step), self._nonce, begun=hidden, confirmed=self._confirmed)

    def _place(self, step: int) -> tuple[bytes, str, str]:
        """The key, the next ticket and the place of the next throw."""
        self.use()
        assert self._used is not None
        place = f"{self._tickets.book}/{self._roll}/{self._entry}.{step}/{self._thrown}"
        self._thrown += 1
        return self._used[0].key, self._used[1], place


class TicketDraws:
    """The new dice of a throw that keeps its other dice: drawn wave by wave with a ticket, and proven together."""

    def __init__(
        self, place: Callable[[], tuple[bytes, str, str]], nonce: str, *, begun: bool, confirmed: bool
    ) -> None:
        self._place = place
        self._confirmed = confirmed
        self._nonce = nonce
        self._drawn: list[Dice] = []
        self._begun: tuple[KeyedBytes, bytes, str, str] | None = None
        if begun:
            self._bytes()

    def _bytes(self) -> KeyedBytes:
        if self._begun is None:
            key, next, place = self._place()
            self._begun = keyed_bytes(key, place, self._nonce), key, next, place
        return self._begun[0]

    def draw(self, dice: Dice) -> Wave:
        """Faces of these dice."""
        self._drawn.append(dice)
        return roll((dice,), self._bytes(), draw_exactly)[0][0]

    @property
    def proof(self) -> Proof | None:
        """How they were drawn; None if nothing was."""
        if self._begun is None:
            return None
        _, key, next, place = self._begun
        return Proof(self._nonce, key.hex(), next, place, format_pool(tuple(self._drawn)), self._confirmed)


def ticket_of(key: bytes) -> str:
    """The ticket that is shown for a key."""
    return sha256(key).hexdigest()


def used(state: State, seat: str, lane: str) -> int:
    """The number of tickets that a seat has used in a lane."""
    return state.tickets.get(f"{seat}/{lane}", 0)


def roles_of(state: State) -> dict[str, str]:
    """The role of each member, by id."""
    return {member.id: member.role for member in state.members.values()}


def lanes(seat: str, roles: Mapping[str, str]) -> list[str]:
    """The lanes that a seat may throw in, by everybody's roles; a screen has no role, and throws nothing."""
    role = roles.get(seat)
    if role == "player":
        return ["", COVERED, seat, f"{seat}{COVERED}"]
    if role != "gm":
        return []
    others = [id for id, role in roles.items() if role in ("player", "onlooker")]
    return ["", COVERED, "gm", *(lane for id in others for lane in (id, f"{id}{COVERED}"))]
