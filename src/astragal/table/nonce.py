"""Nonces: what a thrower adds to the machine's dice, so that whoever runs the server could not choose them."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from astragal.table.action import Action

A = TypeVar("A", bound=Action)


def with_nonce(action: A, nonce: str) -> A:
    """The action with a nonce, if it may throw dice and has none of its own."""
    return replace(action, nonce=nonce) if getattr(action, "nonce", None) == "" else action
