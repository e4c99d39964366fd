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
    """Which throw it was: the table and its tickets, the roll (of a move: the entry), the entry and the step."""
    pool: str
    confirmed: bool = True
    """False for a throw after a restore or import, before the thrower's page had confirmed the new tickets."""
