"""Odds: exact distributions of a roll before it is thrown.

A fact may have a closed form where that is much faster than solving the tree; tests compare both with every throw.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from astragal.dice.cache import cached, forget
from astragal.dice.distribution import Distribution
from astragal.errors import Illegal
from astragal.rule.chances.fact import NEVER, Policy, fact_of, facts_of, quick_facts
from astragal.rule.chances.solve import Solver
from astragal.rule.game import kind_of
from astragal.rule.inputs.ask import Ask
from astragal.rule.tree.node import Node

__all__ = ["all_odds", "forget", "odds"]

UP_TO = 20
"""Highest count shown on its own, by default; higher ones count as one value."""
MAX_UP_TO = 1000
"""Upper limit of ``up_to``; bounds the size of an answer."""
REMEMBERED = 4096
"""Distributions in the cache."""


def odds(
    what: Ask | Node[Any],
    of: str | Callable[[Any], Hashable] = "",
    *,
    policy: Policy = NEVER,
    up_to: int = UP_TO,
) -> Distribution[Any]:
    """The exact distribution of whole results, of a fact by name, or of any function of a result.

    Endless counts above ``up_to`` are one value.
    """
    if isinstance(of, str) and isinstance(what, Ask):
        quick = quick_facts.get((type(what), of))
        if quick and policy is NEVER and up_to is UP_TO:
            return quick(what, up_to)
        return _asked(what, of, policy, up_to)
    results = _asked(what, "", policy, up_to) if isinstance(what, Ask) else _solved(what, policy, up_to)
    return results.map(of) if callable(of) else results


def all_odds(ask: Ask, policy: Policy = NEVER, up_to: int = UP_TO) -> dict[str, Distribution[Any]]:
    """The odds of every fact; for a game without facts, of every field of the result."""
    named = facts_of(kind_of(ask))
    if named:
        return {name: odds(ask, name, policy=policy, up_to=up_to) for name in named}
    results = odds(ask, policy=policy, up_to=up_to)
    fields = getattr(next(iter(results)), "_fields", ())
    return {name: results.map(lambda result, name=name: getattr(result, name)) for name in fields}  # type: ignore[misc]


@cached(REMEMBERED)
def _asked(ask: Ask, of: str, policy: Policy, up_to: int) -> Distribution[Any]:
    """Cached: equal questions are solved once."""
    if up_to is not UP_TO:
        _check_up_to(up_to)
    kind = kind_of(ask)
    if not of:
        return _solved(kind.rule(ask), policy, up_to)
    fact = fact_of(kind, of)
    if fact.closed and policy.name == "never":
        return fact.closed(ask, up_to)
    planned = fact.planned(ask, up_to, policy) if fact.planned and policy.wish else None
    if planned is not None:
        return planned
    return fact.of_results(_asked(ask, "", policy, up_to), up_to)


def _solved(node: Node[Any], policy: Policy, up_to: int) -> Distribution[Any]:
    _check_up_to(up_to)
    return Solver(policy, up_to).solve(node).results


def _check_up_to(up_to: int) -> None:
    if type(up_to) is not int or not 0 <= up_to <= MAX_UP_TO:
        raise Illegal(f"up-to is {str(up_to)[:20]}; it must be a whole number from 0 to {MAX_UP_TO:,}.")
