"""Seals: the last line of a table's file, with its hash, the heads of its chains and the server's signature."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

import msgspec

from astragal.errors import Malformed
from astragal.table.chain import Chains

SealState: TypeAlias = Literal["right", "broken", "missing"]


class Signing(Protocol):
    """A key that signs."""

    public: str
    """The public half, as hex."""

    def sign(self, text: bytes) -> str:
        """The signature of a text, as hex."""
        ...


class HeadKey:
    """Signs texts with Ed25519."""

    def __init__(self, seed: bytes) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()

    def sign(self, text: bytes) -> str:
        """The signature of a text, as hex."""
        return self._key.sign(text).hex()


class Handover(msgspec.Struct, frozen=True, gc=False):
    """An older key's word that a newer one signs in its place; keys and signature as hex."""

    old: str
    new: str
    signature: str


class Seal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the lines before it hash to, the heads of the chains, and the signature of both."""

    astragal: str
    file: str
    chains: Chains
    key: str
    signature: str


BEGINS = b'{"astragal":"seal",'
_encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(Seal)


def sealed(lines: Iterable[bytes], table: str, chains: Chains, sign: Signing) -> Iterator[bytes]:
    """The lines of a file, and its seal."""
    total = sha256()
    for line in lines:
        total.update(line)
        yield line
    signature = sign.sign(seal_text(table, total.hexdigest(), chains))
    yield _encode(Seal("seal", total.hexdigest(), chains, sign.public, signature)) + b"\n"


def is_seal(line: bytes) -> bool:
    """True if a line is a seal, or wants to be one."""
    return line.startswith(BEGINS)


def read_seal(line: bytes) -> Seal:
    """The seal in a line; Malformed if it is not as one is written."""
    try:
        seal = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Malformed("The seal at the end of the file cannot be read.") from None
    if _encode(seal) + b"\n" != line:
        raise Malformed("The seal at the end of the file is not written as seals are.")
    return seal


def seal_text(table: str, file: str, chains: Mapping[str, tuple[int, str]]) -> bytes:
    """The bytes that the signature of a seal signs."""
    heads = "".join(f"{audience} {n} {head}\n" for audience, (n, head) in sorted(chains.items()))
    return f"astragal seal 1\n{table}\n{file}\n{heads}".encode()


def is_unbroken(seal: Seal, table: str, file: str, chains: Chains) -> bool:
    """True if a seal is of this file and these chains, and its signature is right."""
    signed = is_signed(seal_text(table, seal.file, seal.chains), seal.key, seal.signature)
    return seal.file == file and seal.chains == chains and signed


def head_text(table: str, audience: str, n: int, head: str) -> bytes:
    """The bytes that the signature of a chain's head signs."""
    return f"astragal head 1\n{table}\n{audience}\n{n}\n{head}\n".encode()


def handover_text(old: str, new: str) -> bytes:
    """The bytes that an older key signs when a newer one takes over."""
    return f"astragal key 1\n{old}\n{new}\n".encode()


def is_signed(text: bytes, key: str, signature: str) -> bool:
    """True if a signature is by this public key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        if key != key.lower() or signature != signature.lower():
            return False
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), text)
    except (InvalidSignature, ValueError):
        return False
    return True


ROUNDS = 20_000
WORDS = 6
"""Of 256 words each: 48 bits."""


def code_of(head: str, language: str = "en") -> str:
    """The words for a head, in English or German."""
    lists: dict[str, list[str]] = json.loads(Path(__file__).with_name("code-words.json").read_text("utf-8"))
    return " ".join(lists[language][byte] for byte in stretched(head)[:WORDS])


def stretched(head: str) -> bytes:
    """The head, hashed with itself ``ROUNDS`` times."""
    once = bytes.fromhex(head)
    found = b""
    for _ in range(ROUNDS):
        found = sha256(b"astragal code 1\n" + found + once).digest()
    return found
