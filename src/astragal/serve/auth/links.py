"""Links: capabilities. Whoever has the token may sit down; it is never stored, but follows from the seal.

A token is the link's id and a signature of it. A link is revoked by removing its record,
and no signature brings it back, since ids are never used twice.
"""

from __future__ import annotations

from secrets import token_urlsafe
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from astragal.errors import Forbidden, Unknown
from astragal.serve.auth.signer import Signer
from astragal.store import Store

Role: TypeAlias = Literal["gm", "player", "onlooker"]
ROLES: tuple[Role, ...] = ("gm", "player", "onlooker")
ID_BYTES = 9
ID_LENGTH = 12
DEAD = "This link does not open this table, or no longer; ask the GM for another."


class Link(Struct, frozen=True):
    """A way to a seat: a new one for everybody who comes by it, or one member's own."""

    id: str
    role: Role
    member: str | None
    made: int


_decoder = msgspec.json.Decoder(Link)


class Links:
    """The links of a table, in memory and in the store. Writing waits for the disk: call it in a thread."""

    def __init__(self, store: Store, signer: Signer, table: str) -> None:
        self._store = store
        self._signer = signer
        self._table = table
        names = store.setting_names(self._name(""))
        bodies = [store.setting(name) for name in names]
        self._links = {link.id: link for link in (_decoder.decode(body) for body in bodies if body)}

    def _name(self, id: str) -> str:
        return f"link/{self._table}/{id}"

    def __contains__(self, id: str) -> bool:
        return id in self._links

    def all(self) -> list[Link]:
        """In the order in which they were made."""
        return sorted(self._links.values(), key=lambda link: (link.made, link.id))

    def make(self, role: Role, member: str | None, at: int) -> Link:
        link = Link(token_urlsafe(ID_BYTES), role, member, at)
        self._store.set_setting(self._name(link.id), msgspec.json.encode(link)).result()
        self._links[link.id] = link
        return link

    def revoke(self, id: str) -> None:
        """From now on it opens nothing, whatever becomes of the record."""
        if self._links.pop(id, None) is None:
            raise Unknown(f'There is no link "{id[:40]}".')
        self._store.delete_setting(self._name(id)).result()

    def token(self, link: Link) -> str:
        return f"{link.id}{self._sign(link.id)}"

    def path(self, link: Link) -> str:
        """What a person opens; what is after the # never leaves the browser with an address."""
        return f"/t/{self._table}#{self.token(link)}"

    def find(self, token: str) -> Link:
        """The link that a token opens."""
        id, signature = token[:ID_LENGTH], token[ID_LENGTH:]
        link = self._links.get(id)
        if not self._signer.holds("link", f"{self._table}/{id}", signature) or link is None:
            raise Forbidden(DEAD)
        return link

    def _sign(self, id: str) -> str:
        return self._signer.sign("link", f"{self._table}/{id}")
