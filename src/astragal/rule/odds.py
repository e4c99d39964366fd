"""Odds: exact chances, before a die is thrown.

A kind of roll has *tables*: questions about its result, each with a name. A game may
hand over a closed form for a table where that is much faster than solving the tree;
the tests hold both against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import Any

from astragal.dice.distribution import Distribution
from astragal.errors import Illegal, Unknown
from astragal.rule.ask import Ask
from astragal.rule.game import Kind, Table, kind_of
from astragal.rule.node import Choice, Later, Node, Outcome, Throw
from astragal.rule.solve import Solver
from astragal.rule.wish import NEVER, Policy

UP_TO = 20
MOST_UP_TO = 1000


def odds(
    what: Ask | Node[Any],
    of: str | Callable[[Any], Hashable] | None = None,
    *,
    policy: Policy = NEVER,
    up_to: int = UP_TO,
) -> Distribution[Any]:
    """The exact distribution of a roll's results, of one of its tables by name, or of any function of the result."""
    if isinstance(what, Ask):
        return _asked(what, of if isinstance(of, str) else None, policy, up_to) if not callable(of) else _asked(
            what, None, policy, up_to
        ).map(of)
    results = Solver(policy, up_to).solve(what).results
    return results.map(of) if callable(of) else results


def tables(ask: Ask, policy: Policy = NEVER, up_to: int = UP_TO) -> dict[str, Distribution[Any]]:
    """Every table of a roll."""
    return {name: odds(ask, name, policy=policy, up_to=up_to) for name in tables_of(kind_of(ask))}


def forget() -> None:
    """Forget what has been asked before."""
    _asked.cache_clear()


@lru_cache(maxsize=4096)
def _asked(ask: Ask, of: str | None, policy: Policy, up_to: int) -> Distribution[Any]:
    if not 0 <= up_to <= MOST_UP_TO:
        raise Illegal(f"Values up to {up_to:,} were asked for one by one; it must be a whole number from 0 to {MOST_UP_TO:,}.")
    kind = kind_of(ask)
    if of is None:
        return Solver(policy, up_to).solve(kind.rule(ask)).results
    table = table_of(kind, of)
    if table.closed and policy.name == "never":
        return table.closed(ask, up_to)
    return table.of_results(_asked(ask, None, policy, up_to), up_to)


def table_of(kind: Kind, name: str) -> Table:
    found = tables_of(kind)
    if name not in found:
        raise Unknown(f'There is no table "{name[:40]}" here; there are {", ".join(found)}.')
    return found[name]


def tables_of(kind: Kind) -> Mapping[str, Table]:
    """The tables that the game names; without any, there is one for each fact of the result."""
    return kind.tables
