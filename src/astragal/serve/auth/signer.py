"""The seal: what the server has signed it knows again. The secret is made once and kept in the store."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from secrets import token_bytes

from astragal.store import Store

NAME = "serve/secret"
LENGTH = 32


class Signer:
    """Signs texts, each for one purpose."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def sign(self, purpose: str, text: str) -> str:
        """43 signs that nobody can make who does not know the secret."""
        mac = hmac.digest(self._secret, f"{purpose}\0{text}".encode(), sha256)
        return to_text(mac)

    def holds(self, purpose: str, text: str, signature: str) -> bool:
        """Whether the signature is ours; how long this takes tells nothing."""
        return hmac.compare_digest(self.sign(purpose, text).encode(), signature.encode("utf-8", "replace"))


def signer_of(store: Store) -> Signer:
    """The seal of an installation. If two servers start at once, both take what is kept in the end."""
    if store.setting(NAME) is None:
        store.set_setting(NAME, token_bytes(LENGTH)).result()
    return Signer(store.setting(NAME) or b"")


def to_text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def to_bytes(text: str) -> bytes:
    return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
