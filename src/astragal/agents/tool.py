"""Tools that an assistant may call: arguments, results, and their JSON Schemas."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from hashlib import sha256
from typing import Annotated, Any, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta, Struct

from astragal.agents.api import Api
from astragal.errors import Malformed
from astragal.serve.http.endpoint import MAX_BODY, decode
from astragal.serve.problems import BadRequest

REF = "#/$defs/{name}"


@cache
def schema_of(type: Any) -> dict[str, Any]:
    """The schema of an object type, with all types that it refers to; shared, so do not change it."""
    (root,), parts = msgspec.json.schema_components([type], ref_template=REF)
    if "$ref" in root:
        root = parts.pop(root["$ref"].rpartition("/")[2])
    found: dict[str, Any] = _plain({**root, "$defs": parts} if parts else root)
    return found


def with_help(schema: dict[str, Any], help: Mapping[str, str]) -> dict[str, Any]:
    """The schema with a description of some of its properties."""
    properties = {
        name: {**about, "description": help[name]} if name in help else about
        for name, about in schema.get("properties", {}).items()
    }
    return {**schema, "properties": properties}


def _plain(schema: Any) -> Any:
    """A schema without titles, which repeat names, and without empty defaults, since a model reads every word."""
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: {each: _plain(part) for each, part in value.items()} if name in ("properties", "$defs") else _plain(value)
        for name, value in schema.items()
        if not (name == "title" and isinstance(value, str)) and not (name == "default" and value in ("", {}, []))
    }


ARGUMENTS = "The arguments"
TOO_LONG = f"The arguments have more than {MAX_BODY:,} bytes; give less at a time."
NO_TEXT = "The arguments have characters that are not text."

Key: TypeAlias = Annotated[str, Meta(min_length=1, max_length=100, pattern=r"\S")]
"""An assistant's own text for one action."""
Run: TypeAlias = Callable[[Api, Any], Awaitable[Any]]
"""Runs a tool: from the API and the arguments to a result as plain data."""

_encode = msgspec.json.Encoder(order="deterministic").encode


class Tool(NamedTuple):
    """A tool. ``seat`` is true if it needs a seat at a table, ``acts`` if it changes anything there."""

    name: str
    title: str
    about: str
    takes: type[Struct]
    gives: Any
    run: Run
    seat: bool = False
    acts: bool = False
    help: Mapping[str, str] = {}
    """The meaning of its arguments, by name."""

    @property
    def input_schema(self) -> dict[str, Any]:
        """The schema of its arguments."""
        return with_help(schema_of(self.takes), self.help)

    @property
    def output_schema(self) -> dict[str, Any]:
        """The schema of its results."""
        return schema_of(self.gives)

    def read(self, arguments: Mapping[str, Any] | None) -> Any:
        """The arguments, checked like a body of the API; Malformed with the location of the mistake."""
        try:
            written = _encode(arguments or {})
        except UnicodeEncodeError:
            raise Malformed(NO_TEXT) from None
        except (OverflowError, RecursionError, TypeError, ValueError) as error:
            raise Malformed(f"{ARGUMENTS} cannot be read: {error}.") from None
        if len(written) > MAX_BODY:
            raise Malformed(TOO_LONG)
        try:
            return decode(_decoder(self.takes), written, ARGUMENTS)
        except BadRequest as refusal:
            raise Malformed(f"{refusal.sentence} {self.name} takes {_listed(self.takes)}.") from None


def _listed(type: type[Struct]) -> str:
    """The names of a type's fields, required ones first."""
    fields = sorted(msgspec.structs.fields(type), key=lambda field: not field.required)
    return ", ".join(f"{field.name} (needed)" if field.required else field.name for field in fields) or "nothing"


@cache
def _decoder(type: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(type)


def without(type: type[Struct], name: str, *left_out: str, **more: Any) -> type[Struct]:
    """A type with most fields of another and with more: each a required type, or a type with a default."""
    given: list[Any] = [
        (field, *wanted) if isinstance(wanted, tuple) else (field, wanted) for field, wanted in more.items()
    ]
    for field in msgspec.structs.fields(type):
        if field.name not in left_out:
            default = (
                field.default
                if field.default is not msgspec.NODEFAULT
                else msgspec.field(default_factory=field.default_factory)
                if field.default_factory is not msgspec.NODEFAULT
                else msgspec.NODEFAULT
            )
            given.append((field.name, field.type, default))
    return msgspec.defstruct(name, given, frozen=True, kw_only=True, forbid_unknown_fields=True)


def key_of(key: str, action: Any) -> str:
    """The key that an action is stored under: the same key with another action is another key.

    Assistants often count their keys from 1, and must not get the answer to an older, different action.
    """
    return f"mcp-{sha256(_encode((key, action))).hexdigest()[:48]}"
