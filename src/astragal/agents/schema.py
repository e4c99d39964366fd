"""JSON Schemas of what tools take and give, from the types of the API."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

REF = "#/$defs/{name}"


@cache
def schema_of(type: Any) -> dict[str, Any]:
    """The schema of a type that is an object, with everything that it refers to; shared, so not to be changed."""
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
    """Without titles, which repeat names, and without the default of what is empty: a model reads every word."""
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: {each: _plain(part) for each, part in value.items()} if name in ("properties", "$defs") else _plain(value)
        for name, value in schema.items()
        if not (name == "title" and isinstance(value, str)) and not (name == "default" and value in ("", {}, []))
    }
