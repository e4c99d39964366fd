"""Tickets: the hash of a key, shown to a seat before it throws. The key makes the dice and is revealed with them.

A seat holds a ticket for each lane: the audience that will see the ticket used. Where dice are hidden from some who
know of the throw, the lane is what these are and ``~``. So whoever sees tickets of a lane sees all of them that
are used, and no number counts what somebody may not see. One action that throws uses one ticket, however many
throws it makes; keys are made of the table's secret, so that any server finds them.
"""

from __future__ import annotations

from hashlib import sha256
from hmac import new
from typing import NamedTuple

from astragal.dice.dice import Faces, Pool
from astragal.dice.provable import format_pool, provable_faces
from astragal.table.proof import Proof
from astragal.table.state import Member, State

SECRET_BYTES = 32
MAX_LANES = 40
"""Other members for whose eyes alone a GM holds tickets; a throw for more of them is not shown beforehand."""
COVERED = "~"


class Ticket(NamedTuple):
    """A seat's ticket in a lane: the key is the server's, the hash is shown."""

    key: bytes
    hash: str


class Tickets:
    """The tickets of one table."""

    def __init__(self, table: str, secret: bytes) -> None:
        self._secret = secret
        self.book = f"{table}.{sha256(b'astragal book 1' + secret).hexdigest()[:8]}"
        """What stands for the table in places of throws; an imported or restored table has another."""

    def ticket(self, seat: str, lane: str, n: int) -> Ticket:
        """The how manyth ticket of a seat in a lane, from 0."""
        key = new(self._secret, f"astragal key 1\n{seat}\n{lane}\n{n}".encode(), "sha256").digest()
        return Ticket(key, ticket_of(key))

    def shown(self, state: State, member: Member) -> dict[str, str]:
        """The tickets that a seat holds now, by lane."""
        if member.role == "onlooker":
            return {}
        return {lane: self.ticket(member.id, lane, used(state, member.id, lane)).hash for lane in lanes(state, member)}

    def faces(self, pool: Pool, key: bytes, place: str, nonce: str) -> Faces:
        """The faces of a throw."""
        return provable_faces(pool, key, place, nonce)


class TicketDice:
    """Throws the dice of one action with a seat's ticket, and keeps the proof of each throw."""

    def __init__(self, tickets: Tickets, seat: str, lane: str, n: int, *, roll: str, nonce: str) -> None:
        self._tickets = tickets
        self._holds = seat, lane, n
        self._roll = roll
        self._nonce = nonce
        self._used: tuple[Ticket, str] | None = None
        self._thrown = 0

    @property
    def used(self) -> tuple[str, str] | None:
        """The ticket that was used and the one that comes next, if dice were thrown."""
        return (self._used[0].hash, self._used[1]) if self._used else None

    def throw(self, pool: Pool, step: int) -> tuple[Faces, Proof]:
        """Throw dice at a step of the roll."""
        if self._used is None:
            seat, lane, n = self._holds
            self._used = self._tickets.ticket(seat, lane, n), self._tickets.ticket(seat, lane, n + 1).hash
        key, place = self._used[0].key, f"{self._tickets.book}/{self._roll}/{step}/{self._thrown}"
        self._thrown += 1
        faces = self._tickets.faces(pool, key, place, self._nonce)
        return faces, Proof(self._nonce, key.hex(), self._used[1], place, format_pool(pool))


def ticket_of(key: bytes) -> str:
    """The ticket that is shown for a key."""
    return sha256(key).hexdigest()


def used(state: State, seat: str, lane: str) -> int:
    """How many tickets a seat has used in a lane."""
    return state.tickets.get(f"{seat}/{lane}", 0)


def lanes(state: State, member: Member) -> list[str]:
    """The lanes that a seat may throw in."""
    own = ["", COVERED, member.id, f"{member.id}{COVERED}"]
    if member.role != "gm":
        return own
    others = [other.id for other in state.members.values() if other.role in ("player", "onlooker")][:MAX_LANES]
    return ["", COVERED, "gm", *(lane for id in others for lane in (id, f"{id}{COVERED}"))]
