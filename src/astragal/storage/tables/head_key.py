"""The key that signs heads of chains and seals of files: one for an installation, kept in its store."""

from __future__ import annotations

from secrets import token_bytes

import msgspec

from astragal.storage import Store

KEY = "serve/head-key"
"""Name of the setting with the key's secret half."""
HANDOVERS = "serve/head-handovers"
"""Name of the setting with what older keys signed when a newer one took over."""
SEED_BYTES = 32
MAX_HANDOVERS = 20


class Handover(msgspec.Struct, frozen=True, gc=False):
    """An older key's word that a newer one signs in its place; keys and signature as hex."""

    old: str
    new: str
    signature: str


class HeadKey:
    """Signs texts with Ed25519."""

    def __init__(self, seed: bytes) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()
        """The public half, as hex."""

    def sign(self, text: bytes) -> str:
        """The signature of a text, as hex."""
        return self._key.sign(text).hex()


def load_head_key(store: Store) -> HeadKey:
    """The key of an installation; it is made once, also if several servers start at the same time."""
    return HeadKey(store.setting_once(KEY, token_bytes(SEED_BYTES)))


def handovers(store: Store) -> list[Handover]:
    """What older keys said about newer ones, oldest first."""
    return msgspec.json.decode(store.setting(HANDOVERS) or b"[]", type=list[Handover])


def handover_text(old: str, new: str) -> bytes:
    """What an older key signs when a newer one takes over."""
    return f"astragal key 1\n{old}\n{new}\n".encode()


def rotate_head_key(store: Store, keep_old: bool = True) -> None:
    """Sign with a new key from now on; the old one vouches for it, unless it is to be forgotten."""
    old, seed = load_head_key(store), token_bytes(SEED_BYTES)
    new = HeadKey(seed).public
    said = Handover(old.public, new, old.sign(handover_text(old.public, new)))
    known = [*handovers(store), said][-MAX_HANDOVERS:] if keep_old else []
    store.set_setting(HANDOVERS, msgspec.json.encode(known)).result()
    store.set_setting(KEY, seed).result()
