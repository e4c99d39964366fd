"""Codes: short texts that stand for a value until they expire. They are kept in rows, by a keyed hash."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from secrets import choice
from typing import Any

import msgspec
from msgspec import Struct

from astragal.errors import Forbidden
from astragal.storage import Store

WORDS = Path(__file__).with_name("words.txt").read_text("ascii").split()
"""Words that sound different when they are read aloud."""
SPOKEN = 3
"""Words of a spoken code."""
LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Characters of a typed code; no two look alike."""
TYPED = 8
"""Characters of a typed code."""
PREFIX = "code/"
"""The prefix of all rows about codes; each row has the time of its end as its second value."""
INVALID = "This code is not valid. Ask for the one that is shown now."


def spoken_code() -> str:
    """A code to be read aloud, one of about 16 million."""
    return " ".join(choice(WORDS) for _ in range(SPOKEN))


def typed_code() -> str:
    """A code to be typed, one of about 850,000 million."""
    code = "".join(choice(LETTERS) for _ in range(TYPED))
    return f"{code[: TYPED // 2]}-{code[TYPED // 2 :]}"


class _Until(Struct, frozen=True, array_like=True):
    """Any row about codes: its value, and the time of its end."""

    value: Any
    until: int


class _Meaning(Struct, frozen=True, array_like=True):
    """The value that a code stands for, and the time of its end in milliseconds."""

    value: tuple[str, ...]
    until: int


_decode = msgspec.json.Decoder(_Meaning).decode
_until = msgspec.json.Decoder(_Until).decode


class Codes:
    """The codes of one kind, as rows that every server of a store reads. The methods wait for the disk.

    A code is found by a keyed hash, so the time of a search reveals nothing.
    """

    def __init__(self, store: Store, kind: str, hashed: Callable[[str], str], clock: Callable[[], int]) -> None:
        self._store = store
        self._kind = kind
        self._hashed = hashed
        self._clock = clock

    def put(self, code: str, value: tuple[str, ...], seconds: int) -> None:
        """Let a code stand for a value, for this number of seconds from now."""
        meaning = _Meaning(value, self._clock() + 1000 * seconds)
        self._store.set_setting(self._name(code), msgspec.json.encode(meaning)).result()

    def find(self, code: str) -> tuple[str, ...]:
        """The value of a code; Forbidden if the code is not valid."""
        return self._find(code)[1]

    def take(self, code: str) -> tuple[str, ...]:
        """The value of a code, once: if several people take the code, one of them gets it."""
        body, value = self._find(code)
        if not self._store.swap_setting(self._name(code), body, None).result():
            raise Forbidden(INVALID)
        return value

    def drop(self, code: str) -> None:
        """End a code."""
        self._store.delete_setting(self._name(code)).result()

    def _find(self, code: str) -> tuple[bytes, tuple[str, ...]]:
        body = self._store.setting(self._name(code))
        found = _decode(body) if body else None
        if body is None or found is None or found.until < self._clock():
            raise Forbidden(INVALID)
        return body, found.value

    def _name(self, code: str) -> str:
        """The name of a code's row; case, spaces and dashes do not matter."""
        plain = "".join(sign for sign in code.casefold() if sign.isalnum())
        return f"{PREFIX}{self._kind}/{self._hashed(plain)}"


def forget_old_codes(store: Store, now: int) -> None:
    """Delete the rows of expired codes, except those that are renewed at the same time."""
    for name, body in store.settings_under([PREFIX]).items():
        if _until(body).until < now:
            store.swap_setting(name, body, None)
