"""The OpenAPI document and a readable page of it. ``python -m astragal.serve.api.docs`` prints the document."""

from __future__ import annotations

import sys
from functools import cached_property

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from astragal.serve.api.docs_reading import STYLE, page_of
from astragal.serve.api.openapi import document
from astragal.serve.api.operations import OPERATIONS

CACHE = {"Cache-Control": "no-cache"}


class Documents:
    """Made when they are asked for first."""

    @cached_property
    def _document(self) -> dict[str, object]:
        return document(OPERATIONS)

    async def openapi(self, request: Request) -> Response:
        return Response(msgspec.json.encode(self._document), headers=CACHE, media_type="application/json")

    async def docs(self, request: Request) -> Response:
        return HTMLResponse(page_of(self._document), headers=CACHE)

    async def style(self, request: Request) -> Response:
        return Response(STYLE, headers=CACHE, media_type="text/css")

    def routes(self) -> list[Route]:
        return [
            Route("/openapi.json", self.openapi),
            Route("/docs", self.docs),
            Route("/docs/style.css", self.style),
        ]


def written() -> str:
    """The document as a file: the page's types are made from it."""
    return msgspec.json.format(msgspec.json.encode(document(OPERATIONS)), indent=2).decode() + "\n"


if __name__ == "__main__":
    sys.stdout.write(written())
