"""Checks of the parts of declarations: a text, a number, a tuple, a function, a role."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from astragal.check.mistake import Mistake
from astragal.rule.sheets.table_rules import ROLES, helper_place

_CALLED: dict[Any, str] = {str: "a text", int: "a whole number", bool: "True or False", NoneType: "None"}
_CALLED |= {Mapping: "a dict", dict: "a dict", Callable: "a function", type: "a class", frozenset: "a frozenset"}
_CALLED |= {tuple: "a tuple; a single thing is written (one,)"}


def part_mistakes(thing: Any, where: str) -> Iterator[Mistake]:
    """The parts of a NamedTuple that are of another type than it declares."""
    kind: Any = type(thing)
    for name, belongs in _declared(kind).items():
        value = getattr(thing, name)
        if not fits(value, belongs):
            yield Mistake(where, f"{name} is {shown(value)}; it must be {called(belongs)}.")


@cache
def _declared(kind: Any) -> dict[str, Any]:
    fields = getattr(kind, "_fields", ())
    try:
        return {name: belongs for name, belongs in get_type_hints(kind).items() if name in fields}
    except NameError:
        return {}  # an author's own class, with names that only a type checker imports


def fits(value: Any, belongs: Any) -> bool:
    """True if a value is of a declared type, as far as this can be seen."""
    kind, inner = get_origin(belongs) or belongs, get_args(belongs)
    if kind in (Union, UnionType):
        return any(fits(value, each) for each in inner)
    if kind is Literal:
        return isinstance(value, str | int) and value in inner
    if kind is tuple:
        return _fits_tuple(value, inner)
    if kind is Callable:
        return callable(value)
    if kind in _CALLED or hasattr(kind, "_fields"):
        return isinstance(value, kind)
    return True


def _fits_tuple(value: Any, inner: tuple[Any, ...]) -> bool:
    """True for a tuple with the right parts. A single Move is a tuple, too, but not a tuple of Moves."""
    if not isinstance(value, tuple):
        return False
    if inner[1:] == (...,):
        return all(fits(each, inner[0]) for each in value)
    return not inner or (len(value) == len(inner) and all(map(fits, value, inner)))


def called(belongs: Any) -> str:
    """A declared type in words."""
    kind, inner = get_origin(belongs) or belongs, get_args(belongs)
    if kind in (Union, UnionType):
        return " or ".join(dict.fromkeys(map(called, inner)))
    if kind is Literal:
        return f"one of {', '.join(str(each) or 'nothing' for each in inner)}"
    if kind is tuple and hasattr(get_origin(inner[0]) or inner[0], "_fields"):
        return f"a tuple of {(get_origin(inner[0]) or inner[0]).__name__}s; a single one is written (one,)"
    return _CALLED.get(kind) or f"a {getattr(kind, '__name__', kind)}"


def shown(value: Any) -> str:
    """A value in words, short."""
    if isinstance(value, str):
        return f'"{value[:40]}"'
    if value is None or isinstance(value, int):
        return str(value)
    return "a function" if callable(value) and not isinstance(value, type) else f"a {type(value).__name__}"


def role_mistakes(role: Any, part: str, where: str) -> Iterator[Mistake]:
    """A role that nobody can have."""
    if isinstance(role, str) and role not in ROLES and not helper_place(role)[1]:
        yield Mistake(where, f'{part} is "{role}"; it may be {", ".join(ROLES)}, or helper 1 and on.')


def effect_mistakes(effect: Any, where: str) -> Iterator[Mistake]:
    """An effect that cannot be written: a part of the wrong type, or an unknown role."""
    yield from part_mistakes(effect, where)
    yield from role_mistakes(effect.who, "who", where)
