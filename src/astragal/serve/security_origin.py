"""Origin: what another site's page sends is refused, even before anybody's seat is looked at."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from astragal.errors import Forbidden

OURS = ("same-origin", "none")
FOREIGN = "This came from another site's page, so it was not done."


def refuse_foreign(request: HTTPConnection) -> None:
    """A browser says where a request comes from; a program that says nothing is no browser."""
    origin = request.headers.get("origin")
    if origin is None:
        if request.headers.get("sec-fetch-site", "none") not in OURS:
            raise Forbidden(FOREIGN)
    elif _place(origin) != _place(f"//{request.headers.get('host', '')}"):
        raise Forbidden(FOREIGN)


def _place(address: str) -> tuple[str, int | None]:
    """Host and port; the usual port of http and https is the same as none."""
    try:
        parts = urlsplit(address)
        return (parts.hostname or "?").lower(), parts.port if parts.port not in (80, 443) else None
    except ValueError:
        return "??", None
