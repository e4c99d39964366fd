"""Static files: the page as built from page/. Files with a hash in their name never change; the index may."""

from __future__ import annotations

import asyncio
import re
from email.utils import formatdate
from gzip import compress
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from astragal.errors import Unknown
from astragal.serve.problems import refusal_response

FOLDER = Path(__file__).parents[1] / "page"
NOT_BUILT = "The page is not built in this source tree. Run `make play`, or `npm ci && npm run build` in page/.\n"
OFFLINE = "verify.html"
"""A page with its script inside, to open from a disk: no server is trusted then, and no policy forbids the script."""
IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
_NAME = re.compile(r"(?!.{200})\w[\w.-]*(/\w[\w.-]*)*", re.ASCII).fullmatch
"""Matches names of built files: no leading dot, not long, only safe characters."""
_HASHED = re.compile(r"-[A-Za-z0-9_-]{8}\.[a-z0-9]+$").search
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml",
         ".json": "application/json", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2"}  # fmt: skip
COMPRESSED = frozenset({".js", ".css", ".html", ".svg", ".json", ".webmanifest"})
"""Text files, a third as long when compressed."""


class File(NamedTuple):
    """A file with its compressed forms, and an entity tag of its content."""

    media: str
    cache: str
    tag: str
    modified: str
    forms: dict[str, bytes]
    saved: bool = False
    """True if a browser saves the file in place of showing it."""


class Page:
    """The built files, read when first requested and again when they change."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        self._files: dict[str, tuple[float, File]] = {}

    async def index(self, request: Request) -> Response:
        """The index, for every page: its script reads the address."""
        file = await asyncio.to_thread(self._find, "index.html")
        return _response(file, request) if file else PlainTextResponse(NOT_BUILT, 503)

    async def asset(self, request: Request) -> Response:
        """Any other built file; after a dead link, a browser gets the page, which says what to do."""
        name = request.path_params["path"]
        file = await asyncio.to_thread(self._find, name) if _NAME(name) else None
        if file is None and "text/html" in request.headers.get("accept", ""):
            index = await asyncio.to_thread(self._find, "index.html")
            return _response(index, request, 404) if index else PlainTextResponse(NOT_BUILT, 503)
        return _response(file, request) if file else refusal_response(Unknown("There is no such page."))

    def _find(self, name: str) -> File | None:
        """A file below the folder; None for any other path, even by a link that leads out of the folder."""
        path = (self._folder / name).resolve()
        if not path.is_relative_to(self._folder.resolve()) or not path.is_file():
            return None
        changed = path.stat().st_mtime
        known = self._files.get(name)
        if known is None or known[0] != changed:
            self._files[name] = known = (changed, _read(path, changed))
        return known[1]


def _read(path: Path, changed: float) -> File:
    body = path.read_bytes()
    forms = {"": body}
    for encoding, ending in ENCODINGS:
        compressed = path.with_name(path.name + ending)
        if compressed.is_file() and compressed.stat().st_mtime >= changed:
            forms[encoding] = compressed.read_bytes()
    if path.suffix in COMPRESSED:
        forms.setdefault("gzip", compress(body, mtime=0))
    media = TYPES.get(path.suffix) or guess_type(path.name)[0] or "application/octet-stream"
    cache = IMMUTABLE if _HASHED(path.name) and path.suffix != ".html" else REVALIDATE
    return File(
        media,
        cache,
        f'"{sha256(body).hexdigest()[:20]}"',
        formatdate(changed, usegmt=True),
        forms,
        path.name == OFFLINE,
    )


def _response(file: File, request: Request, status: int = 200) -> Response:
    headers = {"Cache-Control": file.cache, "ETag": file.tag, "Last-Modified": file.modified, "Vary": "Accept-Encoding"}
    if status == 200 and file.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if file.saved:
        headers["Content-Disposition"] = f'attachment; filename="{OFFLINE}"'
    taken = {part.partition(";")[0].strip() for part in request.headers.get("accept-encoding", "").split(",")}
    encoding = next((name for name, _ in ENCODINGS if name in taken and name in file.forms), "")
    if encoding:
        headers["Content-Encoding"] = encoding
    return Response(file.forms[encoding], status, headers, file.media)
