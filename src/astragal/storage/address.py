"""The address of a store: a file, or a database that is named by a URL. A password in it is never shown."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn, TypeAlias
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from astragal.errors import Malformed

SCHEMES = ("postgresql", "postgres")
SECRET = ("password", "sslpassword", "passfile", "sslkey")
"""Parts of an address that are for the database only."""
NO_ADDRESS = "A database's address looks like postgresql://user@host:5432/name; that of a file is its name."


class Database:
    """The address of a PostgreSQL database. As text it has no password; only ``url`` has."""

    __slots__ = ("shown", "url")

    def __init__(self, url: str) -> None:
        self.url = url
        self.shown = _shown(url)

    def __repr__(self) -> str:
        return self.shown

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Database) and other.url == self.url

    def __hash__(self) -> int:
        return hash(self.url)


Address: TypeAlias = Path | Database


def parse_address(text: str | Path | Database) -> Address:
    """The address that a text names; Malformed, without saying the text, for a URL of something else."""
    if isinstance(text, (Path, Database)):
        return text
    scheme, separator, _ = text.partition("://")
    if not separator:
        return Path(text)
    return parse_database(text) if scheme in SCHEMES else _refuse()


def parse_database(url: str) -> Database:
    """The database that a URL names; Malformed, without saying the text, for anything else."""
    url = url.strip()
    if not url.isprintable() or url.partition("://")[0] not in SCHEMES or "://" not in url:
        _refuse()
    try:
        return Database(url)
    except ValueError:
        _refuse()


def _refuse() -> NoReturn:
    raise Malformed(NO_ADDRESS)


def _shown(url: str) -> str:
    """The address without passwords."""
    parts = urlsplit(url)
    user, at, hosts = parts.netloc.rpartition("@")
    query = urlencode([each for each in parse_qsl(parts.query) if each[0] not in SECRET], quote_via=quote)
    return f"postgresql://{user.partition(':')[0]}{at}{hosts}{parts.path}{'?' if query else ''}{query}"
