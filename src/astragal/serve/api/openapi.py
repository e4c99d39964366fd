"""The OpenAPI 3.1 document, from the list of operations and the types of their bodies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from astragal import __version__
from astragal.serve.access.auth import COOKIE, SCREEN_COOKIE
from astragal.serve.api.socket import PATH
from astragal.serve.http.operation import Operation, Text
from astragal.serve.live.frames import FRAMES, SCHEMAS, VIEWS
from astragal.serve.problems import MEDIA, Problem

JSON = "application/json"
REF = f"{SCHEMAS}{{name}}"
ABOUT = (
    "Dice rules of tabletop games, exact odds, and a live table for a group. Every refusal is "
    f"`{MEDIA}` with a sentence for a person. Version numbers count what your seat may see, and nothing else."
)
LIVE = (
    f"`GET {PATH}?since=<version>` is a WebSocket. The server sends the frames Hello, News, Here, Knocks (to "
    "GMs), Ping, Now and Bye; the browser answers each Ping with a Pong, may send When, which Now answers with the "
    "server's time, and sends nothing else. Without "
    "`since`, or if too much was missed, the first frame is Hello; otherwise it is News of what was missed."
)
TAGS = {
    "questions": "Rolls and exact odds, without a table.",
    "tables": f"Tables, seats and links. A seat is a cookie that comes in exchange for a link's token. {LIVE}",
    "server": "Health and metrics.",
}
REFUSALS = {
    400: "The request does not fit the schema.",
    401: "The request has no valid signature.",
    403: "Your seat may not do that, or the request came from another site's page.",
    404: "Not found.",
    409: "The table has changed in the meantime.",
    413: "The body is too long.",
    415: "The body has the wrong media type.",
    422: "The request is readable, but the rules forbid it.",
    429: "Too many requests.",
    503: "The storage is unavailable or the server is busy; nothing was changed.",
}
FOR = {"gm": "For a GM.", "any": "For every seat.", "screen": "For a screen of the room."}
PATH_PARAMETERS: dict[str, dict[str, Any]] = {
    "table": {"pattern": "^[A-Za-z0-9_-]{1,64}$", "description": "a table's id"},
    "roll": {"minLength": 1, "maxLength": 80, "pattern": "^[^/]+$", "description": "a roll's id"},
    "holder": {"minLength": 1, "maxLength": 80, "pattern": "^[^/]+$", "description": "a holder's id or name"},
    "link": {"pattern": "^[A-Za-z0-9_-]{1,64}$", "description": "a link's id"},
    "tie": {"pattern": "^(channel|user)-[0-9]{1,20}$", "description": "a connection to Discord, such as channel-123"},
    "webhook": {"pattern": "^[A-Za-z0-9_-]{1,64}$", "description": "a webhook's id"},
    "game": {"minLength": 1, "maxLength": 80, "pattern": "^[^/]+$", "description": "a game's name"},
    "language": {"pattern": "^[a-z]{2,3}$", "description": "a language, such as de"},
    "knock": {"pattern": "^[A-Za-z0-9_-]{1,64}$", "description": "the id of a person at the door"},
}


def openapi_document(operations: Iterable[Operation]) -> dict[str, Any]:
    """The document as plain data."""
    operations = list(operations)
    schemas, components = _schemas(operations)
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation, schemas, components)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Astragal", "version": __version__, "description": ABOUT, "license": {"name": "MIT"}},
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": help} for name, help in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                name: {"type": "apiKey", "in": "cookie", "name": name} for name in (COOKIE, SCREEN_COOKIE)
            },
        },
    }


def _schemas(operations: list[Operation]) -> tuple[dict[Any, Any], dict[str, Any]]:
    """The schema of every type, and all the components that they refer to."""
    types: dict[Any, None] = dict.fromkeys((Problem, *VIEWS.values(), *FRAMES))
    for operation in operations:
        for type in (operation.body, operation.query, operation.headers, *operation.answers.values()):
            if type is not None and not isinstance(type, Text):
                types[type] = None
    found, components = msgspec.json.schema_components(types, ref_template=REF)
    return dict(zip(types, found, strict=True)), components


def _operation(operation: Operation, schemas: dict[Any, Any], components: dict[str, Any]) -> dict[str, Any]:
    about: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "tags": [operation.tag],
        "responses": dict(_responses(operation, schemas)),
    }
    if parameters := list(_parameters(operation, schemas, components)):
        about["parameters"] = parameters
    if operation.body is not None:
        about["requestBody"] = {"required": True, "content": _content(operation.body, schemas)}
    if operation.seat:
        about["security"] = [{SCREEN_COOKIE if operation.seat == "screen" else COOKIE: []}]
        about["description"] = FOR[operation.seat]
    return about


def _content(type: Any, schemas: dict[Any, Any]) -> dict[str, Any]:
    if isinstance(type, Text):
        return {media: {"schema": {"type": "string", "description": type.help}} for media in (type.media, *type.also)}
    return {JSON: {"schema": schemas[type]}}


def _parameters(operation: Operation, schemas: dict[Any, Any], components: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for name in re.findall(r"\{(\w+)\}", operation.path):
        about = dict(PATH_PARAMETERS[name])
        help = about.pop("description")
        yield {"name": name, "in": "path", "required": True, "description": help, "schema": {"type": "string", **about}}
    for where, type in (("query", operation.query), ("header", operation.headers)):
        if type is not None:
            struct = components[schemas[type]["$ref"].removeprefix(SCHEMAS)]
            for name, schema in struct["properties"].items():
                required = name in struct.get("required", ())
                yield {"name": name, "in": where, "required": required, "schema": schema}


def _responses(operation: Operation, schemas: dict[Any, Any]) -> Iterator[tuple[str, Any]]:
    for status, type in operation.answers.items():
        answer: dict[str, Any] = {"description": _described(type)}
        if type is not None:
            answer["content"] = _content(type, schemas)
        yield str(status), answer
    for status in sorted(_refusals(operation)):
        refused: dict[str, Any] = {"description": REFUSALS[status], "content": {MEDIA: {"schema": schemas[Problem]}}}
        if status == 429:
            seconds = {"type": "integer", "minimum": 1}
            refused["headers"] = {"Retry-After": {"required": True, "schema": seconds}}
        yield str(status), refused


def _described(type: Any) -> str:
    if type is None:
        return "Done."
    return str(type.help if isinstance(type, Text) else (type.__doc__ or "").strip().splitlines()[0])


def _refusals(operation: Operation) -> set[int]:
    """The statuses of the refusals that an operation may give."""
    found = {400, 503, *operation.refusals}
    if operation.limit:
        found.add(429)
    if operation.body is not None:
        found |= {403, 404, 413, 415, 422}
    if operation.at_table:
        found |= {403, 404}
    if operation.seat:
        found.add(422)
    return found
