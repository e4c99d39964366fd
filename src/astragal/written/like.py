"""Rolls that take over another roll of the same file: everything that they do not say themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from astragal.written.document import Part, near
from astragal.written.lines import KeyPath

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
    values = _merged(base, {name: value for name, value in own.items() if name != "like"})
    moved: dict[KeyPath, KeyPath] = {}
    for name in LISTS:
        if _is_list_of_tables(base.get(name)) and _is_list_of_tables(own.get(name)):
            values[name] = _joined(base[name], own[name], first=name == OUTCOMES)
            named = list(map(_name, own[name]))
            places = [(place, _name(each)) for place, each in enumerate(values[name])]
            moved |= {(name, place): (name, named.index(each)) for place, each in places if each in named}
    return values, moved


def _merged(base: Any, own: Any) -> Any:
    """Return a table with the tables in it taken over name by name; anything else is one's own."""
    if not (isinstance(base, dict) and isinstance(own, dict)):
        return own
    return {**base, **{name: _merged(base.get(name), value) for name, value in own.items()}}


def _joined(base: list[Any], own: list[Any], first: bool) -> list[dict[str, Any]]:
    said = {_name(each): each for each in own}
    taken = [{**each, **said.pop(_name(each), {})} for each in base]
    return [*said.values(), *taken] if first else [*taken, *said.values()]


def _name(entry: Mapping[str, Any]) -> str:
    return str(entry.get("name"))


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)
