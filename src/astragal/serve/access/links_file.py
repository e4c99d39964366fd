"""A table's links as a file: if you move the table to another installation, the links keep opening it there.

A link is a signature, so the file has the keys that signed the links. Anyone with the file can make a link to any seat
of the installation that it is from.
"""

from __future__ import annotations

from base64 import b64decode, b64encode

import msgspec

from astragal.errors import Illegal, Malformed
from astragal.serve.access.auth import (
    MAX_OLD_SECRETS,
    OLD_SECRETS,
    SECRET_BYTES,
    Link,
    Links,
    installation_secrets,
    load_signer,
)
from astragal.storage import Store
from astragal.storage.backup import rewritten

FORMAT = 1
MAX_FILE = 1 << 20
"""Bytes; far more than the links of one table take."""
OTHER_TABLE = 'These links are for the table "{file}", not for "{here}". Nothing was changed; name that table\'s file.'
HERE_ALREADY = (
    'The table "{file}" is already here. Nothing was changed. Without --links, the import gets another id, and '
    "astragal table link makes links to it."
)


class LinksFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of the file."""

    astragal: str
    format: int
    table: str
    links: list[Link]
    keys: list[str]
    """In base64, the newest first."""


def export_links(store: Store, table: str) -> bytes:
    """A table's links, and the keys that signed them."""
    bodies = store.settings_under([f"link/{table}/"])
    links = [msgspec.json.decode(bodies[name], type=Link) for name in sorted(bodies)]
    keys = [b64encode(secret).decode() for secret in installation_secrets(store)]
    return msgspec.json.format(msgspec.json.encode(LinksFile("links", FORMAT, table, links, keys))) + b"\n"


def read_links(data: bytes) -> LinksFile:
    """The links in a file; Malformed if it is not a file of links."""
    if len(data) > MAX_FILE:
        raise Malformed(f"The file is too long; a file of links has at most {MAX_FILE >> 20} MB.")
    try:
        found = msgspec.json.decode(data, type=LinksFile)
        keys = [b64decode(key, validate=True) for key in found.keys]
    except ValueError:
        raise Malformed("This is not a file of links, as astragal table export --links writes it.") from None
    if found.astragal != "links" or found.format != FORMAT or any(len(key) != SECRET_BYTES for key in keys):
        raise Malformed("This file of links is from another version of Astragal.")
    return found


def import_links(store: Store, file: LinksFile, table: str) -> int:
    """Let the links of a file open a table, which must have the same id; returns the number of links."""
    if file.table != table:
        raise Illegal(OTHER_TABLE.format(file=file.table[:64], here=table))
    older, new = _older_keys(file, store)
    if new:
        store.set_setting(OLD_SECRETS, b"".join(older)).result()
    Links(store, load_signer(store), table).take_in(file.links)
    rewritten(store, "links were imported")
    return len(file.links)


def check_links(store: Store, file: LinksFile, table: str, *, here: bool) -> None:
    """Illegal if the links could not open the table after an import; ``here`` is true if its id is taken."""
    if file.table != table:
        raise Illegal(OTHER_TABLE.format(file=file.table[:64], here=table))
    if here:
        raise Illegal(HERE_ALREADY.format(file=table))
    _older_keys(file, store)


def _older_keys(file: LinksFile, store: Store) -> tuple[list[bytes], list[bytes]]:
    """The keys that will verify and not sign, and those among them that are new here."""
    known = installation_secrets(store)
    new = [key for key in map(b64decode, file.keys) if key not in known]
    older = [*known[1:], *new]
    if len(older) > MAX_OLD_SECRETS:
        raise Illegal(
            f"There would be {len(older)} older keys, and at most {MAX_OLD_SECRETS} are kept. Nothing was changed; "
            "end older ones with astragal keys --rotate --forget, or make new links with astragal table link."
        )
    return older, new
