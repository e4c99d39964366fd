"""Nonces: what an assistant adds to the machine's dice, so that the server cannot have known them before."""

from __future__ import annotations

import re
from hashlib import sha256
from secrets import token_hex
from typing import Any

FRESH_BYTES = 16

_is_nonce = re.compile(r"[A-Za-z0-9_-]{1,64}").fullmatch


def fresh_nonce(key: str) -> str:
    """A random one, for a program that runs beside the assistant and not at the server."""
    return token_hex(FRESH_BYTES)


def nonce_of_key(key: str) -> str:
    """The key of the action, or its hash where it has other characters: all that a server gets which the client chose.

    It proves as much as the key was hard to guess.
    """
    return key if _is_nonce(key) else sha256(key.encode()).hexdigest()


def without_nonce(written: dict[str, Any]) -> dict[str, Any]:
    """What an action does: one that is sent again with another nonce is still the same."""
    return {name: value for name, value in written.items() if name != "nonce"}
