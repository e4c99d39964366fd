"""Rolls that take over another roll of the same file: everything that they do not say themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from astragal.written.document import Part, near
from astragal.written.lines import KeyPath

TABLES = ("inputs", "dice", "readings", "sides", "helpers")
"""The tables of a roll that are taken over name by name."""
LISTS = ("outcomes", "options", "wishes")
"""The lists of a roll whose entries are taken over by their ``name``."""
OUTCOMES = LISTS[0]
"""New outcomes come before those that are taken over, as the last one has no condition; other new entries after."""


def with_likes(parts: list[Part]) -> list[Part]:
    """Return rolls with all that they take over from the roll that their ``like`` names."""
    every = {part.text("name"): part for part in parts}
    return [_with_like(part, every, ()) for part in parts]


def _with_like(part: Part, every: Mapping[str, Part], later: tuple[str, ...]) -> Part:
    if not part.has("like"):
        return part
    name, later = part.text("like"), (*later, part.text("name"))
    if name not in every or name in later:
        part.refuse(f'like is "{name}"; {near(name, [each for each in every if each not in later])}.', "like")
    return part.rewritten(*_taken_over(part.values, _with_like(every[name], every, later).values))


def _taken_over(own: Mapping[str, Any], base: Mapping[str, Any]) -> tuple[dict[str, Any], dict[KeyPath, KeyPath]]:
    """Return the values of a roll, and for entries of its lists the path at which the file has them."""
    values = {**base, **{name: value for name, value in own.items() if name != "like"}}
    moved: dict[KeyPath, KeyPath] = {}
    for name in TABLES:
        if isinstance(base.get(name), dict) and isinstance(own.get(name), dict):
            values[name] = _merged(base[name], own[name])
    for name in LISTS:
        if _is_list_of_tables(base.get(name)) and _is_list_of_tables(own.get(name)):
            values[name] = _joined(base[name], own[name], first=name == OUTCOMES)
            named = [each.get("name") for each in own[name]]
            for place, each in enumerate(values[name]):
                if each.get("name") in named:
                    moved[name, place] = (name, named.index(each.get("name")))
    return values, moved


def _merged(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table with the tables in it taken over in the same way, as those of ``sides``."""
    return {
        **base,
        **{
            name: _merged(base[name], value) if isinstance(value, dict) and isinstance(base.get(name), dict) else value
            for name, value in own.items()
        },
    }


def _joined(base: list[Any], own: list[Any], first: bool) -> list[dict[str, Any]]:
    names = [each.get("name") for each in base]
    new = [each for each in own if each.get("name") not in names]
    said = {each.get("name"): each for each in own}
    taken = [{**each, **said.get(each.get("name"), {})} for each in base]
    return [*new, *taken] if first else [*taken, *new]


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)
