"""Everything that a game outside this package imports, and all that the built-in games import.

Names are stable: a break needs a new major version. Those of ``dice.solver``, ``dice.cache`` and ``count_law``, for
closed forms of odds, are provisional. ``author.pyi`` declares each name once. A name is loaded with its first use, so
that a game which only rolls does not load what odds need.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from astragal import names_in

_MODULES = names_in(f"{__file__}i")
__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return found
