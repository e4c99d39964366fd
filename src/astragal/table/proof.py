"""Proofs: what somebody needs to find the faces of a throw again."""

from __future__ import annotations

from msgspec import Struct


class Proof(Struct, frozen=True, array_like=True, gc=False):
    """How a throw came about: the key, whose hash was the ticket, the thrower's nonce, the place, the dice.

    ``next`` is the thrower's next ticket, for dice that the same people will see.
    """

    nonce: str
    """What the thrower's page or program made up; empty if it gave none, and then nobody can be sure."""
    key: str
    next: str
    place: str
    """Which throw it was: the table and its tickets, the roll (of a move: the entry), the step."""
    pool: str


def is_checked(proof: Proof | None) -> bool:
    """Whether a throw can be checked: its dice came of a ticket and a nonce."""
    return proof is not None and bool(proof.nonce)
