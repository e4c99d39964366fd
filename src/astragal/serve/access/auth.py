"""Access to tables: links that give a seat, cookies that are seats, and the signatures that prove both.

A link is a capability: anyone with its token may take a seat. The token is the link's id and a signature of the id,
so no token is stored. Deleting a link's record revokes the link; ids are never reused. A seat is a signed cookie that
names a member and the member's link.
"""

from __future__ import annotations

import hmac
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from functools import lru_cache
from hashlib import sha256
from secrets import token_bytes, token_urlsafe
from typing import Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct
from starlette.requests import HTTPConnection
from starlette.responses import Response

from astragal.errors import Forbidden, Illegal, Unknown
from astragal.storage import Store
from astragal.storage.tables.limits import Limits

SECRET = "serve/secret"
"""Name of the setting that holds the server's secret."""
OLD_SECRETS = "serve/old-secrets"
"""Name of the setting that holds earlier secrets, the latest first."""
MAX_OLD_SECRETS = 4
"""Earlier secrets that still verify; links and seats that are older than four rotations end."""
SECRET_BYTES = 32
"""The length of the signature's hash."""
COOKIE = "seat"
SCREEN_COOKIE = "screen"
"""The cookie of a screen of the room, next to the seat that its browser may have."""
SCREEN_ID = "screen"
"""Stands for the member in a screen's seat; no member has this id."""
COOKIE_AGE = 365 * 24 * 60 * 60
"""Seconds: a year, so a group that pauses for a season keeps its seats."""
LINK_ID_BYTES = 9
"""72 random bits, so ids never repeat; the signature makes a token unguessable."""
LINK_ID_LENGTH = 12
"""Characters of a link's id, at the start of its token: ``LINK_ID_BYTES`` in base64."""
NO_SEAT = "You have no seat at this table. Open it with your link."
STAMP_BYTES = 9
MAX_REVOKED = 1_000
"""Revoked links of a table in memory; about others, the store is asked."""
INVALID_LINK = "This link does not open this table. Ask the GM for a new one."

LINK = re.compile(r"(?:https?://[^\s#]{1,300}/t/|/t/)?([A-Za-z0-9_-]{1,64})[#.]([A-Za-z0-9_-]{1,200})").fullmatch

Role: TypeAlias = Literal["gm", "player", "onlooker"]
ROLES: tuple[Role, ...] = ("gm", "player", "onlooker")


class Signer:
    """Signs texts with the newest of the server's secrets, each for one purpose; older secrets still verify."""

    def __init__(self, *secrets: bytes) -> None:
        self._secrets = secrets

    def sign(self, purpose: str, text: str) -> str:
        """A signature of 43 characters, which only holders of the secret can make."""
        return _signature(self._secrets[0], purpose, text)

    def verify(self, purpose: str, text: str, signature: str) -> bool:
        """True if the signature is ours; takes the same time either way."""
        given = signature.encode("utf-8", "replace")
        found = [hmac.compare_digest(_signature(each, purpose, text).encode(), given) for each in self._secrets]
        return any(found)

    def reload(self, store: Store) -> None:
        """Read the secrets again, after they were rotated."""
        self._secrets = _secrets(store)
        verify_seat.cache_clear()


def _signature(secret: bytes, purpose: str, text: str) -> str:
    return _to_base64(hmac.digest(secret, f"{purpose}\0{text}".encode(), sha256))


def load_signer(store: Store) -> Signer:
    """The signer of an installation. Its secret is created once, even if several servers start together."""
    store.setting_once(SECRET, token_bytes(SECRET_BYTES))
    return Signer(*_secrets(store))


def installation_secrets(store: Store) -> tuple[bytes, ...]:
    """The secrets of an installation, the newest first; the first is created if there is none."""
    load_signer(store)
    return _secrets(store)


def _secrets(store: Store) -> tuple[bytes, ...]:
    """The newest secret, and older ones."""
    old = store.setting(OLD_SECRETS) or b""
    older = [old[at : at + SECRET_BYTES] for at in range(0, len(old), SECRET_BYTES)]
    return (store.setting(SECRET) or b"", *older)


