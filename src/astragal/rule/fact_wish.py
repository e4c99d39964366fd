"""Wishes: what somebody hopes for, and policies: how the choices are answered while odds are computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple


class Wish(NamedTuple):
    """How much a result is worth to somebody: 1 if it is what they hoped for, 0 if not, or a number of things."""

    name: str
    help: str
    worth: Callable[[Any], int]
    counts: bool = False
    """Whether the worth is a number of things; otherwise it is 1 or 0, and its average a chance."""


class Policy(NamedTuple):
    """``never`` leaves every choice alone; ``best`` does all for a wish; ``cheapest`` the same at least cost."""

    name: Literal["never", "best", "cheapest"] = "never"
    wish: Wish | None = None


NEVER = Policy()
