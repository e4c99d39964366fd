"""Codes: six words for the head of a chain, so that two people can compare what their pages were told.

The head is hashed many times first: whoever wanted two histories with the same words would have to search that long.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

ROUNDS = 20_000
WORDS = 6
"""Of 256 words each: 48 bits."""


def code_of(head: str, language: str = "en") -> str:
    """The words for a head, in English or German."""
    lists: dict[str, list[str]] = json.loads(Path(__file__).with_name("code-words.json").read_text("utf-8"))
    return " ".join(lists[language][byte] for byte in stretched(head)[:WORDS])


def stretched(head: str) -> bytes:
    """The head, hashed with itself so many times."""
    once = bytes.fromhex(head)
    found = b""
    for _ in range(ROUNDS):
        found = sha256(b"astragal code 1\n" + found + once).digest()
    return found