def rotate_secret(store: Store, keep_old: bool = True) -> None:
    """Sign with a new secret from now on. Older signatures stay valid only with ``keep_old``."""
    older = b"".join(_secrets(store))[: SECRET_BYTES * MAX_OLD_SECRETS] if keep_old else b""
    store.set_setting(OLD_SECRETS, older).result()
    store.set_setting(SECRET, token_bytes(SECRET_BYTES)).result()


def _to_base64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


# Seats.


class SeatCookie(NamedTuple):
    """A member of a table, and the link that gave the seat."""

    table: str
    member: str
    link: str


def sign_seat(signer: Signer, seat: SeatCookie) -> str:
    """The value of a seat's cookie."""
    text = _to_base64(msgspec.json.encode(seat))
    return f"{text}.{signer.sign('seat', text)}"


@lru_cache(4096)
def verify_seat(signer: Signer, cookie: str) -> SeatCookie | None:
    """The seat in a cookie's value, if the server signed the value; cached, since every request has one."""
    text, _, signature = cookie.partition(".")
    if not signer.verify("seat", text, signature):
        return None
    data = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    return SeatCookie(*msgspec.json.decode(data, type=tuple[str, str, str]))


def cookies_of(request: HTTPConnection) -> dict[str, str]:
    """The cookies of a request, parsed once."""
    found: dict[str, str] | None = request.scope.get("astragal.cookies")
    if found is None:
        found = request.scope["astragal.cookies"] = request.cookies
    return found


def seat_of(signer: Signer, request: HTTPConnection, table: str, cookie: str = COOKIE) -> SeatCookie:
    """The seat that a request comes from, or Forbidden. The hub checks that its link is still valid."""
    seat = verify_seat(signer, cookies_of(request).get(cookie, ""))
    if seat is None or seat.table != table or (seat.member == SCREEN_ID) != (cookie == SCREEN_COOKIE):
        raise Forbidden(NO_SEAT)
    return seat


def set_seat_cookie(response: Response, signer: Signer, seat: SeatCookie, secure: bool) -> None:
    """Put the seat on a response: scripts cannot read it, other sites cannot send it, only its table receives it."""
    screen = seat.member == SCREEN_ID
    response.set_cookie(
        SCREEN_COOKIE if screen else COOKIE,
        sign_seat(signer, seat),
        max_age=COOKIE_AGE,
        path=f"/api/tables/{seat.table}{'/screen' if screen else ''}",
        secure=secure,
        httponly=True,
        samesite="strict",
    )


# Links.


def read_bearer(request: HTTPConnection) -> tuple[str, str] | None:
    """The table and the token of the link that a program sends as its bearer token; None if it sends none.

    The whole link is accepted, or its end: ``TABLE#TOKEN``, or ``TABLE.TOKEN`` for programs that allow only letters,
    digits, dots and dashes. Any other text counts as a link that opens nothing.
    """
    scheme, _, text = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    found = LINK(text.strip())
    return (found[1], found[2]) if found else ("", "")


def is_link_token(signer: Signer, table: str, token: str) -> bool:
    """True if we made this token for this table; its link may have been revoked."""
    return signer.verify("link", f"{table}/{token[:LINK_ID_LENGTH]}", token[LINK_ID_LENGTH:])


class Link(Struct, frozen=True):
    """A way to a seat: a new seat for each person who uses it, or one member's own."""

    id: str
    role: Role
    member: str | None
    made: int
    """Milliseconds since 1970."""


_decoder = msgspec.json.Decoder(Link)


def links_stamp(table: str) -> str:
    """Name of the setting that changes with every change of a table's links."""
    return f"live/{table}/links"


