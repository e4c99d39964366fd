"""The API's documentation: the OpenAPI document, and a page for people that is made from it.

``python -m astragal.serve.api.docs`` prints the document.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from functools import cached_property
from html import escape
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from astragal.serve.api.openapi import REFUSALS, openapi_document
from astragal.serve.api.operations import OPERATIONS
from astragal.serve.live.frames import SCHEMAS
from astragal.serve.problems import STATUS

CACHE = {"Cache-Control": "no-cache"}
STYLE = """
:root { color-scheme: light dark; --line: light-dark(#ccc, #444); --code: light-dark(#f3f3f3, #222); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 0 auto; padding: 1rem; background: Canvas;
  overflow-wrap: anywhere; }
code { font: 0.9em ui-monospace, monospace; background: var(--code); padding: 0 0.2em; border-radius: 3px;
  overflow-wrap: anywhere; }
section { border-top: 1px solid var(--line); margin-top: 1.5rem; }
table { border-collapse: collapse; width: 100%; margin: 0.5rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.2rem 1rem 0.2rem 0; border-bottom: 1px solid var(--line); }
.method { font-weight: 700; }
a { color: light-dark(#0050a0, #8cf); }
"""


class Docs:
    """The routes of the documentation, which is made at the first request."""

    @cached_property
    def _document(self) -> dict[str, object]:
        return openapi_document(OPERATIONS)

    async def openapi(self, request: Request) -> Response:
        """The document."""
        return Response(msgspec.json.encode(self._document), headers=CACHE, media_type="application/json")

    async def page(self, request: Request) -> Response:
        """The page for people."""
        return HTMLResponse(render_page(self._document), headers=CACHE)

    async def style(self, request: Request) -> Response:
        """The page's style."""
        return Response(STYLE, headers=CACHE, media_type="text/css")

    def routes(self) -> list[Route]:
        """The routes of document, page and style."""
        return [
            Route("/openapi.json", self.openapi),
            Route("/docs", self.page),
            Route("/docs/style.css", self.style),
        ]


def document_text() -> str:
    """The document as text; the page's types are generated from it."""
    return msgspec.json.format(msgspec.json.encode(openapi_document(OPERATIONS)), indent=2).decode() + "\n"


def render_page(document: dict[str, Any]) -> str:
    """The document as an HTML page without scripts."""
    info = document["info"]
    return "\n".join(
        (
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width"><title>Astragal: HTTP API</title>',
            '<link rel="stylesheet" href="/docs/style.css"></head><body><main>',
            f"<h1>{escape(info['title'])} {escape(info['version'])}: HTTP API</h1><p>{_text(info['description'])}</p>",
            '<p>The same for programs: <a href="/openapi.json">openapi.json</a>.</p>',
            *_contents(document),
            *_operations(document),
            *_problems(),
            *_types(document),
            "</main></body></html>",
        )
    )


def _text(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _each(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, about in methods.items():
            yield method.upper(), path, about


def _contents(document: dict[str, Any]) -> Iterator[str]:
    for tag in document["tags"]:
        yield f"<h2>{escape(tag['name'].capitalize())}</h2><p>{_text(tag['description'])}</p><ul>"
        for method, path, about in _each(document):
            if tag["name"] in about["tags"]:
                name = escape(about["operationId"])
                yield f'<li><a href="#{name}"><code>{method} {escape(path)}</code></a> {escape(about["summary"])}</li>'
        yield "</ul>"


def _operations(document: dict[str, Any]) -> Iterator[str]:
    for method, path, about in _each(document):
        name = escape(about["operationId"])
        yield f'<section id="{name}"><h2><code><span class="method">{method}</span> {escape(path)}</code></h2>'
        yield f"<p>{escape(about['summary'])} {escape(about.get('description', ''))}</p>"
        if about.get("parameters"):
            yield _table(
                ("parameter", "in", "meaning"),
                [(f"<code>{escape(each['name'])}</code>", each["in"], _schema(each)) for each in about["parameters"]],
            )
        for media, content in about.get("requestBody", {}).get("content", {}).items():
            yield f"<p>Body: <code>{escape(media)}</code>, {_type(content['schema'])}.</p>"
        yield _table(("status", "answer"), [(status, _answer(answer)) for status, answer in about["responses"].items()])
        yield "</section>"


def _schema(parameter: dict[str, Any]) -> str:
    needed = "" if parameter["required"] else ", optional"
    return f"{_type(parameter['schema'])}{needed} {escape(parameter.get('description', ''))}"


def _answer(answer: dict[str, Any]) -> str:
    media = "; ".join(
        f"<code>{escape(media)}</code> {_type(content['schema'])}"
        for media, content in answer.get("content", {}).items()
    )
    return f"{escape(answer['description'])} {media}"


def _problems() -> Iterator[str]:
    yield '<section id="problems"><h2>Problems</h2><p>Every refusal has a <code>kind</code>:</p>'
    rows = [
        (f'<code id="{kind}">{kind}</code>', str(status), escape(REFUSALS[status])) for kind, status in STATUS.items()
    ]
    yield _table(("kind", "status", "meaning"), rows) + "</section>"


def _types(document: dict[str, Any]) -> Iterator[str]:
    yield "<h2>Types</h2>"
    for name, schema in sorted(document["components"]["schemas"].items()):
        yield f'<section id="type-{escape(name)}"><h3><code>{escape(name)}</code></h3>'
        yield f"<p>{_text(schema.get('description', ''))}</p>"
        required = schema.get("required", ())
        rows = [
            (f"<code>{escape(field)}</code>", _type(each) + ("" if field in required else ", optional"))
            for field, each in schema.get("properties", {}).items()
        ]
        yield (_table(("field", "type"), rows) if rows else "") + "</section>"


def _type(schema: Any) -> str:
    """A schema in a few words, with links to the types that it refers to."""
    if not isinstance(schema, dict) or not schema:
        return "anything"
    if "$ref" in schema:
        name = escape(schema["$ref"].removeprefix(SCHEMAS))
        return f'<a href="#type-{name}">{name}</a>'
    if "anyOf" in schema:
        return " or ".join(map(_type, schema["anyOf"]))
    if "enum" in schema:
        return ", ".join(f"<code>{escape(str(value))}</code>" for value in schema["enum"])
    inner = {"array": "items", "object": "additionalProperties"}.get(schema.get("type", ""))
    of = f" of {_type(schema[inner])}" if inner in schema else ""
    return f"{escape(str(schema.get('type', 'anything')))}{of}{_bounds(schema)}"


def _bounds(schema: dict[str, Any]) -> str:
    words = {"minimum": "from", "maximum": "to", "minLength": "at least", "maxLength": "at most", "pattern": "like"}
    found = [f"{word} {escape(str(schema[key]))}" for key, word in words.items() if key in schema]
    return f" ({', '.join(found)})" if found else ""


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


if __name__ == "__main__":
    sys.stdout.write(document_text())
