"""Interactions: the requests of Discord, with the fields that are used here, and their signatures."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, TypeAlias

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import Meta, Struct

from astragal.errors import Forbidden, Malformed
from astragal.serve.problems import BadRequest

Snowflake: TypeAlias = Annotated[str, Meta(pattern="^[0-9]{1,20}$")]
PING, COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 1, 2, 3, 4, 5
"""Types of interactions."""
MANAGES = 0x8 | 0x10 | 0x20
"""Permissions to manage a channel: administrator, manage channels, manage server."""
EPHEMERAL = 64
"""The flag of a private message."""


class User(Struct, frozen=True):
    """A person of Discord."""

    id: Snowflake
    username: str = ""
    global_name: str | None = None

    @property
    def name(self) -> str:
        """Their name."""
        return (self.global_name or self.username)[:80]


class GuildMember(Struct, frozen=True):
    """A person in a server of Discord, with their permissions in the channel."""

    user: User
    permissions: Annotated[str, Meta(pattern="^[0-9]{1,40}$")] = "0"


class Option(Struct, frozen=True):
    """A parameter of a command, or a subcommand."""

    name: str
    value: str | int | float | bool | None = None
    options: list[Option] = []
    focused: bool = False


class Component(Struct, frozen=True):
    """A part of a filled-in modal, nested in rows or labels."""

    custom_id: str = ""
    value: str = ""
    components: list[Component] = []
    component: Component | None = None


class Data(Struct, frozen=True):
    """The content: a command with its options, a button, or a modal."""

    name: str = ""
    options: list[Option] = []
    custom_id: Annotated[str, Meta(max_length=100)] = ""
    components: list[Component] = []


class Message(Struct, frozen=True):
    """The message with the button."""

    flags: int = 0


class Interaction(Struct, frozen=True):
    """A command, a button or a modal of a person of Discord."""

    id: Snowflake
    type: int
    data: Data = Data()
    channel_id: Snowflake = "0"
    member: GuildMember | None = None
    user: User | None = None
    message: Message | None = None

    @property
    def person(self) -> User:
        """The person; in a direct message there is no guild."""
        found = self.member.user if self.member else self.user
        if found is None:
            raise BadRequest("The interaction does not name a person.")
        return found

    @property
    def manages(self) -> bool:
        """True if they may manage the channel."""
        return self.member is not None and bool(int(self.member.permissions) & MANAGES)

    @property
    def command(self) -> tuple[str, list[Option]]:
        """The command, with its subcommand if there is one, and the options."""
        options = self.data.options
        if self.data.name == "table":
            return (f"table {options[0].name}", options[0].options) if options else ("table", [])
        return self.data.name, options

    @property
    def is_private(self) -> bool:
        """True if only this person sees the message with the button."""
        return self.message is not None and bool(self.message.flags & EPHEMERAL)


_decoder = msgspec.json.Decoder(Interaction)


def read_interaction(body: bytes) -> Interaction:
    """Read an interaction, or BadRequest."""
    try:
        return _decoder.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise BadRequest(f"The interaction cannot be read: {str(error).rstrip('.')}.") from None


def words_in(components: list[Component]) -> str:
    """The text in our modal, which has one field."""
    for each in components:
        if each.custom_id and each.value:
            return each.value
        inner = [*each.components, *([each.component] if each.component else [])]
        if found := words_in(inner):
            return found
    return ""


MAX_AGE = 300
"""Seconds that a request's time may differ from ours, either way."""
KEY_BYTES, SIGNATURE_BYTES = 32, 64
UNSIGNED = "The request is not signed by Discord for this application."
TOO_OLD = f"The request was signed more than {MAX_AGE} s ago, or in the future. Check the server's clock."
BAD_KEY = "A Discord application's public key has 64 hexadecimal digits; the Developer Portal shows it."


class Unsigned(Forbidden):
    """The request is not Discord's, or not recent."""

    status = 401
    """The status that Discord expects when it tests with a forgery."""


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
