"""The page: files that were built from page/. Names with a hash in them never change; the index always may."""

from __future__ import annotations

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
from astragal.serve.problems import problem

FOLDER = Path(__file__).with_name("page")
MISSING = "The page is not built in this source tree. Run `make play`, or `npm ci && npm run build` in page/.\n"
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
_HASHED = re.compile(r"-[A-Za-z0-9_-]{8}\.[a-z0-9]+$").search
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml",
         ".json": "application/json", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2"}  # fmt: skip
PACKED = frozenset({".js", ".css", ".html", ".svg", ".json", ".webmanifest"})
"""What is text, and a third as long when it is packed."""


class File(NamedTuple):
    """A file with its packed forms, and a tag that changes with it."""

    media: str
    cache: str
    tag: str
    modified: str
    forms: dict[str, bytes]


class Page:
    """The built files, read when they are asked for first."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        self._files: dict[str, tuple[float, File]] = {}

    async def index(self, request: Request) -> Response:
        """Every page of ours is the same file; its script looks at the address."""
        file = self._find("index.html")
        return _response(file, request) if file else PlainTextResponse(MISSING, 503)

    async def asset(self, request: Request) -> Response:
        file = self._find(request.path_params["path"])
        return _response(file, request) if file else problem(Unknown("There is no such page."))

    def _find(self, name: str) -> File | None:
        """A file below the folder; nothing else is a file here."""
        path = (self._folder / name).resolve()
        if not path.is_relative_to(self._folder.resolve()) or not path.is_file() or path.name.startswith("."):
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
        packed = path.with_name(path.name + ending)
        if packed.is_file() and packed.stat().st_mtime >= changed:
            forms[encoding] = packed.read_bytes()
    if path.suffix in PACKED:
        forms.setdefault("gzip", compress(body, mtime=0))
    media = TYPES.get(path.suffix) or guess_type(path.name)[0] or "application/octet-stream"
    cache = FOR_EVER if _HASHED(path.name) and path.suffix != ".html" else ASK_AGAIN
    return File(media, cache, f'"{sha256(body).hexdigest()[:20]}"', formatdate(changed, usegmt=True), forms)


def _response(file: File, request: Request) -> Response:
    headers = {"Cache-Control": file.cache, "ETag": file.tag, "Last-Modified": file.modified, "Vary": "Accept-Encoding"}
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    taken = {part.partition(";")[0].strip() for part in request.headers.get("accept-encoding", "").split(",")}
    encoding = next((name for name, _ in ENCODINGS if name in taken and name in file.forms), "")
    if encoding:
        headers["Content-Encoding"] = encoding
    return Response(file.forms[encoding], headers=headers, media_type=file.media)
