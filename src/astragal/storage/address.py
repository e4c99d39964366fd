"""The address of a store: a file, or a database with a URL. A password in it is never shown."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from astragal.errors import Malformed

SCHEMES = ("postgresql://", "postgres://")
SECRET = ("password", "sslpassword", "passfile", "sslkey")
"""Secret parts of an address."""
NO_ADDRESS = "A database's address looks like postgresql://user@host:5432/name; a file's address is its name."


@dataclass(frozen=True, repr=False)
class Database:
    """The address of a PostgreSQL database. Only ``url`` contains the password."""

    url: str

    @property
    def shown(self) -> str:
        """The address without passwords."""
        parts = urlsplit(self.url)
        user, at, hosts = parts.netloc.rpartition("@")
        query = urlencode([each for each in parse_qsl(parts.query) if each[0] not in SECRET], quote_via=quote)
        return f"postgresql://{user.partition(':')[0]}{at}{hosts}{parts.path}{'?' if query else ''}{query}"

    def __repr__(self) -> str:
        return self.shown


Address: TypeAlias = Path | Database


def parse_address(text: str | Path | Database) -> Address:
    """The address in a text; Malformed, without repeating the text, for another kind of URL."""
    if isinstance(text, (Path, Database)):
        return text
    return parse_database(text) if "://" in text else Path(text)


def parse_database(url: str) -> Database:
    """The database of a URL; Malformed, without repeating the text, for anything else."""
    url = url.strip()
    if not url.isprintable() or not url.startswith(SCHEMES):
        raise Malformed(NO_ADDRESS)
    found = Database(url)
    try:
        str(found)
    except ValueError:
        raise Malformed(NO_ADDRESS) from None
    return found
