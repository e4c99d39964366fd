"""A table's links as a file, for whoever moves the table to another installation: the links keep opening it there.

A link is a signature, so the keys that signed it go along. Whoever has the file can make a link to any seat of the
installation that it is from.
"""

from __future__ import annotations

from base64 import b64decode, b64encode

import msgspec

from astragal.errors import Illegal, Malformed
from astragal.serve.auth import (
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
OTHER_TABLE = 'These links are for the table "{file}", not for "{here}". Nothing was changed; name its own file.'
HERE_ALREADY = (
    'The table "{file}" is here already. Nothing was changed: without --links the import gets an id of its own, and '
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
    """The file; Malformed if it is none."""
    if len(data) > MAX_FILE:
        raise Malformed(f"The file is too long for links: at most {MAX_FILE >> 20} MB are taken.")
    try:
        found = msgspec.json.decode(data, type=LinksFile)
        keys = [b64decode(key, validate=True) for key in found.keys]
    except ValueError:
        raise Malformed("This is no file of links, as astragal table export --links writes them.") from None
    if found.astragal != "links" or found.format != FORMAT or any(len(key) != SECRET_BYTES for key in keys):
        raise Malformed("This is no file of links that this Astragal can read.")
    return found


def import_links(store: Store, file: LinksFile, table: str) -> int:
    """Let the links of a file open a table, which has to have the same id; returns how many there are."""
    if file.table != table:
        raise Illegal(OTHER_TABLE.format(file=file.table[:64], here=table))
    older, new = _older_keys(file, store)
    if new:
        store.set_setting(OLD_SECRETS, b"".join(older)).result()
    Links(store, load_signer(store), table).take_in(file.links)
    rewritten(store, "links were imported")
    return len(file.links)


def check_links(store: Store, file: LinksFile, table: str, *, here: bool) -> None:
    """Illegal if the links could not open the table once it is brought; ``here`` says whether its id is taken."""
    if file.table != table:
        raise Illegal(OTHER_TABLE.format(file=file.table[:64], here=table))
    if here:
        raise Illegal(HERE_ALREADY.format(file=table))
    _older_keys(file, store)


def _older_keys(file: LinksFile, store: Store) -> tuple[list[bytes], list[bytes]]:
    """The keys that will verify what they signed and sign nothing new, and those of them that are not here yet."""
    known = installation_secrets(store)
    new = [key for key in map(b64decode, file.keys) if key not in known]
    older = [*known[1:], *new]
    if len(older) > MAX_OLD_SECRETS:
        raise Illegal(
            f"There would be {len(older)} older keys, and at most {MAX_OLD_SECRETS} are kept. Nothing was changed; "
            "end older ones with astragal keys --rotate --forget, or make new links with astragal table link."
        )
    return older, new
