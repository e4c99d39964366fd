"""Signatures of Discord: a request is Discord's if its time and body are signed with the application's key, now."""

from __future__ import annotations

from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from astragal.errors import Forbidden, Malformed

MAX_AGE = 300
"""Seconds that a request's time may differ from ours, either way."""
KEY_BYTES, SIGNATURE_BYTES = 32, 64
UNSIGNED = "The request is not signed by Discord for this application."
TOO_OLD = f"The request was signed more than {MAX_AGE} s ago, or in the future. Perhaps a clock is wrong."
BAD_KEY = "A Discord application's public key has 64 hexadecimal digits; the Developer Portal shows it."


class Unsigned(Forbidden):
    """The request is not Discord's, or not of now."""

    status = 401
    """What Discord expects when it tests whether forgeries are refused."""


@lru_cache(8)
def read_key(text: str) -> Ed25519PublicKey:
    """The public key of an application, from hex."""
    try:
        data = bytes.fromhex(text)
        if len(data) != KEY_BYTES:
            raise ValueError(text)
        return Ed25519PublicKey.from_public_bytes(data)
    except ValueError:
        raise Malformed(BAD_KEY) from None


def check_signature(key: str, signature: str, timestamp: str, body: bytes, now: int) -> None:
    """Refuse a request that is not Discord's, or older than a few minutes; ``now`` is in milliseconds."""
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        raise Unsigned(UNSIGNED)
    try:
        given = bytes.fromhex(signature)
        if len(given) != SIGNATURE_BYTES:
            raise ValueError(signature)
        read_key(key).verify(given, timestamp.encode() + body)
    except (ValueError, InvalidSignature):
        raise Unsigned(UNSIGNED) from None
    if abs(now // 1000 - int(timestamp)) > MAX_AGE:
        raise Unsigned(TOO_OLD)