class Links:
    """The links of a table, in memory and in the store. Changes wait for the disk: make them in a thread."""

    def __init__(self, store: Store, signer: Signer, table: str, most: int = Limits().links) -> None:
        self._most = most
        self._store = store
        self._signer = signer
        self._table = table
        self.stamp = store.setting(links_stamp(table)) or b""
        """The table's stamp when the links were read last; every change of a link changes the stamp."""
        self._links: dict[str, Link] = self._stored()
        self._gone: set[str] = set()
        """Ids of links that are certainly revoked, since ids are never reused."""
        self._revoked: set[str] = set()
        """Links revoked here: a reload that began before must not bring them back."""

    def _stored(self) -> dict[str, Link]:
        bodies = self._store.settings_under([self._name("")]).values()
        return {link.id: link for link in map(_decoder.decode, bodies)}

    def reload(self) -> set[str]:
        """Read the links again, since other programs may change them; returns the ids of those that were revoked."""
        stamp = self._store.setting(links_stamp(self._table)) or b""
        known, stored = dict(self._links), self._stored()
        gone = known.keys() - stored.keys()
        for id in gone:
            self._links.pop(id, None)
        self._links.update({id: link for id, link in stored.items() if id not in known and id not in self._revoked})
        self.stamp = stamp
        return gone

    def reload_for(self, id: str) -> set[str]:
        """Read the links again for an unknown one that we signed; returns the ids of those that were revoked."""
        gone = self.reload()
        if id not in self._links:
            if len(self._gone) >= MAX_REVOKED:
                self._gone.clear()
            self._gone.add(id)
        return gone

    def is_revoked(self, id: str) -> bool:
        """True if a link is known to be revoked; does not ask the store."""
        return id in self._gone

    def _name(self, id: str) -> str:
        return f"link/{self._table}/{id}"

    def __contains__(self, id: str) -> bool:
        return id in self._links

    def all(self) -> list[Link]:
        """All links, oldest first."""
        return sorted(self._links.values(), key=lambda link: (link.made, link.id))

    def create(self, role: Role, member: str | None, at: int) -> Link:
        """Create a link to new seats of a role, or to one member's own."""
        return self.create_all({role: member}, at)[0]

    def create_all(self, members: Mapping[Role, str | None], at: int) -> list[Link]:
        """Create links of several roles; takes them back if other servers created too many at the same time."""
        self._check_room(len(self._links) + len(members))
        links = [Link(token_urlsafe(LINK_ID_BYTES), role, members[role], at + n) for n, role in enumerate(members)]
        self._write(links)
        stored = self._stored()
        try:
            self._check_room(len(stored))
        except Illegal:
            for link in links:
                self._store.delete_setting(self._name(link.id)).result()
            raise
        self._links.update({link.id: link for link in links})
        return links

    def take_in(self, links: Sequence[Link]) -> None:
        """Add links that were made elsewhere, with their ids."""
        self._check_room(len(self._links.keys() | {link.id for link in links}))
        self._write(links)
        self._links.update({link.id: link for link in links})

    def _write(self, links: Sequence[Link]) -> None:
        """Store links together, with one wait for the disk."""
        written = [self._store.set_setting(self._name(link.id), msgspec.json.encode(link)) for link in links]
        for future in (*written, self._change_stamp()):
            future.result()

    def _check_room(self, n: int) -> None:
        if n > self._most:
            raise Illegal(f"A table has at most {self._most} links; revoke one that is no longer needed.")

    def _change_stamp(self) -> Future[None]:
        """Make all servers read the links again, even those that miss the notice."""
        changed = self._store.set_setting(links_stamp(self._table), token_bytes(STAMP_BYTES))
        self._store.notify_changed(self._table)
        return changed

    def revoke(self, id: str) -> None:
        """Revoke a link immediately, even if deleting its record fails."""
        if id not in self._links:
            self.reload()
        self._revoked.add(id)
        if self._links.pop(id, None) is None:
            self._revoked.discard(id)
            raise Unknown(f'There is no link "{id[:40]}".')
        for future in (self._store.delete_setting(self._name(id)), self._change_stamp()):
            future.result()

    def token(self, link: Link) -> str:
        """The secret that opens the link."""
        return f"{link.id}{self._signer.sign('link', f'{self._table}/{link.id}')}"

    def path(self, link: Link) -> str:
        """The address to hand out; browsers never send the part after the #."""
        return f"/t/{self._table}#{self.token(link)}"

    def is_signed(self, token: str) -> bool:
        """True if we made this token for this table; its link may have been revoked."""
        return is_link_token(self._signer, self._table, token)

    def knows(self, token: str) -> bool:
        """True if the link is in memory."""
        return token[:LINK_ID_LENGTH] in self._links

    def find(self, token: str) -> Link:
        """The link that a token opens, or Forbidden."""
        link = self._links.get(token[:LINK_ID_LENGTH])
        if not self.is_signed(token) or link is None:
            raise Forbidden(INVALID_LINK)
        return link
